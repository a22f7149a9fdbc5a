"""Writes the layouts that were asked for into the folder of a release."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from analysis.releases.facts import Facts
from analysis.releases.layouts.gec_metrics import write_gec_metrics
from analysis.releases.layouts.judged import ReleasedTables
from analysis.releases.layouts.mt_metrics_eval import write_mt_metrics_eval
from analysis.releases.options import Layout
from core.progress import Progress

LAYOUTS = "layouts"
"""The folder in a release."""


def write_layouts(folder: Path, layouts: Sequence[Layout], facts: Facts, progress: Progress) -> None:
    """Write each layout from the tables that are in the folder already, and a file that describes them.

    Of several campaigns, each has a folder of its own.
    """
    if not layouts:
        return
    said = ["# The data in other layouts"]
    for number, campaign in enumerate(facts.campaigns, start=1):
        below = f"campaign-{number}"
        said.append(f"## {campaign.campaign}\n\nIn the folder `{below}/`.")
        tables = ReleasedTables(folder, progress, campaign.campaign)
        said += _written(tables, folder / LAYOUTS / below, layouts, facts.language)
    if not facts.campaigns:
        said += _written(ReleasedTables(folder, progress), folder / LAYOUTS, layouts, facts.language)
    text = "\n\n".join(said)
    (folder / LAYOUTS / "README.md").write_text(f"{text}\n", encoding="utf-8", newline="\n")


def _written(tables: ReleasedTables, folder: Path, layouts: Sequence[Layout], language: str) -> Iterator[str]:
    for layout in layouts:
        path = folder / layout
        path.mkdir(parents=True)
        if layout is Layout.GEC_METRICS:
            yield write_gec_metrics(tables, path)
        else:
            yield write_mt_metrics_eval(tables, path, language)
