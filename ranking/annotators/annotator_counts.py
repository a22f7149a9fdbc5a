"""Numbers of rankings and pairs by judge (GJG15, Table 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.later import pd
from ranking.judgments.pairs import BY_RANKS, PAIRS_PER_BLOCK, row_pairs
from ranking.judgments.snapshot import Basis, compared_outputs, system_names
from ranking.judgments.system_rows import system_lists

COUNTED = ["unexpanded", "unexpanded_ties", "expanded", "expanded_ties"]


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of judgments, pairs and ties.

    Attributes:
        rankings: judgments that ranked (or scored) outputs, and judgments without any rating.
        unexpanded: pairs of outputs.
        unexpanded_ties: those of them that tied.
        expanded: pairs of systems.
        expanded_ties: those of them that tied, be it because the outputs did or because they were identical.
    """

    rankings: int
    unexpanded: int
    unexpanded_ties: int
    expanded: int
    expanded_ties: int


@dataclass(frozen=True, slots=True)
class JudgeCounts:
    """The counts of each judge.

    Attributes:
        judges: the tally of each judge by name, in alphabetical order.
        total: the tally of all judges together.
    """

    judges: Mapping[str, Tally]
    total: Tally


def judge_counts(snapshot: pd.DataFrame, by: Basis = BY_RANKS) -> JudgeCounts:
    """Count rankings, pairs and ties per judge (GJG15, section 4.3 and Table 1).

    Empty judgments (a row with a null output) count as rankings, as in the paper.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    outputs = compared_outputs(snapshot, by)
    order = np.argsort(outputs["judgment"].cat.codes.to_numpy(), kind="stable")
    lists = system_lists(outputs["systems"], system_names(outputs))
    systems = lists.sizes[lists.of_row][order]
    places = outputs["place"].to_numpy()[order]
    annotator = outputs["annotator"].cat.codes.to_numpy()[order]
    upper, lower = row_pairs(outputs["judgment"].cat.codes.to_numpy()[order])
    judges = outputs["annotator"].cat.categories

    counted = np.zeros((len(COUNTED), len(judges)))
    for first in range(0, len(upper), PAIRS_PER_BLOCK):
        above, below = upper[first : first + PAIRS_PER_BLOCK], lower[first : first + PAIRS_PER_BLOCK]
        tied = np.abs(places[below] - places[above]) <= by.tie_width
        between = systems[above] * systems[below]
        for row, amounts in enumerate((np.ones(len(tied)), tied, between, between * tied)):
            counted[row] += np.bincount(annotator[above], amounts, len(judges))
    # Exact: the sums are whole numbers far below 2**53.
    counted[2:] += np.bincount(annotator, systems * (systems - 1) // 2, len(judges))
    counts = pd.DataFrame(counted.T, columns=COUNTED, index=judges.astype("object"))
    judged = snapshot.loc[snapshot[by.column].notna() | snapshot["output"].isna(), ["annotator", "judgment"]]
    counts.insert(0, "rankings", judged.drop_duplicates()["annotator"].astype("object").value_counts())
    counts = counts.fillna(0).astype(int)
    return JudgeCounts(
        judges={str(judge): Tally(*row) for judge, *row in counts.itertuples()},
        total=Tally(*counts.sum().tolist()),
    )
