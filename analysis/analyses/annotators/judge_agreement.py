"""How far judges agree with people: the measures to choose from, and the order of judges by them."""

from collections.abc import Sequence

from analysis.analyses.annotators.judges_compared import ComparedJudge, JudgeKind
from core.results import Choice, Computed
from ranking.machines import PairAccuracy, Share

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
