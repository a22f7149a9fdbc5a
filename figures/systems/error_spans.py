"""Errors that annotators marked in the outputs of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.later import alt, pd


@dataclass(frozen=True, slots=True)
class DrawnErrors:
    """A bar: the label of a system, and its minor and major errors per output."""

    label: str
    minor: float
    major: float


def error_spans_figure(systems: Sequence[DrawnErrors], *, title: str) -> alt.Chart:
    """Stacked bars of errors per output, major ones first, one for each system in the order given."""
    frame = pd.DataFrame(
        [
            (each.label, severity, order, value)
            for each in systems
            for order, (severity, value) in enumerate((("major", each.major), ("minor", each.minor)))
        ],
        columns=["system", "severity", "order", "errors"],
    )
    chart: alt.Chart = (
        alt.Chart(frame, width=420, height=alt.Step(24), title=title)
        .mark_bar()
        .encode(
            x=alt.X("errors:Q", title="errors per output"),
            y=alt.Y("system:N", title=None, sort=[each.label for each in systems]),
            opacity=alt.Opacity(
                "severity:N", title=None, scale=alt.Scale(domain=["major", "minor"], range=[1, 0.35])
            ),
            order="order:Q",
        )
    )
    return chart
