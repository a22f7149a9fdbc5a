"""GJG15's rankings with ranges and clusters (Tables 3b and 3c), and the choice among them (Table 4).

The paper resampled at random, so some of its figures are one of several possible draws. A study resampled its
judgments many times, with independent code: notes and tolerances of these tables are its findings.
"""

from __future__ import annotations

from dataclasses import replace

from analysis.analyses.systems.ranking import THREADS
from analysis.reproduction.cells import Cause, OurFigures, Ours, Table, Verdict, compare, printed
from analysis.reproduction.public_data.gjg15_data import Gjg15
from ranking import Method, Standing, Unit, cross_validate, standings

RUNS = 1000
FOLDS = 100
RUNS_PER_FOLD = 100

REPLICATES = {"3b": RUNS, "3c": RUNS, "4": 2 * FOLDS * RUNS_PER_FOLD}
"""Number of replicates of each table."""

RESAMPLED_BY_PAIR = (
    "Resampled by pair, as in the paper. Assay's rankings resample sentences by default, "
    "because the pairs of one sentence are not independent."
)


def table_3b(data: Gjg15) -> Table:
    """ExpectedWins: score, rank range and cluster of each system, best first: 39 cells."""
    ranking = standings(data.snapshot, unit=Unit.PAIR, replicates=RUNS, progress=data.progress)
    ours = {name: figure for standing in ranking.systems for name, figure in _row(standing).items()}
    return compare(printed("gjg15", "3b"), ours)


def table_3c(data: Gjg15) -> Table:
    """TrueSkill: the order of the systems; score, rank range and cluster of each, best first: 40 cells.

    The study's means of 1000 runs differ from the print by up to .0014, by seed.
    """
    ranking = standings(
        data.snapshot,
        Method.TRUESKILL,
        Unit.PAIR,
        replicates=RUNS,
        threads=THREADS,
        progress=data.progress,
    )
    ours: OurFigures = {"order": " ".join(standing.system for standing in ranking.systems)}
    for standing in ranking.systems:
        error = "" if standing.spread is None else f"standard error {standing.spread / RUNS**0.5:.4f}"
        score = Ours(standing.score, f"mean of {RUNS:,} runs, {error}")
        ours |= _row(standing) | {standing.system: score}
    return _one_range_may_differ(compare(printed("gjg15", "3c"), ours))


def table_4(data: Gjg15) -> Table:
    """Accuracy of predicting held-out pairs, in percent: 4 cells such as "EW total" and "TS clusters".

    Tolerances are the study's spread over seeds. By ExpectedWins, a fold has four or five clusters, which
    changes the accuracy by more than a point.
    """
    ours: OurFigures = {}
    for name, method in (("EW", Method.EXPECTED_WINS), ("TS", Method.TRUESKILL)):
        predictions = cross_validate(
            data.snapshot,
            method,
            Unit.PAIR,
            folds=FOLDS,
            replicates=RUNS_PER_FOLD,
            threads=THREADS,
            progress=data.progress,
        )
        for column, accuracy in (("total", predictions.total_order), ("clusters", predictions.clusters)):
            if accuracy.mean is not None:
                error = f"standard error over folds {100 * (accuracy.standard_error or 0):.2f}"
                ours[f"{name} {column}"] = Ours(100 * accuracy.mean, error)
    return compare(printed("gjg15", "4"), ours)


def _row(standing: Standing) -> OurFigures:
    low, high = standing.rank_low, standing.rank_high
    ranks = None if low is None else str(low) if low == high else f"{low}-{high}"
    name = standing.system
    return {name: standing.score, f"{name} ranks": ranks, f"{name} cluster": standing.cluster}


def _one_range_may_differ(cells: Table) -> Table:
    """Only one range with an end near the cut may differ; two would be an error."""
    differing = [name for name, cell in cells.items() if name.endswith(" ranks") and not cell.ok]
    if len(differing) == 1:
        [name] = differing
        others = sum(each.endswith(" ranks") for each in cells) - 1
        cause = Cause("an end of one range is near the cut of resampling", "other ranges as printed", others)
        return cells | {name: replace(cells[name], verdict=Verdict.KNOWN, cause=cause)}
    return cells
