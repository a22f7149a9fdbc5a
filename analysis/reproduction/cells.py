"""A cell of a published table beside the same figure computed here."""

from dataclasses import asdict, dataclass

Figure = int | float | str | None

EPSILON = 1e-12
"""Added to tolerances, because printed decimals have no exact binary form."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure, published and ours.

    Attributes:
        published: as printed; "*" and the like where the table prints a sign. Where the paper draws a figure
            without printing it, what an independent computation gives.
        ours: not rounded; None where it cannot be computed.
        tolerance: how far the two may lie apart; covers the rounding of the print, 0 for integers and signs.
        ok: whether they agree; None for a known deviation.
        note: whatever a reader should know; the reason of a known deviation.
        printed: whether the paper prints the figure.
    """

    published: Figure
    ours: Figure
    tolerance: float
    ok: bool | None
    note: str = ""
    printed: bool = True

    def as_json(self) -> dict[str, Figure]:
        """The cell as a JSON object: its attributes by name."""
        return asdict(self)


Table = dict[str, Cell]
"""The cells of a table by name."""


def exact(published: int | str, ours: int | str | None, note: str = "", *, printed: bool = True) -> Cell:
    """A cell that must be equal: a count or a sign."""
    return Cell(published, ours, 0.0, published == ours, note, printed)


def rounded(
    published: float, ours: float | None, digits: int, note: str = "", *, printed: bool = True
) -> Cell:
    """A cell printed with so many decimals: ours may lie half a unit of the last one away."""
    tolerance = 0.5 * 10**-digits
    ok = ours is not None and abs(published - ours) <= tolerance + EPSILON
    return Cell(published, ours, tolerance, ok, note, printed)
