"""What MAEGE computes: a part for each metric and seed, and the verdict over all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.analyses.base import stated
from analysis.analyses.corpus_inputs import LatticeTexts
from analysis.analyses.metrics.maege.lattices import Prepared, metrics_of
from metrics import Need
from metrics.base.evaluation_sets import EvaluationSet
from metrics.base.metric import number_of_references
from metrics.meta_evaluation.maege import (
    MaegeParameters,
    MetricVerdict,
    SeedScores,
    Work,
    edit_types,
    expected_corrections,
    verdict,
)

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


def compute(
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


def combine(
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
