"""What pages say and draw of metrics under stress, on the corrections of a corpus."""

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from analysis.analyses.base import Analysis, Chunks, Group, register
from analysis.analyses.corpus_inputs import CorpusCorrections
from analysis.analyses.metrics.trying_metrics import (
    METRICS,
    SYSTEMS,
    MetricsUnderStress,
    Prepared,
    StressParameters,
    TriedMetric,
    combined,
    tried_metric,
)
from core.columns import Column, Estimated, Number, Prose, Text
from core.latex import number
from core.names import Naming
from core.results import Computed, Section
from core.tables import Table
from core.wording import beginning, briefly, counted, listed, literal, percent, some_of
from metrics.meta_evaluation.estimates import Estimate
from metrics.meta_evaluation.stress import (
    PERSON,
    TOLERATED,
    WORDS,
    Degenerate,
    StressCard,
    disqualifying_faults,
    has_unsure_faults,
    is_unsure_fault,
)


class Verdict(StrEnum):
    """What a metric does under stress, in words for tables; the best first."""

    CLEAR = "passes clearly"
    UNSURE = "passes, perhaps by chance"
    SMALL_UNSURE = "perhaps small faults"
    SMALL = "small faults only"
    LARGE_UNSURE = "perhaps a large fault"
    LARGE = "large fault"


def verdict_on(card: StressCard) -> Verdict:
    """The verdict on a metric; it has perhaps a fault if all faults are in unsure scores."""
    is_unsure = has_unsure_faults(card)
    if disqualifying_faults(card):
        return Verdict.LARGE_UNSURE if is_unsure else Verdict.LARGE
    if card.findings:
        return Verdict.SMALL_UNSURE if is_unsure else Verdict.SMALL
    return Verdict.CLEAR if card.is_clear else Verdict.UNSURE


def tried(result: MetricsUnderStress) -> list[tuple[str, StressCard]]:
    """Label and card of each metric that was tried, those that pass first."""
    cards = [(each.label, each.card) for each in result.metrics if each.card is not None]
    return sorted(cards, key=lambda item: [*Verdict].index(verdict_on(item[1])))


def headline(computed: Computed, naming: Naming) -> str:
    """How many metrics pass beyond chance, in a sentence."""
    cards = tried(computed.result)
    passing = [label for label, card in cards if verdict_on(card) is Verdict.CLEAR]
    if not cards:
        return "No metric could be tried"
    if len(cards) == 1:
        [(label, card)] = cards
        passes = {Verdict.CLEAR: "clearly withstands", Verdict.UNSURE: "perhaps withstands"}
        does = passes.get(verdict_on(card), "does not withstand")
        return f"{label} {does} every kind of degenerate output"
    if passing and len(passing) < len(cards):
        those = briefly(passing, "clearly withstands", "clearly withstand")
        return f"Of {len(cards)} metrics, only {those} every kind of degenerate output"
    those = some_of(len(passing), len(cards), "metric", does="clearly withstands", do="clearly withstand")
    return f"{beginning(those)} every kind of degenerate output"


def lead(computed: Computed, naming: Naming) -> str:
    """How people would order the outputs, and when a metric passes."""
    return (
        f"Order expected: the corrections of annotator {literal(computed.result.person)} > the unchanged "
        "sentences > everything else. A metric that keeps this order passes, *clearly* if the "
        f"{percent(computed.parameters.confidence)} intervals of all differences from the unchanged "
        "sentences leave out 0. Whether it agrees with people is another question."
    )


def not_tried(result: MetricsUnderStress) -> list[str]:
    """Which metrics were not tried, and why."""
    return [f"{each.label} was not tried: {each.reason}." for each in result.metrics if each.card is None]


class Fault(StrEnum):
    """What a score says about a metric, with the words that pages show where the pointer is."""

    NONE = ""
    SMALL = "a small fault"
    LARGE = "a large fault, for which the metric should not be reported"


SHADES = {Fault.NONE: "number", Fault.SMALL: "number small-fault", Fault.LARGE: "number large-fault"}


class StressScore(NamedTuple):
    """A score of a kind of output by a metric.

    Attributes:
        score: the score.
        fault: of the metric, if the score shows one.
        why: the rules that the score breaks, in sentences.
        is_unsure: whether other sentences may show no large fault, or put it on the other side of the
            unchanged ones.
    """

    score: float
    fault: Fault
    why: str
    is_unsure: bool


class Placed(Column):
    """A score, whose cell is shaded if it shows a fault."""

    css = "number"

    def css_of(self, value: StressScore) -> str:
        """Shaded or not."""
        return SHADES[value.fault]

    def hint_of(self, row: object) -> str:
        """The meaning of the shade, and why it is there."""
        value = self.of(row)
        return "" if value is None or not value.fault else f"{value.fault}: {value.why}"

    def text(self, value: StressScore, naming: Naming) -> str:
        """Rounded, with a question mark if it is unsure."""
        return f"{value.score:.3f}{' ?' if value.is_unsure else ''}"

    def paper(self, value: StressScore, naming: Naming) -> str:
        """Rounded, with a true minus sign."""
        return number(value.score, 3)


Tried = tuple[str, StressCard]
"""A metric that was tried: its label and its card."""


