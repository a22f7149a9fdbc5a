"""Agreement of annotators: kappa over pairs of outputs (GJG15, section 4.4 and Table 2).

Agreement is counted on unexpanded pairs; identical outputs would raise it unfairly. An annotator may have
judged the same pair of outputs several times, and all times count: two annotators are compared by each
outcome of one with each outcome of the other, an annotator with themselves by all pairs of their own
outcomes. Then

    kappa = (P(A) - P(E)) / (1 - P(E)),    P(E) = P(<)^2 + P(=)^2 + P(>)^2,

where P(A) is the share of comparisons that agree, and P(<), P(=), P(>) are the shares of the outcomes that
entered any comparison, each outcome once, those of two annotators pooled.

The figures of the paper are means of the kappas of the pairs of annotators, weighted by their comparisons,
over pairs with at least 50 (`inter`, `intra`). Pooling all comparisons into one P(A) and P(E) gives slightly
different ones (`inter_pooled`, `intra_pooled`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import IntArray
from core.later import pd, sparse
from ranking.agreement.kappa_intervals import Sums, influences, reach, slopes
from ranking.judgments.pairs import BY_RANKS, OutputPairs, output_pairs_with_sentences
from ranking.judgments.snapshot import Basis

OUTCOMES = (1, 0, -1)
PAIRS_OF_OUTPUTS_PER_BLOCK = 10_000


# Without slots, objects are read back from a store three times as fast, and 200 annotators make 20,000 pairs.
@dataclass(frozen=True)
class Kappa:
    """A coefficient of agreement beyond chance.

    Attributes:
        value: kappa, at most 1; None if it cannot be computed.
        n: the number of comparisons it rests on.
        observed: P(A), the share of comparisons that agree; None if there are none, and for means.
        expected: P(E), the share that would agree by chance; None where `observed` is.
        reason: why there is no value, in words; None if there is one.
        low: lower end of its 95 % interval over sentences; None where there is none.
        high: upper end; None where `low` is.
    """

    value: float | None
    n: int
    observed: float | None
    expected: float | None
    reason: str | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class PairKappa:
    """The agreement of two annotators, or of one annotator with themselves.

    Attributes:
        first: an annotator.
        second: an annotator after `first` in the alphabet, or the same annotator.
        kappa: their agreement.
    """

    first: str
    second: str
    kappa: Kappa


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of all annotators.

    Attributes:
        judges: the annotators of the snapshot, in alphabetical order.
        min_comparisons: the fewest comparisons with which a pair of annotators enters `inter`, an annotator
            `intra`.
        inter: between annotators: the mean of their kappas, weighted by their comparisons.
        intra: of annotators with themselves: the mean of their kappas, weighted by their comparisons.
        inter_pooled: between annotators, from all their comparisons together, however few a pair has.
        intra_pooled: of annotators with themselves, from all their comparisons together.
        rest: agreement with all others together, by annotator.
        pairs: the pairs of annotators, and the annotators with themselves, that have a comparison; in
            alphabetical order.
    """

    judges: tuple[str, ...]
    min_comparisons: int
    inter: Kappa
    intra: Kappa
    inter_pooled: Kappa
    intra_pooled: Kappa
    rest: Mapping[str, Kappa]
    pairs: tuple[PairKappa, ...]

    def between(self, annotator: str, other: str) -> Kappa:
        """Kappa of two annotators in any order, or of one with themselves, or the reason for none."""
        first, second = sorted((annotator, other))
        place = bisect_left(self.pairs, (first, second), key=_annotators)
        if place < len(self.pairs) and _annotators(self.pairs[place]) == (first, second):
            return self.pairs[place].kappa
        if first == second:
            return _undefined(f"{first} judged no pair of outputs twice")
        return _undefined(f"{first} and {second} share no judged pair of outputs")


def _annotators(pair: PairKappa) -> tuple[str, str]:
    return pair.first, pair.second


