"""MAEGE: metrics judged by lattices of corrections instead of people (Choshen and Abend 2018)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Any, ClassVar, NamedTuple

import numpy as np

from analysis.analyses.base import Analysis, Chunks, Group, register, stated
from analysis.analyses.corpus_inputs import LatticeTexts
from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.published_maege import TABLE_2, Row
from core.columns import UNKNOWN, Amount, Code, Column, Count, Number, Text
from core.latex import number
from core.marks import Mark, Scale, scale_of
from core.names import Naming
from core.parameters import ParameterError
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import briefly, counted, listed, literal
from figures.drawing import Chart
from figures.metrics.maege import DrawnMetric, correlations_figure, sensitivity_figure
from metrics import AnyMetric, InputError, Need, UnknownMetricError, metric_from_text
from metrics.base.evaluation_sets import Checker, EvaluationSet
from metrics.base.metric import number_of_references
from metrics.english.grammar_checkers import HarperChecker
from metrics.meta_evaluation.maege import (
    Draw,
    LatticeCorpus,
    MaegeParameters,
    MetricVerdict,
    PairScorer,
    SeedEstimate,
    SeedScores,
    Texts,
    Work,
    draw,
    edit_types,
    expected_corrections,
    has_texts_parsed,
    seed_scores,
    verdict,
)
from metrics.meta_evaluation.maege.lattices import lattice_corpus

MOST_ON_PAGES = 50
"""Seeds; `manage.py analyse` takes more."""

UNITS = 20
"""Progress of a metric of n-grams on one seed."""

COSTS = {
    "cleme": 10,
    "cleme2": 10,
    "errant": 10,
    "m2": 15,
    "chrf": 3,
    "chargleu": 2,
    "imeasure": 5,
    "grammaticality": 10,
}
"""How many times as long other metrics take, about."""

USUAL = MaegeParameters().metric
"""The metrics that are scored unless others are named."""

NO_REFERENCES = "the corpus has no references with edits: import it with M2 files to validate metrics on it"
NO_METRIC = "name at least one metric"


@dataclass(frozen=True, slots=True)
class MaegePart:
    """One metric on the draw of one seed, or the types of all edits.

    Attributes:
        scores: of the metric; None for the types, and for a usual metric that only English texts have.
        kinds: the type of each edit; None for a metric.
    """

    scores: SeedScores | None
    kinds: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Corpora:
    """Corpora by the number of corrections M that they are meant to have, from 0.

    Attributes:
        expected: mean number of corrections of a sentence, with trials cut off and clipped to its edits.
        drawn: the same as it was drawn, over all seeds.
    """

    expected: tuple[float, ...]
    drawn: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class MaegeVerdict:
    """Metrics without people.

    Attributes:
        signature: what was computed, and of which texts; equal signatures mean equal numbers.
        sentences: those that have a lattice.
        of_sentences: all of the corpus.
        lattices: one for each annotator of a sentence, with one chain for each seed.
        corrections: in the chains of a seed, originals among them.
        pairs: comparable pairs in the chains of a seed.
        references: how many texts metrics compare with, such as "8" or "2-5".
        circular: whether these are the tops of the lattices, for lack of others.
        corpora: how many corrections the corpora have.
        types: edits by type, the most frequent type first.
        metrics: verdicts, in the order in which metrics were named.
    """

    signature: str
    sentences: int
    of_sentences: int
    lattices: int
    corrections: int
    pairs: int
    references: str
    circular: bool
    corpora: Corpora
    types: Mapping[str, int]
    metrics: Mapping[str, MetricVerdict]


def metrics_of(parameters: MaegeParameters) -> dict[str, AnyMetric]:
    """The metrics by name as written.

    Raises:
        ParameterError: there is none, or one is unknown or has impossible parameters.
    """
    try:
        metrics = {name: metric_from_text(name) for name in parameters.metrics}
    except (UnknownMetricError, ParameterError) as error:
        raise ParameterError(faults={"metric": str(error)}) from error
    if not metrics:
        raise ParameterError(faults={"metric": NO_METRIC})
    return metrics


def lattices_of(texts: LatticeTexts, annotators: int | None) -> LatticeCorpus:
    """The lattices of a corpus, from those references that have edits; the others are compared with.

    Raises:
        ParameterError: no sentence has enough of them.
    """
    annotations, references = texts.lattice_parts
    if not any(annotations):
        raise ParameterError(NO_REFERENCES)
    try:
        return lattice_corpus(
            [sentence.source for sentence in texts.sentences],
            annotations,
            references,
            annotators=annotators,
        )
    except InputError as error:
        raise ParameterError(faults={"annotators": str(error)}) from error


def checker_of(texts: LatticeTexts) -> Checker | None:
    """The grammar checker that was handed in, or Harper for English texts."""
    return texts.checker or (None if texts.parser is None else HarperChecker())


class Prepared:
    """A corpus with what seeds have drawn from it and what metrics have scored so far."""

    def __init__(self, texts: LatticeTexts, parameters: MaegeParameters) -> None:
        """Raises `ParameterError` if metrics need what the texts lack."""
        self.corpus = lattices_of(texts, parameters.annotators)
        self.parser = texts.parser
        self._parameters = parameters
        self._texts = Texts(self.corpus)
        self._drawn: tuple[int, Draw] | None = None
        checker = checker_of(texts)
        is_usual = parameters.metric == USUAL
        try:
            self._scorers = {
                name: PairScorer(metric, self.corpus, self._texts, checker=checker, parser=texts.parser)
                for name, metric in metrics_of(parameters).items()
                if texts.parser is not None or not is_usual or not has_texts_parsed(metric)
            }
        except InputError as error:
            raise ParameterError(faults={"metric": str(error)}) from error

    def is_scored(self, metric: str) -> bool:
        """Whether the metric takes part: a usual one that only English texts have does not with others."""
        return metric in self._scorers

    def scores(self, metric: str, seed: int, work: Work) -> SeedScores:
        """A metric on the draw of a seed."""
        if self._drawn is None or self._drawn[0] != seed:
            self._drawn = seed, draw(self.corpus, self._texts, seed, self._parameters.source)
        return seed_scores(self._scorers[metric], self.corpus, self._drawn[1], self._parameters, work)


def resolved(parameters: MaegeParameters, scored: bool) -> MaegeParameters:
    """The parameters with metrics written in one way; raises `ParameterError` for unknown ones."""
    return replace(parameters, metric=", ".join(metrics_of(parameters)))


def too_much(parameters: MaegeParameters) -> Mapping[str, str]:
    """More seeds than a page may ask for."""
    if parameters.seeds <= MOST_ON_PAGES:
        return {}
    return {"seeds": f"there may be {MOST_ON_PAGES} seeds at most"}


def part_sizes(parameters: MaegeParameters) -> list[int]:
    """The progress that each part reports: metric by metric for each seed, then the types of edits."""
    costs = [UNITS * COSTS.get(metric.name, 1) for metric in metrics_of(parameters).values()]
    return [*costs * parameters.seeds, UNITS]


def _compute(
    prepared: Prepared, parameters: MaegeParameters, number: int, advance: Callable[[int], None]
) -> MaegePart:
    """One metric on one seed; all metrics of a seed come one after the other. The last part has the types."""
    work = Work(part_sizes(parameters)[number], advance)
    place, which = divmod(number, len(parameters.metrics))
    if place == parameters.seeds:
        work.begin(len(prepared.corpus.lattices))
        kinds = edit_types(prepared.corpus, parameters.types, prepared.parser, work.advance)
        part = MaegePart(None, kinds)
    else:
        metric, seed = parameters.metrics[which], parameters.seed + place
        is_scored = prepared.is_scored(metric)
        part = MaegePart(prepared.scores(metric, seed, work) if is_scored else None, None)
    work.end()
    return part


def _combine(
    texts: LatticeTexts, prepared: Prepared, parameters: MaegeParameters, parts: Sequence[MaegePart]
) -> MaegeVerdict:
    corpus, names = prepared.corpus, parameters.metrics
    kinds = parts[-1].kinds or ()
    seeds = {
        name: [part.scores for part in parts[place : -1 : len(names)] if part.scores is not None]
        for place, name in enumerate(names)
    }
    scored = {name: of_metric for name, of_metric in seeds.items() if of_metric}
    verdicts = {name: verdict(of_metric, corpus, kinds, parameters) for name, of_metric in scored.items()}
    drawn = np.mean([each.corrections for each in next(iter(scored.values()))], axis=0)
    data = EvaluationSet(corpus.sources, corpus.references)
    return MaegeVerdict(
        signature=texts.signature(stated("maege", parameters)),
        sentences=len(corpus.sources),
        of_sentences=len(texts.sentences),
        lattices=len(corpus.lattices),
        corrections=corpus.corrections,
        pairs=corpus.comparable.shape[1],
        references=number_of_references(frozenset({Need.REFERENCES}), data),
        circular=corpus.circular,
        corpora=Corpora(expected_corrections(corpus), tuple(drawn.tolist())),
        types={kind: kinds.count(kind) for kind in sorted(set(kinds), key=lambda x: (-kinds.count(x), x))},
        metrics=verdicts,
    )


Judged = tuple[str, MetricVerdict]
"""A metric by name with its verdict."""


def in_order(result: MaegeVerdict) -> list[Judged]:
    """Metrics with the highest Spearman first, those without one last."""
    return sorted(
        result.metrics.items(),
        key=lambda item: (item[1].spearman.value is None, -(item[1].spearman.value or 0.0)),
    )


def headline(computed: Computed, naming: Naming) -> str:
    """The best metric, and those that prefer fewer corrections."""
    ordered = [(name, each) for name, each in in_order(computed.result) if each.spearman.value is not None]
    if not ordered:
        return "No metric orders the corpora"
    name, best = ordered[0]
    against = [
        title_of_metric(each)
        for each, judged in ordered
        if judged.spearman.high is not None and judged.spearman.high < 0
    ]
    text = f"{title_of_metric(name)} follows the order of corrections best (ρ = {best.spearman.value:.2f})"
    if not against:
        return text
    return f"{text}; {briefly(against, 'prefers', 'prefer')} corpora with fewer corrections"


def lead(computed: Computed, naming: Naming) -> str:
    """The texts that were scored and compared."""
    result: MaegeVerdict = computed.result
    circular = (
        "**The only references of the corpus are the ends of the chains**, so reference-based metrics look "
        "better here than they are. Import further references as texts."
        if result.circular
        else ""
    )
    return (
        f"{result.sentences:,} of {result.of_sentences:,} sentences, {result.lattices:,} chains with "
        f"{result.corrections:,} corrections and {result.pairs:,} comparable pairs, drawn "
        f"{counted(computed.parameters.seeds, 'time')}. Metrics compare with {result.references} "
        f"reference{'' if result.references == '1' else 's'} of each sentence.{_left_out(computed)}"
        f"\n\n{circular}"
    )


def _left_out(computed: Computed) -> str:
    """The usual metrics that only English texts have, as a sentence after others; empty if there are none."""
    names = [title_of_metric(name) for name in computed.parameters.metrics]
    scored = set(map(title_of_metric, computed.result.metrics))
    missing = [literal(name) for name in names if name not in scored]
    return f" {listed(missing)} left out: only English texts can be parsed." if missing else ""


def _published(name: str) -> Row | None:
    return TABLE_2.get(name.partition(":")[0])


def _drawn(computed: Computed) -> list[DrawnMetric]:
    return [
        DrawnMetric(title_of_metric(name), judged.spearman, judged.pearson, judged.tau, judged.changes)
        for name, judged in in_order(computed.result)
    ]


def draw_correlations(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Metrics by ρ, r and τ, with intervals."""
    title = f"{naming.title}: agreement with the order of corrections"
    return correlations_figure(_drawn(computed), title=title, is_narrow=layout == "narrow")


