"""Which neighbours are settled, and how many more judgments the others need, for pages and commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from analysis.analyses.base import WEIGHTED, Analysis, register, stated
from analysis.analyses.fragility import METHOD_NAMES
from analysis.analyses.from_judgments import FromFollowedJudgments, tie_width_resolved
from analysis.analyses.inputs import Judgments
from analysis.analyses.ranking import (
    CONFIDENCES,
    LARGEST_SEED,
    WEIGHTED_COLUMNS,
)
from core.columns import Column, Count, Number, System, Text
from core.later import pd
from core.names import Naming
from core.parameters import parameter
from core.progress import Progress
from core.results import Computed, Figure, Layout
from core.tables import Table
from core.wording import percent
from figures.stopping import stopping_figure
from ranking import (
    Method,
    Remaining,
    Watched,
    WatchedPair,
    holds_propensities,
    judgments_until_settled,
    watch,
)

LOOKS = 50

SECONDS_PER_HOUR = 3600

COLUMNS = (*WEIGHTED_COLUMNS, "submitted_at", "active_ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppingParameters(FromFollowedJudgments):
    """How systems are scored and watched. Attributes: see each parameter's help."""

    method: str = parameter(
        Method.EXPECTED_WINS.value,
        label="Method",
        help="How systems are scored.",
        choices=tuple(METHOD_NAMES),
        labels=METHOD_NAMES,
    )
    planned: int = parameter(
        1000,
        label="Judgments planned",
        help="The interval for watching is narrowest at about this number of judgments. Choose it "
        "before you look.",
        minimum=10,
        maximum=10_000_000,
    )
    confidence: float = parameter(
        0.95,
        label="Confidence",
        help="Confidence level of the intervals.",
        minimum=0.5,
        maximum=0.999,
        labels=CONFIDENCES,
    )
    seed: int = parameter(0, label="Seed", help="Of the simulations.", minimum=0, maximum=LARGEST_SEED)


@dataclass(frozen=True, slots=True)
class WhenToStop:
    """Result of the analysis.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        watched: the differences of neighbours over time.
        remaining: for each pair of `watched`, how many more judgments settle it.
        seconds: median of the active seconds of a judgment; None if no times were recorded.
    """

    signature: str
    watched: Watched
    remaining: tuple[Remaining, ...]
    seconds: float | None

    @property
    def unsettled(self) -> int:
        """Number of pairs of neighbours that are not settled."""
        return sum(pair.settled_at is None for pair in self.watched.pairs)


def when_to_stop(judgments: Judgments, parameters: StoppingParameters, progress: Progress) -> WhenToStop:
    """Watch the neighbours over time, and simulate how long the unsettled ones will take (`ranking.watch`).

    Raises:
        SnapshotError: as `ranking.count_pairs`.
    """
    progress.begin("Following the ranking over time", total=LOOKS)
    watched = watch(
        judgments.snapshot,
        Method(parameters.method),
        by=parameters.by,
        looks=LOOKS,
        confidence=parameters.confidence,
        planned=parameters.planned,
        progress=progress.advance,
    )
    progress.begin("Simulating further judgments", total=len(watched.pairs))
    remaining = []
    for pair in watched.pairs:
        remaining.append(judgments_until_settled(watched, pair, seed=parameters.seed))
        progress.advance(1)
    weighted = f"|weights:{WEIGHTED}" if holds_propensities(judgments.snapshot) else ""
    return WhenToStop(
        judgments.signature(f"{stated('stopping', parameters)}{weighted}"),
        watched,
        tuple(remaining),
        _median_seconds(judgments.snapshot),
    )


def _median_seconds(snapshot: pd.DataFrame) -> float | None:
    active = snapshot.drop_duplicates("judgment")["active_ms"].dropna()
    return float(active.median()) / 1000 if len(active) else None


@dataclass(frozen=True, slots=True)
class Border:
    """A row of the table: two neighbours at the end.

    Attributes:
        pair: the two systems over time.
        remaining: how many more judgments settle them.
        half_width: of the ordinary interval; None without one.
        anytime_half_width: of the interval that may be watched; None without one.
        hours: that the median number of further judgments takes; None where that is not known.
    """

    pair: WatchedPair
    remaining: Remaining
    half_width: float | None
    anytime_half_width: float | None
    hours: float | None

    @property
    def further(self) -> str:
        """How many more judgments the pair needs, in words."""
        settled = self.pair.settled_at
        return in_words(self.remaining) if settled is None else f"settled after {settled:,}"


def borders(computed: Computed) -> Iterator[Border]:
    """The pairs of neighbours, from the best down."""
    result: WhenToStop = computed.result
    watched = result.watched
    for pair, remaining in zip(watched.pairs, result.remaining, strict=True):
        error = float(pair.standard_error[-1])
        is_known = isfinite(error)
        yield Border(
            pair,
            remaining,
            error * watched.ordinary if is_known else None,
            error * float(watched.anytime[-1]) if is_known else None,
            hours(remaining, result.seconds),
        )


