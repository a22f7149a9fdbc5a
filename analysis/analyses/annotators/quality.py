"""Quality of annotators' work: the figures by which the quality page flags them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.judgment_inputs import MeasuredJudgments
from analysis.analyses.rules import stated_rule
from core.columns import Amount, Annotator, Column, Count, Estimated, Number, Prose, Share, Spread
from core.names import Naming
from core.parameters import parameter
from core.progress import NoProgress, Progress
from core.results import Computed, Section
from core.tables import Table
from core.wording import beginning, counted, some_of
from ranking.annotators.control_rule import DEFAULT_RULE, LEAST_CASES, ControlRule
from ranking.annotators.flags import LEVEL, FlagRule
from ranking.annotators.quality import (
    READ,
    AnnotatorQuality,
    ControlCheck,
    campaign_seconds,
    quality_of_annotators,
    reasons_to_look,
)
from ranking.annotators.reading import SECONDS_A_KEY

DEFAULT_HABITS = FlagRule()


@dataclass(frozen=True, slots=True)
class QualityParameters:
    """No parameters: the thresholds are applied to the figures afterwards."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The thresholds that flag annotators, in percent. Attributes: see each parameter's help."""

    threshold: int = parameter(
        DEFAULT_RULE.percent,
        label="Control below source, at least %",
        help="Smallest share of screens on which the control is ranked below the source.",
        minimum=1,
        maximum=100,
    )
    pace: int = parameter(
        round(100 * DEFAULT_HABITS.pace),
        label="Time, at least % of the campaign’s median",
        help="Smallest median time on a screen.",
        minimum=0,
        maximum=100,
    )
    same_answer: int = parameter(
        round(100 * DEFAULT_HABITS.same_answer),
        label="Same answer, at most %",
        help="Largest share of screens with the same answer, as shown.",
        minimum=0,
        maximum=100,
    )
    beyond_chance: int = parameter(
        round(100 * DEFAULT_HABITS.beyond_chance),
        label="Agreement beyond chance, at least %",
        help="Smallest agreement with others beyond chance.",
        minimum=-100,
        maximum=100,
    )
    min_cases: int = parameter(
        DEFAULT_RULE.min_cases,
        label="Fewest screens",
        help="Nobody is flagged by fewer screens, except for agreement.",
        minimum=1,
        maximum=10_000,
    )

    reading: int = parameter(
        round(DEFAULT_HABITS.reading),
        label="Words read per minute, at most",
        help="Largest median reading rate: words of the sentence in the time that keys leave.",
        minimum=100,
        maximum=100_000,
    )
    min_read: int = parameter(
        DEFAULT_HABITS.min_read,
        label="Screens measured for reading, at least",
        help="Nobody is flagged for reading too fast by fewer screens.",
        minimum=1,
        maximum=10_000,
    )

    @property
    def rule(self) -> ControlRule:
        """The rule of the control check."""
        return ControlRule(threshold=self.threshold / 100, min_cases=self.min_cases)

    @property
    def habits(self) -> FlagRule:
        """The rules of the other flags."""
        return FlagRule(
            pace=self.pace / 100,
            same_answer=self.same_answer / 100,
            beyond_chance=self.beyond_chance / 100,
            min_cases=self.min_cases,
            reading=self.reading,
            min_read=self.min_read,
        )


@dataclass(frozen=True, slots=True)
class Quality:
    """Quality figures of the annotators.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        annotators: the figures of each annotator, by the default rule.
    """

    signature: str
    annotators: tuple[AnnotatorQuality, ...]

    def reasons(self, thresholds: Thresholds) -> dict[str, tuple[str, ...]]:
        """Why each annotator is flagged, in words; nothing for those who are not."""
        return reasons_to_look(self.annotators, thresholds.rule, thresholds.habits)

    @property
    def flagged(self) -> set[str]:
        """The annotators who are flagged by the usual thresholds, excluded ones among them."""
        return {annotator for annotator, why in self.reasons(Thresholds()).items() if why}


def quality(
    judgments: MeasuredJudgments, parameters: QualityParameters, progress: Progress | None = None
) -> Quality:
    """Compute the quality figures of each annotator (`ranking.annotators.quality`).

    Raises:
        SnapshotError: as `ranking.scored_outputs`.
    """
    progress = progress or NoProgress()
    progress.begin("Looking at the annotators")
    signature = judgments.signature(f"quality{stated_rule('quality')}")
    figures = quality_of_annotators(
        judgments.snapshot,
        judgments.roles,
        words=judgments.words,
        planted=judgments.planted,
        step=progress.step,
    )
    return Quality(signature, figures)


