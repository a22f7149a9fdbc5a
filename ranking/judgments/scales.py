"""Points on several scales, which a snapshot holds in the details of ratings (`rating_details`)."""

from __future__ import annotations

import json

import numpy as np

from core.arrays import FloatArray
from core.later import pd
from ranking.judgments.snapshot import SnapshotError

MOST_SCALES = 50
"""More are not compared: each two of them are, and each has a column of all ratings."""

LARGEST_POINT = 2**15 - 1
"""Beyond it, a point is no score."""


def scale_values(snapshot: pd.DataFrame) -> pd.DataFrame:
    """The point of each rating on each scale, NaN for none.

    The rows are those of the snapshot. The columns are the scales: the names in alphabetical order that have
    a whole number in some rating. Equal details are parsed once.

    Raises:
        SnapshotError: there are more than MOST_SCALES, or a point is beyond LARGEST_POINT.
    """
    details = snapshot["rating_details"].astype("category")
    read = [json.loads(text) for text in details.cat.categories]
    names = sorted({name for each in read for name, value in each.items() if type(value) is int})
    if len(names) > MOST_SCALES:
        raise SnapshotError(
            f"ratings have points on {len(names):,} scales, at most {MOST_SCALES} are compared"
        )
    table = np.full((len(read) + 1, len(names)), np.nan)
    for row, each in enumerate(read):
        for column, name in enumerate(names):
            value = each.get(name)
            if type(value) is int:
                if abs(value) > LARGEST_POINT:
                    raise SnapshotError(f"the point {value} on the scale {name} is beyond {LARGEST_POINT:,}")
                table[row, column] = value
    points: FloatArray = table[details.cat.codes.to_numpy()]
    return pd.DataFrame(points, index=snapshot.index, columns=names)


def by_scale(snapshot: pd.DataFrame, name: str) -> pd.DataFrame:
    """The snapshot with the points on one scale as scores, and no ranks.

    A rating without a point has no score.

    Raises:
        SnapshotError: as for `scale_values`.
    """
    values = scale_values(snapshot)
    points = values[name] if name in values else pd.Series(np.nan, index=snapshot.index)
    ranks = pd.Series(pd.NA, index=snapshot.index, dtype="Int16")
    return snapshot.assign(score=points.astype("Int16"), rank=ranks)
