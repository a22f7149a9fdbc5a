"""Formats numbers for the terminal."""


def decimals(value: float | None, places: int) -> str:
    """The number with this many decimal places; a dash for None."""
    return "–" if value is None else f"{value:.{places}f}"
