"""Agreement of annotators on scales, and how far scales measure different things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd
from ranking.agreement.correlation import Coefficient, Correlation, correlation
from ranking.agreement.krippendorff import Alpha, Level, krippendorff_alpha
from ranking.judgments.scales import scale_values
from ranking.judgments.system_rows import numbered


@dataclass(frozen=True, slots=True)
class ScaleAgreement:
    """Ratings on one scale.

    Attributes:
        scale: its name.
        ratings: number of points given.
        missing: number of ratings of other scales without a point on this one.
        mean: of the points; None without any.
        highest_share: the share of points that are the highest one given; None without any.
        ordinal: Krippendorff's alpha, whose units are outputs of sentences.
        interval: the same on the interval level.
        pairs: number of pairs of annotators on one output.
        equal: the share of these with the same point; None without a pair.
    """

    scale: str
    ratings: int
    missing: int
    mean: float | None
    highest_share: float | None
    ordinal: Alpha
    interval: Alpha
    pairs: int
    equal: float | None


@dataclass(frozen=True, slots=True)
class ScalePair:
    """Two scales.

    Attributes:
        first: name of the first.
        second: name of the second.
        pearson: between the mean points of outputs on both.
    """

    first: str
    second: str
    pearson: Correlation


def agreement_on_scales(snapshot: pd.DataFrame) -> tuple[ScaleAgreement, ...]:
    """The ratings on each scale, in alphabetical order.

    An annotator who rated an output several times enters alpha with the share of each point, and the pairs
    with the last.
    """
    values = scale_values(snapshot)
    rated = snapshot[values.notna().any(axis=1)]
    values = values.loc[rated.index]
    units = numbered(rated["sentence"], rated["output"])
    annotators = pd.factorize(rated["annotator"])[0]
    return tuple(
        _agreement(str(name), units, annotators, values[name].to_numpy(dtype=np.float64)) for name in values
    )


def _agreement(name: str, units: IntArray, annotators: IntArray, points: FloatArray) -> ScaleAgreement:
    given = ~np.isnan(points)
    missing = int((~given).sum())
    units, annotators, points = units[given], annotators[given], points[given]
    ordinal, interval = (
        krippendorff_alpha(units, annotators, points, level) for level in (Level.ORDINAL, Level.INTERVAL)
    )
    last = pd.DataFrame({"unit": units, "annotator": annotators, "point": points}).drop_duplicates(
        ["unit", "annotator"], keep="last"
    )
    raters = last.groupby("unit").size()
    alike = last.groupby(["unit", "point"]).size()
    pairs, equal = (int((sizes * (sizes - 1) // 2).sum()) for sizes in (raters, alike))
    return ScaleAgreement(
        scale=name,
        ratings=len(points),
        missing=missing,
        mean=float(points.mean()) if len(points) else None,
        highest_share=float((points == points.max()).mean()) if len(points) else None,
        ordinal=ordinal,
        interval=interval,
        pairs=pairs,
        equal=equal / pairs if pairs else None,
    )


def scales_compared(snapshot: pd.DataFrame) -> Sequence[ScalePair]:
    """Each two scales, over the outputs that have points on both."""
    values = scale_values(snapshot)
    means = values.groupby(numbered(snapshot["sentence"], snapshot["output"])).mean()
    return [
        ScalePair(str(first), str(second), _pearson(means[[first, second]].dropna()))
        for first, second in combinations(values.columns, 2)
    ]


def _pearson(means: pd.DataFrame) -> Correlation:
    first, second = (means.iloc[:, place].to_numpy(dtype=np.float64) for place in (0, 1))
    return correlation(first, second, Coefficient.PEARSON)
