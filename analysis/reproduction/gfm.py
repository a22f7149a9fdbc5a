"""Figures of TMU-GFM, the ratings on which SOME was trained, computed from its public file.

Yoshimura, Kaneko, Kajiwara and Komachi 2020, "SOME: Reference-less Sub-Metrics Optimized for Manual
Evaluations of Grammatical Error Correction", COLING. A 0 in the file is no point of the scale from 1 to 4:
the released averages leave zeros out. Figures are held against the released averages, and against those that
an independent program computed from the file.
"""

from __future__ import annotations

import numpy as np

from analysis.reproduction.cells import OurFigures, Ours, Table, beside, compare, printed
from analysis.reproduction.paper import Paper
from analysis.reproduction.public_data.gfm_data import SCALES, Gfm
from core.arrays import FloatArray
from ranking import Level, agreement_on_scales, krippendorff_alpha, scale_values, scales_compared

EQUAL = 1e-9
"""Difference of two averages that are the same."""


def _averages(data: Gfm, *, zeros: bool) -> FloatArray:
    """The mean of the raters of each row, shape (rows, scales), with zeros counted or left out."""
    snapshot = data.snapshot(zeros=zeros)
    points = scale_values(snapshot)[list(SCALES.values())]
    means = points.groupby(snapshot["output"].astype(int)).mean()
    return means.to_numpy(dtype=np.float64)


def averages(data: Gfm) -> Table:
    """How many of the released averages are the mean of all ratings, and of those that are not 0."""
    without, counted = (
        np.abs(_averages(data, zeros=zeros) - data.averages) < EQUAL for zeros in (False, True)
    )
    ours: OurFigures = {"equal without zeros": int(without.sum())}
    for place, scale in enumerate(SCALES):
        ours |= {
            f"{scale} zeros": int((data.ratings[:, :, place] == 0).sum()),
            f"{scale} other with zeros": int((~counted[:, place]).sum()),
        }
    return compare(printed("gfm", "averages"), ours)


def systems(data: Gfm) -> Table:
    """The mean of each system over the rows that are its, such as "G lstm"; "all" is that of all rows.

    The cells of all rows "with zeros" show how far zeros that are counted as points lower the means.
    """
    ours: dict[str, Ours] = {}
    for zeros, name in ((False, ""), (True, " with zeros")):
        means = _averages(data, zeros=zeros)
        of = {**data.is_of, "all": np.ones(len(means), dtype=bool)}
        for system, is_its in of.items():
            for place, scale in enumerate(SCALES):
                mean = float(means[is_its, place].mean())
                ours[f"{scale} {system}{name}"] = Ours(mean, f"{int(is_its.sum()):,} rows")
    return compare(printed("gfm", "systems"), ours)


def agreement(data: Gfm) -> Table:
    """Krippendorff's alpha over the five positions of raters, and the share of equal ratings.

    As in the independent figures, zeros count as values, but for the cells "without zeros".
    """
    letters = {name: letter for letter, name in SCALES.items()}
    ours: OurFigures = {}
    counted = data.snapshot(zeros=True)
    points = scale_values(counted)
    for each in agreement_on_scales(counted):
        scale = letters[each.scale]
        nominal = krippendorff_alpha(
            counted["output"], counted["annotator"], points[each.scale], Level.NOMINAL
        )
        ours |= {
            f"{scale} nominal": nominal.value,
            f"{scale} ordinal": each.ordinal.value,
            f"{scale} interval": each.interval.value,
            f"{scale} equal": each.equal,
        }
    for each in agreement_on_scales(data.snapshot(zeros=False)):
        ours[f"{letters[each.scale]} interval without zeros"] = each.interval.value
    return compare(printed("gfm", "agreement"), ours)


def scales(data: Gfm) -> Table:
    """How far the averages on two scales correlate, such as "G-M", and the meaning of unchanged outputs.

    The independent correlations count zeros as points, which alone makes grammaticality and meaning look more
    alike than they are.
    """
    letters = {name: letter for letter, name in SCALES.items()}
    ours: dict[str, Ours] = {}
    for zeros, name in ((False, ""), (True, " with zeros")):
        for pair in scales_compared(data.snapshot(zeros=zeros)):
            first, second = sorted((letters[pair.first], letters[pair.second]))
            ours[f"{first}-{second}{name}"] = Ours(pair.pearson.value, f"{pair.pearson.n:,} rows")
    unchanged = _averages(data, zeros=False)[data.is_unchanged, list(SCALES).index("M")]
    ours |= {
        "unchanged": Ours(len(unchanged)),
        "M unchanged": Ours(float(unchanged.mean())),
        "lowest M unchanged": Ours(float(unchanged.min())),
    }
    return beside(printed("gfm", "scales"), ours)


PAPER = Paper(
    data=Gfm,
    tables={"averages": averages, "systems": systems, "agreement": agreement, "scales": scales},
    progress="Ratings",
    steps={},
)