def _placed(row: Tried, system: str) -> StressScore | None:
    card = row[1]
    score = card.scores[system]
    if score is None:
        return None
    why = " ".join(finding.text for finding in card.findings if finding.system == system)
    if system in disqualifying_faults(card):
        return StressScore(score, Fault.LARGE, why, is_unsure_fault(card, system))
    return StressScore(score, Fault.SMALL if why else Fault.NONE, why, system in card.unsure)


MOST_NAMED = 3
"""Faults that a verdict names; of more, it says how many."""


def _named_faults(row: Tried) -> str:
    """The outputs that show the faults for which a metric has its verdict, in words."""
    card = row[1]
    large = disqualifying_faults(card)
    found = [*large] or [*dict.fromkeys(each.system for each in card.findings)]
    if len(found) > MOST_NAMED:
        number = "all" if len(found) == len(Degenerate) else f"{len(found)} of"
        return f"in {number} {len(Degenerate)} kinds of outputs"
    no_change = "no change scores as high as a person" if large else "credit without an edit"
    words = {**WORDS, Degenerate.UNCHANGED: no_change}
    return listed([words[system] for system in found])


class Row(NamedTuple):
    """A row of the CSV.

    Attributes:
        metric: as written.
        system: kind of outputs; None if the metric was not tried.
        score: None if there is none.
        difference: from the score of the unchanged sentences, with its interval.
        findings: the rules that name it, or why the metric was not tried; None if no rule does.
    """

    metric: str
    system: str | None
    score: float | None
    difference: Estimate | None
    findings: str | None


def _scores_of_systems(computed: Computed) -> Iterator[Row]:
    for each in computed.result.metrics:
        if each.card is None:
            yield Row(each.name, None, None, None, each.reason)
            continue
        for system, score in each.card.scores.items():
            rules = [finding.rule for finding in each.card.findings if finding.system == system]
            yield Row(each.name, system, score, each.card.differences.get(system), " ".join(rules) or None)


def about_scores(computed: Computed, naming: Naming) -> str:
    """The meaning of shades and question marks, and which metrics were not tried."""
    marks = (
        "Bold: a *large fault*: the unchanged sentences score as high as the person, or an output gains at "
        f"least {percent(TOLERATED)} of what the person gains over them (over-edited corrections: all of "
        "it). *Which metric to report* advises against such a metric. Shaded alone: a *small fault*: another "
        "output scores as high as the unchanged sentences, or a metric of edits gives credit without an "
        "edit.\n\n"
        "?: the interval of the difference from the unchanged sentences includes 0, or that of a large fault "
        "from what is allowed; if all such scores of a metric have it, its fault is there *perhaps*."
    )
    return "\n\n".join([marks, *map(literal, not_tried(computed.result))])


SCORES = Table(
    rows=lambda computed: tried(computed.result),
    columns=(
        Text("", "Metric", itemgetter(0)),
        Prose("", "Under stress", lambda row: verdict_on(row[1]), note=_named_faults),
        *(
            Placed("", beginning(WORDS[system]), partial(_placed, system=system))
            for system in (PERSON, *Degenerate)
        ),
    ),
    caption="Score of each kind of output by each metric",
    long=Table(
        rows=_scores_of_systems,
        columns=(
            *(Text("metric"), Text("system"), Number("score")),
            Estimated("difference", ends=("low", "high")),
            Text("findings"),
        ),
        caption="Scores and findings",
    ),
    note=about_scores,
)


FAULTS = Table(
    rows=lambda computed: tried(computed.result),
    columns=(
        Text("", "Metric", itemgetter(0)),
        Prose("", "Faults", lambda row: " ".join(each.text for each in row[1].findings) or "None."),
    ),
    caption="Faults of each metric",
    in_files=False,
)


def explanation(computed: Computed) -> str:
    """What was scored, and which scores are faults."""
    result: MetricsUnderStress = computed.result
    person = literal(result.person)
    others = "the other annotator" if result.references == 1 else f"all {result.references:,} others"
    compared = (
        f"that annotator {person} and another corrected, compared with the corrections of {others}"
        if result.references
        else f"that annotator {person} corrected, the only reference, so metrics compare with these "
        "corrections themselves"
    )
    metrics = (
        "all metrics of Assay that need no training"
        if computed.parameters.metric == METRICS
        else counted(len(result.metrics), "metric")
    )
    return (
        f"{beginning(metrics)} score the first {counted(result.sentences, 'sentence')} {compared}. The "
        "outputs are made from the sentences and these corrections; random choices depend on the seed. "
        "Over-edited corrections keep four fifths of a person’s, so they are a large fault only above these. "
        "Intervals are percentiles of resampled sentences, the same for all outputs; they are not corrected "
        "for the number of metrics."
    )


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
            compute=tried_metric,
            combine=combined,
        ),
        tables={"stress": SCORES, "faults": FAULTS},
        headline=headline,
        lead=lead,
        sections=(Section(title="Faults of each metric", tables=("faults",), is_folded=True),),
        explanation=explanation,
        nothing=lambda computed: " ".join(["No metric could be tried.", *not_tried(computed.result)]),
        fields=("metric", "sentences"),
        at_once=False,
        fewest_references=1,
    )
)
