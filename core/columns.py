"""Kinds of columns: how a value looks on a page, in a terminal, in CSV, JSON and LaTeX."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, NamedTuple

from core.formulas import guarded
from core.latex import escaped, number, p_value
from core.marks import Mark, Scale, scale_of
from core.names import Naming, ShownAnnotator
from core.wording import p_value as p_in_words
from core.wording import whole_percent

UNKNOWN = "–"
UNKNOWN_ON_PAPER = "--"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; its subclasses are the kinds.

    Attributes:
        name: in CSV and JSON; empty for a column that files leave out.
        label: heading; empty for a column that only files have, a blank if LaTeX leaves the heading empty.
        value: reads the value from a row, None where it is unknown; by default the attribute called `name`.
        note: words that qualify a value, or say why it is unknown; on pages and in terminals.
        hint: words about a value that pages show where the pointer is, and read aloud.
        heading: heading on pages and in terminals, if it is longer there.
        on_page: whether pages and terminals have the column.
        is_printed: whether terminals have it although pages do not, which draw it or show it as a hint.
        on_paper: whether LaTeX has it.
        address: where the heading leads on pages; empty if nowhere.
        is_kept: whether pages and terminals have it even if no value is known, for the hints that say why.
        is_aside: whether phones leave it out.
    """

    name: str
    label: str = ""
    value: Callable[[Any], Any] | None = None
    _: KW_ONLY
    note: Callable[[Any], str] | None = None
    hint: Callable[[Any], str] | None = None
    heading: str = ""
    on_page: bool = True
    is_printed: bool = False
    on_paper: bool = True
    address: str = ""
    is_kept: bool = False
    is_aside: bool = False

    css: ClassVar[str] = ""
    """Class of the cells on pages."""

    cell: ClassVar[str] = ""
    """Template of a cell that is more than text; it finds the value as `shown`."""

    def of(self, row: object) -> Any:
        """The value of a row."""
        return self.value(row) if self.value else getattr(row, self.name)

    def note_of(self, row: object) -> str:
        """The note of a row; empty without one."""
        return self.note(row) if self.note else ""

    def hint_of(self, row: object) -> str:
        """The hint of a row; empty without one."""
        return self.hint(row) if self.hint else ""

    def css_of(self, value: Any) -> str:
        """Classes of the cell of a known value on pages."""
        return self.css

    @property
    def css_of_all(self) -> str:
        """Classes of all its cells on pages."""
        return self.with_aside(self.css)

    def with_aside(self, css: str) -> str:
        """These classes, with that of a column for which phones have no room if it is one."""
        return f"{css} secondary".lstrip() if self.is_aside else css

    def text(self, value: Any, naming: Naming) -> str:
        """A known value on a page or in a terminal, on one line."""
        return str(value)

    def paper(self, value: Any, naming: Naming) -> str:
        """A known value in LaTeX."""
        return escaped(self.text(value, naming))

    def paper_headings(self) -> tuple[str, ...]:
        """The columns of LaTeX that this one becomes."""
        return (self.label,)

    def paper_cells(self, value: Any, naming: Naming) -> tuple[str, ...]:
        """The cells of these columns in LaTeX for a known value."""
        return (self.paper(value, naming),)

    def shown(self, value: Any, naming: Naming) -> Any:
        """The value that the template of a cell gets."""
        return value

    def scale(self, rows: Sequence[object]) -> Scale | None:
        """The scale on which pages draw the values of these rows; None if they draw nothing."""
        return None

    def mark(self, row: object, scale: Scale) -> Mark | None:
        """The mark that pages draw for a row; None without a value."""
        return None

    def place(self, value: Any, naming: Naming) -> tuple[object, ...]:
        """The sorting key of a row that begins with this value; rows with equal keys keep their order."""
        return ()

    def names(self) -> tuple[str, ...]:
        """The columns of files that this one becomes."""
        return (self.name,) if self.name else ()

    def values(self, value: Any) -> tuple[Any, ...]:
        """The values of these columns in JSON."""
        return (value,)

    def cells(self, value: Any, naming: Naming) -> tuple[object, ...]:
        """The values of these columns in CSV; texts are guarded against spreadsheets."""
        return tuple(guarded(each) if isinstance(each, str) else each for each in self.values(value))


