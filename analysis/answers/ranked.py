"""Answers about campaigns that compare systems: who wins, whether the judgments are enough, and how good."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from analysis.analyses.annotators.agreement import words_for_kappa
from analysis.analyses.annotators.agreement_result import Judging
from analysis.analyses.annotators.quality import Quality
from analysis.analyses.planning.when_to_stop import WhenToStop
from analysis.analyses.systems.edits_one_by_one import EditsOneByOne
from analysis.analyses.systems.fragility import FragileBorders
from analysis.analyses.systems.ranking import Ranking
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS, headline
from analysis.analyses.watched_pairs import Border
from analysis.answers.answer import ROWS, Answer, Row, rows_on_one_scale
from core.names import Naming
from core.wording import are, counted, listed, two_digits, whole_percent
from ranking import Fragility, Kappa, Standing
from ranking.planning.judgments_needed import MOST_CAMPAIGNS

WHO_WINS = "Who wins?"
IS_IT_ENOUGH = "Is it enough?"
CAN_I_TRUST = "Can I trust the judgments?"

EQUAL_WITHIN = 0.02
"""Difference of scores within which systems are equal for practical purposes.

Scores are shares of wins, so one of two such systems wins at most two comparisons in a hundred more.
"""

NAMED_PAIRS = 2
"""Pairs that are called equal by name."""

FEW_REMOVED = 0.02
"""Share of the judgments that carries a first place below which it is called fragile."""

MOST_REPORTS = 1000

ENOUGH_CONTROLS = 0.9
"""Share of passed controls below which the annotators should be looked at."""


def who_wins(ranking: Ranking, fragile: FragileBorders | None, naming: Naming) -> Answer:
    """The clusters in a sentence, and how few judgments carry the first place."""
    standings = ranking.standings
    scored = [each for each in standings.systems if each.score is not None]
    rows = rows_on_one_scale(
        (
            naming.label(each.system),
            f"{each.score:.2f}",
            each.score,
            each.score_low,
            each.score_high,
            naming.roles.get(each.system) in NO_SYSTEMS,
        )
        for each in scored[:ROWS]
        if each.score is not None
    )
    border = next(iter(fragile.borders), None) if fragile else None
    return Answer(
        WHO_WINS,
        headline(standings, naming.roles, naming.labels),
        [] if border is None else [_how_firm(border, naming)],
        rows,
        column="Score with interval",
        facts={
            "ranking": [_standing(each, naming) for each in standings.systems],
            "first_place": None
            if border is None
            else {
                "above": border.above,
                "below": border.below,
                "removed": border.removals or None,
                "judgments": border.groups,
            },
        },
    )


STANDING = ("score", "score_low", "score_high", "rank_low", "rank_high", "cluster")


def _standing(each: Standing, naming: Naming) -> dict[str, object]:
    return {
        "name": each.system,
        "label": naming.label(each.system),
        "role": str(naming.roles.get(each.system, "")),
        **{name: getattr(each, name) for name in STANDING},
    }


def _how_firm(border: Fragility, naming: Naming) -> str:
    above, below = naming.label(border.above), naming.label(border.below)
    if not border.removals:
        return f"No removal of judgments that was tried puts {below} above {above}."
    few = border.removals < FEW_REMOVED * border.groups
    compare = "compares" if border.groups == 1 else "compare"
    removed = f"{border.removals:,} of {counted(border.groups, 'judgment')} that {compare} systems"
    begin = "The first place rests on few judgments: without" if few else "Without"
    return f"{begin} {removed}, {below} would be above {above}."


def is_it_enough(result: WhenToStop, naming: Naming) -> Answer:
    """How many neighbours are settled, and what further judgments would settle."""
    pairs, settled = len(result.borders), result.settled
    facts: dict[str, object] = {
        "judgments": result.judged,
        "pairs": pairs,
        "settled": settled,
        "undecided": [_border(result, border) for border in result.undecided],
    }
    if not pairs:
        return Answer(IS_IT_ENOUGH, "No two systems have been compared yet.", facts=facts)
    if settled == pairs:
        all_pairs = "the only pair" if pairs == 1 else f"all {pairs} pairs"
        yes = f"Yes: {all_pairs} of neighbouring systems {are(pairs)} settled."
        return Answer(IS_IT_ENOUGH, yes, facts=facts)
    simulated = [border for border in result.undecided if border.remaining.reason is None]
    reachable = [border for border in simulated if border.remaining.median is not None]
    distant = [border for border in simulated if border.remaining.median is None]
    equal = [border for border in distant if _is_equal(result, border)]
    open_still = [each for each in distant if each not in equal and _most(result, each) is not None]
    rows = _differences(result, naming)
    begin = "More judgments will hardly help" if distant and not reachable else "Not yet"
    return Answer(
        IS_IT_ENOUGH,
        f"{begin}: {_of_pairs(settled, pairs)}.",
        [
            *_further_judgments(result, reachable),
            *_equal(equal, naming),
            *_not_told_apart(open_still, naming),
        ],
        rows,
        column="Not settled: difference, with an interval that holds however often you look",
        advice="Ask about these pairs next" if reachable else "",
        facts=facts,
    )


def _border(result: WhenToStop, border: Border) -> dict[str, object]:
    """A pair that is not settled, as plain values."""
    return {
        "above": border.pair.above,
        "below": border.pair.below,
        "difference": border.pair.last_difference,
        "most": _most(result, border),
        "further_judgments": border.remaining.median,
        "hours": border.hours(result.seconds or 0),
        "reason": border.remaining.reason,
    }


def _half_width(result: WhenToStop, border: Border) -> float | None:
    """Half the width of the interval for every look."""
    return border.half_width(float(result.watched.anytime[-1]))


def _of_pairs(settled: int, pairs: int) -> str:
    """How many are settled, of which at least one is not."""
    if pairs == 1:
        return "the only pair of neighbouring systems is not settled"
    return f"{settled or 'none'} of {pairs} pairs of neighbouring systems {are(settled)} settled"


def _further_judgments(result: WhenToStop, reachable: Sequence[Border]) -> list[str]:
    """How many further judgments settle the reachable pairs, in a sentence; nothing if none is reachable."""
    if not reachable:
        return []
    most = max(reachable, key=lambda border: border.remaining.median or 0)
    hours = most.hours(result.seconds or 0)
    time = f" ({_hours(hours)})" if hours else ""
    which = "" if len(reachable) == len(result.undecided) else f"{len(reachable)} of "
    others = "the others" if result.settled else "them"
    settled = "it with even odds"
    if len(result.borders) > 1:
        settled = f"each of {which}{others} with at least even odds"
    needed = counted(two_digits(most.remaining.median or 0), "further judgment")
    return [f"About {needed}{time} would settle {settled}."]


def _hours(hours: float) -> str:
    return "less than an hour" if hours < 1 else f"{counted(two_digits(round(hours)), 'hour')} of judging"


def _is_equal(result: WhenToStop, border: Border) -> bool:
    """Whether the interval for every look leaves no difference that matters."""
    most = _most(result, border)
    return most is not None and most <= EQUAL_WITHIN


def _equal(equal: Sequence[Border], naming: Naming) -> list[str]:
    """The pairs that are equal for practical purposes, in a sentence; nothing if there are none."""
    if not equal:
        return []
    names, *others = (_both(border, naming) for border in equal)
    named = others[: NAMED_PAIRS - 1]
    if further := len(others) - len(named):
        named.append(counted(further, "further pair"))
    also = f"; so are {listed(named)}" if named else ""
    return [
        f"{names} are equal for practical purposes: their scores differ by less than {EQUAL_WITHIN}{also}."
    ]


def _not_told_apart(undecided: Sequence[Border], naming: Naming) -> list[str]:
    """The pairs that no affordable number of judgments settles, though they may differ, in a sentence."""
    if not undecided:
        return []
    first, *others = (_both(border, naming) for border in undecided)
    them = f"{first}, and {counted(len(others), 'further pair')}," if others else first
    return [f"{them} would probably not be told apart by {MOST_CAMPAIGNS} times as many judgments."]


def _both(border: Border, naming: Naming) -> str:
    return f"{naming.label(border.pair.above)} and {naming.label(border.pair.below)}"


def _most(result: WhenToStop, border: Border) -> float | None:
    """The largest difference of the scores that the interval for every look leaves possible."""
    difference, half = border.pair.last_difference, _half_width(result, border)
    return None if difference is None or half is None else abs(difference) + half


def _differences(result: WhenToStop, naming: Naming) -> list[Row]:
    rows = []
    for border in result.undecided[:ROWS]:
        pair, difference = border.pair, border.pair.last_difference
        half = _half_width(result, border)
        if difference is not None and half is not None:
            label = f"{naming.label(pair.above)} over {naming.label(pair.below)}"
            rows.append((label, f"{difference:.2f}", difference, difference - half, difference + half, False))
    return rows_on_one_scale(rows, around=[0.0])


@dataclass(frozen=True, slots=True)
class Work:
    """Numbers of judgments, skips and reports.

    Attributes:
        judgments: all judgments: screens answered or skipped, and items whose outputs are all the same.
        answered: screens that were answered.
        skipped: screens that were skipped.
        reports: answers with a note, counted up to `MOST_REPORTS`.
    """

    judgments: int
    answered: int
    skipped: int
    reports: int

    @property
    def sentences(self) -> list[str]:
        """Skips and reports in words; nothing where there are none."""
        said = []
        if self.skipped:
            of_all = f"{self.skipped:,} of {counted(self.judgments, 'judgment')}"
            said.append(f"{of_all} {'was' if self.skipped == 1 else 'were'} skipped.")
        if self.reports:
            more = " or more" if self.reports == MOST_REPORTS else ""
            noun = "answer" if self.reports == 1 else "answers"
            said.append(f"{self.reports:,}{more} {noun} came with a note.")
        return said

    @property
    def facts(self) -> dict[str, object]:
        """Numbers of screens answered and skipped, and of reports, as JSON values."""
        return {"answered": self.answered, "skipped": self.skipped, "reports": self.reports}


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far annotators agree, and from how much that is known.

    Attributes:
        between: kappa between annotators.
        repeated: kappa of annotators with themselves.
        annotators: number of annotators.
        judgments: number of their judgments: rankings of a screen, or verdicts.
    """

    between: Kappa
    repeated: Kappa
    annotators: int
    judgments: int


