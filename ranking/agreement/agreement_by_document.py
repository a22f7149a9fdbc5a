"""Kappa between annotators for each document, with an interval over its sentences.

The kappa of a document is `inter_pooled` of `ranking.agreement.kappa` over the judgments of its sentences:
all comparisons of two annotators, however few. Its interval resamples the sentences of the document that have
a comparison (bootstrap, percentiles expanded for few sentences:
`ranking.uncertainty.bootstrap.expanded_tails`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd
from ranking.agreement.kappa import Kappa, pooled_kappa
from ranking.judgments.pairs import BY_RANKS, OutputPairs, output_pairs_with_sentences
from ranking.judgments.snapshot import Basis
from ranking.uncertainty.bootstrap import expanded_tails

NONE_SHARED = "no two annotators judged the same outputs"

FEWEST_SENTENCES = 2
"""With one sentence there is nothing to resample."""


@dataclass(frozen=True, slots=True)
class DocumentAgreement:
    """The agreement of annotators on a document.

    Attributes:
        document: its name.
        sentences: number of its sentences that two annotators compared.
        kappa: their agreement, over all comparisons.
        low: lower end of its interval; None where there is none.
        high: upper end.
    """

    document: str
    sentences: int
    kappa: Kappa
    low: float | None
    high: float | None


def agreement_by_document(
    snapshot: pd.DataFrame,
    documents: Mapping[int, str],
    by: Basis = BY_RANKS,
    *,
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    step: Callable[[], None] = lambda: None,
) -> tuple[DocumentAgreement, ...]:
    """The agreement on each document with a judged sentence, in alphabetical order.

    Args:
        snapshot: the judgments.
        documents: the document of each sentence; sentences without one are left out.
        by: whether ranks or scores order two outputs.
        confidence: of the intervals.
        replicates: resamples of the sentences of each document; 0 for no intervals.
        seed: of the resampling; the numbers of a document depend on its own judgments alone.
        step: called between parts of the work; it may stop it by raising an error.

    Raises:
        SnapshotError: as `ranking.judgments.snapshot.compared_outputs`.
    """
    pairs, sentence_of_pair = output_pairs_with_sentences(snapshot, by, step=step)
    sentences, counts = _counts_by_sentence(pairs, sentence_of_pair, step)
    named = np.array([documents.get(sentence, "") for sentence in sentences.tolist()], dtype=object)
    agreed = []
    for document in sorted(set(named[named != ""])):
        step()
        of_document = counts[named == document]
        compared = of_document[of_document[:, 0] > 0]
        comparisons, agreements, *outcomes = compared.sum(axis=0)
        kappa = pooled_kappa(NONE_SHARED, comparisons, agreements, np.array(outcomes))
        interval = _interval(compared, confidence, replicates, seed) if kappa.value is not None else None
        low, high = interval or (None, None)
        agreed.append(DocumentAgreement(str(document), len(compared), kappa, low, high))
    return tuple(agreed)


def _counts_by_sentence(
    pairs: OutputPairs, sentence: IntArray, step: Callable[[], None]
) -> tuple[IntArray, IntArray]:
    """Sentences, and for each the comparisons, agreements and three outcomes, shape (sentences, 5).

    If annotator i has m_i outcomes for a pair of outputs, c_io of which are o, the pair has
    ((sum m)^2 - sum m^2) / 2 comparisons, and the same formula over c_io gives the agreements on outcome o.
    """
    numbers, row = np.unique(
        pairs.pair * np.int64(max(len(pairs.annotators), 1)) + pairs.annotator, return_inverse=True
    )
    step()
    given = np.zeros((len(numbers), 3), dtype=np.int64)
    np.add.at(given, (row, 1 - pairs.outcome), 1)
    step()
    pair = numbers // max(len(pairs.annotators), 1)
    starts = np.flatnonzero(np.diff(pair, prepend=-1))

    def summed(values: IntArray) -> IntArray:
        return np.add.reduceat(values, starts, axis=0) if len(starts) else values

    judged = given.sum(axis=1)
    total, annotators = summed(given), summed(np.ones_like(judged))
    comparisons = (total.sum(axis=1) ** 2 - summed(judged**2)) // 2
    agreements = (total**2 - summed(given**2)).sum(axis=1) // 2
    outcomes = total * (annotators > 1)[:, np.newaxis] * (annotators - 1)[:, np.newaxis]
    step()
    of_pair = np.column_stack([comparisons, agreements, outcomes])
    sentences, place = np.unique(sentence[pair[starts]], return_inverse=True)
    counts = np.zeros((len(sentences), of_pair.shape[1]), dtype=np.int64)
    np.add.at(counts, place, of_pair)
    return sentences, counts


def _interval(counts: IntArray, confidence: float, replicates: int, seed: int) -> tuple[float, float] | None:
    """Percentiles of kappa over resampled sentences; None for too few sentences, and without replicates."""
    if len(counts) < FEWEST_SENTENCES or not replicates:
        return None
    rng = np.random.default_rng(seed)
    times = rng.multinomial(len(counts), np.full(len(counts), 1 / len(counts)), size=replicates)
    kappas = _kappas(times @ counts)
    kappas = kappas[np.isfinite(kappas)]
    tail = float(expanded_tails(confidence, np.array([len(counts)]))[0])
    low, high = np.quantile(kappas, [tail, 1 - tail])
    return float(low), float(high)


def _kappas(counts: IntArray) -> FloatArray:
    """The kappa of each row of counts, shape (n,); NaN where agreement by chance is complete."""
    observed = counts[:, 1] / counts[:, 0]
    shares = counts[:, 2:] / counts[:, 2:].sum(axis=1, keepdims=True)
    expected = (shares**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((observed - expected) / (1 - expected))