class Text(Column):
    """A text as it is."""


class Prose(Text):
    """Sentences, which may take several lines."""

    css = "text"


class Amount(Text):
    """A number in words."""

    css = "number"


class Code(Text):
    """A name that a program uses, such as a type of edits."""

    cell = "analysis/cells/code.html"


class System(Column):
    """A system by its name in files, by its label elsewhere."""

    css = "unbroken"
    cell = "analysis/cells/system.html"

    def text(self, value: str, naming: Naming) -> str:
        """The system's label."""
        return naming.label(value)


class Corrector(Column):
    """A system by its name in files, by its label elsewhere; or a person who corrected, by their name.

    The value is the name, and whether it is a person's; files have a second column for this.
    """

    css = "unbroken"
    cell = "analysis/cells/corrector.html"

    def note_of(self, row: object) -> str:
        """A note that the corrector is a person, if so."""
        return "person" if self.of(row)[1] else ""

    def text(self, value: tuple[str, bool], naming: Naming) -> str:
        """The name of the system or person."""
        name, is_person = value
        return naming.corrector(name, is_person=is_person)

    def paper(self, value: tuple[str, bool], naming: Naming) -> str:
        """The name of the system or person, with a note if it is a person."""
        return escaped(f"{self.text(value, naming)} (person)" if value[1] else self.text(value, naming))

    def names(self) -> tuple[str, ...]:
        """Name, and whether it is a person's."""
        return self.name, "person"

    def values(self, value: tuple[str, bool]) -> tuple[Any, ...]:
        """Name, and whether it is a person's."""
        return value

    def cells(self, value: tuple[str, bool], naming: Naming) -> tuple[object, ...]:
        """Name, and whether it is a person's in words."""
        return guarded(value[0]), "yes" if value[1] else "no"


class Annotator(Column):
    """An annotator by key, who is known by number, or also by name to those who may see it."""

    cell = "analysis/cells/annotator.html"

    def text(self, value: str, naming: Naming) -> str:
        """How they are known."""
        return naming.annotator(value)

    def shown(self, value: str, naming: Naming) -> ShownAnnotator:
        """The annotator."""
        return naming.shown_annotator(value)

    def place(self, value: str, naming: Naming) -> tuple[object, ...]:
        """Rows of annotators are sorted as people number them."""
        return naming.place(value)


class NumberedAnnotator(Annotator):
    """An annotator by key, whom CSV names by number."""

    def cells(self, value: str, naming: Naming) -> tuple[object, ...]:
        """How they are known."""
        return (guarded(naming.annotator(value)),)


@dataclass(frozen=True, slots=True)
class AnnotatorPair(Column):
    """Two annotators by key, in the order in which people number them, or one with themselves.

    Attributes:
        other: name and label of the column of the second one in files and LaTeX.
    """

    _: KW_ONLY
    other: str

    def text(self, value: tuple[str, str], naming: Naming) -> str:
        """How they are known; one name for an annotator with themselves."""
        return " – ".join(dict.fromkeys(self._in_order(value, naming)))

    def paper_headings(self) -> tuple[str, ...]:
        """One for each of the two."""
        return (self.label, self.other)

    def paper_cells(self, value: tuple[str, str], naming: Naming) -> tuple[str, ...]:
        """How they are known."""
        return tuple(map(escaped, self._in_order(value, naming)))

    def names(self) -> tuple[str, ...]:
        """One for each of the two."""
        return (self.name, self.other)

    def values(self, value: tuple[str, str]) -> tuple[Any, ...]:
        """Their keys."""
        return value

    def cells(self, value: tuple[str, str], naming: Naming) -> tuple[object, ...]:
        """How they are known."""
        return tuple(map(guarded, self._in_order(value, naming)))

    def _in_order(self, value: tuple[str, str], naming: Naming) -> list[str]:
        return [naming.annotator(key) for key in sorted(value, key=naming.place)]


class Annotators(Column):
    """Several annotators by key."""

    cell = "analysis/cells/annotators.html"

    def text(self, value: Sequence[str], naming: Naming) -> str:
        """How they are known."""
        return ", ".join(map(naming.annotator, value))

    def shown(self, value: Sequence[str], naming: Naming) -> list[ShownAnnotator]:
        """The annotators."""
        return [naming.shown_annotator(key) for key in value]


