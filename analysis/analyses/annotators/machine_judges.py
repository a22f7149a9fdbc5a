"""Analysis of machines, metrics and baselines as judges: may one stand in for one more annotator?"""

from collections import Counter
from collections.abc import Sequence

from analysis.analyses.annotators.comparing_judges import machine_judges
from analysis.analyses.annotators.judge_agreement import MEASURE, of_people
from analysis.analyses.annotators.judge_figure import FIGURES
from analysis.analyses.annotators.judge_tables import TABLES
from analysis.analyses.annotators.judged_by_machines import JudgedByMachines
from analysis.analyses.annotators.judges_compared import (
    OWN_FAMILY,
    ComparedJudge,
    JudgeKind,
    MachineJudges,
    MachineJudgesParameters,
    PeopleCompared,
    Tested,
    resolved,
)
from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.against_people import too_much
from analysis.analyses.systems.ranking import RATED
from core.names import Naming
from core.results import Computed, Section
from core.wording import beginning, briefly, counted, listed, literal, whole_percent
from ranking.annotators.verdicts import COLUMNS as VERDICT_COLUMNS
from ranking.machines.alternative_annotator import LEAST_ANSWERED

COLUMNS = tuple(dict.fromkeys((*RATED, "position", "verdict", *VERDICT_COLUMNS)))


def of_kind(result: MachineJudges, kind: JudgeKind) -> list[ComparedJudge]:
    """The judges of a kind."""
    return [each for each in result.judges if each.kind is kind]


