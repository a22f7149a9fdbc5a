"""Which neighbours are settled, and how many more judgments the others need, for pages and commands."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from analysis.analyses.active_time import ANSWERED, without_breaks
from analysis.analyses.base import WEIGHTED, Analysis, Group, register, stated
from analysis.analyses.from_judgments import (
    METHODS_OF_NEIGHBOURS,
    FromFollowedJudgments,
    method_of_neighbours,
    tie_width_resolved,
)
from analysis.analyses.judgment_inputs import JudgmentsBesideMachine, WithMachineIfAsked
from analysis.analyses.resampling import CONFIDENCES, confidence_of_intervals, seed_of
from analysis.analyses.systems.ranking import WEIGHTED_COLUMNS
from analysis.analyses.systems.ranking_headline import ranked_like_systems
from analysis.analyses.watched_pairs import LOOKS, Border, judgments_planned
from core.columns import Column, Count, Estimated, Number, Prose, Spread
from core.names import Naming
from core.pairs_of_systems import SystemPair
from core.parameters import ParameterError, parameter
from core.progress import Progress, over
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import are, beginning, counted, listed, literal, percent, some_of, two_digits
from figures.drawing import Chart
from figures.planning.settled_differences import stopping_figure
from formats.snapshot.vocabulary import AnswerKind
from ranking import Method, holds_propensities
from ranking.planning.judgments_needed import Remaining, judgments_until_settled
from ranking.planning.watching import Watched, watch

MOST_NAMED = 2
"""Settled pairs that the heading names; it counts more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppingParameters(FromFollowedJudgments):
    """How systems are scored and watched. Attributes: see each parameter's help."""

    machine: int | None = parameter(
        None,
        label="Counting on",
        help="Number of a machine whose answers about further sentences make intervals narrower.",
        minimum=1,
        placeholder="people alone",
    )
    method: str = method_of_neighbours()
    planned: int = judgments_planned()
    confidence: float = confidence_of_intervals(offered=CONFIDENCES)
    seed: int = seed_of("the simulations")


@dataclass(frozen=True, slots=True)
class WhenToStop:
    """Result of the analysis.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        watched: the differences of neighbours over time.
        remaining: for each pair of `watched`, how many more judgments settle it.
        seconds: mean of the active seconds of a judgment without breaks; None if no times were recorded.
        machine: the machine on pages, such as "Machine 1 (gpt-4o)"; empty for people alone.
        model: what it is, such as a model with its version; empty for people alone.
        answers: number of its answers that compare outputs.
    """

    signature: str
    watched: Watched
    remaining: tuple[Remaining, ...]
    seconds: float | None
    machine: str = ""
    model: str = ""
    answers: int = 0

    @property
    def borders(self) -> list[Border]:
        """The pairs of neighbours, from the best down."""
        return list(map(Border, self.watched.pairs, self.remaining))

    @property
    def undecided(self) -> list[Border]:
        """The pairs of neighbours that are not settled."""
        return [border for border in self.borders if border.pair.settled_at is None]

    @property
    def settled(self) -> int:
        """Number of pairs of neighbours that are settled."""
        return len(self.borders) - len(self.undecided)

    @property
    def weight(self) -> float:
        """Mean lambda of the pairs, how much the machine counts, from 0 to 1."""
        pairs = self.watched.pairs
        return sum(pair.weight for pair in pairs) / max(len(pairs), 1)

    @property
    def judged(self) -> int:
        """Number of judgments that compare systems."""
        return int(self.watched.judgments[-1]) if len(self.watched.judgments) else 0


def resolved(parameters: StoppingParameters, scored: bool) -> StoppingParameters:
    """The parameters with a tie width for scores, by default 0.

    Raises:
        ParameterError: a tie width is given for rankings, or machines count twice.
    """
    if parameters.machine is not None and parameters.machines:
        raise ParameterError(faults={"machine": "machines count beside people already"})
    return tie_width_resolved(parameters, scored)


