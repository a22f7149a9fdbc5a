"""Tables 6 and 7 of GJG15: rankings by single judges, computed as in the released scripts.

These tables rest on a quirk of the released script: its mean omits opponents that a system never beat, and
scores are rounded to four digits. Table 3b is not affected, because there each system beat each other one.
"""

from __future__ import annotations

import numpy as np

from analysis.reproduction import published_gjg15_judges as published
from analysis.reproduction.cells import Cause, Cell, Table, exact, known, rounded, unpublished
from core.later import pd
from ranking import (
    BothCorrelations,
    GroupedPairs,
    Unit,
    group_pairs,
    judge_correlations,
    mean_shares_won,
    rank_clusters,
    rank_ranges,
    resampled_counts,
)
from ranking.arrays import CountArray, FloatArray

RUNS = 20
"""Number of bootstraps used to count how often a printed range occurs."""

SEED = 2015

ONE_DRAW = "what is printed comes from a single bootstrap"


def paper_scores(wins: CountArray) -> FloatArray:
    """ExpectedWins as in the released script: over beaten opponents, rounded to four digits."""
    return np.round(mean_shares_won(wins, "beaten"), 4)


def table_6(snapshot: pd.DataFrame) -> Table:
    """Correlations between judges: 74 cells such as "1-2 rho", "2-1 r", "1-rest rho" and "mean r"."""
    judges = judge_correlations(snapshot, paper_scores)
    cells = {}
    for (row, column), figure in published.TABLE_6.items():
        both = judges.between.get((annotator(min(row, column)), annotator(max(row, column))))
        symbol = "rho" if row < column else "r"
        cells[f"{row}-{column} {symbol}"] = rounded(figure, _value(both, symbol), 2)
    for judge, figures in published.WITH_REST.items():
        for symbol, figure in zip(("rho", "r"), figures, strict=True):
            both = judges.rest.get(annotator(judge))
            cells[f"{judge}-rest {symbol}"] = rounded(figure, _value(both, symbol), 2)
    note = "weighted by expanded pairs"
    cells["mean rho"] = rounded(published.MEAN_WITH_REST[0], judges.mean_spearman.value, 2, note)
    cells["mean r"] = rounded(published.MEAN_WITH_REST[1], judges.mean_pearson.value, 2, note)
    return cells


def table_7(snapshot: pd.DataFrame) -> Table:
    """Rankings by judge: 104 scores, ranges and clusters such as "Judge 1 CAMB range", and two shares.

    Scores must agree. Ranges and clusters come from resampling, and many differ from one bootstrap to the
    next: cells compare with the first of `RUNS` bootstraps and state how many give the printed value.
    """
    cells: Table = {}
    agreeing: dict[str, list[int]] = {"range": [], "cluster": []}
    for judge, ranking in published.TABLE_7.items():
        pairs = group_pairs(snapshot[snapshot["annotator"] == annotator(judge)], Unit.PAIR)
        scores = dict(zip(pairs.systems, paper_scores(pairs.counts.wins).tolist(), strict=True))
        resampled = _resampled(pairs)
        for system, printed in ranking.items():
            name = f"Judge {judge} {system}"
            cells[f"{name} score"] = rounded(printed.score, scores.get(system), 3)
            for kind, figure in (("range", printed.range), ("cluster", printed.cluster)):
                outcomes = [run[kind] for run in resampled.get(system, [])]
                cells[f"{name} {kind}"] = _resampled_cell(figure, outcomes)
                agreeing[kind].append(outcomes.count(figure))
    for kind, times in agreeing.items():
        share = sum(times) / (RUNS * len(times))
        cells[f"share of {kind}s as printed"] = unpublished(
            share, f"over {RUNS} bootstraps of ours; {ONE_DRAW}"
        )
    return cells


def annotator(judge: int) -> str:
    """Name of a judge in the judgments."""
    return f"annotator{judge:02}"


def _value(both: BothCorrelations | None, symbol: str) -> float | None:
    if both is None:
        return None
    return (both.spearman if symbol == "rho" else both.pearson).value


def _resampled(pairs: GroupedPairs) -> dict[str, list[dict[str, str | int]]]:
    """Range and cluster in each bootstrap, by system."""
    if not pairs.systems:
        return {}
    replicates = range(RUNS * published.REPLICATES)
    scores = np.concatenate(
        [paper_scores(counts[:, 0]) for counts in resampled_counts(pairs, replicates, SEED)]
    )
    runs: dict[str, list[dict[str, str | int]]] = {system: [] for system in pairs.systems}
    for run in np.split(scores, RUNS):
        low, high = rank_ranges(run, published.CONFIDENCE)
        for system, best, worst, cluster in zip(
            pairs.systems, low.tolist(), high.tolist(), rank_clusters(low, high).tolist(), strict=True
        ):
            printed = str(best) if best == worst else f"{best}-{worst}"
            runs[system].append({"range": printed, "cluster": cluster})
    return runs


def _resampled_cell(figure: str | int, outcomes: list[str | int]) -> Cell:
    """Known if another bootstrap of ours gives the printed figure; otherwise it differs."""
    same = outcomes.count(figure)
    if outcomes and same and outcomes[0] != figure:
        return known(figure, outcomes[0], Cause(ONE_DRAW, f"as printed in our {RUNS} bootstraps", same))
    note = f"{ONE_DRAW}; {same} of {RUNS} of ours give the same"
    return exact(figure, outcomes[0] if outcomes else None, note)
