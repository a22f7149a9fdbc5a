"""Floor 0: from judgments to agreement and ranks. Plain functions over frames and arrays.

Every function starts from the snapshot, a frame of judgments (`ranking.snapshot` states its columns), or
from the counts of pairwise judgments between systems that `count_pairs` takes from it::

    from ranking import agreement, count_pairs, expected_wins

    counts = count_pairs(snapshot)
    for score in expected_wins(counts).scores:
        print(score.system, score.score)
    print(agreement(snapshot).inter.value)

Judgments of every state count: leave out beforehand what is not wanted. What cannot be computed is None,
with the reason in words.
"""

from ranking.agreement import Agreement, JudgePair, Kappa, agreement
from ranking.expected_wins import ExpectedWins, SystemScore, expected_wins
from ranking.head_to_head import Comparison, HeadToHead, head_to_head
from ranking.judges import JudgeCounts, Tally, judge_counts
from ranking.pairs import PairCounts, count_pairs, expanded_pairs, unexpanded_pairs
from ranking.snapshot import RANKING_COLUMNS, SNAPSHOT_COLUMNS, SnapshotError, ranked_outputs

__all__ = [
    "RANKING_COLUMNS",
    "SNAPSHOT_COLUMNS",
    "Agreement",
    "Comparison",
    "ExpectedWins",
    "HeadToHead",
    "JudgeCounts",
    "JudgePair",
    "Kappa",
    "PairCounts",
    "SnapshotError",
    "SystemScore",
    "Tally",
    "agreement",
    "count_pairs",
    "expanded_pairs",
    "expected_wins",
    "head_to_head",
    "judge_counts",
    "ranked_outputs",
    "unexpanded_pairs",
]
