"""MTeRater on GJG15: taus of single and learned metrics with folds by sentence, and McNemar's tests.

The paper's own figures (Parton et al. 2011, Table 1) are of machine translation, with e-rater, METEOR and
TERp, and cannot be compared; its question can: does a grammar checker add anything?
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.reproduction.cells import Cell, Table
from metrics.base import FloatArray
from metrics.learned.mterater import FOLDS, RankedPairs, out_of_fold, tau, variants
from metrics.learned.outputs import GROUPS, OutputFeatures
from metrics.learned.paired import PairedComparison, paired_comparisons
from ranking.resampling import Progress

TABLES = ("tau", "McNemar", "checker")

REPLICATES = 1000
PLUS = "MTeRater-Plus"
WITHOUT = "all without the checker"

INDEPENDENT = {
    "bleu": 0.299,
    "ibleu": 0.404,
    "gleu": 0.371,
    "chrf": 0.356,
    "imeasure": 0.330,
    "weighted accuracy": 0.290,
    "sari": 0.299,
    "minld": 0.296,
    "m2": 0.015,
    "ld-source": -0.003,
    "metrics": 0.421,
    "metrics + text": 0.433,
}
"""Taus of an independent computation on the same pairs, with other folds and other sentence BLEU."""

CLOSE = 0.02
"""Folds are drawn at random; the independent computation dealt them by size."""


@dataclass(frozen=True, slots=True, eq=False)
class Leads:
    """What metrics say of the judged pairs.

    Attributes:
        pairs: that judges ordered.
        leads: by metric, shape (N,), by how much the first output of each pair leads.
    """

    pairs: RankedPairs
    leads: Mapping[str, FloatArray]

    @property
    def agreed(self) -> dict[str, NDArray[np.bool_]]:
        """By metric, whether it orders a pair as the judge did; a tie does not."""
        return {name: np.sign(lead) == self.pairs.outcome for name, lead in self.leads.items()}


def all_leads(features: OutputFeatures, pairs: RankedPairs, *, progress: Progress | None = None) -> Leads:
    """Of each single metric, and of each learned one on sentences that it has not seen.

    Args:
        features: of all groups.
        pairs: what judges ordered.
        progress: told of folds trained, `FOLDS` for each variant.
    """
    leads = {
        name.removeprefix("metrics: "): pairs.lead(features.values[:, :, place])
        for place, name in enumerate(features.names)
        if name.startswith("metrics: ")
    }
    for name, groups in variants(GROUPS).items():
        leads[name] = out_of_fold(features.of_groups(groups), pairs, folds=FOLDS, progress=progress)
    return Leads(pairs, leads)


def reproduce(leads: Leads, *, tables: Collection[str]) -> dict[str, Table]:
    """Those of `TABLES` that are named."""
    made: dict[str, Table] = {}
    if "tau" in tables:
        made["tau"] = taus(leads)
    if {"McNemar", "checker"}.intersection(tables):
        learned = {name: each for name, each in leads.agreed.items() if name in variants(GROUPS)}
        comparisons = paired_comparisons(leads.pairs.sentence, learned, replicates=REPLICATES)
        made["McNemar"] = {
            f"{each.first} over {each.second}": _compared(each)
            for each in comparisons
            if PLUS in (each.first, each.second)
        }
        made["checker"] = {
            f"{each.first} over {each.second}": _compared(each)
            for each in comparisons
            if (each.first, each.second) in _ABOUT_THE_CHECKER
        }
    return {name: made[name] for name in TABLES if name in tables}


_ABOUT_THE_CHECKER = {(PLUS, WITHOUT), ("metrics", "metrics + MTeRater")}


def taus(leads: Leads) -> Table:
    """Both rules for ties, cells such as "gleu" and "gleu, ties left out"."""
    cells: Table = {}
    for name, lead in leads.leads.items():
        of_metric = tau(leads.pairs, lead)
        theirs = INDEPENDENT.get(name)
        close = theirs is None or abs((of_metric.value or 0.0) - theirs) <= CLOSE
        cells[name] = Cell(
            theirs,
            of_metric.value,
            CLOSE,
            close if theirs is not None else None,
            f"ties discordant; {of_metric.without_ties:.3f} without its {of_metric.metric_ties:,} ties",
            printed=False,
        )
    return cells


def _compared(each: PairedComparison) -> Cell:
    low, high = each.difference.low or 0.0, each.difference.high or 0.0
    note = (
        f"{each.mcnemar.first_only:,} against {each.mcnemar.second_only:,} pairs, McNemar p = "
        f"{each.mcnemar.p_value:.2g}; over resampled sentences {low:+.3f} to {high:+.3f}, "
        f"p = {each.clustered_p_value:.2g}"
    )
    return Cell(None, each.difference.value, 0.0, None, note)
