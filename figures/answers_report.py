"""The report of the answers about a campaign: one page of A4, as SVG and PDF."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from core.marks import Mark, Scale
from figures.colours import colours
from figures.drawing import FONTS
from figures.renderer import svg_to_pdf
from figures.text_lines import clipped, lines_of, width_of

WIDTH, HEIGHT = 595, 842
"""Size of A4 in points."""

MARGIN = 48
SMALLEST = 0.4
"""The smallest scale to which a page that is too full is shrunk."""


@dataclass(frozen=True, slots=True)
class ReportedRow:
    """A row of a figure; attributes as of `analysis.answers.answer.Row`."""

    label: str
    value: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class ReportedAnswer:
    """A question with its answer.

    Attributes:
        question: the question.
        sentence: the answer, or why there is none.
        further: further sentences.
        column: heading of the figure.
        rows: of the figure; it has a scale that all share.
    """

    question: str
    sentence: str
    further: Sequence[str] = ()
    column: str = ""
    rows: Sequence[ReportedRow] = ()

    @property
    def scale(self) -> Scale | None:
        """The scale of the figure."""
        return next((row.mark.scale for row in self.rows if row.mark), None)


@dataclass(frozen=True, slots=True)
class Report:
    """The contents of the report.

    Attributes:
        title: name of the campaign.
        about: what was judged and when that was analysed, in a sentence each.
        answers: in order.
        signatures: of all results.
    """

    title: str
    about: Sequence[str]
    answers: Sequence[ReportedAnswer]
    signatures: Sequence[str]


def report_pdf(report: Report) -> bytes:
    """The page as PDF, whose text can be selected."""
    return svg_to_pdf(report_svg(report))


def report_svg(report: Report) -> str:
    """The page as SVG; a page that would be too full is drawn smaller."""
    scale = 1.0
    while True:
        page = _Page(WIDTH / scale, HEIGHT / scale)
        page.draw(report)
        if page.is_on_one_page or scale <= SMALLEST:
            break
        scale -= 0.05
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {page.width:.2f} {page.height:.2f}" font-family="{FONTS[0]}">'
        f'<rect width="100%" height="100%" fill="{page.colour["surface"]}"/>{"".join(page.parts)}</svg>'
    )


TITLE, FINDING, TEXT, SMALL, AXIS, TINY = 20, 12.5, 9.5, 8.5, 7, 6
"""Font sizes."""

LEADING = 1.35
SHARE_OF_TEXT = 0.46
MOST_LABELS = 0.28
"""Largest share of the page's width for the labels of figures, which are aligned."""

GUTTER = 24
ROW = 17
GAP = 14
"""Above and below the line between two answers."""


