"""Systems beside people, scored against the same references (Choshen and Abend 2018).

"Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and Text Simplification",
section 2.3: metrics with few references score systems as high as people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.corpus_inputs import CorpusCorrections
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.reference_metrics import against, reference_metric
from analysis.analyses.resampling import confidence_of_intervals, replicates_of_intervals, seed_of_everything
from core.arrays import FloatArray
from core.columns import Corrector, Count, Estimated, System, Text
from core.names import Naming
from core.parameters import ParameterError, parameter
from core.progress import Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import literal, some_of, with_interval
from figures.drawing import Chart
from figures.references.human_performance import DrawnScorer, scorers_figure
from metrics import Metric, score
from metrics.base.resampling import bootstrap_scores, replicates_of
from metrics.meta_evaluation import Estimate
from metrics.meta_evaluation.estimates import estimated

FEWEST_PEOPLE = 2
HELD_OUT = "held-out person"


@dataclass(frozen=True, slots=True)
class HumanPerformanceParameters:
    """Parameters of systems beside people. Attributes: see the help of each."""

    metric: str = parameter("gleu", label="Metric", help="Metric, such as gleu, m2 or errant.")
    confidence: float = confidence_of_intervals()
    replicates: int = replicates_of_intervals(200, maximum=10_000)
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True)
class ScoredSystem:
    """A system beside people.

    Attributes:
        name: of the system.
        score: mean over the sets of references.
        above: number of people whose score against the same references is clearly lower: the interval of
            the difference excludes 0.
        below: number of people whose score is clearly higher.
        differences: by person, the system's score less theirs against the same references. Results that were
            stored without them have none.
    """

    name: str
    score: Estimate
    above: int
    below: int
    differences: Mapping[str, Estimate] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoredPerson:
    """A person, scored against all others.

    Attributes:
        name: of the annotator.
        score: against the corrections of the others.
    """

    name: str
    score: Estimate


@dataclass(frozen=True, slots=True)
class HumanPerformance:
    """The result.

    Attributes:
        signature: what was computed, of which texts; equal signatures mean equal numbers.
        metric: signature of the metric.
        references: number of references in each set, one less than there are people.
        sentences: number of sentences that everybody corrected.
        mean: mean score of people, each against all others: the expected score of a perfect corrector.
        people: by descending score.
        systems: by descending score.
    """

    signature: str
    metric: str
    references: int
    sentences: int
    mean: Estimate
    people: tuple[ScoredPerson, ...]
    systems: tuple[ScoredSystem, ...]


def human_performance(
    texts: CorpusCorrections, parameters: HumanPerformanceParameters, progress: Progress
) -> HumanPerformance:
    """Score each person, and all systems, against the corrections of all other people.

    Raises:
        ParameterError: there are no systems, fewer than two people, no sentence that everybody corrected, or
            the metric cannot be used.
    """
    systems = texts.competing()
    if len(texts.people) < FEWEST_PEOPLE:
        raise ParameterError("there is one reference; scoring a person against others needs at least two")
    everyone = [*systems.values(), *texts.people.values()]
    there = [
        place
        for place in range(len(texts.sources))
        if all(outputs[place] is not None for outputs in everyone)
    ]
    if not there:
        raise ParameterError("there is no sentence that all systems and people corrected")
    metric = reference_metric(parameters.metric, texts.parser)
    progress.begin("Scoring", total=len(texts.people) * (len(systems) + 1) * len(there))
    values, drawn, signature = _scores(texts, systems, there, metric, parameters, progress)
    people, of_people = list(texts.people), values[:, -1]

    def estimate(value: float, replicates: FloatArray) -> Estimate:
        if np.isnan(value):
            return Estimate(None, None, None, "the metric scores no sentence")
        return estimated(float(value), replicates, parameters.confidence)

    return HumanPerformance(
        signature=texts.signature(stated("human-performance", parameters)),
        metric=signature,
        references=len(people) - 1,
        sentences=len(there),
        mean=estimate(of_people.mean(), drawn[:, :, -1].mean(axis=1)),
        people=tuple(
            sorted(
                (
                    ScoredPerson(name, estimate(of_people[place], drawn[:, place, -1]))
                    for place, name in enumerate(people)
                ),
                key=lambda each: -(each.score.value or 0.0),
            )
        ),
        systems=tuple(
            sorted(
                (
                    ScoredSystem(
                        name,
                        estimate(values[:, place].mean(), drawn[:, :, place].mean(axis=1)),
                        above=signs.count(1),
                        below=signs.count(-1),
                        differences=differences,
                    )
                    for place, name in enumerate(systems)
                    for differences in [
                        {
                            person: estimate(
                                values[number, place] - values[number, -1],
                                drawn[:, number, place] - drawn[:, number, -1],
                            )
                            for number, person in enumerate(people)
                        }
                    ]
                    for signs in [[sign_of(each) for each in differences.values()]]
                ),
                key=lambda each: -(each.score.value or 0.0),
            )
        ),
    )


def sign_of(difference: Estimate) -> int:
    """1 or -1 if the interval of a difference is above or below 0, else 0."""
    if difference.low is None or difference.high is None:
        return 0
    return int(difference.low > 0) - int(difference.high < 0)


def _scores(
    texts: CorpusCorrections,
    systems: Mapping[str, Sequence[str | None]],
    there: Sequence[int],
    metric: Metric[object],
    parameters: HumanPerformanceParameters,
    progress: Progress,
) -> tuple[FloatArray, FloatArray, str]:
    """Scores by person held out: of the systems, and last of that person.

    Returns:
        Shape (people, systems + 1); the same of resamples, (replicates, people, systems + 1), in which all
        sets of references have the same sentences; and the signature of the metric.
    """
    values = np.empty((len(texts.people), len(systems) + 1))
    replicates = replicates_of(len(there), parameters.replicates)
    drawn = np.empty((replicates, *values.shape))
    signature = ""
    sources = [texts.sources[place] for place in there]
    for number, (held_out, corrections) in enumerate(texts.people.items()):
        others = {name: _there(each, there) for name, each in texts.people.items() if name != held_out}
        data = against(others, sources, texts.parser)
        outputs = {name: _there(each, there) for name, each in systems.items()}
        outputs[HELD_OUT] = _there(corrections, there)
        scored = score(metric, data, outputs, progress=progress.advance)
        signature = scored.signature
        scores = [scored.corpus(name).value for name in outputs]
        values[number] = [np.nan if value is None else value for value in scores]
        drawn[:, number] = bootstrap_scores(scored, list(outputs), range(replicates), parameters.seed)
    return values, drawn, signature


def _there(outputs: Sequence[str | None], there: Sequence[int]) -> list[str]:
    return [outputs[place] or "" for place in there]


class Row(NamedTuple):
    """A row of the table.

    Attributes:
        corrector: name, and whether it is a person.
        score: of the corrector.
        above: number of people that a system is above; None for a person.
        below: number of people that it is below.
    """

    corrector: tuple[str, bool]
    score: Estimate
    above: int | None
    below: int | None


def by_score(computed: Computed) -> list[Row]:
    """Everybody, by descending score."""
    people = [Row((each.name, True), each.score, None, None) for each in computed.result.people]
    systems = [
        Row((each.name, False), each.score, each.above, each.below) for each in computed.result.systems
    ]
    return sorted([*people, *systems], key=lambda row: -(row.score.value or 0.0))


def headline(computed: Computed, naming: Naming) -> str:
    """How the best system stands among people."""
    systems, people = computed.result.systems, len(computed.result.people)
    best = _best(computed)
    by = f"By {title_of_metric(computed.parameters.metric)}"
    if all(each.below == people for each in systems):
        everyone = some_of(people, people, "person", plural="people")
        return f"{by}, every system scores clearly below {everyone}"
    if all(each.low is None for system in systems for each in system.differences.values()):
        return f"{by}, nothing tells yet whether systems score as high as people"
    if best.above == 0:
        return f"{by}, no system scores clearly above a person"
    those = some_of(best.above, people, "person", plural="people")
    return f"{by}, {naming.label(best.name)} scores clearly above {those}"


def _best(computed: Computed) -> ScoredSystem:
    """The system above most people, of several that of the highest score."""
    systems: Sequence[ScoredSystem] = computed.result.systems
    return max(systems, key=attrgetter("above"))


def lead(computed: Computed, naming: Naming) -> str:
    """The references of the comparison, and the score that a perfect corrector can expect."""
    result: HumanPerformance = computed.result
    others = "the other annotator" if result.references == 1 else f"the {result.references:,} others"
    mean = result.mean
    expected = "" if mean.value is None else f", **{mean.value:.3f}**"
    interval = "" if mean.low is None else f" ({mean.low:.3f} to {mean.high:.3f})"
    return (
        f"Each person is held out in turn and scored against {others}; systems are scored against the "
        "same references. Someone who corrects as people do can expect the people’s "
        f"mean{expected}{interval}."
    )


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Systems and people by score."""
    drawn = [
        DrawnScorer(naming.corrector(name, is_person=is_person), is_person, score)
        for (name, is_person), score, *_ in by_score(computed)
    ]
    title = f"{naming.title}: systems beside people, {computed.result.references} references"
    return scorers_figure(drawn, title=title)


