"""Metrics tried on degenerate outputs: parameters, result, computation in parts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from analysis.analyses.base import stated
from analysis.analyses.corpus_inputs import NO_PEOPLE, CorpusCorrections
from analysis.analyses.reference_metrics import against
from analysis.analyses.resampling import confidence_of_intervals, replicates_of_intervals, seed_of_everything
from core.parameters import ParameterError, parameter
from metrics import EvaluationSet, InputError, MetricError, UnknownMetricError, metric_from_text
from metrics.english.grammar_checkers import CheckerError, HarperChecker
from metrics.english.spacy_pipelines import PipelineError
from metrics.meta_evaluation.stress import StressCard, stress
from metrics.untrained import SHIPPED

METRICS = ",".join(SHIPPED)

SYSTEMS = 8
"""The person and the degenerate systems."""


@dataclass(frozen=True, slots=True)
class StressParameters:
    """The metrics to try, and the sentences. Attributes: see the help of each."""

    metric: str = parameter(METRICS, label="Metrics", help="Metrics, separated by commas.")
    sentences: int = parameter(
        300, label="Sentences up to", help="Only the first ones are used.", minimum=2, maximum=10_000
    )
    confidence: float = confidence_of_intervals()
    replicates: int = replicates_of_intervals(minimum=100, maximum=10_000)
    seed: int = seed_of_everything()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics, each once."""
        return tuple(dict.fromkeys(name for each in self.metric.split(",") if (name := each.strip())))


@dataclass(frozen=True, slots=True)
class TriedMetric:
    """A metric under stress, or why it was not tried.

    Attributes:
        name: as written.
        label: as shown.
        card: None where it was not tried.
        reason: why it was not, in words; empty where it was.
    """

    name: str
    label: str
    card: StressCard | None
    reason: str


@dataclass(frozen=True, slots=True)
class MetricsUnderStress:
    """Result of the analysis.

    Attributes:
        signature: what was computed, of which texts; equal signatures mean equal numbers.
        sentences: how many were scored.
        person: whose corrections stand at the top.
        references: how many others' corrections metrics compare with; 0 where they are the same person's.
        metrics: in the order named.
    """

    signature: str
    sentences: int
    person: str
    references: int
    metrics: tuple[TriedMetric, ...]


class Prepared:
    """The sentences that a person and at least one other corrected, ready to be scored."""

    def __init__(self, texts: CorpusCorrections, parameters: StressParameters) -> None:
        """Raises `ParameterError` where there are no references or no metrics, or one is unknown."""
        if not texts.people:
            raise ParameterError(NO_PEOPLE)
        try:
            self.metrics = [metric_from_text(name) for name in parameters.metrics]
        except (UnknownMetricError, ParameterError) as error:
            raise ParameterError(faults={"metric": str(error)}) from error
        if not self.metrics:
            raise ParameterError(faults={"metric": "name at least one metric"})
        self.person, *others = texts.people
        self.references = len(others)
        compared = others or [self.person]
        corrected = texts.people[self.person]
        places = [
            place
            for place, correction in enumerate(corrected)
            if correction and any(texts.people[name][place] for name in compared)
        ][: parameters.sentences]
        if not places:
            raise ParameterError(f"no sentence was corrected by {self.person} and somebody else")
        self.corrections = [corrected[place] or "" for place in places]
        self.data: EvaluationSet = replace(
            against(
                {name: [texts.people[name][place] for place in places] for name in compared},
                [texts.sources[place] for place in places],
                texts.parser,
            ),
            checker=None if texts.parser is None else HarperChecker(),
        )


def tried_metric(
    prepared: Prepared, parameters: StressParameters, number: int, advance: Callable[[int], None]
) -> TriedMetric:
    """The metric of this number under stress."""
    name, metric = parameters.metrics[number], prepared.metrics[number]
    try:
        card = stress(
            metric,
            prepared.data,
            prepared.corrections,
            parameters.seed,
            advance,
            replicates=parameters.replicates,
            confidence=parameters.confidence,
        )
    except (InputError, MetricError, PipelineError, CheckerError) as error:
        return TriedMetric(name, metric.label, None, str(error))
    return TriedMetric(name, metric.label, card, "")


def combined(
    texts: CorpusCorrections,
    prepared: Prepared,
    parameters: StressParameters,
    parts: Sequence[TriedMetric],
) -> MetricsUnderStress:
    return MetricsUnderStress(
        signature=texts.signature(stated("stress", parameters)),
        sentences=len(prepared.corrections),
        person=prepared.person,
        references=prepared.references,
        metrics=tuple(parts),
    )