class Sentences(Column):
    """Sentences by position, each as often as it counts; pages link to the most frequent ones."""

    cell = "analysis/cells/sentences.html"
    MOST_SHOWN: ClassVar[int] = 20

    def text(self, value: Sequence[int], naming: Naming) -> str:
        """The most frequent ones with their counts."""
        listed = [f"{place} ×{times}" if times > 1 else str(place) for place, times in self._frequent(value)]
        further = len(set(value)) - len(listed)
        return ", ".join(listed) + (f" and {further} more" if further else "")

    def shown(self, value: Sequence[int], naming: Naming) -> dict[str, object]:
        """The most frequent ones with their counts, and how many more there are."""
        frequent = self._frequent(value)
        return {"frequent": frequent, "further": len(set(value)) - len(frequent)}

    def _frequent(self, value: Sequence[int]) -> list[tuple[int, int]]:
        return Counter(value).most_common(self.MOST_SHOWN)


class Identifiers(Column):
    """Several names that only files have, separated by blanks in CSV."""

    def cells(self, value: Sequence[str], naming: Naming) -> tuple[str, ...]:
        """All in one cell."""
        return (guarded(" ".join(value)),)


class Verdict(Column):
    """Yes or no."""

    def text(self, value: bool, naming: Naming) -> str:
        """Yes or no, in words."""
        return "yes" if value else "no"


@dataclass(frozen=True, slots=True)
class Number(Column):
    """A number with this many decimals, after a sign such as ± if there is one; files have all decimals."""

    _: KW_ONLY
    digits: int = 3
    sign: str = ""

    css: ClassVar[str] = "number"

    def text(self, value: float, naming: Naming) -> str:
        """Rounded."""
        return f"{self.sign}{value:,.{self.digits}f}"

    def paper(self, value: float, naming: Naming) -> str:
        """Rounded, with a true minus sign; the heading says what the sign would."""
        return number(value, self.digits)


