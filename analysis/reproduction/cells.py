"""Published tables beside the same figures computed here."""

import csv
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from fractions import Fraction
from math import isfinite
from pathlib import Path

Figure = int | float | str | None

PRINTED = Path(__file__).parent / "printed"

EPSILON = 1e-12
"""Added to tolerances, because printed decimals have no exact binary form."""

LARGEST_TOLERANCE = 0.05
"""A larger one needs a reason."""


class Verdict(StrEnum):
    """The outcome of a comparison with a figure in a paper."""

    AGREES = "agrees"
    DIFFERS = "differs"
    KNOWN = "known"
    """The figure deviates, and a number shows the cause."""
    CANNOT = "cannot"
    """The figure cannot be compared: the paper has none, or the data behind it are not at hand."""


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

    def as_json(self) -> dict[str, object]:
        """The cell as a JSON object: its attributes by name."""
        return asdict(self) | {"ok": self.ok}


@dataclass(frozen=True, slots=True)
class Ours:
    """A figure computed here.

    Attributes:
        value: not rounded; None if it cannot be computed.
        note: a remark for the reader.
        sign: compared with a published sign instead of the value.
        shows: the number that shows the cause if the published figure has one; None if it does not.
        cannot: why the figure cannot be compared.
    """

    value: Figure
    note: str = ""
    sign: str | None = None
    shows: float | None = None
    cannot: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """A figure of others, and how ours is compared with it.

    Attributes:
        figure: a number, or a sign such as "*".
        tolerance: allowed difference of numbers; negative if even an equal one would be of other data.
        source: where the figure comes from if the paper does not print it.
        note: a remark for the reader of a figure that is compared. In this and in `source`, "{}" stands for
            the note of ours, which otherwise follows.
        reason: why the tolerance is larger than `LARGEST_TOLERANCE`.
        other: another sign that agrees too.
        why: why ours may deviate; empty if nothing is known.
        shown_by: what the number is that shows it.
        known: this number, if it is a figure that others found instead, as ours may.
    """

    figure: int | float | str
    tolerance: float = 0.0
    source: str = ""
    note: str = ""
    reason: str = ""
    other: str = ""
    why: str = ""
    shown_by: str = ""
    known: float | None = None

    def agrees(self, figure: Figure) -> bool:
        """Whether a figure is the published one, apart from the tolerance."""
        if isinstance(self.figure, str):
            return figure is not None and figure in (self.figure, self.other or self.figure)
        return self._is_near(self.figure, figure)

    def cell(self, ours: Ours | Figure) -> Cell:
        """The cell of a figure of ours."""
        found = ours if isinstance(ours, Ours) else Ours(ours)
        value, is_printed = found.value, not self.source
        if found.cannot:
            note = self._noted(found.cannot)
            return Cell(self.figure, value, 0.0, Verdict.CANNOT, note, is_printed)
        is_sign = isinstance(self.figure, str) and found.sign is not None
        agrees = self.agrees(found.sign if is_sign else value)
        if not agrees and (number := self._shown(found)) is not None:
            cause, note = Cause(self.why, self.shown_by, number), self._noted(found.note)
            return Cell(self.figure, value, 0.0, Verdict.KNOWN, note, is_printed, cause=cause)
        verdict = Verdict.AGREES if agrees else Verdict.DIFFERS
        note = self._noted(found.note, self.note)
        return Cell(self.figure, value, self.tolerance, verdict, note, is_printed, self.reason)

    def _is_near(self, figure: float, ours: Figure) -> bool:
        return isinstance(ours, int | float) and abs(figure - ours) <= self.tolerance + EPSILON

    def _shown(self, found: Ours) -> float | None:
        if self.known is not None and self._is_near(self.known, found.value):
            return self.known
        return found.shows if self.why else None

    def _noted(self, said: str, note: str = "") -> str:
        text = "; ".join(filter(None, (self.source, note)))
        return text.replace("{}", said) if "{}" in text else "; ".join(filter(None, (text, said)))


Table = dict[str, Cell]
"""The cells of a table by name."""


OurFigures = dict[str, Ours | Figure]
"""Figures of ours by the name of their cell."""


def compare(published: Mapping[str, Published], ours: Mapping[str, Ours | Figure]) -> Table:
    """A published table beside the figures of ours that have the same names."""
    return {name: each.cell(ours.get(name)) for name, each in published.items()}


def beside(published: Mapping[str, Published], ours: Mapping[str, Ours]) -> Table:
    """A table of ours, with the published figures where there are any."""
    return {
        name: published[name].cell(each) if name in published else unpublished(each.value, each.note)
        for name, each in ours.items()
    }


def unpublished(ours: Figure, note: str) -> Cell:
    """A figure of ours beside which none is published."""
    return Cell(None, ours, 0.0, Verdict.CANNOT, note, printed=False)


def printed(paper: str, *tables: str) -> dict[str, Published]:
    """The figures of a paper's table by name, from the file `printed/<paper>/<table>.csv`.

    A row describes the cell that it names; with a "*" in the name, all cells whose names match. Rows further
    down, and those of further tables, complete rows before them, or are there instead. The columns are the
    attributes of `Published`, of which a row leaves empty what does not concern it. A figure is a number
    (`published`) or a text (`sign`). Without `tolerance`, decimals may differ by half a unit of the last one
    printed; counts and fractions must be equal.
    """
    rows = [row for table in tables for row in _printed_rows(paper, table)]
    found: dict[str, Published] = {}
    for name in dict.fromkeys(row["cell"] for row in rows if "*" not in row["cell"]):
        described: dict[str, str] = {}
        for row in rows:
            if row["cell"] == name or ("*" in row["cell"] and fnmatchcase(name, row["cell"])):
                described |= {column: text for column, text in row.items() if text}
        found[name] = _published(**described)
    return found


def _printed_rows(paper: str, table: str) -> list[dict[str, str]]:
    name = re.sub(r"\W+", "-", table).strip("-")
    with (PRINTED / paper / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _published(
    *, cell: str, published: str = "", sign: str = "", tolerance: str = "", known: str = "", **words: str
) -> Published:
    if not published:
        return Published(sign, 0.0, known=None, **words)
    is_count, (_, _, decimals) = published.lstrip("-").isdigit(), published.partition(".")
    return Published(
        int(published) if is_count else float(Fraction(published)),
        float(tolerance) if tolerance else 0.5 * 10 ** -len(decimals) if decimals else 0.0,
        known=float(known) if known else None,
        **words,
    )
