"""The page that says when to stop: table, figure and files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.analyses.stopping import STOPPING, WhenToStop, half_widths
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
from analysis.runs.requests import Request
from annotate.judgments.queries import labels_of
from annotate.models import User
from annotate.web.parameter_forms import query_of
from figures.drawing import LAYOUTS, Chart, Layout
from figures.stopping import stopping_figure
from formats.formulas import guarded
from formats.writers.latex import escaped, number, tabular
from ranking import Remaining, WatchedPair

FIELDS = ("method", "planned", "confidence", "controls", "excluded")
COLUMNS = (
    "above",
    "below",
    "difference",
    "half_width",
    "anytime_half_width",
    "settled_at",
    "more",
    "more_low",
    "more_high",
    "signature",
)
SECONDS_PER_HOUR = 3600


@dataclass(frozen=True, slots=True)
class ShownPair:
    """Two neighbours on the page.

    Attributes:
        pair: the two systems over time.
        difference: at the end; None where one of them has no score.
        narrow: half width of the ordinary interval; None without one.
        wide: half width of the interval that may be watched; None without one.
        more: how many more judgments, in words; empty where the pair is settled.
        hours: how long they take, in words; empty where that is not known.
    """

    pair: WatchedPair
    difference: float | None
    narrow: float | None
    wide: float | None
    more: str
    hours: str


def context(request: Request, result: WhenToStop, user: User) -> dict[str, Any]:
    """A row for each pair of neighbours."""
    watched = result.watched
    rows = []
    for pair, remaining in zip(watched.pairs, result.remaining, strict=True):
        narrow, wide = half_widths(watched, pair) or (None, None)
        rows.append(
            ShownPair(
                pair,
                pair.last_difference,
                narrow,
                wide,
                "" if pair.settled_at is not None else in_words(remaining),
                hours(remaining, result.seconds),
            )
        )
    return {
        "pairs": rows,
        "labels": labels_of(request.campaign.corpus),
        "headline": headline(result),
        "judgments": int(watched.judgments[-1]) if len(watched.judgments) else 0,
        "confidence": round(100 * request.parameters.confidence),
        "seconds": result.seconds,
        "query": query_of(request.parameters),
        "other_judgments": query_of(replace(request.parameters, combined=not request.parameters.combined))
        if request.campaign.follows
        else None,
        "is_combined": request.parameters.combined,
        "ask_next": user.is_admin and any(pair.settled_at is None for pair in watched.pairs),
    }


def headline(result: WhenToStop) -> str:
    """The result in a sentence."""
    pairs = result.watched.pairs
    settled = sum(pair.settled_at is not None for pair in pairs)
    if not pairs:
        return "No two systems have been compared yet."
    if settled == len(pairs):
        return "The order of all neighbours is settled: the campaign may stop"
    return f"{settled} of {len(pairs)} pairs of neighbours {'is' if settled == 1 else 'are'} settled"


def in_words(remaining: Remaining) -> str:
    """How many more judgments a pair needs."""
    if remaining.reason:
        return remaining.reason
    low = f"{remaining.low:,}" if remaining.low is not None else ""
    if remaining.median is None:
        return f"more than {remaining.horizon:,}" + (f" (at least {low})" if low else "")
    high = f"{remaining.high:,}" if remaining.high is not None else f"more than {remaining.horizon:,}"
    return f"about {remaining.median:,} ({low} to {high})"


def hours(remaining: Remaining, seconds: float | None) -> str:
    """How long the median number of further judgments takes."""
    if not remaining.median or seconds is None:
        return ""
    time = remaining.median * seconds / SECONDS_PER_HOUR
    return f"{time:,.0f}" if time >= 10 else f"{time:.1f}"


def chart(result: WhenToStop, naming: Naming, layout: Layout = "wide") -> Chart | None:
    """The differences over time; None without neighbours."""
    if not result.watched.pairs:
        return None
    title = f"{naming.title}: differences by number of judgments"
    return stopping_figure(result.watched, naming.labels, title=title, layout=layout)


def figures(shown: Computed, naming: Naming) -> dict[str, Figure]:
    """The figure of a published result."""
    caption = "Differences of neighbouring systems by number of judgments"
    wide, narrow = (chart(shown.result, naming, layout) for layout in LAYOUTS)
    return single_figure("stopping", caption, wide, shown.result.signature, narrow)


def _rows(result: WhenToStop) -> Iterator[Sequence[object]]:
    for pair, remaining in zip(result.watched.pairs, result.remaining, strict=True):
        yield [
            guarded(pair.above),
            guarded(pair.below),
            pair.last_difference,
            *(half_widths(result.watched, pair) or (None, None)),
            pair.settled_at,
            remaining.median,
            remaining.low,
            remaining.high,
            result.signature,
        ]


def _latex(result: WhenToStop) -> Iterator[str]:
    rows = (
        [
            escaped(pair.above),
            escaped(pair.below),
            number(pair.last_difference, 3),
            *(number(width, 3) for width in half_widths(result.watched, pair) or (None, None)),
            number(pair.settled_at, 0),
            number(remaining.median, 0),
        ]
        for pair, remaining in zip(result.watched.pairs, result.remaining, strict=True)
    )
    columns = ["Above", "Below", "Difference", "±", "± while watching", "Settled at", "More"]
    return tabular(columns, rows, comments=[result.signature])


TABLE = ResultTable(COLUMNS, _rows, _latex)

register_page(
    AnalysisPage(
        STOPPING.name,
        "analysis/stopping.html",
        context,
        fields=FIELDS,
        files=SharedFiles(
            lambda shown, naming: headline(shown.result),
            figures,
            single_table("stopping", TABLE),
        ),
    )
)

stopping_image = figure_view(STOPPING, figures, "stopping")
table = table_view(STOPPING, TABLE, name="when-to-stop")
