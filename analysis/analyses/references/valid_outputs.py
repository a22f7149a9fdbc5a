"""Which corrections people judge valid, and how that depends on how often a correction is given."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.references.collected import JudgedCorrection, ValidityJudgments
from analysis.analyses.resampling import confidence_of_intervals
from core.columns import Count, Estimated, Spread, Text
from core.later import stats
from core.names import Naming
from core.parameters import parameter
from core.progress import Progress
from core.results import Computed, Figure, Layout
from core.tables import Table
from core.wording import beginning, percent, some_of, whole_percent
from figures.drawing import Chart
from figures.references.validity import WIDTHS, DrawnShare, validity_figure
from formats.snapshot.vocabulary import ValidityVerdict

BOUNDS = (1, 2, 3, 5, 10, 20)
"""Least frequency of each row."""


@dataclass(frozen=True, slots=True)
class ValidOutputsParameters:
    """Parameters of the judgments of validity. Attributes: see each parameter's help."""

    corrections: str = parameter(
        "",
        label="Frequencies from the campaign",
        help="Name of a campaign in which corrections were written: how many people gave each. "
        "Without one, how many systems produced it.",
    )
    confidence: float = confidence_of_intervals()


@dataclass(frozen=True, slots=True)
class FrequencyRow:
    """Outputs given so often.

    Attributes:
        least: least frequency.
        most: highest frequency; None for no bound.
        outputs: number of outputs.
        valid: number of those judged valid by more people than not.
        share: valid / outputs.
        low: lower end of Wilson's interval of the share.
        high: upper end.
    """

    least: int
    most: int | None
    outputs: int
    valid: int
    share: float
    low: float
    high: float

    @property
    def label(self) -> str:
        """The frequencies in words."""
        if self.most is None:
            return f"{self.least} or more"
        return f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """An output with its verdicts.

    Attributes:
        sentence: position of the sentence, counted from 0.
        source: the sentence.
        text: the output.
        systems: sorted names of the systems that produced it.
        frequency: how often it was given; None if it was not among the corrections counted.
        yes: number of people who judged it valid.
        no: number of people who did not.
        cannot_say: number of people who could not say.
        is_valid: whether more said yes than no.
        repeated: people who judged it more than once.
    """

    sentence: int
    source: str
    text: str
    systems: tuple[str, ...]
    frequency: int | None
    yes: int
    no: int
    cannot_say: int
    is_valid: bool
    repeated: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ValidOutputs:
    """The judgments of validity of a campaign.

    Attributes:
        signature: computation and judgments; equal signatures mean equal numbers.
        counted: whose corrections give the frequencies, in words.
        answers: number of answers.
        outputs: the judged outputs, by sentence.
        rows: share judged valid by frequency; rows without outputs are left out.
    """

    signature: str
    counted: str
    answers: int
    outputs: tuple[JudgedRow, ...]
    rows: tuple[FrequencyRow, ...]

    @property
    def valid(self) -> int:
        """Number of outputs judged valid."""
        return sum(output.is_valid for output in self.outputs)

    @property
    def unknown(self) -> int:
        """Number of outputs whose frequency is not known."""
        return sum(output.frequency is None for output in self.outputs)

    @property
    def repeated(self) -> tuple[JudgedRow, ...]:
        """Outputs that somebody judged more than once."""
        return tuple(output for output in self.outputs if output.repeated)


def valid_outputs(
    judgments: ValidityJudgments, parameters: ValidOutputsParameters, progress: Progress
) -> ValidOutputs:
    """Count the verdicts on each output, and the share judged valid by frequency."""
    progress.begin("Counting judgments")
    outputs = tuple(_row(each) for each in judgments.outputs)
    return ValidOutputs(
        signature=judgments.signature(stated("valid-outputs", parameters)),
        counted=judgments.counted,
        answers=sum(len(each.judged.verdicts) for each in judgments.outputs),
        outputs=outputs,
        rows=_by_frequency(outputs, parameters.confidence),
    )


