"""The scores of automatic metrics that were released with GJG15."""

from math import isfinite, nan
from pathlib import Path

from analysis.reproduction.gjg15_metrics import PrecisionRecall, ReleasedScores
from analysis.reproduction.published_gjg15 import TABLE_3B
from analysis.reproduction.published_gjg15_metrics import CURVES, OTHER_METRICS
from formats import FormatError
from formats.checks import Place, quoted
from formats.lines import read_lines


def gjg15_metrics(folder: Path) -> ReleasedScores:
    """The scores of automatic metrics that the paper correlates with its judgments."""
    files = folder / "gjg15" / "metric-scores"
    return ReleasedScores(
        edits={
            curve: {
                system: PrecisionRecall(precision, recall)
                for system, (_, precision, recall) in _figures(files / f"scores.{ending}", 3).items()
            }
            for curve, ending in CURVES.items()
        },
        others={
            metric: {system: score for system, (score,) in _figures(files / f"scores.{ending}", 1).items()}
            for metric, ending in OTHER_METRICS.items()
        },
    )


def _figures(path: Path, number: int) -> dict[str, list[float]]:
    """The `number` figures after each system's name, one system per line."""
    figures = {}
    for place, line in read_lines(path):
        system, *columns = line.split() or [""]
        if len(columns) != number:
            raise place.fault(f"a line should hold a system and {number} figures")
        figures[system] = [_number(column, place) for column in columns]
    if missing := TABLE_3B.keys() - figures.keys():
        raise FormatError(path, None, f"systems are missing: {', '.join(sorted(missing))}")
    return figures


def _number(text: str, place: Place) -> float:
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise place.fault(f"{quoted(text)} is not a number")
    return number
