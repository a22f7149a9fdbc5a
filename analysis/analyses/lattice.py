"""One lattice of corrections, with the score of each metric at each correction."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from analysis.analyses.base import Analysis, Table, register, stated
from analysis.analyses.inputs import LatticeTexts
from analysis.analyses.maege import checker_of, lattices_of, metrics_of
from core.parameters import ParameterError, parameter
from core.progress import Progress
from metrics import InputError
from metrics.base import MetricError
from metrics.checkers import CheckerError
from metrics.english_pipeline import PipelineError
from metrics.validation.maege import LatticeCorpus, MaegeParameters
from metrics.validation.maege.lattice_scores import MOST_EDITS, Node, Step, direction, lattice_nodes
from metrics.validation.maege.options import METRICS

USUAL_EDITS = 3
"""Of the lattice that is shown first: enough to see, and to read."""


@dataclass(frozen=True, slots=True)
class LatticeParameters:
    """The sentence, the annotator and the metrics. Attributes: see the help of each."""

    metric: str = parameter(
        METRICS,
        label="Metrics",
        help="Names separated by commas, with parameters where needed: ibleu:sign=plus.",
    )
    sentence: int | None = parameter(
        None,
        label="Sentence",
        help="Number of the sentence, from 1.",
        minimum=1,
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
        sentence: its number, from 1.
        annotator: whose edits.
        others: other annotators of the sentence, with their numbers of edits.
        edits: in the order of the text.
        nodes: corrections, from the original to that with all edits.
        steps: between corrections that differ by one edit.
        metrics: as written, each with the number of steps up, down and on one level.
    """

    signature: str
    sentence: int
    annotator: str
    others: Mapping[str, int]
    edits: tuple[AppliedEdit, ...]
    nodes: tuple[Node, ...]
    steps: tuple[Step, ...]
    metrics: Mapping[str, tuple[int, int, int]]


def score_lattice(texts: LatticeTexts, parameters: LatticeParameters, progress: Progress) -> ScoredLattice:
    """Score all corrections of a lattice against the original.

    Raises:
        ParameterError: there is no such lattice, it has too many edits, or a metric lacks what it needs.
    """
    corpus = lattices_of(texts, 1)
    place = _place(corpus, parameters)
    lattice = corpus.lattices[place]
    metrics = metrics_of(MaegeParameters(metric=parameters.metric))
    progress.begin("Scoring", total=1)
    try:
        nodes, steps = lattice_nodes(corpus, place, metrics, checker=checker_of(texts), parser=texts.parser)
    except (InputError, MetricError, PipelineError, CheckerError) as error:
        raise ParameterError(str(error)) from error
    progress.advance(1)
    directions = {name: [direction(nodes, step, name) for step in steps] for name in metrics}
    return ScoredLattice(
        signature=texts.signature(stated("lattice", parameters)),
        sentence=int(corpus.places[lattice.sentence]) + 1,
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
    )


def _place(corpus: LatticeCorpus, parameters: LatticeParameters) -> int:
    """The lattice that is asked for.

    Raises:
        ParameterError: there is none, or it has too many edits.
    """
    of_sentence = [
        place
        for place, lattice in enumerate(corpus.lattices)
        if parameters.sentence in (None, int(corpus.places[lattice.sentence]) + 1)
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


def _tables(result: ScoredLattice) -> tuple[Table, ...]:
    return (
        Table(
            f"Sentence {result.sentence} by annotator {result.annotator}",
            ("Edits", "Correction", *result.metrics),
            tuple(
                (len(node.edits), node.text, *(node.scores[name] for name in result.metrics))
                for node in result.nodes
            ),
        ),
        Table(
            "Steps to a better correction",
            ("Metric", "Up", "Down", "Level"),
            tuple((name, *counts) for name, counts in result.metrics.items()),
        ),
    )


LATTICE = register(
    Analysis(
        name="lattice",
        title="Lattice of a sentence",
        help="All partial corrections of one sentence, with the score of each metric at each of them.",
        parameters=LatticeParameters,
        result=ScoredLattice,
        inputs=LatticeTexts,
        compute=score_lattice,
        tables=_tables,
        resolve=_resolved,
        at_once=False,
    )
)
