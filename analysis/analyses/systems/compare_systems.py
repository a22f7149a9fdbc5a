"""Two systems compared: the tables, the figure and the finding of the page."""

from collections.abc import Iterable, Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.from_judgments import (
    METHODS_OF_NEIGHBOURS,
    tie_width_resolved,
)
from analysis.analyses.judgment_inputs import JudgmentsBesideScores
from analysis.analyses.metric_titles import MetricName
from analysis.analyses.systems.compared_systems import (
    ComparedSystems,
    CompareSystemsParameters,
    MetricOnTwo,
    compare_systems,
)
from analysis.analyses.systems.ranking import WEIGHTED_COLUMNS
from core.columns import Column, Count, Number, PValue, Share, System, Text
from core.names import Naming
from core.parameters import ParameterError
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import counted, literal, p_is, percent
from figures.drawing import Chart
from figures.planning.settled_differences import stopping_figure
from formats.snapshot.vocabulary import AnswerKind

SHOWN = 20
"""Sentences in the table of pages and paper."""


class Side(NamedTuple):
    """People's verdict on one of the two systems.

    Attributes:
        system: its name.
        wins: how often it was judged better.
        losses: how often it was judged worse.
        ties: how often both were judged equal.
        share: of the decided comparisons that it won; None without any.
        ahead: number of sentences in which more judgments prefer it.
    """

    system: str
    wins: int
    losses: int
    ties: int
    share: float | None
    ahead: int


def _sides(computed: Computed) -> Iterable[Side]:
    result: ComparedSystems = computed.result
    if (each := result.comparison) is None:
        return ()
    other = None if each.share is None else 1 - each.share
    return (
        Side(result.first, each.wins, each.losses, each.ties, each.share, result.ahead),
        Side(result.second, each.losses, each.wins, each.ties, other, result.behind),
    )


def _result(computed: Computed) -> Iterable[ComparedSystems]:
    result: ComparedSystems = computed.result
    return (result,) if result.pair else ()


DIFFERENCE: tuple[Column, ...] = (
    System("first", "First", on_page=False),
    System("second", "Second", on_page=False),
    Number("difference", "Difference", on_page=False),
    Number("half_width", "±", on_page=False),
    Number("anytime_half_width", "± while watching", on_page=False),
    Count("settled_at", "Settled at", attrgetter("pair.settled_at"), on_page=False),
    Count("more", value=attrgetter("remaining.median")),
    Count("more_low", value=attrgetter("remaining.low")),
    Count("more_high", value=attrgetter("remaining.high")),
    PValue("p_value", "p", attrgetter("comparison.p_value"), on_page=False),
)

SIDES: tuple[Column, ...] = (
    System("system", "System"),
    Share("share", "Won, without ties", digits=0),
    Count("wins", "Won"),
    Count("losses", "Lost"),
    Count("ties", "Tied"),
    Count("sentences", "Sentences ahead", attrgetter("ahead")),
)


def _preferred(computed: Computed, row: MetricOnTwo) -> str | None:
    """The system that a metric scores higher."""
    if not row.difference:
        return None
    result: ComparedSystems = computed.result
    return result.first if row.difference > 0 else result.second


def _as_people(computed: Computed, row: MetricOnTwo) -> str | None:
    preferred, pair = _preferred(computed, row), computed.result.pair
    if preferred is None or not pair.last_difference:
        return None
    return "as people" if preferred == pair.above else "against people"


def _of_metrics(computed: Computed) -> Sequence[Column]:
    return (
        MetricName("metric", "Metric"),
        System("prefers", "Prefers", partial(_preferred, computed)),
        Text("people", "Order", partial(_as_people, computed)),
        Number("first", "First"),
        Number("second", "Second"),
        Number("difference", "Difference"),
        Count("agreed", "Sentences as people"),
        Count("against", "Against people"),
        Count("tied", "Tied"),
    )


OF_SENTENCES: tuple[Column, ...] = (
    Count("sentence", "Sentence"),
    Count("wins", "For the first"),
    Count("losses", "For the second"),
    Count("ties", "Tied"),
    Count("metrics_against", "Metrics against people", lambda row: len(row.against)),
    Count("scored", "Metrics"),
)


SENTENCES_ONLY = "Metrics compare the outputs of this domain only: scores of systems are of the whole corpus."


def headline(computed: Computed, naming: Naming) -> str:
    """Which of the two is better, and whether that is settled."""
    result: ComparedSystems = computed.result
    pair = result.pair
    if pair is None:
        return "No two systems have been compared yet"
    above, below = naming.label(pair.above), naming.label(pair.below)
    difference, half_width = pair.last_difference, result.half_width
    if difference is None:
        return f"{above} and {below} cannot be compared yet: one of them has no score"
    if pair.settled_at is not None:
        return f"{above} is better than {below}, and the order is settled"
    if half_width is not None and difference > half_width:
        return f"{above} seems better than {below}, but the order is not settled"
    return f"It is not settled whether {above} or {below} is better"


