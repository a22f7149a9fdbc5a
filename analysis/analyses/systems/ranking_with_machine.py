"""The ranking by people with a machine that judged further sentences, beside people alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.analyses.base import WEIGHTED, Analysis, Group, register, stated
from analysis.analyses.from_judgments import BesideMachine, method_of_neighbours, tie_width_resolved
from analysis.analyses.judgment_inputs import LET_ONE_JUDGE, NO_MACHINE, JudgmentsBesideMachine
from analysis.analyses.ranking_words import MEANINGS, METHODS, SOURCES
from analysis.analyses.resampling import CONFIDENCES, confidence_of_intervals, seed_of
from analysis.analyses.systems.ranking import WEIGHTED_COLUMNS
from analysis.analyses.systems.ranking_headline import headline as verdict
from core.columns import Column, Count, Estimated, Number, Spread, System, Text
from core.names import Naming
from core.progress import Progress
from core.results import Computed, Figure, Layout
from core.tables import Table
from core.wording import counted, literal, with_interval
from figures.drawing import Chart
from figures.systems.machine_ranking import DrawnSystem, machine_ranking_figure, rank_text
from formats.snapshot.vocabulary import AnswerKind
from ranking import Method, Standing, Standings, Unit, holds_propensities
from ranking.machines import (
    PoweredRanking,
    PoweredStanding,
    RankedScore,
    correlation_of,
    prediction_powered_ranking,
)
from ranking.machines.powered_ranking import FEWEST_OTHERS, FEWEST_UNITS

HARDLY = 0.005
"""Share of the width below which intervals are called as wide as before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineRankingParameters(BesideMachine):
    """How systems are scored. Attributes: see each parameter's help."""

    method: str = method_of_neighbours()
    confidence: float = confidence_of_intervals("the intervals and ranks", offered=CONFIDENCES)
    seed: int = seed_of("the halves of the sentences, each of which weighs the machine by the other")

    @property
    def score_name(self) -> str:
        """Name of the scores."""
        return METHODS[Method(self.method)]


@dataclass(frozen=True, slots=True)
class MachineRanking:
    """Result of the analysis.

    Attributes:
        signature: computation, judgments of people, and machine with its answers; equal signatures mean equal
            numbers.
        machine: the machine on pages, such as "Machine 1 (gpt-4o)"; empty if none has judged.
        model: what it is, such as a model with its version; empty if there is none.
        answers: number of its answers that compare outputs.
        weights: how comparisons of people are weighted; None where all items were sampled as usual.
        ranking: with the machine and by people alone.
    """

    signature: str
    machine: str
    model: str
    answers: int
    weights: str | None
    ranking: PoweredRanking

    @property
    def saved(self) -> float:
        """The share of the width of intervals that the machine saves; 0 if it counts for nothing."""
        return 0.0 if self.ranking.width is None else 1 - self.ranking.width

    @property
    def correlation(self) -> float:
        """Correlation of what people and machine say of a sentence, by what the machine saves; 0 without."""
        ranking = self.ranking
        if not ranking.worth or not ranking.weight or ranking.worth <= ranking.judgments:
            return 0.0
        times = ranking.machine_sentences / ranking.people_sentences
        return correlation_of(ranking.judgments / ranking.worth, times)

    @property
    def helps(self) -> bool:
        """Whether it makes intervals narrower."""
        return bool(self.ranking.weight) and self.saved >= HARDLY


def ranking_with_machine(
    judgments: JudgmentsBesideMachine, parameters: MachineRankingParameters, progress: Progress
) -> MachineRanking:
    """Rank by people and the machine (`ranking.machines.prediction_powered_ranking`).

    Raises:
        SnapshotError: as `ranking.count_pairs`.
    """
    progress.begin("Ranking with the machine")
    ranking = prediction_powered_ranking(
        judgments.snapshot,
        judgments.answers,
        Method(parameters.method),
        by=parameters.by,
        confidence=parameters.confidence,
        seed=parameters.seed,
    )
    weights = WEIGHTED if holds_propensities(judgments.snapshot) else None
    weighted = f"|weights:{weights}" if weights else ""
    return MachineRanking(
        judgments.signature(f"{stated('ranking-with-machine', parameters)}{weighted}"),
        judgments.known_as,
        judgments.model,
        judgments.compared(parameters.by),
        weights,
        ranking,
    )


def what_to_do(ranking: PoweredRanking) -> str:
    """What would let the machine count, where nothing is computed."""
    if ranking.people_sentences < FEWEST_UNITS:
        missing = counted(FEWEST_UNITS - ranking.people_sentences, "more sentence")
        return (
            f"Let people judge {missing} at least, drawn at random from those that the machine judges. "
            "Intervals from fewer would be too narrow."
        )
    if ranking.machine_sentences < FEWEST_OTHERS:
        return (
            "A machine helps by judging sentences that no person judges. Let it answer all items, and people "
            "some of them."
        )
    return "Let the machine judge the items that people judged, too, or choose ExpectedWins."