def agreed_on_pairs(judging: Judging) -> Agreed:
    """Agreement on which of two outputs is better."""
    kappas = judging.agreement
    return Agreed(kappas.inter, kappas.intra, len(judging.judges.judges), judging.judges.total.rankings)


def agreed_on_edits(result: EditsOneByOne) -> Agreed:
    """Agreement on which edits to accept."""
    return Agreed(result.between, result.repeated, len(result.annotators), result.total.verdicts)


def can_i_trust(
    agreed: Agreed, quality: Quality | None, work: Work, excluded: Collection[str] = ()
) -> Answer:
    """Agreement with its scale, flagged annotators, controls passed, skips and reports.

    Annotators that were `excluded` no longer count among those of `quality`.
    """
    kappa, own = agreed.between, agreed.repeated
    care = None if quality is None else _care(quality, excluded)
    measured = [("Between annotators", kappa), ("Annotators with themselves", own)]
    return Answer(
        CAN_I_TRUST,
        agreement_in_words(kappa),
        [*word_in_use(kappa), *(care.sentences if care else ()), *work.sentences],
        rows_of_kappa(measured),
        column="Kappa",
        advice=care.advice if care else "",
        facts={
            "judgments": agreed.judgments,
            "annotators": agreed.annotators,
            "kappa": kappa.value,
            "kappa_low": kappa.low,
            "kappa_high": kappa.high,
            "kappa_with_themselves": own.value,
            **(care.facts if care else {}),
            **work.facts,
        },
    )