def when_to_stop(
    judgments: JudgmentsBesideMachine, parameters: StoppingParameters, progress: Progress
) -> WhenToStop:
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
        machine=judgments.answers if judgments.machine else None,
        progress=progress.advance,
    )
    remaining = tuple(
        judgments_until_settled(watched, pair, seed=parameters.seed)
        for pair in over(watched.pairs, "Simulating further judgments", progress)
    )
    weighted = f"|weights:{WEIGHTED}" if holds_propensities(judgments.snapshot) else ""
    answers = judgments.snapshot.drop_duplicates("judgment").dropna(subset=["active_ms"])
    active = without_breaks(answers[answers["state"].isin(ANSWERED)])
    return WhenToStop(
        judgments.signature(f"{stated('stopping', parameters)}{weighted}"),
        watched,
        remaining,
        float(active.mean()) / 1000 if len(active) else None,
        judgments.known_as,
        judgments.model,
        judgments.compared(parameters.by),
    )


class EstimatedHours(Number):
    """Hours of work, without false precision."""

    def text(self, value: float, naming: Naming) -> str:
        """With two digits."""
        return f"{two_digits(round(value)):,}" if value >= 10 else super().text(value, naming)


def _while_watching(watched: Watched, row: Border) -> Spread:
    """The difference with the interval that holds at all looks."""
    difference, around = row.pair.last_difference, row.half_width(float(watched.anytime[-1]))
    if difference is None or around is None:
        return Spread(difference, None, None)
    return Spread(difference, difference - around, difference + around)


def columns(computed: Computed) -> Sequence[Column]:
    """The columns of the table, whose intervals are as wide as those of the figure."""
    watched: Watched = computed.result.watched
    seconds = computed.result.seconds or 0
    return (
        SystemPair(
            "above",
            "Above",
            lambda row: (row.pair.above, row.pair.below),
            other="below",
            other_label="Below",
            heading="Neighbours",
        ),
        Estimated(
            "",
            "Difference",
            partial(_while_watching, watched),
            on_paper=False,
            drawn="Difference, with the interval for every look",
            even=0.0,
        ),
        Number("difference", "Difference", lambda row: row.pair.last_difference, on_page=False),
        Number(
            "half_width",
            "±",
            lambda row: row.half_width(watched.ordinary),
            sign="±",
            heading="Single look",
            on_page=False,
            is_printed=True,
        ),
        Number(
            "anytime_half_width",
            "± while watching",
            lambda row: row.half_width(float(watched.anytime[-1])),
            sign="±",
            on_page=False,
        ),
        Prose("", "More judgments", lambda row: row.further, on_paper=False),
        EstimatedHours("", "Hours", lambda row: row.hours(seconds), digits=1, on_paper=False),
        Count("settled_at", "Settled at", lambda row: row.pair.settled_at, on_page=False),
        Count("more", "More", lambda row: row.remaining.median, on_page=False),
        Count("more_low", value=lambda row: row.remaining.low),
        Count("more_high", value=lambda row: row.remaining.high),
    )


def headline(computed: Computed, naming: Naming) -> str:
    """How many neighbours are settled."""
    result: WhenToStop = computed.result
    if not result.borders:
        return "No two systems have been compared yet"
    counting_on = f", counting on {result.machine}" if result.machine else ""
    pairs = some_of(result.settled, len(result.borders), "pair", plural="pairs")
    if result.undecided and 0 < result.settled <= MOST_NAMED:
        pairs = f"only {listed(_settled(result, naming))} of {counted(len(result.borders), 'pair')}"
    settled = f"{pairs} of neighbouring systems {are(result.settled or 1)} settled{counting_on}"
    return beginning(settled) if result.undecided else f"{beginning(settled)}: the campaign may stop"


def _settled(result: WhenToStop, naming: Naming) -> list[str]:
    """The pairs that are settled, by name."""
    pairs = [border.pair for border in result.borders if border.pair.settled_at is not None]
    return [f"{naming.label(pair.above)} over {naming.label(pair.below)}" for pair in pairs]


def lead(computed: Computed, naming: Naming) -> str:
    """How to read the table and the figure."""
    result: WhenToStop = computed.result
    seconds = f", {result.seconds:.0f} s each on average without breaks" if result.seconds else ""
    said = (
        f"{counted(result.judged, 'judgment')} so far{seconds}. A pair is settled once its interval excludes "
        f"0, and then stays settled. Intervals hold however often you look, for all pairs together "
        f"({percent(computed.parameters.confidence)}); *Ranking* looks once, so it may tell more systems "
        f"apart.{_ranked_like_systems(result, naming)}"
    )
    return f"{said}\n\n{what_the_machine_does(result)}" if result.machine else said


