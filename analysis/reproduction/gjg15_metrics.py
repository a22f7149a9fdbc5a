"""Tables 3a and 5 and Figure 3 of GJG15: the official ranking, metrics and people, and M2 over beta."""

from collections.abc import Mapping

from analysis.reproduction.cells import OurFigures, Ours, Table, compare, printed
from analysis.reproduction.public_data.conll14 import PrecisionRecall, SystemScores
from analysis.reproduction.public_data.gjg15_data import Gjg15
from figures.drawing import Chart
from figures.metrics.f_beta import f_beta_figure
from metrics import metric_from_text, score
from ranking import Coefficient, SweepPoint, correlation, f_beta, f_beta_sweep

BETAS = tuple(number / 100 for number in range(1, 101))
"""The betas of Figure 3 except 0, where F-beta is precision, which INPUT (no edits) does not have."""

BETAS_OF_TABLE_5 = (1.0, 0.5, 0.25, 0.18, 0.1)

OFFICIAL_BETA = 0.5
"""The beta of the shared task, marked in Figure 3."""

SYMBOLS = {"rho": Coefficient.SPEARMAN, "r": Coefficient.PEARSON}

Scores = Mapping[str, float]
"""Scores by system."""


def table_3a(data: Gjg15) -> Table:
    """The official ranking of CoNLL-2014 by M2, recomputed: 39 cells such as "CAMB P", and the order."""
    scored = score(metric_from_text("m2"), data.gold["Combined"], data.outputs)
    corpora = {system: scored.corpus(system) for system in data.outputs}
    ranked = sorted(corpora, key=lambda system: -(corpora[system].value or 0.0))
    ours: OurFigures = {"order": " ".join(ranked)}
    for system, corpus in corpora.items():
        ours |= {
            f"{system} P": Ours(corpus.details["precision"], shows=corpus.details["proposed"]),
            f"{system} R": corpus.details["recall"],
            f"{system} F0.5": corpus.value,
        }
    return compare(printed("gjg15", "3a"), ours)


def table_5(data: Gjg15) -> Table:
    """Correlations of metrics with the human ranking: 16 cells such as "M2 F0.5 rho" and "BLEU r"."""
    published = printed("gjg15", "5")
    values = correlations(data.human, data.released)
    ours: OurFigures = {**values}
    peak = _peak(_curves(data)["Combined"], "r")
    if published["M2 F0.18 r"].agrees(peak.pearson.value):
        # The paper prints the highest r at .18, where rho is highest; that r belongs to another beta.
        ours["M2 F0.18 r"] = Ours(values["M2 F0.18 r"], shows=peak.beta)
    return compare(published, ours)


def correlations(human: Scores, metrics: SystemScores) -> dict[str, float | None]:
    """The figures of Table 5 by cell name."""
    rows = {f"M2 F{beta}": _f_beta(metrics.edits["Combined"], beta) for beta in BETAS_OF_TABLE_5}
    return {
        f"{name} {symbol}": correlation(
            [scores[system] for system in human], list(human.values()), coefficient
        ).value
        for name, scores in (rows | {**metrics.others}).items()
        for symbol, coefficient in SYMBOLS.items()
    }


def figure_3(data: Gjg15) -> Table:
    """Correlations of M2 with the human ranking over beta: 37 cells such as "Combined rho at 0.5"."""
    ours: OurFigures = {}
    curves = _curves(data)
    for curve, points in curves.items():
        for symbol in SYMBOLS:
            ours |= {f"{curve} {symbol} at {point.beta}": _value(point, symbol) for point in points}
            peak = _peak(points, symbol)
            ours[f"{curve} highest {symbol}"] = _value(peak, symbol)
            ours[f"{curve} highest {symbol} at beta"] = peak.beta
    ours["best beta"] = _peak(curves["Combined"], "rho").beta
    return compare(printed("gjg15", "figure 3"), ours)


def drawn_figure_3(data: Gjg15) -> dict[str, Chart]:
    """Figure 3 with its file name."""
    title = "M2 and the human ranking of GJG15"
    return {"figure-3": f_beta_figure(_curves(data), title=title, marked=OFFICIAL_BETA)}


def _curves(data: Gjg15) -> dict[str, tuple[SweepPoint, ...]]:
    """Both correlations at each of `BETAS`, by curve of Figure 3."""
    return {
        curve: f_beta_sweep(
            [edits[system].precision for system in data.human],
            [edits[system].recall for system in data.human],
            list(data.human.values()),
            BETAS,
        )
        for curve, edits in data.released.edits.items()
    }


def _f_beta(edits: Mapping[str, PrecisionRecall], beta: float) -> dict[str, float]:
    return {
        system: float(f_beta(figures.precision, figures.recall, beta)) for system, figures in edits.items()
    }


def _value(point: SweepPoint, symbol: str) -> float | None:
    return (point.spearman if symbol == "rho" else point.pearson).value


def _peak(points: tuple[SweepPoint, ...], symbol: str) -> SweepPoint:
    """The first point of the highest correlation."""
    return max(points, key=lambda point: round(_value(point, symbol) or -1.0, 9))