class Spread(NamedTuple):
    """A value of an `Estimated` column that has no type of its own."""

    value: float | None
    low: float | None
    high: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Estimated(Number):
    """An object with a `value`, and `low` and `high` around it, or a `reason` why there is none.

    Attributes:
        ends: names of the ends in files, if they are not the column's name with `_low` and `_high`.
        ends_on_paper: headings of the columns that the ends have in LaTeX; empty for none.
        is_shaded: for tables of many values, whether pages shade each by its size, draw its interval small,
            give the interval in numbers on request and the reason as a hint.
        drawn: heading of one more column on pages, which draws value and interval on a common scale; empty
            for none.
        interval: heading of the ends beside a drawn value.
        is_hollow: whether the dot of a row is hollow, such as for what does not compete.
        beside: reads one more estimate of a row, which is drawn hollow on the same scale; None for none.
        even: the value that all rows are compared with, for a dashed line; None for none.
        percent_digits: decimals of the percentages that pages and terminals give for fractions; None for the
            fractions themselves.
    """

    _: KW_ONLY
    ends: tuple[str, str] = ("", "")
    ends_on_paper: tuple[str, ...] = ()
    is_shaded: bool = False
    drawn: str = ""
    interval: str = "Interval"
    is_hollow: Callable[[Any], bool] | None = None
    beside: Callable[[Any], Any] | None = None
    even: float | None = None
    percent_digits: int | None = None

    def of(self, row: object) -> Any:
        """The estimate; None without a value."""
        estimate = Number.of(self, row)
        return None if estimate is None or estimate.value is None else estimate

    def note_of(self, row: object) -> str:
        """The interval in words, or the reason."""
        estimate = Number.of(self, row)
        if estimate is None:
            return Column.note_of(self, row)
        if estimate.value is None or estimate.low is None:
            reason = getattr(estimate, "reason", None) or ""
            if self.is_shaded:
                return "no interval" if reason and estimate.value is not None else ""
            return reason
        if self.percent_digits is not None:
            return f"{whole_percent(estimate.low)} to {whole_percent(estimate.high)}"
        ends = estimate.low, estimate.high
        few, all_digits = (
            [f"{end:z.{digits}f}" for end in ends] for digits in (min(self.digits, 2), self.digits)
        )
        is_side_of_0_known = all(end == 0 or float(said) != 0 for end, said in zip(ends, few, strict=True))
        return " to ".join(few if few[0] != few[1] and is_side_of_0_known else all_digits)

    def hint_of(self, row: object) -> str:
        """The reason, if the note does not give it."""
        if not self.is_shaded:
            return Number.hint_of(self, row)
        return getattr(Number.of(self, row), "reason", None) or ""

    def text(self, value: Any, naming: Naming) -> str:
        """The value, rounded."""
        if self.percent_digits is not None:
            return f"{100 * value.value:.{self.percent_digits}f}\N{NO-BREAK SPACE}%"
        return Number.text(self, value.value, naming)

    def paper(self, value: Any, naming: Naming) -> str:
        """The value, rounded, with a true minus sign."""
        return Number.paper(self, value.value, naming)

    def paper_headings(self) -> tuple[str, ...]:
        """The value, with its ends if LaTeX has them."""
        return (self.label, *self.ends_on_paper)

    def paper_cells(self, value: Any, naming: Naming) -> tuple[str, ...]:
        """The value, with its ends if LaTeX has them."""
        ends = (number(value.low, self.digits), number(value.high, self.digits))
        return (self.paper(value, naming), *(ends if self.ends_on_paper else ()))

    def names(self) -> tuple[str, ...]:
        """Value, lower and upper end."""
        low, high = self.ends
        return (self.name, low or f"{self.name}_low", high or f"{self.name}_high") if self.name else ()

    def values(self, value: Any) -> tuple[Any, ...]:
        """Value, lower and upper end."""
        return value.value, value.low, value.high

    def scale(self, rows: Sequence[object]) -> Scale | None:
        """The scale from the lowest to the highest end; None if the column is not drawn."""
        if not self.drawn:
            return None
        return scale_of(self.extent(rows), is_percent=self.percent_digits is not None, even=self.even)

    def extent(self, rows: Sequence[object]) -> Iterator[float]:
        """The values of these rows and the ends around them."""
        estimates = (
            estimate for row in rows for estimate in (self.of(row), self._beside(row)) if estimate is not None
        )
        return (end for each in estimates for end in self.values(each) if end is not None)

    def _beside(self, row: object) -> Any:
        """The estimate that is drawn beside that of a row; None without a value."""
        estimate = None if self.beside is None else self.beside(row)
        return None if estimate is None or estimate.value is None else estimate

    def mark(self, row: object, scale: Scale) -> Mark | None:
        """Value and interval; None without a value."""
        estimate = self.of(row)
        if estimate is None:
            return None
        is_hollow = self.is_hollow is not None and self.is_hollow(row)
        second = self._beside(row)
        beside = None if second is None else (second.value, second.low, second.high)
        return Mark(scale, estimate.value, estimate.low, estimate.high, is_hollow, beside)


class Count(Column):
    """A whole number."""

    css = "number"

    def text(self, value: int, naming: Naming) -> str:
        """The number with commas: 2,319."""
        return f"{value:,}"

    def paper(self, value: int, naming: Naming) -> str:
        """Without commas."""
        return number(value, 0)


@dataclass(frozen=True, slots=True)
class Share(Column):
    """A fraction from 0 to 1, in percent with two significant digits; files have the fraction.

    Attributes:
        digits: decimals of the percentage instead; None for two significant digits.
    """

    _: KW_ONLY
    digits: int | None = None

    css: ClassVar[str] = "number"

    def text(self, value: float, naming: Naming) -> str:
        """The share in percent."""
        percentage = 100 * value
        rounded = (
            f"{float(f'{percentage:.2g}'):g}" if self.digits is None else f"{percentage:.{self.digits}f}"
        )
        return f"{rounded}\N{NO-BREAK SPACE}%"


class PValue(Column):
    """A p-value with three decimals, or that it is less than 0.001; never 0."""

    css = "number"

    def text(self, value: float, naming: Naming) -> str:
        """Rounded."""
        return p_in_words(value)

    def paper(self, value: float, naming: Naming) -> str:
        """Rounded."""
        return p_value(value)
