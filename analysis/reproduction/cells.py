"""A cell of a published table with the same figure computed here."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from math import isfinite
from typing import Any

Figure = int | float | str | None

EPSILON = 1e-12
"""Added to tolerances, because printed decimals have no exact binary form."""

LARGEST_TOLERANCE = 0.05
"""A larger one needs a reason."""


class Verdict(StrEnum):
    """What the comparison of a figure gave."""

    AGREES = "agrees"
    DIFFERS = "differs"
    KNOWN = "known"
    """It deviates, and a number shows the cause."""
    CANNOT = "cannot"
    """It cannot be compared: the paper gives no figure, or the data behind it are not at hand."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a figure deviates.

    Attributes:
        why: in words.
        shown_by: what the number is that shows it.
        number: this number.
    """

    why: str
    shown_by: str
    number: float

    def __post_init__(self) -> None:
        """Raises `ValueError` for a cause that nothing shows."""
        if not (self.why and self.shown_by and isfinite(self.number)):
            raise ValueError(f"a cause needs words and a number: {self}")

    def __str__(self) -> str:
        return f"{self.why}: {self.shown_by} {self.number:.4g}"


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure, published and ours.

    Attributes:
        published: value as published, or a sign such as "*"; None if there is none.
        ours: computed value, not rounded; None if it cannot be computed.
        tolerance: allowed difference; covers the rounding of the print, 0 for integers and signs.
        verdict: of the comparison.
        note: a remark for the reader, or why figures cannot be compared.
        printed: whether the figure stands in the paper. Others were released with it, or computed by a
            program that is independent of Assay; the note says which.
        reason: why the tolerance is larger than `LARGEST_TOLERANCE`.
        cause: of a known deviation.
    """

    published: Figure
    ours: Figure
    tolerance: float
    verdict: Verdict
    note: str = ""
    printed: bool = True
    reason: str = ""
    cause: Cause | None = None

    def __post_init__(self) -> None:
        """Raises `ValueError` if a verdict, a large tolerance or the origin of a figure lacks words."""
        if (self.verdict is Verdict.KNOWN) != (self.cause is not None):
            raise ValueError(f"a known deviation has a cause, and nothing else has: {self}")
        if self.verdict is Verdict.CANNOT and not self.note:
            raise ValueError(f"the note has to say why the figure cannot be compared: {self}")
        if self.tolerance > LARGEST_TOLERANCE + EPSILON and not self.reason:
            raise ValueError(f"a tolerance over {LARGEST_TOLERANCE} needs a reason: {self}")
        if self.published is None and (self.printed or self.verdict is not Verdict.CANNOT):
            raise ValueError(f"no figure is printed, so none can be compared: {self}")
        if not self.printed and self.published is not None and not self.note:
            raise ValueError(f"the note has to say where a figure comes from that is not printed: {self}")

    @property
    def ok(self) -> bool | None:
        """Whether they agree; None for a known deviation, and where they cannot be compared."""
        return {Verdict.AGREES: True, Verdict.DIFFERS: False}.get(self.verdict)

    @property
    def remarks(self) -> str:
        """Note, cause and reason for the reader."""
        parts = (self.note, str(self.cause or ""), self.reason and f"±{self.tolerance:.3g}: {self.reason}")
        return "; ".join(part for part in parts if part)

    def as_json(self) -> dict[str, Any]:
        """The cell as a JSON object: its attributes by name."""
        return asdict(self) | {"ok": self.ok}


Table = dict[str, Cell]
"""The cells of a table by name."""


def exact(published: int | str, ours: int | str | None, note: str = "", *, printed: bool = True) -> Cell:
    """A cell that must be equal: a count or a sign."""
    return Cell(published, ours, 0.0, _compared(published == ours), note, printed)


def within(
    published: float,
    ours: float | None,
    tolerance: float,
    note: str = "",
    *,
    reason: str = "",
    printed: bool = True,
) -> Cell:
    """A cell that may differ by the tolerance; more than `LARGEST_TOLERANCE` needs a reason."""
    agree = ours is not None and abs(published - ours) <= tolerance + EPSILON
    return Cell(published, ours, tolerance, _compared(agree), note, printed, reason)


def rounded(
    published: float, ours: float | None, digits: int, note: str = "", *, printed: bool = True
) -> Cell:
    """A cell printed with this many decimals; ours may differ by half a unit of the last one."""
    tolerance = 0.5 * 10**-digits
    reason = "the figure is printed without decimals" if tolerance > LARGEST_TOLERANCE else ""
    return within(published, ours, tolerance, note, reason=reason, printed=printed)


def known(published: Figure, ours: Figure, cause: Cause, note: str = "", *, printed: bool = True) -> Cell:
    """A cell that deviates, with the number that shows why."""
    return Cell(published, ours, 0.0, Verdict.KNOWN, note, printed, cause=cause)


def not_comparable(published: Figure, ours: Figure, why: str, *, printed: bool = True) -> Cell:
    """A cell that cannot be compared."""
    return Cell(published, ours, 0.0, Verdict.CANNOT, why, printed)


def unpublished(ours: Figure, note: str) -> Cell:
    """A figure of ours beside which none is published."""
    return not_comparable(None, ours, note, printed=False)


def _compared(agree: bool) -> Verdict:
    return Verdict.AGREES if agree else Verdict.DIFFERS
