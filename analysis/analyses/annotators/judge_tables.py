"""Tables of judges beside people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from analysis.analyses.annotators.judge_agreement import (
    MEANINGS,
    MEASURES,
    SAME,
    in_focus,
    in_order,
    of_people,
    share_of_judge,
    share_of_people,
)
from analysis.analyses.annotators.judges_compared import (
    CURVE,
    OWN_FAMILY,
    ComparedJudge,
    JudgeKind,
    MachineJudges,
)
from analysis.analyses.metric_titles import MetricName
from core.columns import (
    Amount,
    Annotator,
    Column,
    Count,
    Estimated,
    Number,
    PValue,
    Spread,
    System,
    Text,
    Verdict,
)
from core.names import Naming
from core.results import Computed
from core.tables import Table
from core.wording import with_interval
from ranking import Alpha, Coefficient, Kappa
from ranking.machines import (
    AlternativeAnnotatorTest,
    Consistency,
    PairAccuracy,
    PersonTest,
    Preference,
    Share,
    SystemBeside,
)

PEOPLE = "people"
AMONG_THEMSELVES = "people among themselves"

CORRELATIONS = {
    Coefficient.PEARSON: "Pearson’s r",
    Coefficient.SPEARMAN: "Spearman’s ρ",
    Coefficient.KENDALL: "Kendall’s τ",
}


def beaten_of(test: AlternativeAnnotatorTest) -> str | None:
    """How many annotators it is as good as, such as "3 of 8"; None if there is no test."""
    return None if test.winning_rate is None else f"{test.beaten} of {test.tested}"


class JudgeRow(NamedTuple):
    """A row of the table of judges; people among themselves have no test."""

    judge: str
    kind: str
    agreement: Share | None
    kappa: Kappa
    alpha: Alpha
    test: AlternativeAnnotatorTest | None


def _judges(computed: Computed) -> Iterator[JudgeRow]:
    result: MachineJudges = computed.result
    if result.people is not None:
        people = result.people
        yield JudgeRow(AMONG_THEMSELVES, PEOPLE, of_people(computed), people.kappa, people.alpha, None)
    for each in in_order(computed):
        agreement = share_of_judge(each.accuracy, computed.chosen["measure"])
        yield JudgeRow(each.name, each.kind.value, agreement, each.kappa, each.alpha, each.test)


def _of_test(attribute: str) -> Callable[[JudgeRow], object]:
    return lambda row: None if row.test is None else getattr(row.test, attribute)


def _remark(row: JudgeRow) -> str:
    """What kind of judge it is, if it is no metric."""
    return "" if row.kind in (PEOPLE, JudgeKind.METRIC) else row.kind


def _judge_columns(computed: Computed) -> tuple[Column, ...]:
    title = MEASURES[computed.chosen.get("measure", SAME)][0]
    return (
        MetricName("judge", "Judge", note=_remark),
        Text("kind", "Kind", on_page=False),
        Estimated(
            "agreement",
            "Agreement",
            heading="Share",
            drawn=with_interval(title, computed.parameters.confidence),
            ends_on_paper=("from", "to"),
            is_hollow=lambda row: row.test is not None and row.test.winning_rate is None,
        ),
        Number("kappa", "κ", attrgetter("kappa.value"), digits=2, on_page=False),
        Number("alpha", "α", attrgetter("alpha.value"), digits=2, on_page=False),
        Number("advantage", "Advantage", _of_test("advantage_probability"), digits=2, on_page=False),
        Amount("", "As good as", lambda row: row.test and beaten_of(row.test)),
        Count("beaten", value=_of_test("beaten")),
        Count("tested", value=_of_test("tested")),
        Number("winning_rate", "Winning rate", _of_test("winning_rate"), digits=2, on_page=False),
        Verdict("may_stand_in", "May stand in", _of_test("may_stand_in"), on_page=False),
        Text("reason", value=_of_test("reason")),
    )


def _about_judges(computed: Computed, naming: Naming) -> str:
    """What the dots and *As good as* say."""
    tests = [each.test for each in computed.result.judges]
    untested = " Hollow: not tested." if any(test.winning_rate is None for test in tests) else ""
    of = " *As good as*: so many of the annotators, by the test." if any(map(beaten_of, tests)) else ""
    return f"{MEANINGS[computed.chosen.get('measure', SAME)]}.{untested}{of}"


JUDGES = Table(
    rows=_judges,
    columns=_judge_columns,
    caption="Agreement of each judge with people, and the alternative annotator test",
    comment=lambda computed: f"Agreement: {MEASURES[computed.chosen.get('measure', SAME)][0].lower()}",
    note=_about_judges,
)
NUMBERS = Table(
    rows=_judges,
    columns=(
        MetricName("", "Judge", attrgetter("judge")),
        Number("", "κ", attrgetter("kappa.value"), digits=2, hint=lambda row: row.kappa.reason or ""),
        Number("", "α", attrgetter("alpha.value"), digits=2, hint=lambda row: row.alpha.reason or ""),
        Number("", "Advantage", _of_test("advantage_probability"), digits=2),
        Number("", "Winning rate", _of_test("winning_rate"), digits=2),
        Verdict("", "May stand in", _of_test("may_stand_in")),
        Text("", "Not tested", _of_test("reason")),
    ),
    caption="Each judge in numbers",
    in_files=False,
    note="κ is with people over all comparisons. α is Krippendorff’s, nominal: of people alone in the first "
    "row, and with the judge as one more annotator in the others.",
)


class PersonRow(NamedTuple):
    """A judge against a person."""

    judge: ComparedJudge
    person: PersonTest


def _persons(judges: Iterable[ComparedJudge]) -> Iterator[PersonRow]:
    return (PersonRow(judge, person) for judge in judges for person in judge.test.people)


ANNOTATORS = Table(
    rows=lambda computed: _persons(in_order(computed)),
    page_rows=lambda computed: _persons(in_focus(computed)),
    columns=(
        Annotator("annotator", "Annotator", attrgetter("person.person")),
        MetricName("judge", "Judge", attrgetter("judge.name")),
        Count("instances", "Instances", attrgetter("person.instances")),
        Number("judge_wins", "Judge wins", attrgetter("person.machine_advantage"), digits=2),
        Number("person_wins", "Person wins", attrgetter("person.person_advantage"), digits=2),
        Number("t", "t", attrgetter("person.statistic"), digits=2),
        PValue("p_value", "p", attrgetter("person.p_value")),
        PValue("adjusted_p_value", "Adjusted p", attrgetter("person.adjusted_p_value")),
        Verdict("is_beaten", "Beaten", attrgetter("person.is_beaten")),
        Number(
            "kappa",
            "κ with the judge",
            lambda row: (
                row.judge.kappas[row.person.person].value if row.person.person in row.judge.kappas else None
            ),
            digits=2,
        ),
        Text("reason", "Not tested", attrgetter("person.reason"), on_paper=False),
    ),
    caption="Each annotator against judges",
    note="A tie is a win for both. *Adjusted p* is by Benjamini and Yekutieli over the annotators tested.",
)

EPSILON = Table(
    rows=in_order,
    columns=(
        MetricName("judge", "Judge", attrgetter("name")),
        *(
            Number(
                f"winning_rate_{round(100 * epsilon):02}",
                f"ε = {epsilon:g}",
                lambda row, place=place: row.winning_rates[place],  # type: ignore[misc]
                digits=2,
            )
            for place, epsilon in enumerate(CURVE)
        ),
    ),
    caption="Winning rate by epsilon",
    note="From .5 on, a judge may stand in for one more annotator: .2 is meant for experts, .15 for trained "
    "annotators, .1 for a crowd.",
)


class RankedBy(NamedTuple):
    """A system as a judge ranks it."""

    judge: str
    system: SystemBeside


def _ranked(judges: Iterable[ComparedJudge]) -> Iterator[RankedBy]:
    return (RankedBy(each.name, system) for each in judges if each.systems for system in each.systems.systems)


def _with_systems(computed: Computed) -> list[ComparedJudge]:
    return [each for each in in_order(computed) if each.systems is not None]


def _correlation(judge: ComparedJudge, coefficient: Coefficient) -> Spread | None:
    level = judge.systems
    if level is None or (found := level.correlations.get(coefficient)) is None:
        return None
    interval = level.intervals.get(coefficient)
    ends = (None, None) if interval is None else (interval.low, interval.high)
    return Spread(found.value, *ends, found.reason)


RANKINGS = Table(
    rows=_with_systems,
    columns=(
        MetricName("judge", "Judge", attrgetter("name")),
        *(
            Estimated(coefficient.value, title, partial(_correlation, coefficient=coefficient), digits=2)
            for coefficient, title in CORRELATIONS.items()
        ),
        Number("soft_accuracy", "SPA", attrgetter("systems.soft_accuracy"), digits=2),
        Text("reason", "Remark", attrgetter("systems.reason"), on_paper=False),
    ),
    caption="Rankings of systems by judges and by people",
    note="ExpectedWins of both over the same pairs. SPA is soft pairwise accuracy: 1 less the mean "
    "difference between how sure the two are that one system is better than another.",
)

SYSTEMS = Table(
    rows=lambda computed: _ranked(in_order(computed)),
    page_rows=lambda computed: _ranked(in_focus(computed)),
    columns=(
        System("system", "System", attrgetter("system.system")),
        MetricName("judge", "Judge", attrgetter("judge")),
        Number("people", "People", attrgetter("system.people")),
        Number("by_judge", "By the judge", attrgetter("system.machine")),
        Estimated(
            "rank_difference",
            "Rank difference",
            lambda row: Spread(row.system.rank_difference, row.system.low, row.system.high),
            digits=1,
            drawn="Rank by the judge less that by people",
        ),
    ),
    caption="Systems whose ranks differ",
    note="A positive difference means that the judge ranks the system lower than people do.",
)


class PreferenceRow(NamedTuple):
    """How often outputs with more of something win, by a judge and by people."""

    judge: str
    feature: str
    by_judge: Share
    people: Share | None
    difference: Share | None


FEATURES = {
    "characters": "longer",
    "edits": "more edits",
    "unchanged": "unchanged",
    OWN_FAMILY: "of its own family",
    "place": "further up on the screen",
}


def _preferences(computed: Computed, judges: Iterable[ComparedJudge]) -> Iterator[PreferenceRow]:
    people = computed.result.people
    for each in judges:
        for found in each.preferences:
            yield _preference(each.name, found)
        if each.first_place is not None and each.first_place.value is not None:
            yield PreferenceRow(each.name, FEATURES["place"], each.first_place, people.first_place, None)


def _preference(judge: str, found: Preference) -> PreferenceRow:
    return PreferenceRow(judge, FEATURES[found.feature], found.machine, found.people, found.difference)


PREFERENCES = Table(
    rows=lambda computed: _preferences(computed, in_order(computed)),
    page_rows=lambda computed: _preferences(computed, in_focus(computed)),
    columns=(
        MetricName("judge", "Judge"),
        Text("feature", "Preferred output"),
        Estimated("by_judge", "By the judge", digits=2),
        Estimated("people", "By people", digits=2),
        Estimated("difference", "Difference", digits=2),
    ),
    caption="How often such an output wins",
    note="Share of the decided pairs that differ in this, of pairs that the judge answered. Screens of "
    "machines and people had orders of their own.",
)


class Repeated(NamedTuple):
    """Answers of a machine, or of people, when asked again."""

    judge: str
    found: Consistency


def _repeated(computed: Computed) -> Iterator[Repeated]:
    """People, and machines that were asked again."""
    people = computed.result.people
    if people is not None and people.consistency is not None:
        yield Repeated("people with themselves", people.consistency)
    for each in in_order(computed):
        if each.consistency is not None:
            yield Repeated(each.name, each.consistency)


CONSISTENCY = Table(
    rows=_repeated,
    columns=(
        Text("judge", "Judge"),
        *(
            column
            for name, label in (
                ("same_order", "In the same order"),
                ("other_order", "In the other order"),
                ("unknown_order", "Order not known"),
            )
            for column in (
                Estimated(name, label, attrgetter(f"found.{name}"), digits=2),
                Count(f"{name}_pairs", value=attrgetter(f"found.{name}.n")),
            )
        ),
    ),
    caption="How often the same answer is given again",
)


class DifficultyRow(NamedTuple):
    """Agreement on the pairs of some difficulty."""

    judge: str
    accuracy: PairAccuracy


def _difficulties(judges: Iterable[ComparedJudge]) -> Iterator[DifficultyRow]:
    return (
        DifficultyRow(each.name, found)
        for each in judges
        for found in each.by_difficulty
        if found.people.n or found.machine.n
    )


DIFFICULTY = Table(
    rows=lambda computed: _difficulties(in_order(computed)),
    page_rows=lambda computed: _difficulties(in_focus(computed)),
    columns=lambda computed: (
        MetricName("judge", "Judge"),
        Text("group", "Systems", attrgetter("accuracy.group")),
        Estimated(
            "by_judge",
            "Judge with people",
            lambda row: share_of_judge(row.accuracy, computed.chosen["measure"]),
            digits=2,
        ),
        Estimated(
            "people",
            "People",
            lambda row: share_of_people(row.accuracy, computed.chosen["measure"]),
            heading="People among themselves",
            digits=2,
        ),
        Count("answers", "Answers", lambda row: share_of_judge(row.accuracy, computed.chosen["measure"]).n),
    ),
    caption="Agreement by how close people rank the two systems",
    note="Clusters are those of the ranking of people, at the confidence of the intervals.",
)

TABLES = {
    "judges": JUDGES,
    "numbers": NUMBERS,
    "annotators": ANNOTATORS,
    "epsilon": EPSILON,
    "rankings": RANKINGS,
    "systems": SYSTEMS,
    "preferences": PREFERENCES,
    "consistency": CONSISTENCY,
    "difficulty": DIFFICULTY,
}
