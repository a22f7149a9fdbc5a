"""Figures and tables made from a result alone, so that a page and a published result share them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from analysis.pages.annotators import judges_of
from analysis.runs.sources import Subject
from annotate.judgments.queries import labels_of, roles_and_labels_of
from annotate.models import Corpus
from annotate.web.images import title_of
from core.names import Naming
from core.results import Computed, Layout
from core.tables import FilledTable, csv_lines
from figures.drawing import Chart

R = TypeVar("R")


def naming_of(subject: Subject, *, combined: bool = False) -> Naming:
    """The names of the figures and files of a campaign or corpus, for every user.

    `combined` as of `judges_of`.
    """
    if isinstance(subject, Corpus):
        roles = dict(subject.systems.values_list("name", "role"))
        return Naming(str(subject), labels_of(subject), roles, {})
    roles, labels = roles_and_labels_of(subject)
    return Naming(
        title_of(subject), labels, roles, judges_of(subject, may_see_names=False, combined=combined)
    )


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a published result.

    Attributes:
        caption: what it shows, as a heading and for people who cannot see it.
        chart: the figure.
        signature: of what it shows.
        narrow: the figure on a phone, where narrower panels are not enough.
    """

    caption: str
    chart: Chart
    signature: str
    narrow: Chart | None = None

    def in_layout(self, layout: Layout) -> Chart:
        """The chart to draw in this layout."""
        return self.narrow if layout == "narrow" and self.narrow is not None else self.chart


@dataclass(frozen=True, slots=True)
class FileTable:
    """A table as files.

    Attributes:
        csv: the lines with all figures.
        latex: the lines with the main ones.
    """

    csv: Callable[[], Iterator[str]]
    latex: Callable[[], Iterator[str]]


@dataclass(frozen=True, slots=True)
class ResultTable(Generic[R]):
    """A table that depends on a result alone.

    Attributes:
        columns: headings of the CSV.
        rows: cells of the CSV.
        latex: lines of the LaTeX table.
    """

    columns: Sequence[str]
    rows: Callable[[R], Iterable[Sequence[object]]]
    latex: Callable[[R], Iterator[str]]

    def of(self, result: R) -> FileTable:
        """The table of this result."""
        return FileTable(lambda: csv_lines(self.columns, self.rows(result)), lambda: self.latex(result))


def single_figure(
    name: str, caption: str, chart: Chart | None, signature: str, narrow: Chart | None = None
) -> dict[str, Figure]:
    """The `figures` of an analysis with a single one, under this name; empty if there is nothing to draw."""
    return {} if chart is None else {name: Figure(caption, chart, signature, narrow)}


@dataclass(frozen=True, slots=True)
class SharedFiles:
    """The headline, figures and tables of a published result.

    Attributes:
        headline: the result in a sentence.
        figures: by name, of lower-case letters, digits and dashes; without those that have nothing to show.
        tables: by such a name.
        beside: name of the analysis that is computed from the same judgments and shown too; empty for none.
    """

    headline: Callable[[Computed, Naming], str]
    figures: Callable[[Computed, Naming], Mapping[str, Figure]]
    tables: Callable[[Computed, Naming], Mapping[str, FileTable | FilledTable]]
    beside: str = ""
