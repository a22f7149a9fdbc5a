"""Which neighbours are settled, and how many more judgments the others need, for pages and commands."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from analysis.analyses.base import (
    WEIGHTED,
    Analysis,
    Progress,
    Table,
    register,
    stated,
    with_controls,
    with_excluded,
    with_followed,
)
from analysis.analyses.fragility import METHOD_NAMES
from analysis.analyses.inputs import Judgments
from analysis.analyses.ranking import (
    CONFIDENCES,
    LARGEST_SEED,
    WEIGHTED_COLUMNS,
    basis,
    tie_width_parameter,
    tie_width_resolved,
)
from core.later import pd
from metrics.parameters import parameter
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

COLUMNS = (*WEIGHTED_COLUMNS, "submitted_at", "active_ms")


@dataclass(frozen=True, slots=True)
class StoppingParameters:
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
    tie_width: float | None = tie_width_parameter()
    controls: bool = with_controls()
    excluded: bool = with_excluded()
    combined: bool = with_followed()


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


def when_to_stop(judgments: Judgments, parameters: StoppingParameters, progress: Progress) -> WhenToStop:
    """Watch the neighbours over time, and simulate how long the unsettled ones will take (`ranking.watch`).

    Raises:
        SnapshotError: as `ranking.count_pairs`.
    """
    progress.begin("Following the ranking over time", total=LOOKS)
    watched = watch(
        judgments.snapshot,
        Method(parameters.method),
        by=basis(parameters.tie_width),
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


def half_widths(watched: Watched, pair: WatchedPair) -> tuple[float, float] | None:
    """Half widths at the end: of the ordinary interval and of that which may be watched; None without any."""
    error = float(pair.standard_error[-1])
    return (error * watched.ordinary, error * float(watched.anytime[-1])) if isfinite(error) else None


def _tables(result: WhenToStop) -> tuple[Table, ...]:
    watched = result.watched
    return (
        Table(
            "",
            ("Above", "Below", "Difference", "±", "± while watching", "Settled at", "More", "from", "to", ""),
            tuple(
                (
                    pair.above,
                    pair.below,
                    pair.last_difference,
                    *(half_widths(watched, pair) or (None, None)),
                    pair.settled_at,
                    remaining.median,
                    remaining.low,
                    remaining.high,
                    remaining.reason,
                )
                for pair, remaining in zip(watched.pairs, result.remaining, strict=True)
            ),
        ),
    )


def methods(parameters: StoppingParameters, result: WhenToStop) -> list[str]:
    """When to stop, in sentences for a paper."""
    watched = result.watched
    judged = int(watched.judgments[-1]) if len(watched.judgments) else 0
    settled = sum(pair.settled_at is not None for pair in watched.pairs)
    return [
        f"Systems are scored by {METHOD_NAMES[parameters.method]} after each of {len(watched.judgments)} "
        f"numbers of judgments, up to {judged:,}.",
        f"Differences of {len(watched.pairs)} pairs of neighbouring systems are watched by asymptotic "
        f"confidence sequences (Waudby-Smith et al. 2024) at {100 * parameters.confidence:g} % confidence "
        f"for all looks and pairs together, narrowest at about {parameters.planned:,} judgments: {settled} "
        f"{'is' if settled == 1 else 'are'} settled.",
        f"How many more judgments the others need is simulated (seed {parameters.seed}).",
    ]


STOPPING = register(
    Analysis(
        name="stopping",
        title="When to stop",
        help="Which neighbouring systems are settled, and about how many more judgments the others need.",
        parameters=StoppingParameters,
        result=WhenToStop,
        inputs=Judgments,
        columns=COLUMNS,
        compute=when_to_stop,
        tables=_tables,
        methods=methods,
        resolve=tie_width_resolved,
    )
)
