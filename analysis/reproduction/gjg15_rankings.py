"""GJG15's rankings with ranges and clusters (Tables 3b and 3c), and the choice among them (Table 4)."""

from __future__ import annotations

from dataclasses import replace

from analysis.analyses.ranking import THREADS
from analysis.reproduction import published_gjg15_rankings as published
from analysis.reproduction.cells import (
    LARGEST_TOLERANCE,
    Cause,
    Cell,
    Table,
    Verdict,
    exact,
    known,
    rounded,
    within,
)
from analysis.reproduction.published_gjg15 import TABLE_3B
from core.later import pd
from ranking import Accuracy, Method, Standing, Standings, Unit, cross_validate, standings
from ranking.resampling import Progress

RUNS = 1000
FOLDS = 100
RUNS_PER_FOLD = 100

REPLICATES = {"3b": RUNS, "3c": RUNS, "4": 2 * FOLDS * RUNS_PER_FOLD}
"""Number of replicates of each table."""

RESAMPLED_BY_PAIR = (
    "Resampled by pair, as in the paper. Assay's rankings resample sentences by default, "
    "because the pairs of one sentence are not independent."
)

SCORE_TOLERANCE = 0.002
"""Tolerance of Table 3c: the study's means of 1000 runs differ from the print by up to .0014, by seed."""

TOLERANCES = {"EW total": 0.05, "TS total": 0.05, "EW clusters": 1.5, "TS clusters": 0.3}
"""Tolerance of Table 4, in percent: the study's spread over seeds.

By ExpectedWins, a fold has four or five clusters, which changes the accuracy by more than a point.
"""

SPREAD = "in percent, the spread over seeds; a fold has four or five clusters, which moves it by a point"

TS_TOTAL_REASON = (
    "with ties in training TrueSkill predicts better than ExpectedWins, not as well; the released scripts "
    "train on the fold that they test"
)

NOBODY = Standing("", *[None] * 8)
"""Stands in for a missing system of the paper."""


def table_3b(snapshot: pd.DataFrame, progress: Progress) -> Table:
    """ExpectedWins: score, rank range and cluster of each system, best first: 39 cells."""
    by_system = _by_system(standings(snapshot, unit=Unit.PAIR, replicates=RUNS, progress=progress))
    cells = {}
    for system, score in TABLE_3B.items():
        ranks, cluster = published.TABLE_3B_RANKS[system]
        ours = by_system.get(system, NOBODY)
        cells[system] = rounded(score, ours.score, 3)
        cells[f"{system} ranks"] = _either(ranks, _ranks(ours), *published.TABLE_3B_UNSTABLE.get(system, ()))
        cells[f"{system} cluster"] = exact(cluster, ours.cluster)
    return cells


def table_3c(snapshot: pd.DataFrame, progress: Progress) -> Table:
    """TrueSkill: the order of the systems; score, rank range and cluster of each, best first: 40 cells."""
    ranking = standings(
        snapshot, Method.TRUESKILL, Unit.PAIR, replicates=RUNS, threads=THREADS, progress=progress
    )
    by_system = _by_system(ranking)
    order = " ".join(standing.system for standing in ranking.systems)
    cells = {"order": exact(" ".join(published.TABLE_3C), order)}
    for system, score in published.TABLE_3C.items():
        ranks, cluster = published.TABLE_3C_RANKS[system]
        ours = by_system.get(system, NOBODY)
        cells[system] = _mean(score, ours)
        cells[f"{system} ranks"] = exact(ranks, _ranks(ours))
        cells[f"{system} cluster"] = exact(cluster, ours.cluster)
    return _one_range_may_differ(cells)


def table_4(snapshot: pd.DataFrame, progress: Progress) -> Table:
    """Accuracy of predicting held-out pairs, in percent: 4 cells such as "EW total" and "TS clusters"."""
    methods = {"EW": Method.EXPECTED_WINS, "TS": Method.TRUESKILL}
    cells = {}
    for name, method in methods.items():
        predictions = cross_validate(
            snapshot,
            method,
            Unit.PAIR,
            folds=FOLDS,
            replicates=RUNS_PER_FOLD,
            threads=THREADS,
            progress=progress,
        )
        for column, accuracy in (("total", predictions.total_order), ("clusters", predictions.clusters)):
            cells[f"{name} {column}"] = _accuracy(f"{name} {column}", accuracy)
    return cells


def _by_system(ranking: Standings) -> dict[str, Standing]:
    return {standing.system: standing for standing in ranking.systems}


def _ranks(ours: Standing) -> str | None:
    if ours.rank_low == ours.rank_high:
        return None if ours.rank_low is None else str(ours.rank_low)
    return f"{ours.rank_low}-{ours.rank_high}"


def _either(figure: str, ours: str | None, other: str = "", share: str = "") -> Cell:
    """A range that equals the printed one, or the `other`, which occurs in this `share` of seeds."""
    if not other:
        return exact(figure, ours)
    note = f"varies with resampling; {other} in {share} of seeds"
    agrees = Verdict.AGREES if ours in (figure, other) else Verdict.DIFFERS
    return Cell(figure, ours, 0.0, agrees, note)


def _mean(figure: float, ours: Standing) -> Cell:
    error = "" if ours.spread is None else f"standard error {ours.spread / RUNS**0.5:.4f}"
    return within(figure, ours.score, SCORE_TOLERANCE, f"mean of {RUNS:,} runs, {error}")


def _one_range_may_differ(cells: Table) -> Table:
    """Only one range with an end near the cut may differ; two would be an error."""
    differing = [name for name, cell in cells.items() if name.endswith(" ranks") and not cell.ok]
    if len(differing) == 1:
        [name] = differing
        others = sum(each.endswith(" ranks") for each in cells) - 1
        cause = Cause("an end of one range is near the cut of resampling", "other ranges as printed", others)
        return cells | {name: replace(cells[name], verdict=Verdict.KNOWN, cause=cause)}
    return cells


def _accuracy(name: str, ours: Accuracy) -> Cell:
    figure, tolerance = published.TABLE_4[name], TOLERANCES[name]
    reason = SPREAD if tolerance > LARGEST_TOLERANCE else ""
    if ours.mean is None:
        return within(figure, None, tolerance, reason=reason)
    percent = 100 * ours.mean
    error = f"standard error over folds {100 * (ours.standard_error or 0):.2f}"
    if name == "TS total" and abs(percent - published.TS_TOTAL_FOUND) <= tolerance:
        cause = Cause(TS_TOTAL_REASON, "found by an independent program", published.TS_TOTAL_FOUND)
        return known(figure, percent, cause, error)
    return within(figure, percent, tolerance, error, reason=reason)
