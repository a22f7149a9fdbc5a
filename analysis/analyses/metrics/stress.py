"""Metrics under stress, on the corrections of a corpus, for pages and commands."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from analysis.analyses.base import Analysis, Chunks, Group, register, stated
from analysis.analyses.corpus_inputs import NO_PEOPLE, CorpusCorrections
from analysis.analyses.reference_metrics import against
from analysis.analyses.resampling import seed_of_everything
from core.columns import Column, Number, Prose, Text
from core.latex import number
from core.names import Naming
from core.parameters import ParameterError, parameter
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import beginning, briefly, counted, literal, some_of
from figures.drawing import Chart
from figures.metrics.stress import NO_SCALE, stress_figure, stress_height, without_scale
from metrics import EvaluationSet, InputError, MetricError, UnknownMetricError, metric_from_text
from metrics.english.grammar_checkers import CheckerError, HarperChecker
from metrics.english.spacy_pipelines import PipelineError
from metrics.meta_evaluation.stress import PERSON, WORDS, Degenerate, StressCard, disqualifying_faults, stress

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


def tried(result: MetricsUnderStress) -> list[tuple[str, StressCard]]:
    """Label and card of each metric that was tried."""
    return [(each.label, each.card) for each in result.metrics if each.card is not None]


def headline(computed: Computed, naming: Naming) -> str:
    """How many metrics pass, in a sentence."""
    cards = tried(computed.result)
    passing = [label for label, card in cards if not card.findings]
    if not cards:
        return "No metric could be tried"
    if len(cards) == 1:
        passes = "passes" if passing else "does not pass"
        return f"{cards[0][0]} {passes} every check on degenerate outputs"
    if passing and len(passing) < len(cards):
        those = briefly(passing, "passes", "pass")
        return f"Of {len(cards)} metrics, only {those} every check on degenerate outputs"
    those = some_of(len(passing), len(cards), "metric", does="passes", do="pass")
    return f"{beginning(those)} every check on degenerate outputs"


def lead(computed: Computed, naming: Naming) -> str:
    """How people would order the outputs, and what was scored."""
    result: MetricsUnderStress = computed.result
    person = literal(result.person)
    others = counted(result.references, "other")
    compared = (
        f", compared with the corrections of {others}"
        if result.references
        else f"; annotator {person} is the only reference, so metrics compare with these corrections "
        "themselves"
    )
    return (
        f"A reader would put the corrections of annotator {person} first, the unchanged sentences next, and "
        "everything else below. Shaded scores break this order, or give credit without an edit; where they "
        "are bold, too, *Which metric to report* advises against the metric. "
        f"{result.sentences:,} sentences{compared}."
    )


def not_tried(result: MetricsUnderStress) -> list[str]:
    """Which metrics were not tried, and why."""
    return [f"{each.label} was not tried: {each.reason}." for each in result.metrics if each.card is None]


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """How each metric places each degenerate system between no change and a person."""
    return stress_figure(_scores(computed), title=f"{naming.title}: metrics under stress")


def _scores(computed: Computed) -> list[tuple[str, Mapping[str, float | None]]]:
    return [(label, card.scores) for label, card in tried(computed.result)]


def how_to_read(computed: Computed, naming: Naming) -> str:
    """What the symbols say about a metric."""
    turned = (
        f" *{NO_SCALE}*: the metric scores a person’s corrections no higher than the unchanged sentences, "
        "so it has no such scale."
        if without_scale(_scores(computed))
        else ""
    )
    return (
        "Symbols on the first dashed line or right of it are outputs that the metric scores as high as no "
        f"change, or higher. Scores beyond the ends of the axis are drawn there.{turned}"
    )


class Fault(StrEnum):
    """What a score says about a metric, with the words that pages show where the pointer is."""

    NONE = ""
    SMALL = "a fault that changes no winner"
    LARGE = "a fault for which the metric should not be reported"


SHADES = {Fault.NONE: "number", Fault.SMALL: "number small-fault", Fault.LARGE: "number large-fault"}


class StressScore(NamedTuple):
    """Attributes: score: of a kind of output by a metric; fault: of the metric, if the score shows one."""

    score: float
    fault: Fault


class Placed(Column):
    """A score, whose cell is shaded if it shows a fault."""

    css = "number"

    def css_of(self, value: StressScore) -> str:
        """Shaded or not."""
        return SHADES[value.fault]

    def hint_of(self, row: object) -> str:
        """The meaning of the shade."""
        value = self.of(row)
        return "" if value is None else str(value.fault)

    def text(self, value: StressScore, naming: Naming) -> str:
        """Rounded."""
        return f"{value.score:.3f}"

    def paper(self, value: StressScore, naming: Naming) -> str:
        """Rounded, with a true minus sign."""
        return number(value.score, 3)


def _placed(card: StressCard, system: str) -> StressScore | None:
    score = card.scores[system]
    if score is None:
        return None
    if system in disqualifying_faults(card):
        return StressScore(score, Fault.LARGE)
    is_named = any(finding.system == system for finding in card.findings)
    return StressScore(score, Fault.SMALL if is_named else Fault.NONE)


class Row(NamedTuple):
    """A row of the CSV.

    Attributes:
        metric: as written.
        system: kind of outputs; None if the metric was not tried.
        score: None if there is none.
        findings: the rules that name it, or why the metric was not tried; None if no rule does.
    """

    metric: str
    system: str | None
    score: float | None
    findings: str | None


def _scores_of_systems(computed: Computed) -> Iterator[Row]:
    for each in computed.result.metrics:
        if each.card is None:
            yield Row(each.name, None, None, each.reason)
            continue
        for system, score in each.card.scores.items():
            rules = [finding.rule for finding in each.card.findings if finding.system == system]
            yield Row(each.name, system, score, " ".join(rules) or None)


SCORES = Table(
    rows=lambda computed: (PERSON, *Degenerate) if tried(computed.result) else (),
    columns=lambda computed: (
        Text("", "Outputs", lambda system: WORDS[system].capitalize(), on_paper=False),
        Text("", "Outputs", lambda system: WORDS[system], on_page=False),
        *(Placed("", label, partial(_placed, card)) for label, card in tried(computed.result)),
    ),
    caption="Score of each kind of output by each metric",
    long=Table(
        rows=_scores_of_systems,
        columns=(Text("metric"), Text("system"), Number("score"), Text("findings")),
        caption="Scores and findings",
    ),
    note=lambda computed, naming: "\n\n".join(map(literal, not_tried(computed.result))),
)


def _may_be_reported(card: StressCard) -> str:
    """Whether faults speak against the metric, as *Which metric to report* says."""
    if disqualifying_faults(card):
        return "failed"
    return f"passed: {'smaller faults only' if card.findings else 'no fault'}"


FAULTS = Table(
    rows=lambda computed: [
        (
            label,
            " ".join(finding.text for finding in card.findings)
            or "None: every kind of output is where people would put it.",
            _may_be_reported(card),
        )
        for label, card in tried(computed.result)
    ],
    columns=(
        Text("", "Metric", itemgetter(0)),
        Prose("", "Faults", itemgetter(1)),
        Prose("", "Under stress", itemgetter(2)),
    ),
    caption="Faults of each metric",
    in_files=False,
)

EXPLANATION = """
The outputs are made from the sentences and these corrections; random choices depend on the seed. A metric is
at fault if it scores no change as high as a person, if it scores outputs that nobody would prefer as high as
no change or higher, or, for metrics of edits, if it gives a score or a precision above 0 without any edit.
A fault is large, and *Which metric to report* advises against the metric, if it does not score a person's
corrections above no change, if it scores over-edited corrections as high as these, or another degenerate
output a tenth of the way up from no change to these. Smaller faults change no winner.
"""

STRESS = register(
    Analysis(
        name="stress",
        title="Metrics under stress",
        group=Group.METRICS,
        question="Which metrics reward bad outputs?",
        defined_in="metrics.md#under-stress",
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
        tables={"stress": SCORES, "faults": FAULTS},
        figures={
            "stress": Figure(
                caption="Score of each kind of output by each metric, between no change and a person",
                draw=draw,
                has_content=lambda computed: bool(tried(computed.result)),
                height=lambda computed, layout: stress_height(_scores(computed)),
                note=how_to_read,
            )
        },
        headline=headline,
        lead=lead,
        sections=(Section(title="Faults of each metric", tables=("faults",), is_folded=True),),
        explanation=EXPLANATION,
        nothing=lambda computed: " ".join(["No metric could be tried.", *not_tried(computed.result)]),
        fields=("metric", "sentences"),
        at_once=False,
        fewest_references=1,
    )
)
