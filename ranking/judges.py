"""How much each judge judged: rankings and the pairs they hold (GJG15, Table 1)."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from ranking.snapshot import ranked_outputs

COUNTED = ["unexpanded", "unexpanded_ties", "expanded", "expanded_ties"]


@dataclass(frozen=True, slots=True)
class Tally:
    """What was judged, counted.

    Attributes:
        rankings: judgments that ranked outputs, and judgments without any rating.
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


def judge_counts(snapshot: pd.DataFrame) -> JudgeCounts:
    """Count rankings, pairs and ties per judge (GJG15, section 4.3 and Table 1).

    Empty judgments (a row with a null output) count as rankings, as in the paper.

    Raises `SnapshotError` as `ranking.ranked_outputs` does.
    """
    outputs = ranked_outputs(snapshot)
    outputs["systems"] = outputs["systems"].map(len)
    pairs = _pairs_within(outputs, ["annotator", "judgment"])
    ties = _pairs_within(outputs, ["annotator", "judgment", "rank"]).add_suffix("_ties")
    counts = pairs.join(ties)
    rankings = snapshot[snapshot["rank"].notna() | snapshot["output"].isna()]
    counts.insert(0, "rankings", rankings.groupby("annotator")["judgment"].nunique())
    counts = counts.fillna(0).astype(int)[["rankings", *COUNTED]]
    return JudgeCounts(
        judges={str(judge): Tally(*row) for judge, *row in counts.itertuples()},
        total=Tally(*counts.sum().tolist()),
    )


def _pairs_within(outputs: pd.DataFrame, group: list[str]) -> pd.DataFrame:
    """Per judge, the pairs whose members fall into one `group`: n members make C(n, 2)."""
    grouped = outputs.groupby(group, observed=True)["systems"]
    members = pd.DataFrame({"unexpanded": grouped.size(), "expanded": grouped.sum()})
    return (members * (members - 1) // 2).groupby("annotator", observed=False).sum()