class _Page:
    """A page that is drawn from the top down.

    Attributes:
        width: in the page's own units; a page that is drawn smaller has more of them.
        height: in the same units.
        parts: SVG elements.
        y: how far it has been drawn.
        colour: colours by name.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.parts: list[str] = []
        self.y: float = MARGIN
        self.colour: Mapping[str, str] = colours("light")
        self._left, self._right = float(MARGIN), width - MARGIN
        self._labels = 0.0

    @property
    def is_on_one_page(self) -> bool:
        """Whether nothing lies below the margin at the bottom."""
        return self.y <= self.height - MARGIN

    def draw(self, report: Report) -> None:
        """Title, answers, and the signatures at the bottom."""
        whole = self._right - self._left
        labels = [width_of(row.label, SMALL) for answer in report.answers for row in answer.rows]
        self._labels = min(max(labels, default=0), MOST_LABELS * whole)
        self._paragraph(report.title, TITLE, self._left, whole, weight="bold", leading=1.2)
        self.y += 4
        for sentence in report.about:
            self._paragraph(sentence, SMALL, self._left, whole, colour="soft")
        self.y += GAP
        for answer in report.answers:
            self._line(self.y, "line-strong")
            self.y += GAP
            self._answer(answer)
            self.y += GAP
        self._signatures(report.signatures)

    def _answer(self, answer: ReportedAnswer) -> None:
        whole = self._right - self._left
        self._paragraph(answer.question, SMALL, self._left, whole, colour="soft")
        self.y += 1
        self._paragraph(answer.sentence, FINDING, self._left, whole, weight="bold", leading=1.3)
        self.y += 5
        top = self.y
        width = whole * SHARE_OF_TEXT - GUTTER if answer.rows else whole
        for sentence in answer.further:
            self._paragraph(sentence, TEXT, self._left, width)
            self.y += 3
        if answer.rows:
            self.y = max(self.y, self._figure(answer, self._left + whole * SHARE_OF_TEXT, top))

    def _figure(self, answer: ReportedAnswer, left: float, y: float) -> float:
        """Draw the figure from `left` to the right margin, from `y` down; where it ends."""
        widest = max(width_of(row.value, SMALL) for row in answer.rows)
        begin = left + self._labels + 8
        end = self._right - widest - 8
        self._text(clipped(answer.column, self._right - left, AXIS), left, y + 8, AXIS, colour="faint")
        y += 12
        scale = answer.scale
        bottom = y + ROW * len(answer.rows)
        for value in scale.lines if scale else ():
            x = begin + (end - begin) * _share(scale, value)
            self._rule(x, x, y, bottom, "line")
            self._text(f"{value:g}", x, bottom + 8, AXIS, colour="faint", anchor="middle")
        for row in answer.rows:
            middle = y + ROW / 2
            self._text(clipped(row.label, self._labels, SMALL), left, middle + 3, SMALL)
            self._text(row.value, self._right, middle + 3, SMALL, anchor="end")
            if row.mark:
                self._mark(row.mark, begin, end, middle)
            y += ROW
        return bottom + 12

    def _mark(self, mark: Mark, begin: float, end: float, y: float) -> None:
        def at(value: float) -> float:
            return begin + (end - begin) * _share(mark.scale, value)

        accent, surface = self.colour["accent"], self.colour["surface"]
        if mark.low is not None and mark.high is not None:
            self.parts.append(
                f'<line x1="{at(mark.low):.2f}" x2="{at(mark.high):.2f}" y1="{y:.2f}" y2="{y:.2f}" '
                f'stroke="{accent}" stroke-opacity="0.3" stroke-width="4" stroke-linecap="round"/>'
            )
        fill = surface if mark.is_hollow else accent
        self.parts.append(
            f'<circle cx="{at(mark.value):.2f}" cy="{y:.2f}" r="3.4" fill="{fill}" stroke="{accent}" '
            'stroke-width="1.2"/>'
        )

    def _signatures(self, signatures: Sequence[str]) -> None:
        """Draw the signatures at the bottom of the page."""
        lines = [line for each in signatures for line in self._broken(each)]
        height = (len(lines) + 1) * TINY * LEADING + GAP
        self.y = max(self.y, self.height - MARGIN - height)
        self._line(self.y, "line")
        self.y += GAP
        for line in lines:
            self._text(line, self._left, self.y, TINY, colour="faint")
            self.y += TINY * LEADING

    def _broken(self, signature: str) -> Iterator[str]:
        """A signature in lines, which break after a mark between its parts."""
        spaced = signature.replace("|", "| ")
        for line in lines_of(spaced, self._right - self._left, TINY):
            yield line.replace("| ", "|")

    def _paragraph(
        self,
        text: str,
        size: float,
        x: float,
        width: float,
        *,
        colour: str = "ink",
        weight: str = "normal",
        leading: float = LEADING,
    ) -> None:
        for line in lines_of(text, width, size):
            self.y += size * leading
            self._text(line, x, self.y - size * (leading - 1), size, colour=colour, weight=weight)

    def _text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        *,
        colour: str = "ink",
        weight: str = "normal",
        anchor: str = "start",
    ) -> None:
        self.parts.append(
            f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:g}" font-weight="{weight}" '
            f'text-anchor="{anchor}" fill="{self.colour[colour]}">{escape(text)}</text>'
        )

    def _line(self, y: float, colour: str) -> None:
        self._rule(self._left, self._right, y, y, colour)

    def _rule(self, x1: float, x2: float, y1: float, y2: float, colour: str) -> None:
        self.parts.append(
            f'<line x1="{x1:.2f}" x2="{x2:.2f}" y1="{y1:.2f}" y2="{y2:.2f}" '
            f'stroke="{self.colour[colour]}" stroke-width="0.7"/>'
        )


def _share(scale: Scale | None, value: float) -> float:
    """The position of the value as a fraction of the width."""
    return scale.place(value) / 100 if scale else 0.0