def in_words(remaining: Remaining) -> str:
    """How many more judgments a pair needs."""
    if remaining.reason:
        return remaining.reason
    low = f"{remaining.low:,}" if remaining.low is not None else ""
    if remaining.median is None:
        return f"more than {remaining.horizon:,}" + (f" (at least {low})" if low else "")
    high = f"{remaining.high:,}" if remaining.high is not None else f"more than {remaining.horizon:,}"
    return f"about {remaining.median:,} ({low} to {high})"


def hours(remaining: Remaining, seconds: float | None) -> float | None:
    """How long the median number of further judgments takes."""
    return remaining.median * seconds / SECONDS_PER_HOUR if remaining.median and seconds else None


COLUMNS_OF_BORDERS: Sequence[Column] = (
    System("above", "Above", lambda row: row.pair.above),
    System("below", "Below", lambda row: row.pair.below),
    Text("", "More judgments", lambda row: row.further, on_paper=False),
    Number("", "Hours", lambda row: row.hours, digits=1, on_paper=False),
    Number("difference", "Difference", lambda row: row.pair.last_difference),
    Number("half_width", "±", sign="±", heading="Interval"),
    Number("anytime_half_width", "± while watching", sign="±", heading="While watching"),
    Count("settled_at", "Settled at", lambda row: row.pair.settled_at, on_page=False),
    Count("more", "More", lambda row: row.remaining.median, on_page=False),
    Count("more_low", value=lambda row: row.remaining.low),
    Count("more_high", value=lambda row: row.remaining.high),
)


def headline(computed: Computed, naming: Naming) -> str:
    """How many neighbours are settled."""
    result: WhenToStop = computed.result
    pairs = len(result.watched.pairs)
    settled = pairs - result.unsettled
    if not pairs:
        return "No two systems have been compared yet."
    if settled == pairs:
        return "The order of all neighbours is settled: the campaign may stop"
    return f"{settled} of {pairs} pairs of neighbours {'is' if settled == 1 else 'are'} settled"


def lead(computed: Computed, naming: Naming) -> str:
    """How to read the table and the figure."""
    result: WhenToStop = computed.result
    judged = int(result.watched.judgments[-1]) if len(result.watched.judgments) else 0
    seconds = f" The median judgment takes {result.seconds:.0f} s." if result.seconds else ""
    return (
        f"After {judged:,} judgments that compare systems. A pair is settled once the interval for watching "
        f"(the outer band) excludes 0; it then stays settled, however often you look. The inner band is the "
        f"{percent(computed.parameters.confidence)} interval for a single look.{seconds}"
    )


def draw(computed: Computed, naming: Naming, layout: Layout) -> Any:
    """The differences over time."""
    title = f"{naming.title}: differences by number of judgments"
    return stopping_figure(computed.result.watched, naming.labels, title=title, layout=layout)


def methods(parameters: StoppingParameters, result: WhenToStop) -> list[str]:
    """When to stop, in sentences for a paper."""
    watched = result.watched
    judged = int(watched.judgments[-1]) if len(watched.judgments) else 0
    settled = len(watched.pairs) - result.unsettled
    return [
        f"Systems are scored by {METHOD_NAMES[parameters.method]} after each of {len(watched.judgments)} "
        f"numbers of judgments, up to {judged:,}.",
        f"Differences of {len(watched.pairs)} pairs of neighbouring systems are watched by asymptotic "
        f"confidence sequences (Waudby-Smith et al. 2024) at {100 * parameters.confidence:g} % confidence "
        f"for all looks and pairs together, narrowest at about {parameters.planned:,} judgments: {settled} "
        f"{'is' if settled == 1 else 'are'} settled.",
        f"How many more judgments the others need is simulated (seed {parameters.seed}).",
    ]


EXPLANATION = """
If you look daily and stop as soon as an ordinary interval excludes 0, you err far more often than its
confidence says. The wider one is a confidence sequence (Waudby-Smith et al. 2024): it holds at all times
and for all pairs of systems together. Judgments of one sentence are taken together, since they are not
independent. The sequence is narrowest at about the number of judgments planned, so choose that before you
look.

How many more: simulations draw a true difference that fits the judgments so far, then further judgments
like them, until the pair is settled. In brackets: the middle 95 % of the simulations. Two systems that are
almost equal need more judgments than anyone can afford.
"""

STOPPING = register(
    Analysis(
        name="stopping",
        title="When to stop",
        defined_in="ranking.md#when-to-stop",
        help="Which neighbouring systems are settled, and about how many more judgments the others need.",
        parameters=StoppingParameters,
        result=WhenToStop,
        inputs=Judgments,
        columns=COLUMNS,
        compute=when_to_stop,
        resolve=tie_width_resolved,
        tables={
            "stopping": Table(
                rows=borders,
                columns=COLUMNS_OF_BORDERS,
                caption="Neighbouring systems, their difference, and how many more judgments they need",
            )
        },
        figures={
            "stopping": Figure(
                caption="Differences of neighbouring systems by number of judgments",
                draw=draw,
                has_content=lambda computed: bool(computed.result.watched.pairs),
            )
        },
        headline=headline,
        lead=lead,
        methods=methods,
        explanation=EXPLANATION,
        fields=("method", "planned", "confidence", "controls", "excluded"),
        template="analysis/stopping.html",
    )
)
