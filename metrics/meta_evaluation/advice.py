"""Advice on which metric to report: one that is among the best in every check, or none.

A metric may lead only because one system is far from the others (Mathur, Baldwin and Cohn 2020, "Tangled up
in BLEU"), because it tells the worst systems from the best (Kobayashi, Mita and Komachi 2024, SEEDA), or
because people did not judge enough to tell it from a better one. So it is compared with all other metrics on
several sets of systems and by sentence, and has to be shown, with its errors, to fall short of no contender
by more than a margin: a test of non-inferiority to the best (Hsu 1984, "Constrained simultaneous confidence
intervals for multiple comparisons with the best"). Contenders are metrics that are not worse by sentence and
have no large fault under stress. That no difference was found is not enough. All checks have to be passed, so
a metric that is worse in one of them is recommended no more often than that check lets it pass (Berger 1982,
intersection-union tests).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

import numpy as np

from core.wording import counted, listed
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.comparison import Comparison, Outcome, Verdict, by_sentence, by_system
from metrics.meta_evaluation.first_place import SHARE_OF_ENDS, outlying
from metrics.meta_evaluation.human_judgments import HumanScore
from metrics.meta_evaluation.intervals import FEWEST_REPLICATES
from metrics.meta_evaluation.sensitivity.windows import in_human_order
from metrics.meta_evaluation.stress import StressCard, disqualifying_fault, has_unsure_faults
from metrics.meta_evaluation.system_scores import SystemScores

LEAST_AGREEMENT = 0.5
"""Pearson's r below which the best of all metrics is not good enough to report."""

FEWEST_SYSTEMS = 5
"""Fewest systems that count; with one of them left out, there are four."""

FEWEST_BETWEEN_ENDS = 4

NOT_TRIED = "It was not tried under stress."


class Check(StrEnum):
    """The checks that a metric has to pass, in order."""

    ALL_SYSTEMS = "all-systems"
    COUNTED_SYSTEMS = "counted-systems"
    ONE_LEFT_OUT = "one-left-out"
    ENDS_LEFT_OUT = "ends-left-out"
    SENTENCES = "sentences"
    STRESS = "stress"


SEVERITY = (Outcome.UNCHECKED, Outcome.PASSED, Outcome.UNDECIDED, Outcome.FAILED)
"""Outcomes from the mildest: several outcomes together give the most severe."""


@dataclass(frozen=True, slots=True)
class CheckLine:
    """A check of one metric.

    Attributes:
        check: which.
        outcome: what came of it.
        value: Pearson's r, or acc*eq by sentence; with systems left out, that of `without`. None under
            stress, or where there is none.
        ranks: the best and the worst rank among the metrics, 1 being the first; equal but where several
            sets of systems are left out in turn. None where there is no value.
        without: the systems without which the outcome is worst, then the rank.
        reason: why it did not pass or was not checked, in a sentence; "" where it passed.
        in_short: the reason without what was observed; "" where it is short.
        faults: under stress, the number of findings, be they disqualifying or not.
        is_perhaps: under stress, whether other sentences may show no such faults.
    """

    check: Check
    outcome: Outcome
    value: float | None
    ranks: tuple[int, int] | None
    without: tuple[str, ...]
    reason: str
    in_short: str = ""
    faults: int = 0
    is_perhaps: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """The systems that count, judged and scored without the others.

    Attributes:
        data: the metrics, and the judgments among these systems.
        scores: result of `system_scores` for them, with replicates.
    """

    data: MetricsAndPeople
    scores: SystemScores


@dataclass(frozen=True, slots=True)
class Advice:
    """Which metrics to report.

    Attributes:
        recommended: those that passed each check that could be made; the highest r first.
        rejected: by name of every other metric, why, in a sentence: the first check that it failed, or else
            the first that these judgments do not decide.
        lines: by metric, the checks in order; empty where none could be made.
        reason: why no metric is recommended, in words; None where one is.
    """

    recommended: tuple[str, ...]
    rejected: Mapping[str, str]
    lines: Mapping[str, tuple[CheckLine, ...]]
    reason: str | None


