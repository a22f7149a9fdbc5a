"""Numbers that a page draws as bars in the rows of its table."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from core.columns import Number
from core.latex import escaped
from core.marks import Mark, Scale, scale_of
from core.names import Naming

CUT_OFF = "cut off"


@dataclass(frozen=True, slots=True)
class Bar(Number):
    """A number that pages draw as a bar from 0.

    Attributes:
        drawn: heading of the bars.
        is_share: whether the number is a fraction, which pages, terminals and LaTeX give in percent.
        longest: bars of higher values are cut off here and say so, so that one does not flatten the others;
            None for no limit.
    """

    _: KW_ONLY
    drawn: str
    is_share: bool = False
    longest: float | None = None

    interval: ClassVar[str] = ""
    """Bars have no interval, and no column for it."""

    def note_of(self, row: object) -> str:
        """The note, or that the bar is cut off."""
        value = self.of(row)
        if value is not None and self.longest is not None and value > self.longest:
            return CUT_OFF
        return Number.note_of(self, row)

    def text(self, value: float, naming: Naming) -> str:
        """Rounded."""
        if self.is_share:
            return f"{100 * value:.{self.digits}f}\N{NO-BREAK SPACE}%"
        return Number.text(self, value, naming)

    def paper(self, value: float, naming: Naming) -> str:
        """Rounded."""
        return escaped(self.text(value, naming)) if self.is_share else Number.paper(self, value, naming)

    def scale(self, rows: Sequence[object]) -> Scale | None:
        """The scale from 0 to the longest bar."""
        values = (self._length(value) for row in rows if (value := self.of(row)) is not None)
        return scale_of(values, is_percent=self.is_share, has_bars=True)

    def mark(self, row: object, scale: Scale) -> Mark | None:
        """The bar; None without a value."""
        value: Any = self.of(row)
        if value is None:
            return None
        return Mark(scale, self._length(value), None, None, is_hollow=False, is_bar=True)

    def _length(self, value: float) -> float:
        return value if self.longest is None else min(value, self.longest)