def lead(computed: Computed, naming: Naming) -> str:
    """The difference with its intervals, and what people said of the two directly."""
    result: ComparedSystems = computed.result
    pair, each = result.pair, result.comparison
    if pair is None or each is None or result.border is None:
        return ""
    above, below = literal(naming.label(pair.above)), literal(naming.label(pair.below))
    said = []
    if pair.last_difference is not None:
        method = METHODS_OF_NEIGHBOURS[computed.parameters.method]
        said.append(f"By {method}, {above} scores {pair.last_difference:.3f} higher than {below}")
        if result.half_width is not None and result.anytime_half_width is not None:
            said[-1] += (
                f" ({percent(computed.parameters.confidence)} interval: ±{result.half_width:.3f}; one that "
                f"holds however often you look: ±{result.anytime_half_width:.3f})"
            )
        said[-1] += "."
        said.append(
            "The order is settled once the wider interval excludes 0; *Ranking* looks once, so it may tell "
            f"the two apart before. Judgments still needed: {result.border.further}."
            if pair.settled_at is None
            else f"The order was settled after {counted(pair.settled_at, 'judgment')}."
        )
    if each.share is None:
        said.append(f"Directly, {each.reason}.")
    else:
        wins = each.wins if pair.above == result.first else each.losses
        said.append(
            f"Compared directly, without ties, {above} won {wins:,} of {each.wins + each.losses:,} times "
            f"({p_is(each.p_value or 0.0)}, which holds for one look at one pair chosen beforehand)."
        )
    return " ".join(said)


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """The difference over time."""
    method = METHODS_OF_NEIGHBOURS[computed.parameters.method]
    return stopping_figure(
        computed.result.watched,
        naming.labels,
        title=f"{naming.title}: difference in {method} by number of judgments",
        layout=layout,
    )


def resolved(parameters: CompareSystemsParameters, scored: bool) -> CompareSystemsParameters:
    """The parameters with a tie width where outputs have scores.

    Raises:
        ParameterError: the same system twice, or a tie width for rankings.
    """
    if parameters.first is not None and parameters.first == parameters.second:
        fault = f"choose two different systems, not {parameters.first} twice"
        raise ParameterError(faults={"second": fault})
    return tie_width_resolved(parameters, scored)


EXPLANATION = """
The difference, both intervals and the number of further judgments are those of *When to stop*: the wider
interval holds however often you look and for all pairs of systems together, so two systems may be picked
after looking at the ranking. The score of a system depends on all its opponents; wins, losses and ties are
those of the two alone. Their p-value is of the exact two-sided test of *Head to head*, in which the judgments
of a sentence are exchanged together.

Scores of metrics are those stored for the corpus, of systems on all of its sentences. In a sentence, people
prefer the output that more judgments put first. A metric is against people if it scores the other one higher.
The sentences that decide have most judgments for one output less judgments for the other. For those in which
metrics and people differ, this number is multiplied by the share of metrics against people.
"""

COMPARE_SYSTEMS = register(
    Analysis(
        name="compare-systems",
        title="Compare two systems",
        group=Group.SYSTEMS,
        question="Which of two systems is better?",
        defined_in="ranking.md#two-systems",
        help="The difference of two systems, whether it is settled, the sentences that decide, and metrics.",
        parameters=CompareSystemsParameters,
        result=ComparedSystems,
        inputs=JudgmentsBesideScores,
        columns=(*WEIGHTED_COLUMNS, "submitted_at"),
        place=1,
        answers=AnswerKind.RATINGS,
        compute=compare_systems,
        resolve=resolved,
        tables={
            "systems": Table(rows=_sides, columns=SIDES, caption="How often each was judged better"),
            "difference": Table(rows=_result, columns=DIFFERENCE, caption="Difference of the two systems"),
            "metrics": Table(
                rows=lambda computed: computed.result.metrics,
                columns=_of_metrics,
                caption="Score of both systems by each metric",
                note=lambda computed, naming: SENTENCES_ONLY if computed.parameters.domain else "",
            ),
            "sentences": Table(
                rows=lambda computed: computed.result.sentences[:SHOWN],
                columns=OF_SENTENCES,
                caption="Sentences that decide",
                long=Table(rows=lambda computed: computed.result.sentences, columns=OF_SENTENCES, caption=""),
            ),
        },
        figures={
            "difference": Figure(
                caption="Difference of the two systems by number of judgments",
                draw=draw,
                has_content=lambda computed: computed.result.difference is not None,
                note="Above 0, the first named system is better. Dark: interval for a single look. Light: "
                "one that holds however often you look.",
            )
        },
        headline=headline,
        lead=lead,
        sections=(
            Section(title="Scores by metrics", tables=("metrics",), is_folded=True),
            Section(title="Sentences that decide, as a table", tables=("sentences",), is_folded=True),
        ),
        explanation=EXPLANATION,
        nothing="No two systems have been compared yet. The page fills with the first judgments.",
        fields=("method", "planned", "confidence", "domain", "controls", "excluded"),
        template="analysis/compare_systems.html",
    )
)
