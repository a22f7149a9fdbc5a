"""Reads the public data of GJG15: the judgments and the judged outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path

from analysis.reproduction import gjg15_own_scores
from analysis.reproduction.cells import Table
from analysis.reproduction.gjg15 import reproduce
from analysis.reproduction.gjg15_metrics import curves, human_scores
from analysis.reproduction.gjg15_released import gjg15_metrics
from analysis.reproduction.metrics_data import read_conll
from analysis.reproduction.published_gjg15 import TABLE_3B
from analysis.reproduction.published_gjg15_metrics import OFFICIAL_BETA
from core.later import pd
from figures.drawing import Chart
from figures.f_beta import f_beta_figure
from formats import read_parallel
from formats.snapshots import frame_of_file
from ranking import count_pairs
from ranking.resampling import Progress


def reproduce_from(folder: Path, *, tables: Collection[str], progress: Progress) -> dict[str, Table]:
    """Tables from a folder that holds the public data, see `reproduce` in `docs/commands.md`.

    Raises:
        FormatError: a file is missing or malformed.
    """
    snapshot = gjg15_snapshot(folder)
    reproduced = reproduce(
        snapshot, gjg15_shapes(folder), gjg15_metrics(folder), tables=tables, progress=progress
    )
    if own := [table for table in gjg15_own_scores.TABLES if table in tables]:
        reproduced |= gjg15_own_scores.reproduce(snapshot, read_conll(folder), tables=own)
    return reproduced


def draw_from(folder: Path) -> dict[str, Chart]:
    """Figure 3 with its file name, from the same folder.

    Raises:
        FormatError: a file is missing or malformed.
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
    """The judgments; outputs are identified by their systems."""
    return frame_of_file(folder / "gjg15" / "judgments.xml")


def gjg15_shapes(folder: Path) -> list[list[int]]:
    """Multiplicities of the distinct outputs of each sentence over the twelve systems and INPUT."""
    outputs = folder / "conll14" / "outputs"
    systems = {system: outputs / system for system in TABLE_3B}
    corpus = read_parallel(outputs / "INPUT", systems)
    return [sorted(Counter(sentence.outputs.values()).values()) for sentence in corpus.sentences]