def _ranked_like_systems(result: WhenToStop, naming: Naming) -> str:
    """Which neighbours are no systems but ranked like them, as a sentence; empty without any."""
    names = {name for border in result.borders for name in (border.pair.above, border.pair.below)}
    apart = ranked_like_systems(sorted(names), naming.roles, naming.labels)
    return f" {literal(apart)}" if apart else ""


def what_the_machine_does(result: WhenToStop) -> str:
    """How much a machine counts, and what has to be true for that."""
    if not result.weight:
        return (
            f"{literal(result.machine)} does not count: what it says of people’s sentences does not predict "
            "people, or too few people have judged."
        )
    return (
        f"{literal(result.machine)} counts with {counted(result.answers, 'answer')} and a mean weight lambda "
        f"= {result.weight:.2g}. This holds if people judge a random sample of its sentences."
    )


def about_further(computed: Computed, naming: Naming) -> str:
    """What the numbers of further judgments are, and where they end; empty if all pairs are settled."""
    result: WhenToStop = computed.result
    horizons = [border.remaining.horizon for border in result.undecided if border.remaining.reason is None]
    if not horizons:
        return ""
    times = round(horizons[0] / result.judged)
    return (
        "*More judgments*: the median of simulations, in brackets the middle 95 % of them. Simulations end "
        f"at {two_digits(horizons[0]):,} more, {times} times the judgments so far."
    )


def about_figure(computed: Computed, naming: Naming) -> str:
    """The meaning of the bands."""
    return (
        "The outer band is the interval for every look, the inner one the "
        f"{percent(computed.parameters.confidence)} interval for a single look. A vertical line marks the "
        "look at which a pair was settled."
    )


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """The differences over time."""
    machine = computed.result.machine
    counting_on = f", counting on {machine}" if machine else ""
    method = METHODS_OF_NEIGHBOURS[computed.parameters.method]
    title = f"{naming.title}: difference in {method} by number of judgments{counting_on}"
    return stopping_figure(computed.result.watched, naming.labels, title=title, layout=layout)


def methods(parameters: StoppingParameters, result: WhenToStop) -> list[str]:
    """When to stop, in sentences for a paper."""
    machine = (
        [
            f"A machine ({result.model}) corrects these differences by {result.answers:,} answers "
            "(prediction-powered inference, Angelopoulos, Duchi and Zrnic 2023): the lambda of a sentence "
            f"follows from the looks before its first judgment, and is {result.weight:.3f} on average."
        ]
        if result.machine
        else []
    )
    return [
        f"Systems are scored by {METHODS_OF_NEIGHBOURS[parameters.method]} after each of "
        f"{len(result.watched.judgments)} numbers of judgments, up to {result.judged:,}.",
        f"Differences of {len(result.watched.pairs)} pairs of neighbouring systems are watched by asymptotic "
        f"confidence sequences (Waudby-Smith et al. 2024) at {100 * parameters.confidence:g} % confidence "
        f"for all looks and pairs together, narrowest at about {parameters.planned:,} judgments: "
        f"{result.settled} {'is' if result.settled == 1 else 'are'} settled.",
        *machine,
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

Counting on a machine, differences are corrected by how far what it says of all its sentences is from what it
says of the people’s (prediction-powered inference). The weight of a sentence, lambda, follows from the looks
before people first judged it, and then stays: so the interval holds at all looks, whatever the machine says.
A useless or harmful machine soon has the weight 0.
"""

STOPPING = register(
    Analysis(
        name="stopping",
        title="When to stop",
        group=Group.PLANNING,
        question="Are there enough judgments?",
        defined_in="ranking.md#when-to-stop",
        help="Which neighbouring systems are settled, and about how many more judgments the others need.",
        parameters=StoppingParameters,
        result=WhenToStop,
        inputs=WithMachineIfAsked,
        columns=(*WEIGHTED_COLUMNS, "state", "submitted_at", "active_ms"),
        answers=AnswerKind.RATINGS,
        compute=when_to_stop,
        resolve=resolved,
        tables={
            "stopping": Table(
                rows=lambda computed: computed.result.borders,
                columns=columns,
                caption="Neighbouring systems, their difference, and how many more judgments they need",
                note=about_further,
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
        sections=[
            Section(title="By number of judgments", text=about_figure, figures=["stopping"], is_folded=True)
        ],
        methods=methods,
        explanation=EXPLANATION,
        fields=("machine", "method", "planned", "confidence", "domain", "controls", "excluded"),
        template="analysis/stopping.html",
    )
)