@dataclass(frozen=True, slots=True)
class Care:
    """How carefully annotators work, as far as it is summed up.

    Attributes:
        annotators: number of annotators who count.
        flagged: number of those who are flagged.
        controls: screens that check them.
        passed: number of those that were passed.
    """

    annotators: int
    flagged: int
    controls: int
    passed: int

    @property
    def sentences(self) -> list[str]:
        """The numbers in words."""
        of_all = counted(self.annotators, "annotator")
        said = [
            f"{self.flagged} of {of_all} {are(self.flagged)} flagged as careless or unusual."
            if self.flagged
            else f"None of {of_all} is flagged."
        ]
        if self.controls:
            passed = whole_percent(self.passed / self.controls)
            said.append(f"{passed} of {counted(self.controls, 'control')} were passed.")
        return said

    @property
    def advice(self) -> str:
        """Advice on the next step; empty if none is needed."""
        if self.flagged:
            return f"Look at {counted(self.flagged, 'flagged annotator')}"
        if self.controls and self.passed / self.controls < ENOUGH_CONTROLS:
            return "Look at annotators who miss controls"
        return ""

    @property
    def facts(self) -> dict[str, object]:
        """The numbers as plain values."""
        return {"flagged": self.flagged, "controls": self.controls, "controls_passed": self.passed}


def _care(quality: Quality, excluded: Collection[str]) -> Care:
    counting = [each for each in quality.annotators if each.annotator not in excluded]
    return Care(
        len(counting),
        len(quality.flagged.difference(excluded)),
        sum(each.check.cases for each in counting),
        sum(each.check.passed for each in counting),
    )


def rows_of_kappa(measured: Sequence[tuple[str, Kappa]]) -> list[Row]:
    """A row for each kappa that has a value, from 0 to 1."""
    return rows_on_one_scale(
        (
            (name, f"{each.value:.2f}", each.value, each.low, each.high, False)
            for name, each in measured
            if each.value is not None
        ),
        around=[0.0, 1.0],
    )


def word_in_use(kappa: Kappa) -> list[str]:
    """Whose word for kappa the sentence uses, in a sentence; nothing if it uses none."""
    if kappa.value is None or kappa.value <= 0:
        return []
    return [
        f"“{words_for_kappa(kappa.value).capitalize()}” is the word of Landis and Koch (1977) for such a κ."
    ]


def agreement_in_words(kappa: Kappa) -> str:
    """How far annotators agree, with its scale, or why that is not known."""
    if kappa.value is None:
        return f"How far annotators agree is not known: {kappa.reason}."
    interval = "" if kappa.low is None else f", interval {kappa.low:.2f} to {kappa.high:.2f},"
    value = f"κ\N{NO-BREAK SPACE}{kappa.value:.2f}{interval} on a scale from 0, chance, to 1"
    if kappa.value <= 0:
        return f"Annotators agree no better than by chance ({value})."
    return f"Annotators agree {words_for_kappa(kappa.value)} ({value})."
