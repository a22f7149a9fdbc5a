"""Numbers as the terminal shows them."""


def decimals(value: float | None, places: int) -> str:
    """The number with so many decimal places, a dash for None."""
    return "–" if value is None else f"{value:.{places}f}"
