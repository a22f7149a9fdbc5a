"""MTeRater on GJG15: taus of single and learned metrics with folds by sentence, and McNemar's tests.

The paper's own figures (Parton et al. 2011, Table 1) are of machine translation, with e-rater, METEOR and
TERp, and cannot be compared; its question can: does a grammar checker add anything?
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.analyses.ranking import THREADS
from analysis.reproduction.cells import Cause, Cell, Table, known, unpublished, within
from metrics.base import FloatArray
from metrics.learned.mterater import FOLDS, RankedPairs, out_of_fold, tau, variants
from metrics.learned.outputs import GROUPS, MTERATER, OutputFeatures
from metrics.learned.paired import PairedComparison, paired_comparisons
from ranking.resampling import Progress

TABLES = ("tau", "McNemar", "checker", "folds")

REPLICATES = 1000
PLUS = "MTeRater-Plus"
WITHOUT = "all without MTeRater"
WITHOUT_CHECKER = {
    name: groups for name, groups in variants(GROUPS).items() if not set(groups).intersection(MTERATER)
}

SINGLE = {
    "bleu": (0.299, 0.397),
    "ibleu": (0.404, 0.416),
    "gleu": (0.371, 0.383),
    "chrf": (0.356, 0.372),
    "imeasure": (0.330, 0.382),
    "weighted accuracy": (0.290, 0.343),
    "sari": (0.299, 0.313),
    "minld": (0.296, 0.362),
    "m2": (0.015, 0.528),
    "ld-source": (-0.003, 0.022),
}
"""Taus of an independent computation on the same pairs: ties discordant, and left out."""

UNIT = 0.001
"""One unit of the last digit: its figures are rounded, and scores that differ by rounding errors tie here."""

OTHER_TIES = {
    "bleu": "it smooths sentence BLEU otherwise, so more pairs tie",
    "minld": "more pairs tie in it; equal without ties",
}

INDEPENDENT = "by an independent program"

LEARNED = {"metrics": 0.421, "metrics + text": 0.433}
"""Of the same computation, with other folds."""

CLOSE = 0.02
"""Folds are drawn at random, and move tau so far: see the table of folds."""

DIVISIONS = 20
"""Of the sentences into folds."""


@dataclass(frozen=True, slots=True, eq=False)
class Leads:
    """The differences of metric scores over the judged pairs.

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
    """Leads of each single metric, and of each learned one on sentences that it has not seen.

    Args:
        features: of all groups.
        pairs: what judges ordered.
        progress: called with the number of folds trained, `FOLDS` for each variant.
    """
    leads = {
        name.removeprefix("metrics: "): pairs.lead(features.values[:, :, place])
        for place, name in enumerate(features.names)
        if name.startswith("metrics: ")
    }
    for name, groups in variants(GROUPS).items():
        leads[name] = out_of_fold(
            features.of_groups(groups), pairs, folds=FOLDS, threads=THREADS, progress=progress
        )
    return Leads(pairs, leads)


def reproduce(leads: Leads, *, tables: Collection[str]) -> dict[str, Table]:
    """The named tables of `TABLES`, without the table of folds."""
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
    return {name: made[name] for name in TABLES if name in tables and name in made}


_ABOUT_THE_CHECKER = {(PLUS, WITHOUT), ("metrics", "metrics + MTeRater")}


def taus(leads: Leads) -> Table:
    """Both rules for ties, cells such as "gleu" and "gleu, ties left out"."""
    cells: Table = {}
    for name, lead in leads.leads.items():
        of_metric = tau(leads.pairs, lead)
        ties = f"{of_metric.metric_ties:,} ties"
        if name in SINGLE:
            discordant, left_out = SINGLE[name]
            cells[name] = _with_ties(name, discordant, of_metric.value, of_metric.metric_ties)
            cells[f"{name}, ties left out"] = _as_independent(left_out, of_metric.without_ties, UNIT)
        elif name in LEARNED:
            cells[name] = _as_independent(LEARNED[name], of_metric.value, CLOSE, f"{ties}; other folds")
        else:
            cells[name] = unpublished(of_metric.value, ties)
    return cells


def _with_ties(name: str, theirs: float, ours: float | None, ties: int) -> Cell:
    if name in OTHER_TIES:
        return known(theirs, ours, Cause(OTHER_TIES[name], "our ties", ties), INDEPENDENT, printed=False)
    return _as_independent(theirs, ours, UNIT, f"{ties:,} ties")


def _as_independent(theirs: float, ours: float | None, tolerance: float, note: str = "") -> Cell:
    note = f"{INDEPENDENT}; {note}" if note else INDEPENDENT
    return within(theirs, ours, tolerance, note, printed=False)


def folds(features: OutputFeatures, pairs: RankedPairs, *, progress: Progress | None = None) -> Table:
    """Mean tau over `DIVISIONS` divisions of the sentences into folds, of variants without the checker.

    Args:
        features: of all groups.
        pairs: what judges ordered.
        progress: called with the number of folds trained, `FOLDS` for each variant and division.
    """
    cells: Table = {}
    for name, groups in WITHOUT_CHECKER.items():
        of_variant = features.of_groups(groups)
        values = [
            tau(
                pairs,
                out_of_fold(of_variant, pairs, folds=FOLDS, seed=seed, threads=THREADS, progress=progress),
            ).value
            for seed in range(DIVISIONS)
        ]
        drawn = np.array(values, dtype=np.float64)
        note = f"standard deviation {drawn.std(ddof=1):.4f}, {drawn.min():.3f} to {drawn.max():.3f}"
        cells[name] = unpublished(float(drawn.mean()), note)
    return cells


def _compared(each: PairedComparison) -> Cell:
    low, high = each.difference.low or 0.0, each.difference.high or 0.0
    note = (
        f"{each.mcnemar.first_only:,} against {each.mcnemar.second_only:,} pairs, McNemar p = "
        f"{each.mcnemar.p_value:.2g}; over resampled sentences {low:+.3f} to {high:+.3f}, "
        f"p = {each.clustered_p_value:.2g}"
    )
    return unpublished(each.difference.value, note)