def draw_changes(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Mean change of each metric by type of edit."""
    title = f"{naming.title}: change of score by type of edit, in thousandths"
    return sensitivity_figure(_drawn(computed), computed.result.types, title=title)


@dataclass(frozen=True, slots=True)
class OverSeeds(Column):
    """A `SeedEstimate` with the interval of the mean: as the note if it is drawn, else as the hint.

    Attributes:
        has_spread: whether pages and LaTeX have the standard deviation, and pages the interval.
        drawn: heading of one more column on pages, which draws mean and interval; empty for none.
    """

    _: KW_ONLY
    has_spread: bool = True
    drawn: str = ""

    css: ClassVar[str] = "number"

    def note_of(self, row: object) -> str:
        """The interval, if it is drawn."""
        return self._interval(row) if self.drawn else ""

    def scale(self, rows: Sequence[object]) -> Scale | None:
        """The scale of means and intervals; None if the column is not drawn."""
        estimates = [self.of(row) for row in rows] if self.drawn else []
        ends = (end for each in estimates for end in (each.value, each.low, each.high) if end is not None)
        return scale_of(ends)

    def mark(self, row: object, scale: Scale) -> Mark | None:
        """Mean and interval; None without a mean."""
        estimate = self.of(row)
        if estimate.value is None:
            return None
        return Mark(scale, estimate.value, estimate.low, estimate.high, is_hollow=False)

    def hint_of(self, row: object) -> str:
        """Why figures are missing, or the interval, if it is not drawn."""
        return self.of(row).reason or ("" if self.drawn else self._interval(row))

    def _interval(self, row: object) -> str:
        return (interval_of(self.of(row)) or "") if self.has_spread else ""

    def text(self, value: SeedEstimate, naming: Naming) -> str:
        """Mean and standard deviation."""
        if value.value is None:
            return UNKNOWN
        spread = f" ± {value.sd:.3f}" if self.has_spread and value.sd is not None else ""
        return f"{value.value:.3f}{spread}"

    def paper_headings(self) -> tuple[str, ...]:
        """Mean and standard deviation."""
        return (self.label, "sd") if self.has_spread else (self.label,)

    def paper_cells(self, value: SeedEstimate, naming: Naming) -> tuple[str, ...]:
        """Mean and standard deviation."""
        return (number(value.value, 3), *([number(value.sd, 3)] if self.has_spread else []))

    def names(self) -> tuple[str, ...]:
        """All figures."""
        return tuple(f"{self.name}{end}" for end in ("", "_sd", "_low", "_high", "_p", "_reason"))

    def values(self, value: SeedEstimate) -> tuple[Any, ...]:
        """All figures."""
        return value.value, value.sd, value.low, value.high, value.p_value, value.reason


def interval_of(estimate: SeedEstimate) -> str | None:
    """The interval of the mean; None without one."""
    return None if estimate.low is None else f"{estimate.low:z.2f} to {estimate.high:z.2f}"


def _verdict_of(row: Judged, name: str) -> Any:
    return getattr(row[1], name)


def _interval_in(row: Judged, name: str) -> str | None:
    return interval_of(_verdict_of(row, name))


def _mean_of(row: Judged, name: str) -> float | None:
    estimate: SeedEstimate = getattr(row[1], name)
    return estimate.value


def _paper_of(row: Judged, name: str) -> float | None:
    return getattr(_published(row[0]), name, None)


CORRELATIONS = {"spearman": "ρ, corpora", "pearson": "r, sentences", "tau": "τ, pairs"}
"""Heading of each coefficient in the paper, by attribute of a verdict."""


def _with_interval(name: str, label: str) -> tuple[Column, Column]:
    """A coefficient, and for terminals its interval, which pages have as a hint."""
    return (
        OverSeeds(name, label, partial(_verdict_of, name=name), heading=CORRELATIONS[name]),
        Amount(
            "",
            "Interval",
            partial(_interval_in, name=name),
            on_page=False,
            is_printed=True,
            on_paper=False,
        ),
    )


CORRELATED = Table(
    rows=lambda computed: in_order(computed.result),
    columns=(
        MetricName(
            "metric",
            "Metric",
            itemgetter(0),
            note=lambda row: f"{row[1].not_scored:,} not scored" if row[1].not_scored else "",
        ),
        OverSeeds(
            "spearman",
            "Spearman",
            partial(_verdict_of, name="spearman"),
            heading=CORRELATIONS["spearman"],
            drawn="ρ, corpora with more and more corrections",
        ),
        *_with_interval("pearson", "Pearson"),
        *_with_interval("tau", "Tau"),
        OverSeeds("tau_b", "Tau-b", partial(_verdict_of, name="tau_b"), heading="τ-b", has_spread=False),
        *(Number(f"paper_{name}", value=partial(_paper_of, name=name)) for name in CORRELATIONS),
        Number("tied", "Tied pairs", partial(_verdict_of, name="tied"), on_paper=False),
        Count("not_scored", value=partial(_verdict_of, name="not_scored")),
        Text("metric_signature", value=partial(_verdict_of, name="signature")),
    ),
    caption="Agreement of each metric with the order of corrections",
)

BESIDE_PAPER = Table(
    rows=lambda computed: [row for row in in_order(computed.result) if _published(row[0]) is not None],
    columns=(
        MetricName("", "Metric", itemgetter(0)),
        *(
            column
            for name, heading in CORRELATIONS.items()
            for column in (
                Number("", heading, partial(_mean_of, name=name)),
                Number("", f"{heading} (paper)", partial(_paper_of, name=name), heading="paper"),
            )
        ),
    ),
    caption="Beside Table 2 of Choshen and Abend (2018)",
    in_files=False,
    note="The paper’s figures are of CoNLL-2014 and come from the options of the released code.",
)

CORPORA = Table(
    rows=lambda computed: [
        (mean, *both)
        for mean, both in enumerate(
            zip(computed.result.corpora.expected, computed.result.corpora.drawn, strict=True)
        )
    ],
    columns=(
        Count("corpus", "Corpus M", itemgetter(0)),
        Number("expected", "Expected", itemgetter(1), digits=2),
        Number("drawn", "Drawn", itemgetter(2), digits=2),
    ),
    caption="Corrections in a sentence",
    note="A sentence has no more corrections than its annotator made, and numbers of trials are whole, so "
    "the means stay below M.",
)


class Change(Number):
    """A change of a score: in thousandths on pages and in terminals."""

    def text(self, value: float, naming: Naming) -> str:
        """The change in thousandths."""
        return f"{1000 * value:.1f}"


def _change_of(row: tuple[str, int], verdict: MetricVerdict) -> float | None:
    return verdict.changes[row[0]].value


class ChangeRow(NamedTuple):
    """A row of the CSV. Attributes: see `metrics.meta_evaluation.maege.TypeChange`."""

    type: str
    edits: int
    metric: str
    change: float | None
    low: float | None
    high: float | None
    scored: int
    reason: str | None


def _changes(computed: Computed) -> Iterator[ChangeRow]:
    for kind, edits in computed.result.types.items():
        for name, judged in in_order(computed.result):
            each = judged.changes[kind]
            yield ChangeRow(kind, edits, name, each.value, each.low, each.high, each.edits, each.reason)


TYPES = Table(
    rows=lambda computed: computed.result.types.items(),
    columns=lambda computed: (
        Code("", "Type", itemgetter(0)),
        Count("", "Edits", itemgetter(1)),
        *(
            Change("", title_of_metric(name), partial(_change_of, verdict=judged), digits=4)
            for name, judged in in_order(computed.result)
        ),
    ),
    caption="Change of score by type of edit, in thousandths",
    long=Table(
        rows=_changes,
        columns=(
            *(Text("type"), Count("edits"), Text("metric"), Number("change"), Number("low")),
            *(Number("high"), Count("scored"), Text("reason")),
        ),
        caption="Change of score by type of edit and metric",
    ),
)


def signatures(computed: Computed, naming: Naming) -> str:
    """How each metric scored."""
    return "\n".join(
        f"- {literal(title_of_metric(name))}: `{judged.signature}`"
        for name, judged in in_order(computed.result)
    )


EXPLANATION = """
An annotator’s edits, applied one by one, give a chain of corrections, each better than the one before. ρ:
eleven corpora with more and more corrections are drawn; Spearman’s correlation of their scores with their
order. τ: one less twice the share of pairs of a chain in which the better correction has the lower score;
ties count as agreement unless the form says otherwise. r: Pearson’s correlation of scores with 1 for the end
of a chain, less for each edit that is missing. Figures are means over seeds ± standard deviation, the figure
of a single draw; small: 95% interval of the mean. A metric can do well here and still overlook mistakes that
people do not make, such as a changed meaning.

One sentence as a picture: [lattice of a sentence](../lattice/).
"""

MAEGE = register(
    Analysis(
        name="maege",
        title="Metrics without people (MAEGE)",
        group=Group.METRICS,
        question="Which metrics score better corrections higher, without judgments?",
        defined_in="maege.md",
        help="Which metrics score better corrections higher, by lattices of gold edits.",
        parameters=MaegeParameters,
        result=MaegeVerdict,
        inputs=LatticeTexts,
        chunks=Chunks(sizes=part_sizes, prepare=Prepared, part=MaegePart, compute=_compute, combine=_combine),
        tables={"maege": CORRELATED, "paper": BESIDE_PAPER, "corpora": CORPORA, "types": TYPES},
        figures={
            "correlations": Figure(
                caption="Agreement of each metric with the order of corrections",
                draw=draw_correlations,
                has_content=lambda computed: True,
                of_table="maege",
            ),
            "types": Figure(
                caption="Heat map of the changes of each metric by type of edit",
                draw=draw_changes,
                has_content=lambda computed: True,
            ),
        },
        headline=headline,
        lead=lead,
        sections=(
            Section(
                title="Change of scores by type of edit",
                text="Change of the score when an edit of a type is applied, in thousandths. Blue: the "
                "correction raises the score. Red: it lowers it. Faint numbers: the 95% interval over "
                "sentences includes 0. Colours are relative to the largest change of each metric whose "
                "interval excludes 0.",
                figures=("types",),
            ),
            Section(title="Changes by type, as a table", tables=("types",), is_folded=True),
            Section(title="Beside the published figures", tables=("paper",), is_folded=True),
            Section(title="Corrections in a sentence", tables=("corpora",), is_folded=True),
            Section(title="Signatures of the scores", note=signatures, is_folded=True),
        ),
        explanation=EXPLANATION,
        template="analysis/maege.html",
        resolve=resolved,
        too_much=too_much,
        at_once=False,
    )
)
