"""MAEGE: metrics judged by lattices of corrections instead of people (Choshen and Abend 2018)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from analysis.analyses.base import Analysis, Chunks, Table, register, stated
from analysis.analyses.inputs import LatticeTexts
from core.parameters import ParameterError
from metrics import InputError, Metric, Need, UnknownMetricError, metric_from_text
from metrics.base import MetricError, number_of_references
from metrics.checkers import CheckerError, HarperChecker
from metrics.english_pipeline import PipelineError
from metrics.inputs import Checker, EvaluationSet
from metrics.validation.maege import (
    Draw,
    LatticeCorpus,
    MaegeParameters,
    MetricVerdict,
    PairScorer,
    SeedScores,
    Texts,
    Work,
    draw,
    edit_types,
    expected_corrections,
    seed_scores,
    verdict,
)
from metrics.validation.maege.lattices import lattice_corpus

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

NO_REFERENCES = "the corpus has no references with edits: import it with M2 files to validate metrics on it"
NO_METRIC = "name at least one metric"


@dataclass(frozen=True, slots=True)
class MaegePart:
    """One metric on the draw of one seed, or the types of all edits.

    Attributes:
        scores: of the metric; None for the types.
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


def metrics_of(parameters: MaegeParameters) -> dict[str, Metric[Any]]:
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
        try:
            self._scorers = {
                name: PairScorer(metric, self.corpus, self._texts, checker=checker, parser=texts.parser)
                for name, metric in metrics_of(parameters).items()
            }
        except InputError as error:
            raise ParameterError(faults={"metric": str(error)}) from error

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
    try:
        if place == parameters.seeds:
            work.begin(len(prepared.corpus.lattices))
            kinds = edit_types(prepared.corpus, parameters.types, prepared.parser, work.advance)
            part = MaegePart(None, kinds)
        else:
            scores = prepared.scores(parameters.metrics[which], parameters.seed + place, work)
            part = MaegePart(scores, None)
    except (InputError, MetricError, PipelineError, CheckerError) as error:
        raise ParameterError(str(error)) from error
    work.end()
    return part


def _combine(
    texts: LatticeTexts, prepared: Prepared, parameters: MaegeParameters, parts: Sequence[MaegePart]
) -> MaegeVerdict:
    corpus, names = prepared.corpus, parameters.metrics
    kinds = parts[-1].kinds or ()
    seeds = [part.scores for part in parts if part.scores is not None]
    verdicts = {
        name: verdict(seeds[place :: len(names)], corpus, kinds, parameters)
        for place, name in enumerate(names)
    }
    drawn = np.mean([each.corrections for each in seeds[:: len(names)]], axis=0)
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


def _tables(result: MaegeVerdict) -> tuple[Table, ...]:
    metrics = result.metrics.items()
    return (
        Table(
            _sizes_in_words(result),
            ("Metric", "Spearman", "sd", "Pearson", "sd", "Tau", "sd", "Tau-b", "Tied"),
            tuple(
                (
                    name,
                    *(
                        figure
                        for each in (metric.spearman, metric.pearson, metric.tau)
                        for figure in (each.value, each.sd)
                    ),
                    metric.tau_b.value,
                    metric.tied,
                )
                for name, metric in metrics
            ),
        ),
        Table(
            "Corrections of a sentence by corpus",
            ("M", "Expected", "Drawn"),
            tuple(
                (mean, *both)
                for mean, both in enumerate(zip(result.corpora.expected, result.corpora.drawn, strict=True))
            ),
        ),
        Table(
            "Change of score by type of edit, times 1,000",
            ("Type", "Edits", *result.metrics),
            tuple(
                (kind, number, *(_thousandfold(metric.changes[kind].value) for _, metric in metrics))
                for kind, number in result.types.items()
            ),
        ),
    )


def _sizes_in_words(result: MaegeVerdict) -> str:
    of_corpus = f"{result.sentences:,} sentences, {result.lattices:,} chains"
    of_chains = f"{result.corrections:,} corrections, {result.pairs:,} comparable pairs"
    circular = " (the ends of the chains)" if result.circular else ""
    return f"{of_corpus}, {of_chains}, {result.references} references{circular}"


def _thousandfold(value: float | None) -> float | None:
    return None if value is None else 1000 * value


MAEGE = register(
    Analysis(
        name="maege",
        title="Metrics without people (MAEGE)",
        help="Which metrics score better corrections higher, by lattices of gold edits.",
        parameters=MaegeParameters,
        result=MaegeVerdict,
        inputs=LatticeTexts,
        chunks=Chunks(sizes=part_sizes, prepare=Prepared, part=MaegePart, compute=_compute, combine=_combine),
        tables=_tables,
        resolve=resolved,
        too_much=too_much,
        at_once=False,
    )
)