def _differ(computed: Computed) -> bool:
    """Whether systems differ in how many people they are clearly above or below."""
    return len({(each.above, each.below) for each in computed.result.systems}) > 1


def _columns_in_words(computed: Computed) -> str:
    if not _differ(computed):
        return ""
    return " *People above it*, *below it*: how many score clearly higher or lower."


SCORES = Table(
    rows=by_score,
    columns=lambda computed: (
        Corrector("corrector", "Corrector"),
        Estimated(
            "score",
            "Score",
            ends=("low", "high"),
            ends_on_paper=("from", "to"),
            drawn=with_interval("Score", computed.parameters.confidence),
            is_hollow=lambda row: row.corrector[1],
            even=computed.result.mean.value,
        ),
        Count("", "People above it", attrgetter("below"), on_paper=False, on_page=_differ(computed)),
        Count(
            "above_people", "People below it", attrgetter("above"), on_paper=False, on_page=_differ(computed)
        ),
    ),
    caption="Systems and people by score",
    remark=lambda computed: computed.result.metric,
    note=lambda computed, naming: (
        f"{computed.result.sentences:,} sentences that everybody corrected. Hollow: people. Dashed: their "
        f"mean.{_columns_in_words(computed)}"
    ),
)


class Person(Text):
    """A person by name."""

    css = "unbroken"

    def text(self, value: str, naming: Naming) -> str:
        """The name, which may be only a number."""
        return naming.corrector(value, is_person=True)


