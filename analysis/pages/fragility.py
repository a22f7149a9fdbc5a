"""The page of fragile borders: table, figure and files."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.analyses.fragility import FRAGILITY, FragileBorders
from analysis.pages.annotators import judges_of
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import figure_view, table_view
from analysis.pages.shared_files import (
    Computed,
    Figure,
    Naming,
    ResultTable,
    SharedFiles,
    single_figure,
    single_table,
)
from analysis.pages.tables import Judge
from analysis.runs.requests import Request
from annotate.judgments.queries import labels_of
from annotate.models import User
from annotate.web.parameter_forms import query_of
from figures.drawing import Chart
from figures.fragility import fragility_figure
from formats.formulas import guarded
from formats.writers.latex import escaped, number, tabular
from ranking import Fragility, Unit

COLUMNS = (
    "above",
    "below",
    "difference",
    "removals",
    "of",
    "exact",
    "difference_without",
    "removed",
    "signature",
)
FIELDS = ("method", "unit", "controls", "excluded")
UNIT_NAMES = {Unit.JUDGMENT: "judgments", Unit.SENTENCE: "sentences", Unit.JUDGE: "annotators"}

MOST_LISTED = 20
"""Sentences that the page lists for a border; the file has all that was removed."""


@dataclass(frozen=True, slots=True)
class ShownBorder:
    """A border on the page.

    Attributes:
        border: the two systems, and what swaps them.
        sentences: the removed sentences, or those of the removed judgments, each with how many of these.
        annotators: the removed annotators.
        further: how many more sentences there are.
    """

    border: Fragility
    sentences: Sequence[tuple[object, int]]
    annotators: Sequence[Judge]
    further: int

    @property
    def share(self) -> str:
        """Removals in percent of all."""
        return f"{100 * len(self.border.removed) / self.border.groups:.2g} %"


def context(request: Request, result: FragileBorders, user: User) -> dict[str, Any]:
    """A row for each border."""
    unit = Unit(request.parameters.unit)
    judges = judges_of(request.campaign, may_see_names=user.may_see_names)
    labels = labels_of(request.campaign.corpus)

    def shown(border: Fragility) -> ShownBorder:
        if unit is Unit.JUDGE:
            return ShownBorder(border, (), [judges[key] for key in border.removed], 0)
        times = Counter(result.sentences.get(name, name) for name in border.removed)
        listed = times.most_common(MOST_LISTED)
        return ShownBorder(border, listed, (), len(times) - len(listed))

    return {
        "borders": [shown(border) for border in result.borders],
        "is_drawn": any(border.removed for border in result.borders),
        "labels": labels,
        "headline": headline(result, labels, UNIT_NAMES[unit]),
        "unit": UNIT_NAMES[unit],
        "query": query_of(request.parameters),
    }


def headline(result: FragileBorders, labels: Mapping[str, str], unit: str) -> str:
    """The most fragile border in a sentence."""
    fragile = [border for border in result.borders if border.removed]
    if not fragile:
        return "There are no two neighbouring systems that could be swapped."
    border = min(fragile, key=lambda border: len(border.removed))
    above, below = (labels.get(system, system) for system in (border.above, border.below))
    return f"Without {len(border.removed):,} of {border.groups:,} {unit}, {below} would be above {above}"


def chart(result: FragileBorders, unit: Unit, naming: Naming) -> Chart | None:
    """The number of removals of each border; None if nothing can be swapped."""
    rows = [
        (f"{naming.label(border.above)} over {naming.label(border.below)}", len(border.removed))
        for border in result.borders
        if border.removed
    ]
    if not rows:
        return None
    title = f"{naming.title}: {UNIT_NAMES[unit]} that decide each place"
    return fragility_figure(rows, groups=result.groups, unit=UNIT_NAMES[unit], title=title)


def figures(shown: Computed, naming: Naming) -> dict[str, Figure]:
    """The figure of a published result."""
    result, unit = shown.result, Unit(shown.parameters.unit)
    caption = f"How many {UNIT_NAMES[unit]} decide each place"
    return single_figure("fragility", caption, chart(result, unit, naming), result.signature)


def _rows(result: FragileBorders) -> Iterator[Sequence[object]]:
    for border in result.borders:
        yield [
            guarded(border.above),
            guarded(border.below),
            border.difference,
            len(border.removed) or None,
            border.groups,
            border.exact,
            border.difference_without,
            guarded(" ".join(border.removed)),
            result.signature,
        ]


def _latex(result: FragileBorders) -> Iterator[str]:
    rows = (
        [
            escaped(border.above),
            escaped(border.below),
            number(border.difference, 3),
            number(len(border.removed) or None, 0),
        ]
        for border in result.borders
    )
    return tabular(["Above", "Below", "Difference", "Removals"], rows, comments=[result.signature])


TABLE = ResultTable(COLUMNS, _rows, _latex)

register_page(
    AnalysisPage(
        FRAGILITY.name,
        "analysis/fragility.html",
        context,
        fields=FIELDS,
        files=SharedFiles(
            lambda shown, naming: headline(
                shown.result, naming.labels, UNIT_NAMES[Unit(shown.parameters.unit)]
            ),
            figures,
            single_table("fragility", TABLE),
        ),
    )
)

fragility_image = figure_view(FRAGILITY, figures, "fragility")
table = table_view(FRAGILITY, TABLE, name="fragility")
