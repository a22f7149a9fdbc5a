"""Two systems in a cell, of which one is ranked above the other."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from core.columns import Column
from core.formulas import guarded
from core.latex import escaped
from core.names import Naming


@dataclass(frozen=True, slots=True)
class SystemPair(Column):
    """Two systems by their names, the better one first: one column on pages, two in files and LaTeX.

    Attributes:
        other: name of the column of the second one in files.
        other_label: its heading in LaTeX.
    """

    _: KW_ONLY
    other: str
    other_label: str

    css: ClassVar[str] = "unbroken"

    def text(self, value: tuple[str, str], naming: Naming) -> str:
        """The labels of both."""
        above, below = map(naming.label, value)
        return f"{above} over {below}"

    def paper_headings(self) -> tuple[str, ...]:
        """One for each of the two."""
        return (self.label, self.other_label)

    def paper_cells(self, value: tuple[str, str], naming: Naming) -> tuple[str, ...]:
        """Their labels."""
        return tuple(escaped(naming.label(name)) for name in value)

    def names(self) -> tuple[str, ...]:
        """One for each of the two."""
        return (self.name, self.other)

    def values(self, value: tuple[str, str]) -> tuple[Any, ...]:
        """Their names."""
        return value

    def cells(self, value: tuple[str, str], naming: Naming) -> tuple[object, ...]:
        """Their names."""
        return tuple(map(guarded, value))
