"""Answers that annotators give per hour."""

from dataclasses import dataclass
from statistics import median

from analysis.analyses.active_time import ANSWERED, LONGEST, without_breaks
from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.from_judgments import FromAnswers
from analysis.analyses.judgment_inputs import Judgments
from core.bars import Bar
from core.columns import Annotator, Count, Number
from core.later import pd
from core.names import Naming
from core.parameters import parameter
from core.progress import Progress
from core.results import Computed
from core.tables import Table
from core.wording import counted, listed, literal

MS_PER_HOUR = 3_600_000
COLUMNS = ("judgment", "annotator", "state", "submitted_at", "active_ms")
FAST = 4
"""Answers this many times as fast as the median of annotators are doubted, and their bar is cut off."""

LEAST_HOURS = 0.05
"""Shorter times are written in seconds, as one decimal of an hour is 0."""

HOURS = {"active": "worked on the screen", "clock": "of the clock with an answer"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceParameters(FromAnswers):
    """How hours are measured, and what counts. Attributes: see each parameter's help."""

    hours: str = parameter(
        "active",
        label="Hours",
        help="Active time on the screen, or whole clock hours with at least one answer.",
        choices=tuple(HOURS),
        labels=HOURS,
    )
    skipped: bool = parameter(False, label="With skips", help="Skipped items count as answers.")


@dataclass(frozen=True, slots=True)
class Pace:
    """The answers of one annotator, or of all.

    Attributes:
        annotator: the name; None for all together.
        answers: number of answers with recorded times.
        hours: hours that these took.
        per_hour: answers / hours; None without hours.
        reason: why there is no value; None if there is one.
    """

    annotator: str | None
    answers: int
    hours: float
    per_hour: float | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class AnswersPerHour:
    """Answers per hour.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        annotators: answers per hour of each annotator, in alphabetical order.
        total: for all together, with the sum of their hours.
        breaks: answers that took longer than they count.
    """

    signature: str
    annotators: tuple[Pace, ...]
    total: Pace
    breaks: int


def answers_per_hour(judgments: Judgments, parameters: PaceParameters, progress: Progress) -> AnswersPerHour:
    """Divide the answers of each annotator by their hours.

    Answers whose time was not recorded, as in many imports, are left out of both, and breaks, too.
    """
    progress.begin("Counting answers")
    answers = judgments.snapshot.drop_duplicates("judgment")
    states = (*ANSWERED, "skipped") if parameters.skipped else ANSWERED
    answers = answers[answers["state"].isin(states)].astype({"annotator": "object"})
    names = sorted(str(name) for name in answers["annotator"].unique())
    time = "active_ms" if parameters.hours == "active" else "submitted_at"
    answers = answers.dropna(subset=[time])
    timed = answers.groupby("annotator")
    numbers, breaks = timed.size(), 0
    if parameters.hours == "active":
        active = without_breaks(answers)
        breaks = int((answers["active_ms"] > active).sum())
        hours = active.groupby(answers["annotator"]).sum() / MS_PER_HOUR
    else:
        hours = timed["submitted_at"].agg(lambda times: times.dt.floor("h").nunique())
    paces = tuple(_pace(name, numbers, hours) for name in names)
    return AnswersPerHour(
        judgments.signature(stated("answers-per-hour", parameters)),
        paces,
        _of(None, sum(pace.answers for pace in paces), sum(pace.hours for pace in paces)),
        breaks,
    )


def _pace(annotator: str, numbers: "pd.Series[int]", hours: "pd.Series[float]") -> Pace:
    if annotator not in numbers.index:
        return _of(annotator, 0, 0.0)
    return _of(annotator, int(numbers[annotator]), float(hours[annotator]))


def _of(annotator: str | None, answers: int, hours: float) -> Pace:
    if not hours:
        return Pace(annotator, answers, 0.0, None, "no times were recorded")
    return Pace(annotator, answers, hours, answers / hours, None)


def headline(computed: Computed, naming: Naming) -> str:
    """The pace of all annotators together."""
    total = computed.result.total
    if total.per_hour is None:
        return "No times were recorded"
    said = f"{total.per_hour:.1f} answers per hour"
    fastest, *others = (per_hour for _, per_hour in _timed(computed))
    if not others:
        return f"Annotators give {said}"
    return f"Together, annotators give {said}, from {others[-1]:.1f} to {fastest:.1f} each"


def lead(computed: Computed, naming: Naming) -> str:
    """The numbers that the headline divides, and who is too fast to be believed."""
    total, parameters = computed.result.total, computed.parameters
    left_out = ["items whose outputs are all the same", "answers without a recorded time"]
    if not parameters.skipped:
        left_out.insert(0, "skipped items")
    is_pooled = total.per_hour is not None and len(_timed(computed)) > 1
    weighted = (
        f": {total.per_hour:.1f} an hour, in which annotators with more hours count more" if is_pooled else ""
    )
    said = (
        f"{counted(total.answers, 'answer')} in {total.hours:,.1f} hours {HOURS[parameters.hours]}, of all "
        f"annotators together{weighted}. Left out: {', '.join(left_out)}."
    )
    if breaks := computed.result.breaks:
        said += (
            f" {counted(breaks, 'answer')} took over {LONGEST} times the median of the annotator and "
            f"{'counts' if breaks == 1 else 'count'} as {LONGEST} times: the screen may have stood open in a "
            "break."
        )
    longest = _longest(computed)
    fast = [
        literal(naming.annotator(name))
        for name, pace in _timed(computed)
        if longest is not None and pace > longest
    ]
    if not fast:
        return said
    return (
        f"{said}\n\n**{listed(fast, 'answers', 'answer')} over {FAST} times as fast as the median "
        "annotator**: look at *Quality* before you count on these answers."
    )


def _timed(computed: Computed) -> list[tuple[str, float]]:
    """The annotators with recorded times, the fastest first: their keys and answers per hour."""
    timed = [
        (pace.annotator, pace.per_hour)
        for pace in computed.result.annotators
        if pace.annotator is not None and pace.per_hour is not None
    ]
    return sorted(timed, key=lambda pace: -pace[1])


def _longest(computed: Computed) -> float | None:
    """The answers per hour at which bars are cut off; None where no times were recorded."""
    paces = [per_hour for _, per_hour in _timed(computed)]
    return FAST * median(paces) if paces else None


EXPLANATION = """
The number of each annotator’s answers is divided by their hours. *Worked on the screen* is the time for
which a screen was open and in use; imports have the time for which it was open, so an answer counts with at
most ten times the annotator’s median. *Of the clock with an answer* counts each hour of the clock in which
the annotator gave at least one answer as a whole hour. The number for all divides all answers by the sum of
all hours.
"""


class Hours(Number):
    """A time in hours, in seconds where it would be rounded to none."""

    def text(self, value: float, naming: Naming) -> str:
        """Rounded."""
        return f"{value * 3600:.0f} s" if 0 < value < LEAST_HOURS else f"{value:,.1f}"


PACES = Table(
    rows=lambda computed: computed.result.annotators,
    columns=lambda computed: (
        Annotator("annotator", "Annotator"),
        Bar(
            "per_hour",
            "Answers per hour",
            digits=1,
            note=lambda pace: pace.reason or "",
            heading="Per hour",
            drawn="Answers per hour",
            longest=_longest(computed),
        ),
        Count("answers", "Answers"),
        Hours("hours", "Hours", digits=1),
    ),
    caption="Answers per hour of each annotator",
    total=lambda computed: computed.result.total,
)

ANSWERS_PER_HOUR = register(
    Analysis(
        name="answers-per-hour",
        title="Answers per hour",
        group=Group.PLANNING,
        question="How many answers does an annotator give per hour?",
        help="Answers and hours of each annotator; long pauses are capped.",
        parameters=PaceParameters,
        result=AnswersPerHour,
        inputs=Judgments,
        columns=COLUMNS,
        place=1,
        compute=answers_per_hour,
        tables={"answers-per-hour": PACES},
        headline=headline,
        lead=lead,
        explanation=EXPLANATION,
        nothing="Nobody has answered yet. The page fills with the first answer.",
    )
)
