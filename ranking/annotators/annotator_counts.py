"""Numbers of rankings and pairs by annotator (GJG15, Table 1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
        unexpanded_ties: pairs of outputs that tied.
        expanded: pairs of systems.
        expanded_ties: pairs of systems that tied, because their outputs tied or were identical.
    """

    rankings: int
    unexpanded: int
    unexpanded_ties: int
    expanded: int
    expanded_ties: int


@dataclass(frozen=True, slots=True)
class AnnotatorCounts:
    """The counts of each annotator.

    Attributes:
        judges: the tally of each annotator by name, in alphabetical order.
        total: the tally of all annotators together.
    """

    judges: Mapping[str, Tally]
    total: Tally


def annotator_counts(
    snapshot: pd.DataFrame, by: Basis = BY_RANKS, *, step: Callable[[], None] = lambda: None
) -> AnnotatorCounts:
    """Count rankings, pairs and ties per annotator (GJG15, section 4.3 and Table 1).

    Empty judgments (a row with a null output) count as rankings, as in the paper. `step` is called between
    parts of the work; it may stop it by raising an error.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    outputs = compared_outputs(snapshot, by, step)
    order = np.argsort(outputs["judgment"].cat.codes.to_numpy(), kind="stable")
    lists = system_lists(outputs["systems"], system_names(outputs))
    step()
    systems = lists.sizes[lists.of_row][order]
    places = outputs["place"].to_numpy()[order]
    annotator = outputs["annotator"].cat.codes.to_numpy()[order]
    upper, lower = row_pairs(outputs["judgment"].cat.codes.to_numpy()[order])
    names = outputs["annotator"].cat.categories
    step()

    counted = np.zeros((len(COUNTED), len(names)))
    for first in range(0, len(upper), PAIRS_PER_BLOCK):
        above, below = upper[first : first + PAIRS_PER_BLOCK], lower[first : first + PAIRS_PER_BLOCK]
        tied = np.abs(places[below] - places[above]) <= by.tie_width
        between = systems[above] * systems[below]
        for row, amounts in enumerate((np.ones(len(tied)), tied, between, between * tied)):
            counted[row] += np.bincount(annotator[above], amounts, len(names))
        step()
    # Exact: the sums are whole numbers far below 2**53.
    counted[2:] += np.bincount(annotator, systems * (systems - 1) // 2, len(names))
    counts = pd.DataFrame(counted.T, columns=COUNTED, index=names.astype("object"))
    judged = snapshot.loc[snapshot[by.column].notna() | snapshot["output"].isna(), ["annotator", "judgment"]]
    counts.insert(0, "rankings", judged.drop_duplicates()["annotator"].astype("object").value_counts())
    counts = counts.fillna(0).astype(int)
    return AnnotatorCounts(
        judges={str(annotator): Tally(*row) for annotator, *row in counts.itertuples()},
        total=Tally(*counts.sum().tolist()),
    )
