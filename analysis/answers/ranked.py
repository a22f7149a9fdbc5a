"""Answers about campaigns that compare systems: who wins, whether the judgments are enough, and how good."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from analysis.analyses.agreement import Judging, words_for_kappa
from analysis.analyses.fragility import FragileBorders
from analysis.analyses.quality import Quality
from analysis.analyses.ranking import Ranking
from analysis.analyses.ranking_headline import NO_SYSTEMS, headline
from analysis.analyses.stopping import Border, WhenToStop
from analysis.answers.answer import ROWS, Answer, Row, rows_on_one_scale
from core.names import Naming
from core.wording import are, counted
from ranking import Fragility

WHO_WINS = "Who wins?"
IS_IT_ENOUGH = "Is it enough?"
CAN_I_TRUST = "Can I trust the judgments?"

EQUAL_PAIRS = 2
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
    )


def _how_firm(border: Fragility, naming: Naming) -> str:
    above, below = naming.label(border.above), naming.label(border.below)
    if not border.removed:
        return f"No removal of judgments that was tried puts {below} above {above}."
    few = len(border.removed) < FEW_REMOVED * border.groups
    removed = f"{len(border.removed):,} of {counted(border.groups, 'judgment')}"
    begin = "The first place rests on few judgments: without" if few else "Without"
    return f"{begin} {removed}, {below} would be above {above}."


def is_it_enough(result: WhenToStop, naming: Naming) -> Answer:
    """How many neighbours are settled, and what further judgments would settle."""
    pairs, settled = len(result.borders), result.settled
    if not pairs:
        return Answer(IS_IT_ENOUGH, "No two systems have been compared yet.")
    if settled == pairs:
        all_pairs = "the only pair" if pairs == 1 else f"all {pairs} pairs"
        return Answer(IS_IT_ENOUGH, f"Yes: {all_pairs} of neighbouring systems {are(pairs)} settled.")
    simulated = [border for border in result.undecided if border.remaining.reason is None]
    reachable = [border for border in simulated if border.remaining.median is not None]
    equal = [border for border in simulated if border.remaining.median is None]
    begin = "More judgments will hardly help" if equal and not reachable else "Not yet"
    return Answer(
        IS_IT_ENOUGH,
        f"{begin}: {settled or 'none'} of {counted(pairs, 'pair')} of neighbouring systems "
        f"{are(settled)} settled.",
        [*_further_judgments(result, reachable), *_equal(result, equal, naming)],
        _differences(result, naming),
        column="Difference with the interval for watching",
        advice="Ask about these pairs next" if reachable else "",
    )


def _further_judgments(result: WhenToStop, reachable: Sequence[Border]) -> list[str]:
    """What the pair that needs most of them needs."""
    if not reachable:
        return []
    most = max(reachable, key=lambda border: border.remaining.median or 0)
    hours = most.hours(result.seconds or 0)
    time = f" ({_hours(hours)})" if hours else ""
    which = "all" if len(reachable) == len(result.undecided) else str(len(reachable))
    others = "the others" if result.settled else "them"
    needed = counted(most.remaining.median or 0, "further judgment")
    return [f"About {needed}{time} would settle {which} of {others}."]


def _hours(hours: float) -> str:
    return "less than an hour" if hours < 1 else f"{counted(round(hours), 'hour')} of judging"


def _equal(result: WhenToStop, equal: Sequence[Border], naming: Naming) -> list[str]:
    """The pairs called equal for practical purposes, with the largest difference that is still possible."""
    said = []
    for border in equal[:EQUAL_PAIRS]:
        half, difference = border.half_width(float(result.watched.anytime[-1])), border.pair.last_difference
        if half is None or difference is None:
            continue
        most = abs(difference) + half
        names = f"{naming.label(border.pair.above)} and {naming.label(border.pair.below)}"
        said.append(f"{names} are equal for practical purposes: their scores differ by {most:.2f} at most.")
    if others := len(equal) - len(said):
        said.append(f"{counted(others, 'further pair')} {are(others)} as well.")
    return said


def _differences(result: WhenToStop, naming: Naming) -> list[Row]:
    rows = []
    for border in result.undecided[:ROWS]:
        pair, difference = border.pair, border.pair.last_difference
        half = border.half_width(float(result.watched.anytime[-1]))
        if difference is not None and half is not None:
            label = f"{naming.label(pair.above)} over {naming.label(pair.below)}"
            rows.append((label, f"{difference:.2f}", difference, difference - half, difference + half, False))
    return rows_on_one_scale(rows, around=[0.0])


@dataclass(frozen=True, slots=True)
class Work:
    """What a campaign knows of its screens, beside the judgments.

    Attributes:
        answered: screens that were answered.
        skipped: screens that were skipped.
        reports: answers with a note, counted up to `MOST_REPORTS`.
    """

    answered: int
    skipped: int
    reports: int


def can_i_trust(
    judging: Judging, quality: Quality | None, work: Work, excluded: Collection[str] = ()
) -> Answer:
    """Agreement with its scale, flagged annotators, controls passed, skips and reports.

    Annotators that were `excluded` no longer count among those of `quality`.
    """
    kappa, own = judging.agreement.inter, judging.agreement.intra
    further, advice = [], ""
    if quality is not None:
        counting = [each for each in quality.annotators if each.annotator not in excluded]
        flagged = len(quality.flagged.difference(excluded))
        cases = sum(each.check.cases for each in counting)
        passed = sum(each.check.passed for each in counting)
        of_all = counted(len(counting), "annotator")
        further.append(
            f"{flagged} of {of_all} {are(flagged)} flagged as careless or unusual."
            if flagged
            else f"None of {of_all} is flagged."
        )
        if cases:
            further.append(f"{passed / cases:.0%} of {counted(cases, 'control')} were passed.")
            if passed / cases < ENOUGH_CONTROLS:
                advice = "Look at annotators who miss controls"
        if flagged:
            advice = f"Look at {counted(flagged, 'flagged annotator')}"
    if work.skipped:
        of_all = f"{work.skipped:,} of {counted(work.answered + work.skipped, 'screen')}"
        further.append(f"{of_all} {'was' if work.skipped == 1 else 'were'} skipped.")
    if work.reports:
        more = " or more" if work.reports == MOST_REPORTS else ""
        noun = "answer" if work.reports == 1 else "answers"
        further.append(f"{work.reports:,}{more} {noun} came with a note.")
    measured = [("Between annotators", kappa), ("Annotators with themselves", own)]
    rows = rows_on_one_scale(
        (
            (name, f"{each.value:.2f}", each.value, None, None, False)
            for name, each in measured
            if each.value is not None
        ),
        around=[0.0, 1.0],
    )
    return Answer(CAN_I_TRUST, _agreement(judging), further, rows, column="Kappa", advice=advice)


def _agreement(judging: Judging) -> str:
    kappa = judging.agreement.inter
    if kappa.value is None:
        return f"How far annotators agree is not known: {kappa.reason}."
    value = f"κ {kappa.value:.2f} on a scale from 0, chance, to 1"
    if kappa.value <= 0:
        return f"Annotators agree no better than by chance ({value})."
    return f"Annotators agree {words_for_kappa(kappa.value)} ({value})."
