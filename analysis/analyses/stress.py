"""Metrics under stress, on the corrections of a corpus, for pages and commands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.analyses.base import Analysis, Chunks, Table, register, stated
from analysis.analyses.conservatism import NO_PEOPLE
from analysis.analyses.inputs import CorpusCorrections
from analysis.analyses.metrics_people_parameters import seed_of_everything
from analysis.analyses.reference_metrics import against
from core.parameters import ParameterError, parameter
from metrics import EvaluationSet, InputError, MetricError, UnknownMetricError, metric_from_text
from metrics.checkers import CheckerError, HarperChecker
from metrics.english_pipeline import PipelineError
from metrics.validation.stress import StressCard, stress

METRICS = "gleu,errant,m2,imeasure,cleme2,sari,chrf,bleu,ibleu,green,grammaticality"

SYSTEMS = 8
"""The person and the degenerate systems."""


@dataclass(frozen=True, slots=True)
class StressParameters:
    """The metrics to try, and the sentences. Attributes: see the help of each."""

    metric: str = parameter(METRICS, label="Metrics", help="Metrics, separated by commas.")
    sentences: int = parameter(
        300, label="Sentences up to", help="Only the first ones are used.", minimum=2, maximum=10_000
    )
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


def _try(
    prepared: Prepared, parameters: StressParameters, number: int, advance: Callable[[int], None]
) -> TriedMetric:
    """The metric of this number under stress."""
    name, metric = parameters.metrics[number], prepared.metrics[number]
    try:
        card = stress(metric, prepared.data, prepared.corrections, parameters.seed, advance)
    except (InputError, MetricError, PipelineError, CheckerError) as error:
        return TriedMetric(name, metric.label, None, str(error))
    return TriedMetric(name, metric.label, card, "")


def _combine(
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


def scores_of(result: MetricsUnderStress) -> Mapping[str, Sequence[float | None]]:
    """By system, its score by each metric that was tried."""
    cards = [tried.card for tried in result.metrics if tried.card is not None]
    return {system: [card.scores[system] for card in cards] for system in (cards[0].scores if cards else ())}


def _tables(result: MetricsUnderStress) -> tuple[Table, ...]:
    tried = [each for each in result.metrics if each.card is not None]
    findings = [(each.label, finding.text) for each in tried if each.card for finding in each.card.findings]
    return (
        Table(
            f"Scores on {result.sentences} sentences",
            ("", *(each.label for each in tried)),
            tuple((system, *scores) for system, scores in scores_of(result).items()),
        ),
        Table("Findings", ("Metric", ""), tuple(findings)),
    )


STRESS = register(
    Analysis(
        name="stress",
        title="Metrics under stress",
        help="Metrics that reward degenerate outputs, such as empty, shuffled or over-edited ones.",
        parameters=StressParameters,
        result=MetricsUnderStress,
        inputs=CorpusCorrections,
        chunks=Chunks(
            sizes=lambda parameters: [SYSTEMS * parameters.sentences for _ in parameters.metrics],
            prepare=Prepared,
            part=TriedMetric,
            compute=_try,
            combine=_combine,
        ),
        tables=_tables,
        at_once=False,
    )
)
