"""The ranking of a campaign: everything that its page shows, from one snapshot. Pure."""

from dataclasses import dataclass

import pandas as pd

from annotate.snapshots import content_hash
from ranking import (
    Agreement,
    ExpectedWins,
    HeadToHead,
    JudgeCounts,
    agreement,
    count_pairs,
    expected_wins,
    head_to_head,
    judge_counts,
)


@dataclass(frozen=True, slots=True)
class Ranking:
    """How the judged systems compare, and how far the judges agree.

    Attributes:
        signature: what was computed and on which snapshot; equal signatures mean equal numbers.
        expected_wins: the systems, best first.
        head_to_head: each system against each other.
        judges: counts per judge.
        agreement: kappa between judges and within each.
    """

    signature: str
    expected_wins: ExpectedWins
    head_to_head: HeadToHead
    judges: JudgeCounts
    agreement: Agreement


def rank(snapshot: pd.DataFrame) -> Ranking:
    """Rank the systems of a snapshot by ExpectedWins over expanded pairs."""
    counts = count_pairs(snapshot)
    return Ranking(
        signature=f"expected-wins|pairs:expanded|ties:dropped|snapshot:{content_hash(snapshot)[:16]}",
        expected_wins=expected_wins(counts),
        head_to_head=head_to_head(counts),
        judges=judge_counts(snapshot),
        agreement=agreement(snapshot),
    )