def advice(
    data: MetricsAndPeople,
    scores: SystemScores,
    human: HumanScore = HumanScore.MEAN,
    *,
    apart: Collection[str] = (),
    counted_alone: Counted | None = None,
    stress: Mapping[str, StressCard | str] = MappingProxyType({}),
    titles: Mapping[str, str] = MappingProxyType({}),
) -> Advice:
    """Which metrics to report, why not the others, or why none.

    Scores of systems and their replicates stay what they are when systems are left out, as in windows.
    Only those `apart` may be no opponents of the others either (`counted_alone`), as where metrics are
    compared with people.

    Args:
        data: K metrics and people, on all S systems.
        scores: result of `system_scores` for them, with replicates.
        human: whether acc*eq compares standardised human scores, which it does for z-scores alone.
        apart: names of the systems that do not count as such: the source, references and controls.
        counted_alone: the same metrics, without the systems `apart`; by default, these are opponents.
        stress: by metric, what came of it under stress, or why it was not tried, in a sentence. Metrics that
            were not tried may be recommended.
        titles: of metrics in sentences; the others have their names.

    Raises:
        SnapshotError: z-scores of rankings.
    """
    order = in_human_order(data.systems, scores.human)
    of, alone = (data, scores) if counted_alone is None else (counted_alone.data, counted_alone.scores)
    places = [place for place in in_human_order(of.systems, alone.human) if of.systems[place] not in apart]
    if reason := _too_little(data, scores, len(places)):
        return Advice((), {}, {}, reason)
    names = tuple(metric.name for metric in data.metrics)
    shown = tuple(titles.get(name, name) for name in names)
    everything = by_system(data, scores, order, "On all systems")
    counting = everything
    if left_out := tuple(data.systems[place] for place in sorted(order) if data.systems[place] in apart):
        counting = by_system(of, alone, places, f"Without {listed(left_out)}", left_out)
    single = []
    for place in sorted(places):
        kept, system = [each for each in places if each != place], of.systems[place]
        single.append(by_system(of, alone, kept, f"Without {system}", (system,)))
    ends = _without_ends(of, alone, places)
    of_sentences = by_sentence(of, human, places)
    cards = [_under_stress(stress.get(name, NOT_TRIED)) for name in names]
    contenders = [
        place
        for place, card in enumerate(cards)
        if card.outcome in {Outcome.PASSED, Outcome.UNCHECKED} and not of_sentences.better(place)
    ]

    def line(check: Check, sets: Sequence[Comparison], place: int, least: float = -np.inf) -> CheckLine:
        return _line(check, sets, [each.verdict(place, shown, contenders, least) for each in sets], place)

    lines = {
        name: (
            line(Check.ALL_SYSTEMS, [everything], place),
            line(Check.COUNTED_SYSTEMS, [counting], place, LEAST_AGREEMENT),
            line(Check.ONE_LEFT_OUT, single, place),
            line(Check.ENDS_LEFT_OUT, ends, place),
            line(Check.SENTENCES, [of_sentences], place),
            cards[place],
        )
        for place, name in enumerate(names)
    }
    rejected = {name: why.reason for name, each in lines.items() if (why := deciding(each))}
    values = dict(zip(names, counting.values.tolist(), strict=True))
    recommended = tuple(
        sorted((name for name in names if name not in rejected), key=lambda name: -values[name])
    )
    reason = None if recommended else _why_none(lines, [counting, *single, *ends], titles)
    return Advice(recommended, rejected, lines, reason)


