"""How much each judge judged: rankings and the pairs they hold (GJG15, Table 1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ranking.pairs import BY_RANKS, row_pairs
from ranking.snapshot import Basis, compared_outputs

COUNTED = ["unexpanded", "unexpanded_ties", "expanded", "expanded_ties"]


@dataclass(frozen=True, slots=True)
class Tally:
    """What was judged, counted.

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

    Raises `SnapshotError` as `ranking.snapshot.compared_outputs` does.
    """
    outputs = compared_outputs(snapshot, by).sort_values("judgment", ignore_index=True)
    systems = outputs["systems"].map(len).to_numpy(dtype=np.int64)
    places = outputs["place"].to_numpy()
    upper, lower = row_pairs(outputs["judgment"].cat.codes.to_numpy())
    tied = np.abs(places[lower] - places[upper]) <= by.tie_width
    between, identical = systems[upper] * systems[lower], systems * (systems - 1) // 2
    counts = _per_judge(outputs.loc[upper, "annotator"], [np.ones_like(upper), tied, between, between * tied])
    counts += _per_judge(outputs["annotator"], [0 * identical, 0 * identical, identical, identical])
    judged = snapshot[snapshot[by.column].notna() | snapshot["output"].isna()]
    counts.insert(0, "rankings", judged.groupby("annotator")["judgment"].nunique())
    counts = counts.fillna(0).astype(int)
    return JudgeCounts(
        judges={str(judge): Tally(*row) for judge, *row in counts.itertuples()},
        total=Tally(*counts.sum().tolist()),
    )


def _per_judge(judges: pd.Series, counted: Sequence[NDArray[Any]]) -> pd.DataFrame:
    """What is `COUNTED`, a value a row each, added up per judge."""
    values = pd.DataFrame(dict(zip(COUNTED, counted, strict=True)))
    return values.groupby(judges.reset_index(drop=True), observed=False).sum()
