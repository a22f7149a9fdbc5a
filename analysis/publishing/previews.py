"""The picture by which sites preview links to a published result."""

from collections.abc import Mapping
from typing import Any

from analysis.models import Publication
from figures.drawing import render
from figures.preview import MOST_ROWS, PreviewedRow, preview_figure


def preview_of(publication: Publication, content: Mapping[str, Any]) -> bytes:
    """The finding with the first rows of the drawn table, as PNG of 1200 × 630 pixels.

    It is drawn from the content of the page, so it names no system that the page does not name.
    """
    about = f"{publication}, by {publication.authors}" if publication.authors else str(publication)
    rows = [
        PreviewedRow(str(row[table["heading"]]), *mark)
        for table in content["tables"][:1]
        for row, mark in zip(table["rows"], table.get("marks") or (), strict=False)
        if mark
    ]
    chart = preview_figure(content["headline"] or str(publication), about, rows)
    return render(chart, theme="light", format="png")


def alternative_text(content: Mapping[str, Any]) -> str:
    """What the picture shows, for those who do not see it."""
    drawn = [mark for table in content["tables"][:1] for mark in table.get("marks") or () if mark]
    if not drawn:
        return str(content["headline"])
    shown = f"the first {MOST_ROWS} of {len(drawn)} rows" if len(drawn) > MOST_ROWS else "each row"
    return f"{content['headline']}. Dots with intervals for {shown} of the table."