def figures(computed: Computed) -> Sequence[Column]:
    """The columns of the annotators' figures; the check is of screens or of verdicts."""
    annotators: Sequence[AnnotatorQuality] = computed.result.annotators
    check = annotators[0].check if annotators else None
    return (
        Annotator("annotator", "Annotator"),
        Share(
            "check",
            check.words.capitalize() if check else "Control below source",
            attrgetter("check.share"),
            digits=0,
            note=lambda work: f"{work.check.passed} of {work.check.cases}" if work.check.cases else "",
            hint=lambda work: "" if work.check.cases else work.check.reason or "",
            is_kept=any(each.check.cases for each in annotators),
        ),
        Amount("", "95 % interval", lambda work: _interval(work.check), on_page=False, is_printed=True),
        Number("check_low", value=attrgetter("check.low")),
        Number("check_high", value=attrgetter("check.high")),
        Count("check_cases", value=attrgetter("check.cases")),
        *_share("planted", "Planted errors marked", is_shown=any(each.planted.cases for each in annotators)),
        Share("", "Beyond chance", _beyond_chance, digits=0, on_paper=False),
        *_share("agreement", "Agrees with others"),
        Share("by_chance", "By chance", attrgetter("by_chance.value"), digits=0, on_page=False),
        Count("screens", "Screens"),
        Number(
            "seconds",
            "Median seconds",
            attrgetter("seconds.value"),
            digits=1,
            hint=lambda work: work.seconds.reason or "",
            is_kept=True,
        ),
        Number(
            "reading",
            "Words per minute",
            attrgetter("reading.value"),
            digits=0,
            hint=lambda work: work.reading.reason or "",
        ),
        Count("reading_cases", value=attrgetter("reading.cases")),
        *_share("all_equal", "All rated alike"),
        *_share("same_answer", "Same answer"),
        *_share("repeats", "Repeats alike"),
    )


def _beyond_chance(work: AnnotatorQuality) -> float | None:
    """The agreement with others beyond chance, as kappa; None where it is not known."""
    agreement, chance = work.agreement.value, work.by_chance.value
    if agreement is None or chance is None or chance == 1:
        return None
    return (agreement - chance) / (1 - chance)


def _interval(check: ControlCheck) -> str | None:
    if check.low is None or check.high is None:
        return None
    return f"{100 * check.low:.0f}\N{NO-BREAK SPACE}% to {100 * check.high:.0f}\N{NO-BREAK SPACE}%"


def _share(name: str, label: str, *, is_shown: bool = True) -> tuple[Column, Column]:
    """A measure as a share with the number of its cases, which files have in a column of its own."""
    measure: Callable[[Any], Any] = attrgetter(name)
    return (
        Share(
            name,
            label,
            lambda work: measure(work).value,
            digits=0,
            note=lambda work: f"{measure(work).cases:,}" if measure(work).cases else "",
            hint=lambda work: measure(work).reason or "",
            is_kept=is_shown,
            on_paper=is_shown,
        ),
        Count(f"{name}_cases", value=lambda work: measure(work).cases),
    )


def note_of_figures(computed: Computed, naming: Naming) -> str:
    """How to read the table."""
    annotators: Sequence[AnnotatorQuality] = computed.result.annotators
    planted = any(each.planted.cases for each in annotators)
    return (
        "Small: the number of cases. "
        + "*Planted errors*: those inserted into the source to make controls. " * planted
        + "*Same answer*: screens with the annotator’s most frequent answer for that number of outputs, as "
        "shown. *Agrees* and *repeats*: comparisons of two outputs with the same result. *Beyond chance*: "
        "0 % is what chance alone would give, 100 % full agreement. Here, the others include excluded "
        "annotators."
    )


FIGURES = Table(
    rows=lambda computed: computed.result.annotators,
    columns=figures,
    order=lambda work, naming: naming.place(work.annotator),
    caption="Figures of each annotator",
    note=note_of_figures,
)


def _rows(thresholds: Thresholds, computed: Computed) -> list[tuple[AnnotatorQuality, str]]:
    """Each annotator, and why they are flagged; empty for those who are not."""
    reasons = computed.result.reasons(thresholds)
    return [(work, "; ".join(reasons[work.annotator])) for work in computed.result.annotators]


def key_of(row: tuple[AnnotatorQuality, str]) -> str:
    """The annotator of a row."""
    return row[0].annotator


def columns_of_signs(thresholds: Thresholds, computed: Computed) -> Sequence[Column]:
    """The annotator, the sign that tells most, with the limit, and what they are flagged for."""
    return (
        Annotator("", "Annotator", key_of),
        *_drawn_sign(thresholds, computed),
        Prose("", "Flagged for", lambda row: row[1] or None),
    )