def headline(computed: Computed, naming: Naming) -> str:
    """Whether a machine may stand in for an annotator; without machines, whether a metric may."""
    result: MachineJudges = computed.result
    if result.reason:
        return result.reason
    kind = next((kind for kind in JudgeKind if of_kind(result, kind)), None)
    if kind is None:
        return "No machine has judged here, and no metric has scores"
    judges = of_kind(result, kind)
    standing_in = [each for each in judges if each.test.may_stand_in]
    if standing_in:
        return _may(standing_in)
    tested = [each for each in judges if each.test.winning_rate is not None]
    if not tested:
        reasons = list(dict.fromkeys(each.test.reason for each in judges))
        why = reasons[0] if len(reasons) == 1 else f"{_title(judges[0])}: {reasons[0]}"
        return f"Whether a {kind} may stand in for an annotator is not tested: {why}"
    best = max(tested, key=lambda each: (each.test.winning_rate, each.test.advantage_probability))
    needed = -(-best.test.tested // 2)
    annotators = counted(best.test.tested, "annotator")
    is_as_good = f"is as good as {best.test.beaten} of {annotators}, and {needed:,} are needed"
    if len(judges) == 1:
        return f"{_title(best)} may not stand in for an annotator: it {is_as_good}"
    which = f"{counted(len(tested), kind.value)}{'' if len(tested) == len(judges) else ' tested'}"
    if len(tested) == 1:
        return f"The only {kind} tested may not stand in for an annotator: {_title(best)} {is_as_good}"
    return f"None of the {which} may stand in for an annotator: {_title(best)} {is_as_good}"


def _may(judges: Sequence[ComparedJudge]) -> str:
    names = briefly([_title(each) for each in judges])
    rates = listed([f"{each.test.winning_rate:.2f}" for each in judges[:3]])
    noun = "winning rate" if len(judges) == 1 else "winning rates"
    if len(judges) > 3:
        lowest = f"{min(each.test.winning_rate or 0.0 for each in judges):.2f}"
        noun, rates = "winning rates from", lowest
    return f"{names} may stand in for one more annotator of this kind ({noun} {rates})"


def _title(judge: ComparedJudge) -> str:
    return title_of_metric(judge.name)


def lead(computed: Computed, naming: Naming) -> str:
    """How many judges are compared, how far people agree, and which baselines to beware of."""
    result: MachineJudges = computed.result
    people = result.people
    if people is None:
        return ""
    there = [counted(len(of_kind(result, kind)), kind.value) for kind in JudgeKind if of_kind(result, kind)]
    noun = "verdict" if result.has_verdicts else "answer"
    about = "" if result.has_verdicts else " about pairs of systems"
    among = of_people(computed)
    agree = ""
    if among is not None and among.value is not None:
        agree = f", who agree among themselves in {whole_percent(among.value)} of them"
    said = (
        f"{beginning(listed(there))} beside {counted(len(people.names), 'annotator')} with "
        f"{counted(people.answers, noun)}{about}{_drawn(people)}{agree}."
    )
    if easy := [each for each in of_kind(result, JudgeKind.BASELINE) if each.test.may_stand_in]:
        named = listed([f"*{each.name}*" for each in easy])
        said += f" Beware: the test lets {named} stand in, too, so it says little here."
    said += _how_verdicts_come_about(computed)
    if not of_kind(result, JudgeKind.MACHINE):
        said += " No machine has judged here."
    said += "".join(map(_favours_its_family, of_kind(result, JudgeKind.MACHINE)))
    if not result.has_texts and not result.has_verdicts:
        said += " Without the texts of outputs there are no baselines."
    if result.unscored:
        said += f" Not judges, since they score no sentences: {listed([*map(literal, result.unscored)])}."
    return said


def _how_verdicts_come_about(computed: Computed) -> str:
    """When a judge is as good as an annotator, how many that has to be, and who is not tested, if any is."""
    if all(each.test.winning_rate is None for each in computed.result.judges):
        return ""
    return (
        " An instance is won by whoever agrees better with the other annotators, by both if equally well. A "
        "judge is *as good as* an annotator if it trails in instances won by clearly less than "
        f"{whole_percent(computed.parameters.epsilon)} of all. One that is as good "
        f"as at least half of the annotators may stand in for one more.{_untested(computed)}"
    )


def _untested(computed: Computed) -> str:
    """How many judges are not tested, and why, as a sentence; empty if all are."""
    untested = [each for each in computed.result.judges if each.test.winning_rate is None]
    if not untested:
        return ""
    kinds = [counted(number, kind) for kind, number in Counter(each.kind.value for each in untested).items()]
    reasons = {each.test.reason for each in untested}
    shares = [each.test.answered_share or 0.0 for each in untested]
    why = reasons.pop() if len(reasons) == 1 else "*Each judge in numbers* says why"
    are_gaps = min(shares) > 0 and max(shares) < LEAST_ANSWERED
    if are_gaps and not computed.parameters.allow_missing:
        why = f"less than {whole_percent(LEAST_ANSWERED)} of the instances have scores or answers"
    return f" Not tested (hollow): {listed(kinds)}; {why}."


def _drawn(people: PeopleCompared) -> str:
    """From how many sentences the answers are, where these were drawn."""
    if people.drawn_sentences is None:
        return ""
    return f" in {counted(people.drawn_sentences, 'sentence')} drawn at random"


def _favours_its_family(judge: ComparedJudge) -> str:
    """That a machine prefers outputs of its own family more than people do; empty if no interval says so."""
    found = next((each for each in judge.preferences if each.feature == OWN_FAMILY), None)
    if found is None or found.difference.low is None or found.difference.low <= 0:
        return ""
    return (
        f" {_title(judge)} prefers outputs of its own family: they win "
        f"{whole_percent(found.machine.value)} of its decided pairs, and "
        f"{whole_percent(found.people.value)} of those of people."
    )


def methods(parameters: MachineJudgesParameters, result: MachineJudges) -> list[str]:
    """The comparison in sentences for a paper."""
    judges = [counted(len(of_kind(result, kind)), kind.value) for kind in JudgeKind if of_kind(result, kind)]
    people = result.people
    if people is None:
        return []
    seed = "" if people.drawn_sentences is None else f" (seed {parameters.seed})"
    unit = "verdicts on outputs" if result.has_verdicts else "answers about pairs of systems"
    sentences = [
        f"Judgments of machines count here, and are never mixed with those of people. {listed(judges)} are "
        f"compared as judges with {len(people.names)} annotators, on {people.answers:,} "
        f"{unit}{_drawn(people)}{seed}.",
        f"The alternative annotator test (Calderon et al. 2025) is at an epsilon of {parameters.epsilon:g}, "
        "with the correction of Benjamini and Yekutieli 2001 over annotators"
        + (
            ", by the differences of scores."
            if parameters.tested_by is not Tested.ORDER
            else "; an instance is an output."
            if result.has_verdicts
            else "; an instance is a sentence with the pairs that both judged."
        ),
        f"Intervals are at {100 * parameters.confidence:g} % confidence, over sentences.",
    ]
    if not result.has_verdicts:
        sentences.append(
            f"Intervals of rankings are from {parameters.replicates:,} bootstrap replicates of sentences "
            f"(seed {parameters.seed})."
        )
    return sentences


EXPLANATION = """
The *alternative annotator test* (Calderon, Reichart and Dror 2025) leaves out one annotator at a time and
asks who agrees better with the others: the judge or this annotator. A judge is *as good as* an annotator (the
paper: wins against them) whose lead in instances won is clearly below epsilon, a discount for being cheap.
The *winning rate* is the share of these annotators; from .5 on, the judge may stand in for one more. The
*advantage* is the mean share of instances that the judge wins, which compares judges and does not depend on
epsilon. Annotators with fewer than 30 instances are not tested, nor is anything with fewer than three
annotators, or a judge that answered less than 95 % of the instances.

Metrics and baselines are judges by their scores: the higher one is better, and only equal ones tie. Baselines
are computed and never stored: random, always ties, longest, shortest, source-likes (fewest edits) and most
edits. Answers of machines are compared with those of people and never counted among them.

*Own family* compares outputs of systems that state the family of the machine's model with outputs of others:
how often they win by the machine, less how often they win by people in the same pairs. A difference above 0
favours relatives beyond their quality as people see it.
"""

MACHINE_JUDGES = register(
    Analysis(
        name="machine-judges",
        title="Machine judges",
        group=Group.ANNOTATORS,
        question="May a machine stand in for an annotator?",
        defined_in="machine-judges.md",
        help="Agreement of machines, metrics and simple rules with annotators, and a test of each.",
        parameters=MachineJudgesParameters,
        result=MachineJudges,
        inputs=JudgedByMachines,
        columns=COLUMNS,
        compute=machine_judges,
        tables=TABLES,
        figures=FIGURES,
        choices={"measure": MEASURE},
        headline=headline,
        lead=lead,
        sections=[
            Section(title="Each judge in numbers", tables=["numbers"], is_folded=True),
            Section(title="Against each annotator", tables=["annotators", "epsilon"], is_folded=True),
            Section(title="Rankings of systems", tables=["rankings", "systems"], is_folded=True),
            Section(title="Preferences", tables=["preferences"], is_folded=True),
            Section(title="Asked again", tables=["consistency"], is_folded=True),
            Section(title="By difficulty", tables=["difficulty"], is_folded=True),
        ],
        explanation=EXPLANATION,
        fields=("epsilon", "tested_by", "half_ties", "domain", "excluded"),
        place=30,
        methods=methods,
        resolve=resolved,
        too_much=too_much,
        at_once=False,
    )
)
