"""The public data of GJG15 as this project's input: the judgments, and the outputs that were judged."""

from collections import Counter
from collections.abc import Collection
from math import isfinite, nan
from pathlib import Path

import pandas as pd

from analysis.reproduction.cells import Table
from analysis.reproduction.gjg15 import reproduce
from analysis.reproduction.gjg15_metrics import PrecisionRecall, ReleasedScores, curves, human_scores
from analysis.reproduction.published_gjg15 import TABLE_3B
from analysis.reproduction.published_gjg15_metrics import CURVES, OFFICIAL_BETA, OTHER_METRICS
from figures.drawing import Chart
from figures.f_beta import f_beta_figure
from formats import FormatError, read_parallel
from formats.checks import Place, quoted
from formats.lines import read_lines
from formats.snapshots import frame_of_file
from ranking import count_pairs
from ranking.resampling import Progress


def reproduce_from(folder: Path, *, tables: Collection[str], progress: Progress) -> dict[str, Table]:
    """Tables from a folder that holds the public data, as `docs/commands.md` says under `reproduce`.

    Raises:
        FormatError: a file is missing or is not what it should be.
    """
    return reproduce(
        gjg15_snapshot(folder),
        gjg15_shapes(folder),
        gjg15_metrics(folder),
        tables=tables,
        progress=progress,
    )


def draw_from(folder: Path) -> dict[str, Chart]:
    """Figure 3, named for a file, from the same folder.

    Raises:
        FormatError: a file is missing or is not what it should be.
    """
    human = human_scores(count_pairs(gjg15_snapshot(folder)))
    return {
        "figure-3": f_beta_figure(
            curves(human, gjg15_metrics(folder)),
            title="M2 and the human ranking of GJG15",
            marked=OFFICIAL_BETA,
        )
    }


def gjg15_snapshot(folder: Path) -> pd.DataFrame:
    """The judgments; outputs are known by their systems."""
    return frame_of_file(folder / "gjg15" / "judgments.xml")


def gjg15_shapes(folder: Path) -> list[list[int]]:
    """Multiplicities of the distinct outputs of each sentence over the twelve systems and INPUT."""
    outputs = folder / "conll14" / "outputs"
    systems = {system: outputs / system for system in TABLE_3B}
    corpus = read_parallel(outputs / "INPUT", systems)
    return [sorted(Counter(sentence.outputs.values()).values()) for sentence in corpus.sentences]


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
    """By system the figures after its name, as many as `number`, one system a line."""
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
