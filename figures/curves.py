"""Shared by figures of curves over numbers of references."""

from __future__ import annotations

from math import ceil

from core.later import alt, pd

WIDTHS = {"wide": 460, "narrow": 250}
"""Width of the panel in pixels, on a desktop and on a phone."""

HEIGHTS = {"wide": 440, "narrow": 330}
"""Height of the figure in pixels, about."""

WIDTH_OF_A_TICK = 45
BESIDE, ABOVE, BELOW = 5, -9, 36
"""How far a name is moved down, in pixels: beside a point, or above or below it."""


def references_axis(most: int, width: int, known: int | None = None) -> alt.X:
    """Numbers of references, from 1; with ticks at the last one, and at that up to which curves are known."""
    last = max(2, most)
    named = [1, *([known] if known is not None and 1 < known < last else []), last]
    apart = last * WIDTH_OF_A_TICK / width
    others = [tick for tick in _round_ticks(last, width) if all(abs(tick - each) > apart for each in named)]
    return alt.X(
        "references:Q",
        title="references of each sentence",
        scale=alt.Scale(domain=[1, last], nice=False),
        axis=alt.Axis(values=sorted({*named, *others}), format="d"),
    )


def _round_ticks(most: int, width: int) -> list[int]:
    """Multiples of 1, 2, 5, 10, 20 and so on, with room for others between them."""
    fewest = most * 2 * WIDTH_OF_A_TICK / width
    step = next(
        step for power in range(9) for step in (10**power, 2 * 10**power, 5 * 10**power) if step >= fewest
    )
    return list(range(step, most + 1, step))


def whole_ticks(most: int, width: int) -> list[int]:
    """Whole numbers from 1 on with equal steps, as many as have room below a panel."""
    step = max(ceil(most * WIDTH_OF_A_TICK / width), 1)
    return list(range(1, most + 1, step))


def named_ends(
    frame: pd.DataFrame, x: alt.X, upper: tuple[str, str], lower: tuple[str, str], width: int
) -> list[alt.Chart]:
    """Names at the last points of two curves: beside them, or above and below where the panel is narrow.

    Args:
        frame: a row for each point.
        x: the common horizontal axis.
        upper: column and name of the curve that ends above the other.
        lower: column and name of the other curve.
        width: of the panel.
    """
    is_narrow = width < WIDTHS["wide"] and len(frame) > 1
    placed = [(upper, ABOVE if is_narrow else -BESIDE), (lower, BELOW if is_narrow else BESIDE)]
    return [
        alt.Chart(frame.tail(1))
        .mark_text(align="right" if is_narrow else "left", dx=0 if is_narrow else 6, dy=down)
        .encode(x=x, y=f"{column}:Q", text=alt.value(name))
        for (column, name), down in placed
    ]
