"""Systems beside people, scored against the same references (Choshen and Abend 2018).

"Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and Text Simplification",
section 2.3: metrics with few references score systems as high as people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.analyses.base import Analysis, Table, register, stated
from analysis.analyses.conservatism import COMPETITORS, NO_PEOPLE, NO_SYSTEMS
from analysis.analyses.inputs import CorpusCorrections
from analysis.analyses.metrics_people_parameters import (
    confidence_of_intervals,
    replicates_of_intervals,
    seed_of_everything,
)
from analysis.analyses.reference_metrics import against, reference_metric
from core.parameters import ParameterError, parameter
from core.progress import Progress
from metrics import InputError, Metric, MetricError, score
from metrics.base import FloatArray
from metrics.english_pipeline import PipelineError
from metrics.resampling import bootstrap_scores
from metrics.validation import Estimate
from metrics.validation.estimates import estimated

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
        above: number of people whose score against the same references is lower.
    """

    name: str
    score: Estimate
    above: int


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
    systems = {
        name: outputs for name, outputs in texts.systems.items() if texts.roles.get(name, "") in COMPETITORS
    }
    if not texts.people:
        raise ParameterError(NO_PEOPLE)
    if not systems:
        raise ParameterError(NO_SYSTEMS)
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
                        int((of_people < values[:, place]).sum()),
                    )
                    for place, name in enumerate(systems)
                ),
                key=lambda each: -(each.score.value or 0.0),
            )
        ),
    )


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
    drawn = np.empty((parameters.replicates, *values.shape))
    signature = ""
    sources = [texts.sources[place] for place in there]
    for number, (held_out, corrections) in enumerate(texts.people.items()):
        others = {name: _there(each, there) for name, each in texts.people.items() if name != held_out}
        data = against(others, sources, texts.parser)
        outputs = {name: _there(each, there) for name, each in systems.items()}
        outputs[HELD_OUT] = _there(corrections, there)
        try:
            scored = score(metric, data, outputs, progress=progress.advance)
        except (InputError, MetricError, PipelineError) as error:
            raise ParameterError(str(error)) from error
        signature = scored.signature
        scores = [scored.corpus(name).value for name in outputs]
        values[number] = [np.nan if value is None else value for value in scores]
        drawn[:, number] = bootstrap_scores(
            scored, list(outputs), range(parameters.replicates), parameters.seed
        )
    return values, drawn, signature


def _there(outputs: Sequence[str | None], there: Sequence[int]) -> list[str]:
    return [outputs[place] or "" for place in there]


def _tables(result: HumanPerformance) -> tuple[Table, ...]:
    people = [(f"{each.name} (person)", each.score, None) for each in result.people]
    systems = [(each.name, each.score, each.above) for each in result.systems]
    rows = sorted([*people, *systems], key=lambda row: -(row[1].value or 0.0))
    mean = result.mean
    return (
        Table(
            f"Scores against {result.references} of the references",
            ("", "Score", "from", "to", "Higher than people"),
            (
                *((name, each.value, each.low, each.high, above) for name, each, above in rows),
                ("people, mean", mean.value, mean.low, mean.high, None),
            ),
        ),
    )


HUMAN_PERFORMANCE = register(
    Analysis(
        name="human-performance",
        title="Systems beside people",
        help="How systems score against the references that also score people, each held out in turn.",
        parameters=HumanPerformanceParameters,
        result=HumanPerformance,
        inputs=CorpusCorrections,
        compute=human_performance,
        tables=_tables,
        at_once=False,
        fewest_references=FEWEST_PEOPLE,
    )
)