class Difference(NamedTuple):
    """A system's score less that of a person. Attributes: system; person; difference."""

    system: str
    person: str
    difference: Estimate


def _differences(computed: Computed) -> list[Difference]:
    """The differences of each system from each person, in the order of the scores."""
    people = [each.name for each in computed.result.people]
    return [
        Difference(each.name, person, each.differences[person])
        for each in computed.result.systems
        for person in people
        if person in each.differences
    ]


DIFFERENCES = Table(
    rows=_differences,
    page_rows=lambda computed: [row for row in _differences(computed) if row.system == _best(computed).name],
    columns=lambda computed: (
        System("system", "System", on_page=False),
        Person("person", "Person", heading="Less the score of"),
        Estimated(
            "difference",
            "Difference",
            ends=("low", "high"),
            ends_on_paper=("from", "to"),
            drawn=with_interval("Difference", computed.parameters.confidence),
            even=0.0,
        ),
    ),
    caption="Differences from each person",
    remark=lambda computed: computed.result.metric,
)


def about_differences(computed: Computed, naming: Naming) -> str:
    """Whose score is compared, and when a difference is clear."""
    best = literal(naming.label(_best(computed).name))
    return (
        f"The score of {best} less that of each person, both against the references that this person did not "
        "write, so not the mean over all of these as above. It is *clearly* higher or lower where the "
        "interval excludes 0, without correction for their number. Files have all systems."
    )


def explanation(computed: Computed) -> str:
    """How scores, intervals and references are made."""
    return (
        "A system’s score is its mean over all sets of references. Intervals are over resampled sentences. "
        "References are texts here: metrics of edits get the word edits with the fewest changes, or ERRANT’s "
        "(Choshen and Abend 2018, section 2.3; Bryant and Ng 2015). Metric "
        f"`{computed.result.metric}`."
    )


HUMAN_PERFORMANCE = register(
    Analysis(
        name="human-performance",
        title="Systems beside people",
        group=Group.SYSTEMS,
        question="Do systems score as high as people?",
        defined_in="coverage.md",
        help="How systems score against the references that also score people, each held out in turn.",
        parameters=HumanPerformanceParameters,
        result=HumanPerformance,
        inputs=CorpusCorrections,
        compute=human_performance,
        tables={"human-performance": SCORES, "differences": DIFFERENCES},
        figures={
            "human-performance": Figure(
                caption="Systems and people by score",
                draw=draw,
                has_content=lambda computed: True,
                of_table="human-performance",
            )
        },
        headline=headline,
        lead=lead,
        sections=(
            Section(title="Differences from each person", text=about_differences, tables=("differences",)),
        ),
        explanation=explanation,
        fields=("metric", "confidence"),
        tabs="coverage",
        label="Systems beside people",
        place=2,
        at_once=False,
        fewest_references=FEWEST_PEOPLE,
    )
)
