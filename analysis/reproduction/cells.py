"""A cell of a published table with the same figure computed here."""

from dataclasses import asdict, dataclass

Figure = int | float | str | None

EPSILON = 1e-12
"""Added to tolerances, because printed decimals have no exact binary form."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure, published and ours.

    Attributes:
        published: value as printed, or a sign such as "*". For a value that the paper draws without printing
            it, the result of an independent computation.
        ours: computed value, not rounded; None if it cannot be computed.
        tolerance: allowed difference; covers the rounding of the print, 0 for integers and signs.
        ok: whether they agree; None for a known deviation.
        note: a remark for the reader, or the reason for a known deviation.
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
    """A cell printed with this many decimals; ours may differ by half a unit of the last one."""
    tolerance = 0.5 * 10**-digits
    ok = ours is not None and abs(published - ours) <= tolerance + EPSILON
    return Cell(published, ours, tolerance, ok, note, printed)