def agreement(
    snapshot: pd.DataFrame,
    min_comparisons: int = 50,
    by: Basis = BY_RANKS,
    *,
    step: Callable[[], None] = lambda: None,
) -> Agreement:
    """Kappa between annotators and of each with themselves, over all pairs and by pair (GJG15, section 4.4).

    Means leave out pairs whose own kappa is undefined because all their outcomes are the same. `step` is
    called between parts of the work; it may stop it by raising an error.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    pairs, sentences = output_pairs_with_sentences(snapshot, by, step=step)
    return agreement_over(pairs, min_comparisons, sentences=sentences, step=step)


def agreement_over(
    pairs: OutputPairs,
    min_comparisons: int = 50,
    *,
    unit: str = "a pair of outputs",
    sentences: IntArray | None = None,
    step: Callable[[], None] = lambda: None,
) -> Agreement:
    """Kappa over units that have one of three outcomes: pairs of outputs, or verdicts on outputs or edits.

    `unit` is what they are called where there is no value, and `step` as of `agreement`. If `sentences` names
    the sentence of each unit, `inter` and `intra` have intervals.
    """
    annotators = pairs.annotators
    sums = _compare(pairs, step)
    comparisons, agreements, outcomes = sums
    rows, columns = np.nonzero(np.triu(comparisons))
    judged = [
        PairKappa(annotators[row], annotators[column], _kappa(n, agreed, counts))
        for row, column, n, agreed, counts in zip(
            rows.tolist(),
            columns.tolist(),
            comparisons[rows, columns].tolist(),
            agreements[rows, columns].tolist(),
            outcomes[:, rows, columns].T.tolist(),
            strict=True,
        )
    ]
    same = np.eye(len(annotators), dtype=bool)
    others = np.triu(~same)
    n, agreed, given = (np.sum(counts, axis=-1, where=~same) for counts in sums)
    is_used = _is_used(sums, min_comparisons)
    inter_reach, intra_reach = _reaches(pairs, sentences, sums, (is_used & others, is_used & same), step)
    return Agreement(
        judges=annotators,
        min_comparisons=min_comparisons,
        inter=_weighted_mean(
            (pair.kappa for pair in judged if pair.first != pair.second),
            min_comparisons,
            f"no two annotators share at least {min_comparisons} comparisons with a defined kappa",
            inter_reach,
        ),
        intra=_weighted_mean(
            (pair.kappa for pair in judged if pair.first == pair.second),
            min_comparisons,
            f"no annotator has at least {min_comparisons} comparisons with themselves and a defined kappa",
            intra_reach,
        ),
        inter_pooled=pooled_kappa(
            f"no two annotators judged the same {unit.partition(' ')[2]}",
            *(np.sum(counts, axis=(-2, -1), where=others) for counts in sums),
        ),
        intra_pooled=pooled_kappa(
            f"no annotator judged {unit} twice",
            *(np.sum(counts, axis=(-2, -1), where=same) for counts in sums),
        ),
        rest={
            annotator: pooled_kappa(
                f"nobody else judged {unit} that {annotator} judged",
                n[row],
                agreed[row],
                given[:, row],
            )
            for row, annotator in enumerate(annotators)
        },
        pairs=tuple(judged),
    )


def _compare(pairs: OutputPairs, step: Callable[[], None]) -> Sums:
    """The sums over all pairs of outputs; the diagonal holds the annotators with themselves."""
    n_annotators = len(pairs.annotators)
    comparisons, agreements = np.zeros((2, n_annotators, n_annotators), dtype=np.int64)
    entered = np.zeros((len(OUTCOMES), n_annotators, n_annotators), dtype=np.int64)
    for _, counts in _blocks(pairs, step):
        for total, part in zip((comparisons, agreements, entered), _compared(counts), strict=True):
            total += part
    return Sums(comparisons, agreements, entered)


def _blocks(pairs: OutputPairs, step: Callable[[], None]) -> Iterator[tuple[slice, list[sparse.csr_array]]]:
    """Some pairs of outputs at a time, and the counts of their outcomes."""
    order = np.argsort(pairs.pair, kind="stable")
    step()
    keys = pairs.pair[order]
    total = int(keys.max(initial=-1)) + 1
    for first in range(0, total, PAIRS_OF_OUTPUTS_PER_BLOCK):
        rows = slice(*np.searchsorted(keys, [first, first + PAIRS_OF_OUTPUTS_PER_BLOCK]))
        block = order[rows]
        shape = len(pairs.annotators), min(PAIRS_OF_OUTPUTS_PER_BLOCK, total - first)
        counts = _outcome_counts(pairs.annotator[block], keys[rows] - first, pairs.outcome[block], shape)
        yield slice(first, first + shape[1]), counts
        step()


def _is_used(sums: Sums, min_comparisons: int) -> NDArray[np.bool_]:
    """The pairs of annotators whose kappa enters a mean, shape (J, J): it is defined and rests on enough."""
    vary = sums.outcomes.max(axis=0) < sums.outcomes.sum(axis=0)
    used: NDArray[np.bool_] = (sums.comparisons >= max(min_comparisons, 1)) & vary
    return used


def _reaches(
    pairs: OutputPairs,
    sentences: IntArray | None,
    sums: Sums,
    means: Sequence[NDArray[np.bool_]],
    step: Callable[[], None],
) -> list[float | None]:
    """Half the width of the interval of each mean over the pairs of annotators that are True in it."""
    if sentences is None:
        return [None] * len(means)
    slopes_of_means = [slopes(sums, used) if used.any() else None for used in means]
    found = np.zeros((len(means), len(sentences)))
    for block, counts in _blocks(pairs, step):
        for influence, slope in zip(found, slopes_of_means, strict=True):
            if slope is not None:
                influence[block] = influences(counts, slope)
    return [reach(influence, sentences) for influence in found]


def _outcome_counts(
    annotators: NDArray[np.integer],
    keys: NDArray[np.integer],
    outcomes: NDArray[np.integer],
    shape: tuple[int, int],
) -> list[sparse.csr_array]:
    """Counts of each outcome by annotator and pair of outputs, of this shape for each outcome."""
    counts = []
    for outcome in OUTCOMES:
        given = outcomes == outcome
        ones = np.ones(np.count_nonzero(given), dtype=np.int64)
        counts.append(sparse.csr_array((ones, (annotators[given], keys[given])), shape=shape))
    return counts


def _compared(counts: list[sparse.csr_array]) -> Sums:
    """The sums over some pairs of outputs.

    Products of whole matrices count each outcome with itself and each pair of outcomes twice on the diagonal.
    """
    judged = counts[0] + counts[1] + counts[2]
    comparisons = (judged @ judged.T).toarray()
    agreements = sum((count @ count.T).toarray() for count in counts)
    judgments = judged.sum(axis=1)
    for matrix in (comparisons, agreements):
        np.fill_diagonal(matrix, (matrix.diagonal() - judgments) // 2)
    judged_once, judged_twice = (judged >= 1).astype(np.int64), (judged >= 2).astype(np.int64)
    outcomes = []
    for count in counts:
        entered = (count @ judged_once.T).toarray()
        entered += entered.T
        np.fill_diagonal(entered, count.multiply(judged_twice).sum(axis=1))
        outcomes.append(entered)
    return Sums(comparisons, agreements, np.stack(outcomes))


def _kappa(n: int, agreed: int, outcomes: Sequence[int]) -> Kappa:
    total = sum(outcomes)
    observed = agreed / n
    expected = sum(count * count for count in outcomes) / total**2
    if max(outcomes) == total:
        return Kappa(
            None, n, observed, expected, "all outcomes are the same, so agreement by chance is complete"
        )
    return Kappa((observed - expected) / (1 - expected), n, observed, expected, None)


def pooled_kappa(reason: str, n: np.int64, agreed: np.int64, outcomes: IntArray) -> Kappa:
    """The kappa of n comparisons, from how many agree and how often each outcome entered one, shape (3,).

    `reason` says why there is none without comparisons.
    """
    return _kappa(int(n), int(agreed), outcomes.tolist()) if n else _undefined(reason)


def _weighted_mean(kappas: Iterable[Kappa], min_comparisons: int, reason: str, reach: float | None) -> Kappa:
    used = [
        (kappa.n, kappa.value) for kappa in kappas if kappa.n >= min_comparisons and kappa.value is not None
    ]
    if not used:
        return _undefined(reason)
    total = sum(n for n, _ in used)
    mean = sum(n * value for n, value in used) / total
    low, high = (None, None) if reach is None else (mean - reach, min(mean + reach, 1.0))
    return Kappa(mean, total, None, None, None, low, high)


def _undefined(reason: str) -> Kappa:
    return Kappa(None, 0, None, None, reason)