def nothing(computed: Computed) -> str:
    """Why there is no system to rank, and what to do."""
    result: MachineRanking = computed.result
    if not result.machine:
        return f"{NO_MACHINE}. {LET_ONE_JUDGE}"
    if result.ranking.reason is not None:
        return f"{result.machine} cannot count yet: {result.ranking.reason}. {what_to_do(result.ranking)}"
    return "The page fills with the first judgments of people."


def headline(computed: Computed, naming: Naming) -> str:
    """What the machine does to intervals, and who wins."""
    result: MachineRanking = computed.result
    ranking = result.ranking
    if not result.machine:
        return NO_MACHINE
    if ranking.reason is not None:
        return f"{result.machine} cannot count yet: {ranking.reason}"
    winner = verdict(_standings(ranking), naming.roles, naming.labels)
    if not ranking.weight:
        return f"{winner}; {result.machine} does not help, so people count alone"
    if not result.helps:
        return f"{winner}; {result.machine} hardly helps"
    return f"{winner}; {result.machine} makes intervals {100 * result.saved:.0f} % narrower"


def lead(computed: Computed, naming: Naming) -> str:
    """What was judged, what the machine is worth, and how to read the figure."""
    result: MachineRanking = computed.result
    ranking = result.ranking
    if not result.machine:
        return LET_ONE_JUDGE
    if ranking.reason is not None:
        return what_to_do(ranking)
    judged = (
        f"People judged {counted(ranking.people_sentences, 'sentence')} "
        f"({counted(ranking.judgments, 'judgment')}), {literal(result.machine)} these and "
        f"{ranking.machine_sentences:,} others."
    )
    if not ranking.weight:
        worth = (
            " What it says of people’s sentences does not predict people, so its weight lambda is 0, and the "
            "ranking is that of people."
        )
    else:
        worth = (
            f" Its answers count with the weight lambda = {ranking.weight:.2g}. For intervals as narrow, "
            f"people alone would have to give about {counted(ranking.worth or 0, 'judgment')}: the gain of a "
            f"machine whose answers about a sentence correlate with people’s by {result.correlation:.2f}."
        )
    how = (
        " Filled dots are people with the machine, hollow grey ones people alone. "
        f"{MEANINGS[Method(computed.parameters.method)]} Ranks hold for all systems at once."
    )
    asked = (
        " People were asked about some comparisons more often than about others; each counts by the inverse."
        if result.weights
        else " This holds if people judged a random sample of the sentences."
    )
    return judged + worth + "\n\n" + how.strip() + asked


def _standings(ranking: PoweredRanking) -> Standings:
    """The places of systems with the machine, in the form of other rankings."""
    systems = tuple(
        Standing(
            system=row.system,
            score=row.powered.score,
            score_low=row.powered.low,
            score_high=row.powered.high,
            spread=None,
            rank_low=row.powered.rank_low,
            rank_high=row.powered.rank_high,
            cluster=row.powered.cluster,
            reason=None,
        )
        for row in ranking.systems
        if row.powered is not None
    )
    better = np.empty((0, 0))
    return Standings(ranking.method, Unit.SENTENCE, 0, ranking.confidence, systems, (), better, None)


def _spread(score: RankedScore | None) -> Spread:
    return Spread(None, None, None) if score is None else Spread(score.score, score.low, score.high)


def columns(computed: Computed) -> Sequence[Column]:
    """The columns of the table: with the machine, then by people alone."""

    def ranks(score: RankedScore | None) -> str | None:
        return None if score is None else rank_text(score)

    return (
        System("system", "system", heading="System"),
        Estimated(
            "score",
            "score",
            lambda row: _spread(row.powered),
            heading="With the machine",
            ends=("low", "high"),
            ends_on_paper=("low", "high"),
        ),
        Text("", "Ranks", lambda row: ranks(row.powered), on_paper=False),
        Count("first_rank", "first rank", lambda row: row.powered and row.powered.rank_low, on_page=False),
        Count("last_rank", "last rank", lambda row: row.powered and row.powered.rank_high, on_page=False),
        Count("cluster", "cluster", lambda row: row.powered and row.powered.cluster, heading="Cluster"),
        Estimated(
            "people",
            "people",
            lambda row: _spread(row.people),
            heading="People alone",
            ends_on_paper=("low", "high"),
        ),
        Text("", "Their ranks", lambda row: ranks(row.people), on_paper=False),
        Count("people_first_rank", value=lambda row: row.people and row.people.rank_low),
        Count("people_last_rank", value=lambda row: row.people and row.people.rank_high),
        Count("people_cluster", value=lambda row: row.people and row.people.cluster),
        Number("width", "width", width_of, heading="Width", digits=2),
        Count("worth", "worth", heading="Worth judgments"),
        Text("remark", "Remark", lambda row: row.reason, on_paper=False),
    )