def _drawn_sign(thresholds: Thresholds, computed: Computed) -> Iterator[Column]:
    """The check by controls; where there is none, agreement beyond chance; nothing without either."""
    annotators: Sequence[AnnotatorQuality] = computed.result.annotators
    if any(each.check.cases for each in annotators):
        words = annotators[0].check.words.capitalize()
        yield Estimated(
            "",
            "Screens",
            lambda row: Spread(row[0].check.share, row[0].check.low, row[0].check.high, row[0].check.reason),
            percent_digits=0,
            drawn=f"{words}, with 95\N{NO-BREAK SPACE}% interval",
            even=thresholds.rule.threshold,
        )
    elif any(_beyond_chance(each) is not None for each in annotators):
        yield Estimated(
            "",
            "Agreement",
            lambda row: Spread(_beyond_chance(row[0]), None, None),
            percent_digits=0,
            drawn="Agreement with others beyond chance",
            interval="",
            even=thresholds.habits.beyond_chance,
        )


def about_signs(thresholds: Thresholds, computed: Computed) -> str:
    """What the dashed line is, and what else flags; nothing where nothing is drawn."""
    if not any(_drawn_sign(thresholds, computed)):
        return ""
    few = f"an annotator below it is flagged from {thresholds.min_cases} screens on."
    if not any(each.check.cases for each in computed.result.annotators):
        few = f"0 % is chance, and an annotator is flagged who is significantly below it (p < {LEVEL})."
    return (
        f"Dashed: the limit; {few} Times and habits flag, too: they are among the figures of each annotator."
    )


def said_by(thresholds: Thresholds) -> dict[str, Any]:
    """Arguments of `Analysis` whose texts and tables apply these thresholds to the figures."""

    def headline(computed: Computed, naming: Naming) -> str:
        number = sum(map(bool, computed.result.reasons(thresholds).values()))
        annotators = len(computed.result.annotators)
        if not annotators:
            return "Nobody has answered yet"
        return f"{beginning(some_of(number, annotators, 'annotator', does='is', do='are'))} flagged"

    return {
        "headline": headline,
        "lead": lambda computed, naming: (
            f"{counted(len(computed.result.annotators), 'annotator')} with answers. Annotators count until "
            "you exclude them."
            if computed.result.annotators
            else "The page fills with the first answer."
        ),
        "tables": {
            "signs": Table(
                rows=partial(_rows, thresholds),
                columns=partial(columns_of_signs, thresholds),
                caption="Annotators by signs of careless work",
                in_files=False,
                note=lambda computed, naming: about_signs(thresholds, computed),
            ),
            "quality": FIGURES,
        },
        "explanation": lambda computed: explanation(computed, thresholds),
    }


def explanation(computed: Computed, thresholds: Thresholds) -> str:
    """How annotators are flagged by these thresholds, in Markdown."""
    seconds = campaign_seconds(computed.result.annotators, thresholds.habits)
    median = "" if seconds is None else f" ({seconds:.1f} s)"
    return f"""
A careful annotator ranks the control (the source with errors inserted) below the source. A tie counts as a
miss. Where validity is judged, a careful annotator says that an output of a reference is valid, and that one
of a control is not. “Cannot say” counts as a miss.

There are five signs; the first three need at least {thresholds.min_cases} screens: control below source on
less than {thresholds.threshold} % of the screens that hold both, or the right verdict on less than
{thresholds.threshold} % of these outputs; a median time far below the campaign’s, which is the median of the
annotators’ medians{median}; the same answer, as shown, on nearly all screens; from {thresholds.min_read}
screens on, less time than anybody needs to read; agreement with others below chance.

Reading is measured in words of the sentence per minute of active time, after {SECONDS_A_KEY} s for each key;
the median of an annotator’s screens must be at most {thresholds.reading:,}. Adults read at 175 to 300 words
per minute (Brysbaert 2019).

Chance is the agreement of someone who ties as often but otherwise tosses a coin; beyond it, 0 % is chance and
100 % full agreement. Agreement below the threshold is flagged if the one-sided binomial test over the
comparisons with others is significant at the level {LEVEL}, which noise hardly reaches. Answers at random
come out around 0 %, so a threshold of 20 % catches most of them once there are a few hundred comparisons.

The verdict on a worker of a crowd at the end of a visit needs fewer of these cases: a quarter of the visit’s
screens, but at least {LEAST_CASES}, and {DEFAULT_RULE.min_cases} at most. So a worker can fail there and not
be flagged here.
"""


QUALITY = register(
    Analysis(
        name="quality",
        title="Quality",
        group=Group.ANNOTATORS,
        question="Which annotators should be looked at?",
        defined_in="quality.md",
        help="Agreement, times and habits of each annotator, and controls where there are any.",
        parameters=QualityParameters,
        result=Quality,
        inputs=MeasuredJudgments,
        columns=READ,
        compute=quality,
        sections=(Section(title="Figures of each annotator", tables=("quality",), is_folded=True),),
        template="analysis/quality.html",
        route="quality",
        is_for_admins=True,
        **said_by(Thresholds()),
    )
)
