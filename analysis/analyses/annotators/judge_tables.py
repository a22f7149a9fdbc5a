"""Tables and the figure of judges beside people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from analysis.analyses.annotators.judges_compared import (
    CURVE,
    OWN_FAMILY,
    ComparedJudge,
    JudgeKind,
    MachineJudges,
)
from analysis.analyses.metric_titles import MetricName, title_of_metric
from core.columns import Amount, Annotator, Count, Estimated, Number, PValue, Spread, System, Text, Verdict
from core.names import Naming
from core.results import Choice, Computed, Figure, Layout
from core.tables import Table
from core.wording import percent, with_interval
from figures.annotators.machine_judges import Ceiling, DrawnJudge, machine_judges_figure
from figures.drawing import Chart
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

SAME, HALF_TIES, DECIDED = "same", "half-ties", "decided"

MEASURES = {
    SAME: ("Same answer", "machine", "people"),
    HALF_TIES: ("Ties by half", "machine_half_ties", "people_half_ties"),
    DECIDED: ("Decided by people", "decided", "people_decided"),
}
"""Measures of agreement by name in addresses: title, and the attributes of a judge's and people's share."""

MEASURE = Choice("Agreement", lambda computed: {name: title for name, (title, *_) in MEASURES.items()})

MEANINGS = {
    SAME: "Share of the answers of people with which the judge's is the same",
    HALF_TIES: "Agreement with the answers of people, where a tie agrees by half with what is none",
    DECIDED: "Share of the decided answers of people that the judge orders alike; its ties count by half",
}

CORRELATIONS = {
    Coefficient.PEARSON: "Pearson’s r",
    Coefficient.SPEARMAN: "Spearman’s ρ",
    Coefficient.KENDALL: "Kendall’s τ",
}


def share_of_judge(accuracy: PairAccuracy, measure: str) -> Share:
    """The share by which a judge agrees with people."""
    share: Share = getattr(accuracy, MEASURES[measure][1])
    return share


def share_of_people(accuracy: PairAccuracy, measure: str) -> Share:
    """The share by which people agree among themselves."""
    share: Share = getattr(accuracy, MEASURES[measure][2])
    return share


def in_order(computed: Computed) -> list[ComparedJudge]:
    """Machines, metrics and baselines, each group from the highest agreement down."""
    kinds, measure = list(JudgeKind), computed.chosen["measure"]

    def place(judge: ComparedJudge) -> tuple[int, float, str]:
        agreement = share_of_judge(judge.accuracy, measure).value
        return kinds.index(judge.kind), -1.0 if agreement is None else -agreement, judge.name

    return sorted(computed.result.judges, key=place)


def in_focus(computed: Computed) -> list[ComparedJudge]:
    """The judges whose details pages show: machines, or else the one that agrees most."""
    judges = in_order(computed)
    return [each for each in judges if each.kind is JudgeKind.MACHINE] or judges[:1]


def of_people(computed: Computed) -> Share | None:
    """Agreement of people among themselves; None without judges."""
    judges: Sequence[ComparedJudge] = computed.result.judges
    return share_of_people(judges[0].accuracy, computed.chosen["measure"]) if judges else None


def beaten_of(test: AlternativeAnnotatorTest) -> str | None:
    """How many annotators it beats, such as "3 of 8"; None if there is no test."""
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


JUDGES = Table(
    rows=_judges,
    columns=(
        MetricName("judge", "Judge"),
        Text("kind", "Kind"),
        Estimated("agreement", "Agreement", heading="Agreement with people", ends_on_paper=("from", "to")),
        Number("kappa", "κ", attrgetter("kappa.value"), digits=2, hint=lambda row: row.kappa.reason or ""),
        Number("alpha", "α", attrgetter("alpha.value"), digits=2, hint=lambda row: row.alpha.reason or ""),
        Number("advantage", "Advantage", _of_test("advantage_probability"), digits=2),
        Amount("", "Beats", lambda row: row.test and beaten_of(row.test)),
        Count("beaten", value=_of_test("beaten")),
        Count("tested", value=_of_test("tested")),
        Number("winning_rate", "Winning rate", _of_test("winning_rate"), digits=2),
        Verdict("may_stand_in", "May stand in", _of_test("may_stand_in")),
        Text("", "Not tested", _of_test("reason"), on_paper=False),
        Text("reason", value=_of_test("reason")),
    ),
    caption="Agreement of each judge with people, and the alternative annotator test",
    comment=lambda computed: f"Agreement: {MEASURES[computed.chosen.get('measure', SAME)][0].lower()}",
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
    "annotators": ANNOTATORS,
    "epsilon": EPSILON,
    "rankings": RANKINGS,
    "systems": SYSTEMS,
    "preferences": PREFERENCES,
    "consistency": CONSISTENCY,
    "difficulty": DIFFICULTY,
}


def draw_judges(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Each judge with its agreement and how many annotators it beats."""
    measure = computed.chosen["measure"]
    drawn = []
    for each in in_order(computed):
        share = share_of_judge(each.accuracy, measure)
        if share.value is not None:
            drawn.append(
                DrawnJudge(
                    title_of_metric(each.name),
                    each.kind.value,
                    share.value,
                    share.low,
                    share.high,
                    each.kind is not JudgeKind.MACHINE,
                    beaten_of(each.test) or "–",
                )
            )
    people = of_people(computed)
    ceiling = None
    if people is not None and people.value is not None:
        ceiling = Ceiling(people.value, people.low, people.high)
    return machine_judges_figure(
        drawn,
        ceiling,
        title=f"{naming.title}: agreement with people",
        name=with_interval(MEASURES[measure][0], computed.parameters.confidence),
        layout=layout,
    )


def _note(computed: Computed, naming: Naming) -> str:
    measured, ceiling = MEANINGS[computed.chosen["measure"]], _about_ceiling(computed)
    has_machines = any(each.kind is JudgeKind.MACHINE for each in computed.result.judges)
    dots = " Machines have full dots." if has_machines else ""
    has_untested = any(each.test.winning_rate is None for each in computed.result.judges)
    untested = " – means not tested: *Each judge in numbers* says why." if has_untested else ""
    return (
        f"{measured}.{ceiling}{dots} *Beats*: of the annotators tested, how many the "
        f"judge beats in the alternative annotator test with epsilon = {computed.parameters.epsilon:g}."
        f"{untested}"
    )


def _about_ceiling(computed: Computed) -> str:
    """What the band or the line of people is; empty where people did not judge the same."""
    people = of_people(computed)
    if people is None or people.value is None:
        return ""
    ceiling = "the agreement of people among themselves, which is as much as a judge can be asked for"
    if people.low is None:
        return f" The line is {ceiling}."
    return f" The band is {ceiling}, with its {percent(computed.parameters.confidence)} interval."


FIGURES = {
    "judges": Figure(
        caption="Agreement of judges with people",
        draw=draw_judges,
        has_content=lambda computed: any(
            share_of_judge(each.accuracy, computed.chosen["measure"]).value is not None
            for each in computed.result.judges
        ),
        note=_note,
    ),
}
