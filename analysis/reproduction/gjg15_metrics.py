"""Table 5 and Figure 3 of GJG15: metrics correlated with the human ranking, and M2 over beta."""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.reproduction import published_gjg15_metrics as published
from analysis.reproduction.cells import Cause, Cell, Table, known, rounded
from analysis.reproduction.published_gjg15 import TABLE_3B
from ranking import Coefficient, PairCounts, SweepPoint, correlation, expected_wins, f_beta, f_beta_sweep

NOT_PRINTED = "drawn without its value; computed independently"
BETAS = tuple(number / 100 for number in range(1, 101))
"""The betas of Figure 3 except 0, where F-beta is precision, which INPUT (no edits) does not have."""

SYMBOLS = {"rho": Coefficient.SPEARMAN, "r": Coefficient.PEARSON}

SystemScores = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    """Precision and recall of one system's edits.

    Attributes:
        precision: from 0 to 1.
        recall: from 0 to 1.
    """

    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class ReleasedScores:
    """Metric scores of the systems.

    Attributes:
        edits: precision and recall by curve of Figure 3 and system.
        others: scores by metric of Table 5 other than M2, and by system.
    """

    edits: Mapping[str, Mapping[str, PrecisionRecall]]
    others: Mapping[str, SystemScores]


def human_scores(counts: PairCounts) -> dict[str, float]:
    """ExpectedWins of the paper's systems, with the three digits that it prints and correlates."""
    return {
        score.system: float(f"{score.score:.3f}")
        for score in expected_wins(counts).scores
        if score.score is not None and score.system in TABLE_3B
    }


def table_5(human: SystemScores, metrics: ReleasedScores) -> Table:
    """Correlations of metrics with the human ranking: 16 cells such as "M2 F0.5 rho" and "BLEU r"."""
    figures = {f"M2 F{beta}": figures for beta, figures in published.TABLE_5_M2.items()} | published.TABLE_5
    values = correlations(human, metrics)
    cells = {
        f"{name} {symbol}": rounded(figure, values[f"{name} {symbol}"], 3)
        for name, of_metric in figures.items()
        for symbol, figure in zip(SYMBOLS, of_metric, strict=True)
    }
    cells["M2 F0.18 r"] = _beside_the_wrong_beta(cells["M2 F0.18 r"], human, metrics)
    return cells


def correlations(human: SystemScores, metrics: ReleasedScores) -> dict[str, float | None]:
    """The figures of Table 5 by cell name."""
    rows = {f"M2 F{beta}": _f_beta(metrics.edits["Combined"], beta) for beta in published.TABLE_5_M2} | {
        name: metrics.others[name] for name in published.TABLE_5
    }
    return {
        f"{name} {symbol}": _correlation(scores, human, coefficient)
        for name, scores in rows.items()
        for symbol, coefficient in SYMBOLS.items()
    }


def figure_3(human: SystemScores, metrics: ReleasedScores) -> Table:
    """Correlations of M2 with the human ranking over beta: 37 cells such as "Combined rho at 0.5"."""
    cells = {}
    for curve, points in curves(human, metrics).items():
        at = {point.beta: point for point in points}
        for beta, figures in published.FIGURE_3[curve].items():
            for symbol, figure in zip(SYMBOLS, figures, strict=True):
                cells[f"{curve} {symbol} at {beta}"] = rounded(
                    figure, _value(at[beta], symbol), 5, NOT_PRINTED, printed=False
                )
        for symbol, (figure, beta) in zip(SYMBOLS, published.FIGURE_3_PEAKS[curve], strict=True):
            peak = _peak(points, symbol)
            highest = _value(peak, symbol)
            cells[f"{curve} highest {symbol}"] = rounded(figure, highest, 6, NOT_PRINTED, printed=False)
            cells[f"{curve} highest {symbol} at beta"] = rounded(
                beta, peak.beta, 2, NOT_PRINTED, printed=False
            )
    best = _peak(curves(human, metrics)["Combined"], "rho").beta
    cells["best beta"] = rounded(published.BEST_BETA, best, 2, "section 6.3: the highest rho")
    return cells


def curves(human: SystemScores, metrics: ReleasedScores) -> dict[str, tuple[SweepPoint, ...]]:
    """Both correlations at each of `BETAS`, by curve of Figure 3."""
    return {
        curve: f_beta_sweep(
            [edits[system].precision for system in human],
            [edits[system].recall for system in human],
            list(human.values()),
            BETAS,
        )
        for curve, edits in metrics.edits.items()
    }


def _beside_the_wrong_beta(cell: Cell, human: SystemScores, metrics: ReleasedScores) -> Cell:
    """The paper prints the highest r at .18, where rho is highest; that r belongs to another beta."""
    peak = _peak(curves(human, metrics)["Combined"], "r")
    if not rounded(published.TABLE_5_M2[published.BEST_BETA][1], peak.pearson.value, 3).ok:
        return cell
    cause = Cause(
        "printed is the highest r, which is not that of this beta", "beta of our highest r", peak.beta
    )
    return known(cell.published, cell.ours, cause)


def _f_beta(edits: Mapping[str, PrecisionRecall], beta: float) -> dict[str, float]:
    return {
        system: float(f_beta(figures.precision, figures.recall, beta)) for system, figures in edits.items()
    }


def _correlation(scores: SystemScores, human: SystemScores, coefficient: Coefficient) -> float | None:
    return correlation([scores[system] for system in human], list(human.values()), coefficient).value


def _value(point: SweepPoint, symbol: str) -> float | None:
    return (point.spearman if symbol == "rho" else point.pearson).value


def _peak(points: tuple[SweepPoint, ...], symbol: str) -> SweepPoint:
    """The first point of the highest correlation."""
    return max(points, key=lambda point: round(_value(point, symbol) or -1.0, 9))
