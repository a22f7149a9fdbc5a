"""The picture by which sites preview links to a published result."""

from collections.abc import Mapping
from typing import Any

from analysis.models import Publication
from analysis.publishing.storing import DrawnMark
from figures.drawing import render
from figures.preview import MOST_ROWS, PreviewedRow, preview_figure


def preview_of(publication: Publication, content: Mapping[str, Any]) -> bytes:
    """The finding with the first rows of the drawn table, as PNG of 1200 × 630 pixels.

    It is drawn from the content of the page, so it names no system that the page does not name.
    """
    about = f"{publication}, by {publication.authors}" if publication.authors else str(publication)
    rows = [
        _previewed(str(row[table["heading"]]), DrawnMark(*mark))
        for table in content["tables"][:1]
        for row, mark in zip(table["rows"], table.get("marks") or (), strict=False)
        if mark
    ]
    chart = preview_figure(content["headline"] or str(publication), about, rows)
    return render(chart, theme="light", format="png")


def _previewed(name: str, mark: DrawnMark) -> PreviewedRow:
    """The row of a mark; a bar is a line from 0 with a dot at its end."""
    low, high = (0.0, mark.value) if mark.is_bar else (mark.low, mark.high)
    return PreviewedRow(name, mark.value, low, high, mark.is_hollow)


def alternative_text(content: Mapping[str, Any]) -> str:
    """What the picture shows, for those who do not see it."""
    drawn = [DrawnMark(*mark) for table in content["tables"][:1] for mark in table.get("marks") or () if mark]
    if not drawn:
        return str(content["headline"])
    shown = f"the first {MOST_ROWS} of {len(drawn)} rows" if len(drawn) > MOST_ROWS else "each row"
    marks = "Lines from 0" if all(mark.is_bar for mark in drawn) else "Dots with intervals"
    return f"{content['headline']}. {marks} for {shown} of the table."