def _too_little(data: MetricsAndPeople, scores: SystemScores, systems: int) -> str | None:
    """Why no check can be made, in words."""
    if len(data.metrics) < 2:
        return "there is only one metric, and nothing to compare it with"
    if systems < FEWEST_SYSTEMS:
        return f"people judged {counted(systems, 'system')} that count, and advice needs {FEWEST_SYSTEMS}"
    if all(metric.sentences is None for metric in data.metrics):
        return "no metric has scores of sentences"
    if len(scores.human_replicates) < FEWEST_REPLICATES:
        return "the errors of the scores are not known, because no sentences were resampled"
    return None


def _without_ends(data: MetricsAndPeople, scores: SystemScores, places: Sequence[int]) -> list[Comparison]:
    """Without outlying systems, the best ones, the worst ones, and both; `places` has the best first."""
    number = max(1, round(SHARE_OF_ENDS * len(places)))
    best, worst = list(places[:number]), list(places[-number:])
    both = best + worst
    some = "{}" if number == 1 else f"{number} {{}}"
    system = "system" if number == 1 else "systems"
    far = [places[each] for each in outlying(scores.human[list(places)])]
    groups = {
        f"the outlying {listed([data.systems[place] for place in far])}": far,
        f"the {some.format('best')} {system}": best,
        f"the {some.format('worst')} {system}": worst,
        f"the {some.format('best')} and the {some.format('worst')} {system}": both,
    }
    compared = []
    for words, group in groups.items():
        kept = [place for place in places if place not in group]
        if not group or len(kept) < FEWEST_BETWEEN_ENDS:
            continue
        without = tuple(data.systems[place] for place in group)
        refutes = group is not far
        each = by_system(data, scores, kept, f"Without {words}", without, refutes=refutes)
        # Metrics between both ends may well be alike.
        if not (each.unseparated and group is both):
            compared.append(each)
    return compared


def _line(check: Check, sets: Sequence[Comparison], verdicts: Sequence[Verdict], place: int) -> CheckLine:
    """A check of the metric at this place, on one set of systems or on each of several."""
    worst = max(
        range(len(sets)),
        key=lambda number: (SEVERITY.index(verdicts[number].outcome), sets[number].rank(place) or 0),
        default=None,
    )
    if worst is None:
        return CheckLine(check, Outcome.UNCHECKED, None, None, (), "Too few systems would be left.")
    ranks = [rank for each in sets if (rank := each.rank(place)) is not None]
    value = sets[worst].values[place]
    return CheckLine(
        check,
        verdicts[worst].outcome,
        None if np.isnan(value) else float(value),
        (min(ranks), max(ranks)) if ranks else None,
        sets[worst].without,
        verdicts[worst].reason,
        verdicts[worst].in_short,
    )


def _under_stress(card: StressCard | str) -> CheckLine:
    if isinstance(card, str):
        return CheckLine(Check.STRESS, Outcome.UNCHECKED, None, None, (), card)
    fault, is_perhaps = disqualifying_fault(card), has_unsure_faults(card)
    outcome = Outcome.PASSED
    if fault:
        outcome = Outcome.UNDECIDED if is_perhaps else Outcome.FAILED
    faults = len(card.findings)
    return CheckLine(Check.STRESS, outcome, None, None, (), fault or "", faults=faults, is_perhaps=is_perhaps)


def deciding(lines: Sequence[CheckLine]) -> CheckLine | None:
    """The first check that a metric failed, or else the first that is undecided; None if it passed all."""
    for outcome in (Outcome.FAILED, Outcome.UNDECIDED):
        for line in lines:
            if line.outcome is outcome:
                return line
    return None


def _why_none(
    lines: Mapping[str, Sequence[CheckLine]], sets: Sequence[Comparison], titles: Mapping[str, str]
) -> str:
    possible = [
        titles.get(name, name)
        for name, checks in lines.items()
        if all(line.outcome is not Outcome.FAILED for line in checks)
    ]
    if not possible:
        return "no metric is among the best in every check"
    for each in sets:
        if each.unseparated:
            return f"{each.where[0].lower()}{each.where[1:]}, these judgments do not separate the systems"
    return f"these judgments do not tell whether {listed(possible)} may be recommended"