def _row(correction: JudgedCorrection) -> JudgedRow:
    judged = correction.judged
    return JudgedRow(
        sentence=judged.sentence,
        source=correction.source,
        text=correction.text,
        systems=judged.systems,
        frequency=correction.frequency,
        yes=judged.number(ValidityVerdict.YES),
        no=judged.number(ValidityVerdict.NO),
        cannot_say=judged.number(ValidityVerdict.CANNOT_SAY),
        is_valid=judged.is_valid,
        repeated=judged.repeated,
    )


def _by_frequency(outputs: Sequence[JudgedRow], confidence: float) -> tuple[FrequencyRow, ...]:
    rows = []
    for least, following in zip(BOUNDS, (*BOUNDS[1:], None), strict=True):
        chosen = [
            output
            for output in outputs
            if output.frequency is not None
            and output.frequency >= least
            and (following is None or output.frequency < following)
        ]
        if chosen:
            valid = sum(output.is_valid for output in chosen)
            interval = stats.binomtest(valid, len(chosen)).proportion_ci(confidence, method="wilson")
            most = None if following is None else following - 1
            share = valid / len(chosen)
            rows.append(
                FrequencyRow(
                    least, most, len(chosen), valid, share, float(interval.low), float(interval.high)
                )
            )
    return tuple(rows)


def headline(computed: Computed, naming: Naming) -> str:
    """How many of the judged outputs are valid."""
    result: ValidOutputs = computed.result
    outputs = len(result.outputs)
    if not outputs:
        return "No output has a verdict yet"
    valid = f"{some_of(result.valid, outputs, 'output', does='was', do='were')} judged valid"
    share = f" ({whole_percent(result.valid / outputs)})" if 0 < result.valid < outputs else ""
    return f"{beginning(valid)}{share}"


def lead(computed: Computed, naming: Naming) -> str:
    """The outputs that were counted, and those that could not be."""
    result: ValidOutputs = computed.result
    unknown, repeated = result.unknown, len(result.repeated)
    missing = (
        f" {unknown:,} {'output is' if unknown == 1 else 'outputs are'} not among the corrections that give "
        "the frequencies."
        if unknown
        else ""
    )
    twice = (
        f" {repeated:,} {'output was' if repeated == 1 else 'outputs were'} judged more than once by the "
        "same person."
        if repeated
        else ""
    )
    return (
        f"{result.answers:,} answers. An output is valid if more people said yes than no. Small: "
        f"{percent(computed.parameters.confidence)} interval (Wilson).{missing}{twice}"
    )


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """The share judged valid by frequency."""
    result: ValidOutputs = computed.result
    return validity_figure(
        [DrawnShare(row.label, row.share, row.low, row.high, row.outputs) for row in result.rows],
        counted=result.counted,
        title=f"{naming.title}: judged valid by frequency",
        width=WIDTHS[layout],
    )


SHARES = Table(
    rows=lambda computed: computed.result.rows,
    columns=(
        Text("given", "Given", attrgetter("label"), heading="Given by"),
        Count("outputs", "Outputs"),
        Count("valid", "Valid"),
        Estimated(
            "share",
            "Share",
            lambda row: Spread(row.share, row.low, row.high),
            ends=("low", "high"),
            ends_on_paper=("from", "to"),
        ),
    ),
    caption=lambda computed: f"Judged valid, by number of {computed.result.counted} that gave it",
)

VALID_OUTPUTS = register(
    Analysis(
        name="valid-outputs",
        title="Valid outputs",
        group=Group.REFERENCES,
        question="Are frequent outputs more often valid?",
        defined_in="references.md",
        help="Which outputs people judge to be valid corrections, and how that depends on how often they are "
        "given.",
        parameters=ValidOutputsParameters,
        result=ValidOutputs,
        inputs=ValidityJudgments,
        compute=valid_outputs,
        tables={"valid-outputs": SHARES},
        figures={
            "valid-outputs": Figure(
                caption="Share judged valid by frequency",
                draw=draw,
                has_content=lambda computed: bool(computed.result.rows),
            )
        },
        headline=headline,
        lead=lead,
        template="analysis/valid_outputs.html",
    )
)
