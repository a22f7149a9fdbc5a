"""Writes the layouts that were asked for into the folder of a release."""

from collections.abc import Sequence
from pathlib import Path

from analysis.releases.layouts.gec_metrics import write_gec_metrics
from analysis.releases.layouts.judged import ReleasedTables
from analysis.releases.layouts.mt_metrics_eval import write_mt_metrics_eval
from analysis.releases.options import Layout
from core.progress import Progress

LAYOUTS = "layouts"
"""The folder in a release."""


def write_layouts(folder: Path, layouts: Sequence[Layout], language: str, progress: Progress) -> None:
    """Write each layout from the tables that are in the folder already, and a file that describes them."""
    if not layouts:
        return
    tables = ReleasedTables(folder)
    said = ["# The data in other layouts"]
    for layout in layouts:
        path = folder / LAYOUTS / layout
        path.mkdir(parents=True)
        if layout is Layout.GEC_METRICS:
            said.append(write_gec_metrics(tables, path, progress))
        else:
            said.append(write_mt_metrics_eval(tables, path, language, progress))
    text = "\n\n".join(said)
    (folder / LAYOUTS / "README.md").write_text(f"{text}\n", encoding="utf-8", newline="\n")
