"""One lattice of corrections, with the score of each metric at each correction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter, itemgetter
from string import ascii_uppercase
from typing import NamedTuple
from urllib.parse import urlencode

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.corpus_inputs import LatticeTexts
from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.maege.lattices import checker_of, lattices_of, metrics_of
from core.bars import Bar
from core.columns import Column, Count, Number, Text
from core.names import Naming
from core.parameters import ParameterError, parameter
from core.progress import Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import briefly, counted, literal, some_of
from figures.drawing import Chart
from figures.metrics.lattice import lattice_figure, lattice_height
from metrics.meta_evaluation.maege import LatticeCorpus, MaegeParameters
from metrics.meta_evaluation.maege.lattice_scores import MOST_EDITS, Node, Step, direction, lattice_nodes
from metrics.meta_evaluation.maege.options import METRICS
from metrics.untrained import SHIPPED

USUAL_EDITS = 3
"""Number of edits of the lattice that is shown first: small enough to read."""


@dataclass(frozen=True, slots=True)
class LatticeParameters:
    """The sentence, the annotator and the metrics. Attributes: see the help of each."""

    metric: str = parameter(
        f"m2, {METRICS}",
        label="Metrics",
        help="Names separated by commas, with parameters where needed: ibleu:sign=plus.",
    )
    sentence: int | None = parameter(
        None,
        label="Sentence",
        help="Number of the sentence, from 0, as on the page of the corpus.",
        minimum=0,
        maximum=10_000_000,
        placeholder=f"the first with {USUAL_EDITS} edits",
    )
    annotator: str | None = parameter(
        None,
        label="Annotator",
        help="Annotator whose edits are used, as named in the references.",
        placeholder="the first with the fewest edits",
    )


@dataclass(frozen=True, slots=True)
class AppliedEdit:
    """An edit of the lattice.

    Attributes:
        start: first token, from 0.
        end: token after the last.
        before: the tokens that it replaces.
        after: what replaces them.
        kind: its type as annotated.
    """

    start: int
    end: int
    before: str
    after: str
    kind: str


@dataclass(frozen=True, slots=True)
class ScoredLattice:
    """A lattice with the scores of its corrections.

    Attributes:
        signature: what was computed, and of which texts; equal signatures mean equal numbers.
        sentence: its number, from 0.
        annotator: whose edits.
        others: other annotators of the sentence, with their numbers of edits.
        edits: in the order of the text.
        nodes: corrections, from the original to that with all edits.
        steps: between corrections that differ by one edit.
        metrics: as written, each with the number of steps up, down and on one level.
        circular: whether metrics compare with the annotators' corrections, for lack of other references.
    """

    signature: str
    sentence: int
    annotator: str
    others: Mapping[str, int]
    edits: tuple[AppliedEdit, ...]
    nodes: tuple[Node, ...]
    steps: tuple[Step, ...]
    metrics: Mapping[str, tuple[int, int, int]]
    circular: bool


def score_lattice(texts: LatticeTexts, parameters: LatticeParameters, progress: Progress) -> ScoredLattice:
    """Score all corrections of a lattice against the original.

    Raises:
        ParameterError: there is no such lattice, or it has too many edits.
        InputError: a metric lacks what it needs.
    """
    corpus = lattices_of(texts, 1)
    place = _place(corpus, parameters)
    lattice = corpus.lattices[place]
    metrics = metrics_of(MaegeParameters(metric=parameters.metric))
    progress.begin("Scoring", total=1)
    nodes, steps = lattice_nodes(corpus, place, metrics, checker=checker_of(texts), parser=texts.parser)
    progress.advance(1)
    directions = {name: [direction(nodes, step, name) for step in steps] for name in metrics}
    return ScoredLattice(
        signature=texts.signature(stated("lattice", parameters)),
        sentence=int(corpus.places[lattice.sentence]),
        annotator=lattice.annotator,
        others={
            each.annotator: len(each.edits)
            for each in corpus.lattices
            if each.sentence == lattice.sentence and each.annotator != lattice.annotator
        },
        edits=tuple(
            AppliedEdit(
                edit.start,
                edit.end,
                " ".join(lattice.words[edit.start : edit.end]),
                edit.corrections[0],
                edit.kind,
            )
            for edit in lattice.edits
        ),
        nodes=nodes,
        steps=steps,
        metrics={name: (each.count(1), each.count(-1), each.count(0)) for name, each in directions.items()},
        circular=corpus.circular,
    )


def _place(corpus: LatticeCorpus, parameters: LatticeParameters) -> int:
    """The lattice that is asked for.

    Raises:
        ParameterError: there is none, or it has too many edits.
    """
    of_sentence = [
        place
        for place, lattice in enumerate(corpus.lattices)
        if parameters.sentence in (None, int(corpus.places[lattice.sentence]))
    ]
    if not of_sentence:
        raise ParameterError(
            faults={
                "sentence": f"sentence {parameters.sentence} has no lattice: it has no annotator with edits, "
                "or one who leaves it as it is"
            }
        )
    if parameters.annotator is not None:
        chosen = [place for place in of_sentence if corpus.lattices[place].annotator == parameters.annotator]
        if not chosen:
            raise ParameterError(faults={"annotator": f"no edits by annotator {parameters.annotator!r}"})
        of_sentence = chosen
    sizes = {place: len(corpus.lattices[place].edits) for place in of_sentence}
    if parameters.sentence is None:
        return min(of_sentence, key=lambda place: (abs(sizes[place] - USUAL_EDITS), place))
    place = min(of_sentence, key=lambda each: (sizes[each], each))
    if sizes[place] > MOST_EDITS:
        raise ParameterError(
            faults={
                "sentence": f"sentence {parameters.sentence} has {sizes[place]} edits; "
                f"lattices of up to {MOST_EDITS} edits are scored as a whole"
            }
        )
    return place


def _resolved(parameters: LatticeParameters, scored: bool) -> LatticeParameters:
    metrics = metrics_of(MaegeParameters(metric=parameters.metric))
    return replace(parameters, metric=", ".join(metrics))


def headline(computed: Computed, naming: Naming) -> str:
    """How many metrics score each better text higher, and which lower a score most often."""
    result: ScoredLattice = computed.result
    steps = counted(len(result.steps), "step")
    rising = [
        title_of_metric(name) for name, counts in result.metrics.items() if counts[0] == len(result.steps)
    ]
    down = {title_of_metric(name): counts[1] for name, counts in result.metrics.items() if counts[1]}
    those = some_of(len(rising), len(result.metrics), "metric", does="rises", do="rise")
    said = f"In sentence {result.sentence}, {those} on each of {steps} to a better text"
    if not down:
        return said
    times = max(down.values())
    worst = briefly([title for title, number in down.items() if number == times], "goes", "go")
    return f"{said}; {worst} down on {'all' if times == len(result.steps) else times}"


def lead(computed: Computed, naming: Naming) -> str:
    """The sentence and annotator whose edits are shown, with links to those of others."""
    result: ScoredLattice = computed.result
    others = ", ".join(
        f"[{literal(name)}](./?{urlencode({'sentence': result.sentence, 'annotator': name})}) "
        f"({edits} edit{'' if edits == 1 else 's'})"
        for name, edits in result.others.items()
    )
    return (
        f"The {counted(len(result.edits), 'edit')} of annotator {literal(result.annotator)} in "
        f"[sentence {result.sentence}](../../?sentence={result.sentence}#sentences) are applied one by one, "
        "in every order. Each step makes the text better, if the annotator is right, so the score "
        f"should rise.{f' Other annotators: {others}.' if others else ''}"
    )


def explanation(computed: Computed) -> str:
    """How corrections are made, what metrics compare with, and which metrics are shown."""
    compared = (
        "Metrics compare with the annotators’ own corrections, the only references, which favours metrics "
        "that compare with references."
        if computed.result.circular
        else "Metrics compare with the references that are texts without marked edits."
    )
    return (
        "Every subset of the annotator’s edits gives a correction; the original sentence is the source of "
        f"all. {compared}{_chosen(computed)} One sentence shows how a metric fails, not how often: [metrics "
        "without people](../maege/) counts over the corpus."
    )


def _chosen(computed: Computed) -> str:
    """Which of all metrics are shown unless others are named, as a sentence after others."""
    if computed.parameters.metric != LatticeParameters().metric:
        return ""
    return (
        f" Shown are {len(computed.result.metrics)} of {len(SHIPPED)} metrics: M2, and those of MAEGE "
        "(Choshen and Abend 2018) that need neither a parser nor a grammar checker; *Change settings* adds "
        "others."
    )


def letters(size: int) -> list[str]:
    """A, B, ... Z, A2, B2, ..."""
    return [
        ascii_uppercase[place % 26] + (str(place // 26 + 1) if place >= 26 else "") for place in range(size)
    ]


class Row(NamedTuple):
    """Attributes: letter: what the correction is called; node: the correction; source: the sentence."""

    letter: str
    node: Node
    source: str


def _nodes(computed: Computed) -> list[Row]:
    nodes = computed.result.nodes
    return [Row(letter, node, nodes[0].text) for letter, node in zip(letters(len(nodes)), nodes, strict=True)]


MOST_DRAWN = 3
"""Metrics with a panel of their own."""


def _drawn(computed: Computed) -> list[str]:
    """The metrics that fall most often; the first one if none falls."""
    names = [name for name, counts in _worst_first(computed) if counts[1]]
    return names[:MOST_DRAWN] or [*computed.result.metrics][:1]


def how_to_read(computed: Computed, naming: Naming) -> str:
    """What the lines say, and which metrics have no panel."""
    falling = sum(bool(counts[1]) for counts in computed.result.metrics.values())
    most = f" Drawn: the {MOST_DRAWN} metrics that fall most often." if falling > MOST_DRAWN else ""
    return (
        "Each line is a step. Height: the score. Blue: it rises. Dashed red: it falls. Faint: it stays the "
        f"same. Letters are those of the corrections below.{most}"
    )


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """The lattice, once for each drawn metric."""
    result: ScoredLattice = computed.result
    return lattice_figure(
        result.nodes,
        result.steps,
        letters(len(result.nodes)),
        [(name, title_of_metric(name)) for name in _drawn(computed)],
        title=f"{naming.title}: corrections of sentence {result.sentence} by annotator {result.annotator}",
    )


class MarkedText(Column):
    """A correction and its source, as natural text where its corpus has rules for it, with marked changes."""

    cell = "analysis/cells/marked.html"
    css = "text"

    def text(self, value: tuple[str, str], naming: Naming) -> str:
        """The correction."""
        return value[0]


def _score(row: Row, name: str) -> float | None:
    return row.node.scores[name]


def _worst_first(computed: Computed) -> list[tuple[str, tuple[int, int, int]]]:
    """The metrics with their steps, those that fall most often first, as in the heading."""
    return sorted(computed.result.metrics.items(), key=lambda item: -item[1][1])


def _columns_of_nodes(computed: Computed) -> Sequence[Column]:
    """The correction with its scores; on pages, the metric that falls most often stands before it."""
    (worst, _), *others = _worst_first(computed)
    return (
        Text("node", "Node", attrgetter("letter"), heading="Letter"),
        _shown_score(worst),
        Count("edits", "Edits", lambda row: len(row.node.edits), on_page=False),
        Text("text", "Text", lambda row: row.node.text, on_page=False),
        MarkedText("", "Correction", lambda row: (row.node.text, row.source), on_paper=False),
        *(_shown_score(name) for name, _ in others),
        *(
            Number(name, title_of_metric(name), partial(_score, name=name), on_page=False)
            for name in computed.result.metrics
        ),
    )


def _shown_score(name: str) -> Number:
    return Number("", title_of_metric(name), partial(_score, name=name), on_paper=False)


NODES = Table(
    rows=_nodes,
    columns=_columns_of_nodes,
    caption="Corrections with their scores",
    note="Underlined: inserted or substituted in the source. Struck through: deleted.",
)


STEPS = Table(
    rows=_worst_first,
    columns=lambda computed: (
        MetricName("metric", "Metric", itemgetter(0)),
        Bar(
            "down",
            "Down",
            lambda row: row[1][1],
            digits=0,
            heading="Falls",
            drawn=f"Steps of {len(computed.result.steps)} on which the score falls",
        ),
        Count("up", "Up", lambda row: row[1][0], heading="Rises"),
        Count("level", "Unchanged", lambda row: row[1][2]),
    ),
    caption="Steps on which one more edit lowers or raises the score",
)

LATTICE = register(
    Analysis(
        name="lattice",
        title="Lattice of a sentence",
        group=Group.METRICS,
        question="How does each metric score the partial corrections of a sentence?",
        defined_in="maege.md#the-lattice-of-one-sentence",
        help="All partial corrections of one sentence, with the score of each metric at each of them.",
        parameters=LatticeParameters,
        result=ScoredLattice,
        inputs=LatticeTexts,
        compute=score_lattice,
        tables={"steps": STEPS, "lattice": NODES},
        figures={
            "lattice": Figure(
                caption="Corrections, joined where they differ by one edit, with the scores of each metric",
                draw=draw,
                has_content=lambda computed: True,
                height=lambda computed, layout: lattice_height(len(_drawn(computed)), layout),
                note=how_to_read,
            )
        },
        headline=headline,
        lead=lead,
        sections=(Section(title="Corrections and their scores", figures=("lattice",), tables=("lattice",)),),
        explanation=explanation,
        resolve=_resolved,
        at_once=False,
    )
)
