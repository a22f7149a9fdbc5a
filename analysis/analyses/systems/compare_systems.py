"""Two systems compared: the tables, the figure and the finding of the page."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import tanh
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
from analysis.analyses.watched_pairs import Border
from core.columns import Column, Count, Estimated, Number, Prose, PValue, Share, Spread, System, Text
from core.names import Naming
from core.parameters import ParameterError
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import counted, literal, p_is, with_interval
from figures.drawing import Chart
from figures.planning.settled_differences import stopping_figure
from formats.snapshot.vocabulary import AnswerKind
from ranking import Lead, Method

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
    """Whom the rows favour, and when the order is settled."""
    result: ComparedSystems = computed.result
    pair = result.pair
    if pair is None or result.border is None:
        return ""
    above = literal(naming.label(pair.above))
    said = [f"Right of 0, {above} is better."]
    if pair.last_difference is not None:
        said.append(
            "The order is settled once the interval in the first row excludes 0; *Ranking* looks once, so it "
            "may tell the two apart before."
            if pair.settled_at is None
            else f"The order was settled after {counted(pair.settled_at, 'judgment')}, when the interval in "
            "the first row excluded 0, and stays settled."
        )
    if result.comparison is not None and result.comparison.share is None:
        said.append(f"Directly, {result.comparison.reason}.")
    return " ".join(said)


class Row(NamedTuple):
    """A way to compare the two.

    Attributes:
        name: what is compared.
        which: more precisely.
        lead: of the system that scores higher, from -1 to 1.
        said: what it comes from, or what is still needed.
    """

    name: str
    which: str
    lead: Spread
    said: str


def _rows(computed: Computed) -> Iterator[Row]:
    """The difference of scores for every look and for one, then the share that one won less the other's."""
    result: ComparedSystems = computed.result
    pair, each, border = result.pair, result.comparison, result.border
    if pair is None or each is None or border is None:
        return
    if pair.last_difference is not None:
        method = METHODS_OF_NEIGHBOURS[computed.parameters.method]
        implied = _implied if computed.parameters.method == Method.BRADLEY_TERRY else float
        for which, half_width, said in (
            ("however often you look", result.anytime_half_width, _further(border)),
            ("if you look once", result.half_width, ""),
        ):
            value = pair.last_difference
            ends = (None, None) if half_width is None else (value - half_width, value + half_width)
            low, high = (None if end is None else implied(end) for end in ends)
            yield Row(f"Difference of {method}", which, Spread(implied(value), low, high), said)
    sign = 1 if pair.above == result.first else -1
    wins, ahead = (each.wins, result.ahead) if sign > 0 else (each.losses, result.behind)
    if result.lead is not None and each.p_value is not None:
        said = f"won {wins:,} of {each.wins + each.losses:,} times, {p_is(each.p_value)}"
        yield Row("Won less lost", "the two alone, without ties", _turned(result.lead, sign), said)
    if result.lead_in_sentences is not None:
        said = f"preferred in {ahead:,} of {counted(result.ahead + result.behind, 'sentence')}"
        yield Row(
            "Sentences won less lost",
            "by most of their judgments",
            _turned(result.lead_in_sentences, sign),
            said,
        )


def _implied(difference: float) -> float:
    """The lead that a difference of log strengths implies."""
    return tanh(difference / 2)


def _further(border: Border) -> str:
    """When the pair was settled, or how many more judgments it needs."""
    return (
        border.further
        if border.pair.settled_at is not None
        else f"further judgments needed: {border.further}"
    )


def _turned(lead: Lead, sign: int) -> Spread:
    """The lead of the first, or of the second by a sign of -1."""
    if lead.low is None or lead.high is None:
        return Spread(sign * lead.value, None, None)
    low, high = sorted((sign * lead.low, sign * lead.high))
    return Spread(sign * lead.value, low, high)


def _columns_of_rows(computed: Computed) -> Sequence[Column]:
    return (
        Text("", "Comparison", attrgetter("name"), note=attrgetter("which")),
        Estimated(
            "",
            "Lead",
            attrgetter("lead"),
            drawn=with_interval("Lead", computed.parameters.confidence),
            even=0.0,
        ),
        Prose("", "Detail", attrgetter("said")),
    )


def about_rows(computed: Computed, naming: Naming) -> str:
    """What a lead is, and what the p-value holds for."""
    won_less_lost = "the share that the better system won less the share it lost, from −1 to 1"
    meaning = (
        f"*Lead*: {won_less_lost}. For Bradley-Terry it is the one that the difference of strengths implies."
        if computed.parameters.method == Method.BRADLEY_TERRY
        else "*Lead*: in ExpectedWins the difference of the two scores, each the share won against all "
        f"systems met; below, {won_less_lost}. These are two scales: compare rows with 0, not each other."
    )
    return f"{meaning} The p-value holds for one look at one pair chosen beforehand."


COMPARED = Table(
    rows=_rows,
    columns=_columns_of_rows,
    caption="Which of the two is better",
    in_files=False,
    note=about_rows,
)


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
The difference, both its intervals and the number of further judgments are those of *When to stop*: the wider
interval holds however often you look and for all pairs of systems together, so two systems may be picked
after looking at the ranking. The score of a system depends on all its opponents; wins, losses and ties are
those of the two alone. Their p-value is of the exact two-sided test of *Head to head*, in which the judgments
of a sentence are exchanged together; intervals of leads are clustered by sentence, too.

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
            "compared": COMPARED,
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
                note="Above 0, the first named system is better. Dark: interval if you look once. Light: "
                "one that holds however often you look.",
            )
        },
        headline=headline,
        lead=lead,
        sections=(
            Section(title="By number of judgments", figures=("difference",), is_folded=True),
            Section(title="Wins and losses", tables=("systems", "difference"), is_folded=True),
            Section(title="Scores by metrics", tables=("metrics",), is_folded=True),
            Section(title="Sentences that decide, as a table", tables=("sentences",), is_folded=True),
        ),
        explanation=EXPLANATION,
        nothing="No two systems have been compared yet. The page fills with the first judgments.",
        fields=("method", "planned", "confidence", "domain", "controls", "excluded"),
        template="analysis/compare_systems.html",
    )
)