def width_of(row: PoweredStanding) -> float | None:
    """The width of the interval as a share of that by people alone."""
    if row.powered is None or row.people is None or row.people.high <= row.people.low:
        return None
    return (row.powered.high - row.powered.low) / (row.people.high - row.people.low)


def caption(computed: Computed) -> str:
    """The caption of the figure, which names the machine."""
    return f"Scores of systems by people with {computed.result.machine}, and by people alone"


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Two dots for each system, with the machine and without."""
    result: MachineRanking = computed.result
    labels = naming.distinct_labels(row.system for row in result.ranking.systems)
    return machine_ranking_figure(
        [
            DrawnSystem(labels[row.system], row.powered, row.people)
            for row in result.ranking.systems
            if row.powered is not None and row.people is not None
        ],
        method=result.ranking.method,
        title=f"{naming.title}: people with {result.machine}, and people alone",
        score_name=with_interval(computed.parameters.score_name, result.ranking.confidence),
        layout=layout,
    )


def methods(parameters: MachineRankingParameters, result: MachineRanking) -> list[str]:
    """The ranking in sentences for a paper."""
    ranking = result.ranking
    method = Method(parameters.method)
    sentences = [
        f"Systems are ranked by {METHODS[method]}{SOURCES[method]} from "
        f"{ranking.judgments:,} judgments by people of {ranking.people_sentences:,} sentences, and "
        f"{result.answers:,} answers of a machine ({result.model}) about these and "
        f"{ranking.machine_sentences:,} other sentences.",
    ]
    if ranking.reason is not None:
        return [*sentences, f"Nothing is computed, since {ranking.reason}."]
    return [
        *sentences,
        "The machine corrects people’s scores by prediction-powered inference (PPI++, Angelopoulos, Duchi "
        "and Zrnic 2023): scores remain estimates of what people say, whatever the machine says. Sentences "
        f"are the units; lambda is cross-fitted over two halves (seed {parameters.seed}) and is "
        f"{ranking.weight or 0:.3f} on average.",
        f"Intervals at {100 * parameters.confidence:g} % confidence have a mean width of {ranking.width:.3f} "
        f"of that by people alone, for which people would need about {ranking.worth or 0:,} judgments. Ranks "
        "are rank sets that hold for all systems at once (Chatzi et al. 2024), by the studentised range.",
    ]


EXPLANATION = """
The score of a system is that by people, plus lambda times a correction: how far what the machine says of
all sentences is from what it says of the people’s sentences (PPI++, Angelopoulos, Duchi and Zrnic 2023). The
machine may be biased, or favour a system: that cancels out. It shows whether the people’s sentences happened
to be kind to a system.

Lambda is chosen to make the intervals narrow: for each half of the sentences, by the other half. It is 0
where the machine does not predict people, and the ranking is then that of people. Expect little: a realistic
machine saves 5 to 10 % of the width.

This holds if the people’s sentences are a random sample of those of the machine, or if a follow-up campaign
drew them with known probabilities. The machine must not have been tuned on these answers. Sentences are the
units; intervals of people alone are computed in the same way, not by the bootstrap of the page *Ranking*.
Ties are dropped for ExpectedWins, and half a win for Bradley-Terry. A rank set holds for all systems at once.
"""

RANKING_WITH_MACHINE = register(
    Analysis(
        name="ranking-with-machine",
        title="Ranking with a machine",
        group=Group.SYSTEMS,
        question="Who wins if a machine judges further sentences?",
        defined_in="machine-judges.md#rankings-that-count-on-a-machine",
        help="Systems by score from judgments of people and a machine, and how much narrower intervals are.",
        parameters=MachineRankingParameters,
        result=MachineRanking,
        inputs=JudgmentsBesideMachine,
        columns=WEIGHTED_COLUMNS,
        place=6,
        answers=AnswerKind.RATINGS,
        compute=ranking_with_machine,
        resolve=tie_width_resolved,
        tables={
            "systems": Table(
                rows=lambda computed: computed.result.ranking.systems,
                page_rows=lambda computed: (
                    () if computed.result.ranking.reason else computed.result.ranking.systems
                ),
                columns=columns,
                caption="Scores, intervals and ranks by people with the machine, and by people alone",
                comment="Systems, with a machine",
            )
        },
        figures={
            "ranking-with-machine": Figure(
                caption=caption,
                draw=draw,
                has_content=lambda computed: computed.result.ranking.reason is None,
            )
        },
        headline=headline,
        lead=lead,
        methods=methods,
        explanation=EXPLANATION,
        nothing=nothing,
        template="analysis/ranking_with_machine.html",
        fields=("machine", "method", "confidence", "domain", "controls", "excluded"),
    )
)
