"""Tables 6 and 7 of GJG15: rankings by single judges, computed as in the released scripts.

These tables rest on a quirk of the released script: its mean omits opponents that a system never beat, and
scores are rounded to four digits. Table 3b is not affected, because there each system beat each other one.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from analysis.reproduction.cells import OurFigures, Ours, Published, Table, compare, printed, unpublished
from analysis.reproduction.public_data.gjg15_data import JUDGES, Gjg15, annotator
from core.arrays import CountArray, FloatArray
from ranking import (
    GroupedPairs,
    Unit,
    annotator_correlations,
    group_pairs,
    mean_shares_won,
    rank_clusters,
    rank_ranges,
    resampled_counts,
)

RUNS = 20
"""Number of bootstraps used to count how often a printed range occurs."""

REPLICATES = 1000
CONFIDENCE = 0.9
"""Ranges and clusters of Table 7 are from bootstrap resampling at p <= .1."""

SEED = 2015

ONE_DRAW = "what is printed comes from a single bootstrap"


def paper_scores(wins: CountArray) -> FloatArray:
    """ExpectedWins as in the released script: over beaten opponents, rounded to four digits."""
    return np.round(mean_shares_won(wins, "beaten"), 4)


def table_6(data: Gjg15) -> Table:
    """Correlations between judges: 74 cells such as "1-2 rho", "2-1 r", "1-rest rho" and "mean r"."""
    judges = annotator_correlations(data.snapshot, paper_scores)
    ours: OurFigures = {
        "mean rho": judges.mean_spearman.value,
        "mean r": judges.mean_pearson.value,
    }
    for judge in JUDGES:
        if rest := judges.rest.get(annotator(judge)):
            ours |= {f"{judge}-rest rho": rest.spearman.value, f"{judge}-rest r": rest.pearson.value}
        for other in range(1, judge):
            if both := judges.between.get((annotator(other), annotator(judge))):
                ours |= {
                    f"{other}-{judge} rho": both.spearman.value,
                    f"{judge}-{other} r": both.pearson.value,
                }
    return compare(printed("gjg15", "6"), ours)


def table_7(data: Gjg15) -> Table:
    """Rankings by judge: 104 scores, ranges and clusters such as "Judge 1 CAMB range", and two shares.

    Scores must agree. Ranges and clusters come from resampling, and many differ from one bootstrap to the
    next: cells compare with the first of `RUNS` bootstraps and state how many give the printed value.
    """
    published = printed("gjg15", "7")
    ours: OurFigures = {}
    outcomes: dict[str, list[int | float | str]] = {}
    for judge in JUDGES:
        pairs = group_pairs(data.snapshot[data.snapshot["annotator"] == annotator(judge)], Unit.PAIR)
        for system, score in zip(pairs.systems, paper_scores(pairs.counts.wins).tolist(), strict=True):
            ours[f"Judge {judge} {system} score"] = score
        outcomes |= {f"Judge {judge} {name}": runs for name, runs in _resampled(pairs).items()}
    shares: Table = {}
    for kind in ("range", "cluster"):
        same = []
        for name, each in published.items():
            if name.endswith(f" {kind}"):
                of_runs = outcomes.get(name, [])
                same.append(of_runs.count(each.figure))
                ours[name] = _first(each, of_runs)
        note = f"over {RUNS} bootstraps of ours; {ONE_DRAW}"
        shares[f"share of {kind}s as printed"] = unpublished(sum(same) / (RUNS * len(same)), note)
    return compare(published, ours) | shares


def _resampled(pairs: GroupedPairs) -> dict[str, list[int | float | str]]:
    """Range and cluster of each system in each bootstrap, by names such as "CAMB range"."""
    if not pairs.systems:
        return {}
    counts = resampled_counts(pairs, range(RUNS * REPLICATES), SEED)
    scores = np.concatenate([paper_scores(each[:, 0]) for each in counts])
    runs: dict[str, list[int | float | str]] = defaultdict(list)
    for run in np.split(scores, RUNS):
        low, high = rank_ranges(run, CONFIDENCE)
        for system, best, worst, cluster in zip(
            pairs.systems, low.tolist(), high.tolist(), rank_clusters(low, high).tolist(), strict=True
        ):
            runs[f"{system} range"].append(str(best) if best == worst else f"{best}-{worst}")
            runs[f"{system} cluster"].append(cluster)
    return runs


def _first(published: Published, outcomes: list[int | float | str]) -> Ours:
    """The first outcome; a deviation is known if another bootstrap of ours gives the printed figure."""
    ours, same = outcomes[0] if outcomes else None, outcomes.count(published.figure)
    if same and ours != published.figure:
        return Ours(ours, shows=same)
    return Ours(ours, f"{ONE_DRAW}; {same} of {RUNS} of ours give the same")
