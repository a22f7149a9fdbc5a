"""Two systems against each other, sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.arrays import IntArray
from core.later import pd, stats
from ranking.judgments.grouped_pairs import GroupedPairs, Unit, group_pairs
from ranking.judgments.pairs import BY_RANKS
from ranking.judgments.snapshot import Basis, system_names, without_systems
from ranking.uncertainty.head_to_head import Comparison, head_to_head


@dataclass(frozen=True, slots=True)
class Lead:
    """The share of cases that the first of two systems won less the share that it lost, without ties.

    Attributes:
        value: from -1 to 1.
        low: lower end of the interval, in which the cases of a sentence are not independent; None where only
            one sentence is decided, or all are decided alike.
        high: its upper end; None where `low` is.
    """

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, eq=False)
class TwoSystems:
    """How often one system was judged better than another, in all and in each of n sentences.

    Attributes:
        comparison: of all judgments. Its p-values are of this one comparison, without correction.
        sentences: shape (n,), the sentences in which they were compared, ascending.
        wins: shape (n,), how often the first was judged better.
        losses: shape (n,), how often it was judged worse.
        ties: shape (n,), how often they were judged equal, identical outputs among them.
    """

    comparison: Comparison
    sentences: IntArray
    wins: IntArray
    losses: IntArray
    ties: IntArray

    @property
    def leads(self) -> IntArray:
        """Wins less losses in each sentence, shape (n,)."""
        return self.wins - self.losses

    def lead(self, confidence: float) -> Lead | None:
        """The lead of the first in all comparisons; None where all are ties."""
        return _lead(self.leads, self.wins + self.losses, confidence)

    def lead_in_sentences(self, confidence: float) -> Lead | None:
        """The lead of the first where a sentence is won by more wins than losses; None where none is."""
        signs = np.sign(self.leads)
        return _lead(signs, np.abs(signs), confidence)


def _lead(leads: IntArray, decided: IntArray, confidence: float) -> Lead | None:
    """The sum of the leads of n sentences over that of their decided cases.

    Its standard error is that of a ratio of means over sentences (Cochran 1977, section 6.4), its interval by
    Student's t.
    """
    total = int(decided.sum())
    if not total:
        return None
    value = float(leads.sum() / total)
    residuals = (leads - value * decided)[decided > 0]
    number = len(residuals)
    if number < 2 or np.allclose(residuals, 0):
        return Lead(value, None, None)
    error = float(np.sqrt(number / (number - 1) * np.square(residuals).sum()) / total)
    half_width = float(stats.t.ppf((1 + confidence) / 2, number - 1)) * error
    return Lead(value, max(-1.0, value - half_width), min(1.0, value + half_width))


def two_systems(
    snapshot: pd.DataFrame,
    first: str,
    second: str,
    by: Basis = BY_RANKS,
    *,
    step: Callable[[], None] = lambda: None,
) -> TwoSystems:
    """Compare two systems of a snapshot, sentence by sentence (`ranking.uncertainty.head_to_head`).

    `step` is called between parts of the work; it may stop it by raising an error.

    Raises `ValueError` for a system that was not judged, or twice the same; `SnapshotError` as
    `ranking.judgments.snapshot.compared_outputs` does.
    """
    names = system_names(snapshot)
    if first == second or not {first, second} <= set(names):
        raise ValueError(f"{first} and {second} are not two systems of {', '.join(names)}")
    both = _of_two(snapshot, first, second)
    step()
    pairs = group_pairs(both, Unit.SENTENCE, by, step=step)
    sentences = np.array(pairs.names, dtype=np.int64)
    counts = _by_group(pairs)
    wins, losses = counts[:, :2].T if first < second else counts[:, 1::-1].T
    order = np.argsort(sentences)
    return TwoSystems(
        head_to_head(pairs, step=step).comparisons[first, second],
        sentences[order],
        wins[order],
        losses[order],
        counts[order, 2],
    )


def _of_two(snapshot: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """The outputs of the two, which no other system shares any more."""
    codes, lists = pd.factorize(snapshot["systems"].to_numpy())
    has_one = np.array([first in names or second in names for names in lists], dtype=bool)
    kept = snapshot[has_one[codes]]
    return without_systems(kept, set(system_names(kept)).difference((first, second)))


def _by_group(pairs: GroupedPairs) -> IntArray:
    """How often the first of two systems won, lost and tied in each of G groups, shape (G, 3)."""
    group = np.repeat(np.arange(len(pairs.starts) - 1), np.diff(pairs.starts))
    outcome = np.zeros(8, dtype=np.int64)
    outcome[[1, 2, 5]] = 0, 1, 2  # The codes of two systems, see `GroupedPairs`.
    counts = np.bincount(3 * group + outcome[pairs.codes], minlength=3 * (len(pairs.starts) - 1))
    return counts.reshape(-1, 3)
