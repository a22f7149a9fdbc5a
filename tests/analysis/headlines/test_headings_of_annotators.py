"""Headings of results about annotators and machines that judge."""

from collections.abc import Sequence
from types import SimpleNamespace as Made
from typing import Any

import pytest

from analysis.analyses.annotators.agreement import repeats_in_words
from analysis.analyses.annotators.judges_compared import JudgeKind, MachineJudgesParameters
from tests.analysis.headlines.headings import MANY, Headings, for_each, heading


def effects(*values: float, high: float = 2.0) -> list[Any]:
    return [
        Made(name=name, value=value, low=value - 0.1, high=min(high, value + 0.1))
        for name, value in zip(["A", *MANY], values, strict=False)
    ]


def judges(kind: JudgeKind, *tested: tuple[int, int] | str) -> Any:
    """Judges who beat so many of so many annotators, or were not tested for a reason."""
    return [
        Made(
            name=f"{kind.value} {place}",
            kind=kind,
            test=Made(winning_rate=None, may_stand_in=None, reason=each)
            if isinstance(each, str)
            else Made(
                winning_rate=each[0] / each[1],
                may_stand_in=2 * each[0] >= each[1],
                advantage_probability=0.5,
                beaten=each[0],
                tested=each[1],
                reason=None,
            ),
        )
        for place, each in enumerate(tested, start=1)
    ]


def judged_here(*each: Any) -> Any:
    return Made(reason=None, judges=[judge for some in each for judge in some])


def judging(kappa: float | None, *interval: float) -> Made:
    low, high = interval or (None, None)
    reason = "there is only one annotator"
    return Made(agreement=Made(inter=Made(value=kappa, low=low, high=high, reason=reason)))


def documents(*kappas: float, half: float = 0.1) -> Made:
    """Documents with these kappas, whose intervals reach this far to each side."""
    return Made(
        documents=[
            Made(document=f"D{place}", kappa=Made(value=kappa), low=kappa - half, high=kappa + half)
            for place, kappa in enumerate(kappas, start=1)
        ]
    )


def flagged(number: int, total: int) -> Made:
    names = MANY[:total]
    why = {name: ("too fast",) if place < number else () for place, name in enumerate(names)}
    return Made(annotators=names, reasons=lambda thresholds: why)


def modelled(plain: Sequence[float], now: Sequence[float], reliabilities: Sequence[float] = ()) -> Made:
    return Made(
        plain=effects(*plain),
        with_judges=effects(*now),
        with_style=[],
        judges=effects(*reliabilities),
        is_scored=False,
    )


PARAMETERS = {"machine-judges": MachineJudgesParameters()}

HEADINGS: Headings = (
    ("agreement", judging(None), "The agreement of annotators is not defined: there is only one annotator"),
    ("agreement", judging(-0.02), "Annotators agree no better than chance (κ = -0.02)"),
    ("agreement", judging(0.52), "Annotators agree moderately (κ = 0.52)"),
    (
        "agreement",
        judging(0.52, 0.466, 0.57),
        "Annotators agree moderately (κ = 0.52, 95 % interval 0.47 to 0.57)",
    ),
    ("agreement-by-document", documents(), "No two annotators judged the same outputs of a document"),
    ("agreement-by-document", documents(0.3), "Kappa between annotators is 0.30 in D1"),
    ("agreement-by-document", documents(0.3, 0.3), "Kappa between annotators is 0.30 in both documents"),
    ("agreement-by-document", documents(*[0.3] * 40), "Kappa between annotators is 0.30 in all 40 documents"),
    (
        "agreement-by-document",
        documents(0.5, 0.1, 0.7),
        "Kappa between annotators ranges from 0.10 in D2 to 0.70 in D3",
    ),
    (
        "agreement-by-document",
        documents(0.5, 0.1, 0.7, half=0.31),
        "Kappa between annotators ranges from 0.10 in D2 to 0.70 in D3, but their intervals overlap",
    ),
    ("quality", flagged(0, 0), "Nobody has answered yet"),
    ("quality", flagged(0, 1), "No annotator is flagged"),
    ("quality", flagged(1, 1), "The only annotator is flagged"),
    ("quality", flagged(0, 2), "Neither annotator is flagged"),
    ("quality", flagged(1, 2), "1 of 2 annotators is flagged"),
    ("quality", flagged(2, 3), "2 of 3 annotators are flagged"),
    ("quality", flagged(0, 15), "None of 15 annotators is flagged"),
    ("quality", flagged(40, 40), "All 40 annotators are flagged"),
    ("judge-model", modelled([], []), "There is nothing to model yet"),
    ("judge-model", modelled([2, 1], [2, 1]), "Alder stays first after allowing for annotators"),
    ("judge-model", modelled([1, 2], [1, 1]), "Both systems are equal after allowing for annotators"),
    ("judge-model", modelled([1] * 15, [1] * 15), "All systems are equal after allowing for annotators"),
    (
        "judge-model",
        modelled([1, 2, 1], [2, 1, 1]),
        "After allowing for annotators, Alder is first instead of S1",
    ),
    (
        "judge-model",
        modelled([1, 2, 1], [1.05, 1, 1]),
        "After allowing for annotators, Alder is first instead of S1, but its interval overlaps that of S1",
    ),
    (
        "judge-model",
        modelled([2] * 14 + [1], [2] * 14 + [1]),
        "Alder, S1 and 12 others stay first after allowing for annotators",
    ),
    (
        "judge-model",
        modelled([2, 1], [2, 1], [0.5] * 3 + [1.2] * 12),
        "Alder stays first after allowing for annotators",
    ),
    (
        "judge-model",
        modelled([2, 1], [1.05, 1], [1.0, 1.5]),
        "Alder stays first after allowing for annotators, but its interval overlaps that of S1",
    ),
    (
        "judge-model",
        modelled([2, 1.95, 1.9, 1.95, 1.9, 1], [2, 1.95, 1.9, 1.95, 1.9, 1]),
        "Alder stays first after allowing for annotators, but its interval overlaps those of S1, S2 and "
        "2 others",
    ),
    (
        "machine-judges",
        Made(reason="Nobody has compared two outputs yet"),
        "Nobody has compared two outputs yet",
    ),
    ("machine-judges", judged_here(), "No machine has judged here, and no metric has scores"),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.MACHINE, (7, 9)), judges(JudgeKind.BASELINE, (9, 9))),
        "machine 1 may stand in for one more annotator of this kind (winning rate 0.78)",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.MACHINE, (7, 9), (1, 9), (9, 9))),
        "machine 1 and machine 3 may stand in for one more annotator of this kind (winning rates 0.78 "
        "and 1.00)",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.MACHINE, *[(5, 8)] * 40)),
        "machine 1, machine 2 and 38 others may stand in for one more annotator of this kind (winning rates "
        "from 0.62)",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.MACHINE, (2, 8))),
        "machine 1 may not stand in for an annotator: it is as good as 2 of 8 annotators, and 4 are needed",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.MACHINE, (2, 8), (3, 8), "it answered few")),
        "None of the 2 machines tested may stand in for an annotator: machine 2 is as good as 3 of 8 "
        "annotators, and 4 are needed",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.MACHINE, "there are two annotators")),
        "Whether a machine may stand in for an annotator is not tested: there are two annotators",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.METRIC, (0, 8))),
        "metric 1 may not stand in for an annotator: it is as good as 0 of 8 annotators, and 4 are needed",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.METRIC, (1, 9), (0, 9))),
        "None of the 2 metrics may stand in for an annotator: metric 1 is as good as 1 of 9 "
        "annotators, and 5 are needed",
    ),
    (
        "machine-judges",
        judged_here(judges(JudgeKind.METRIC, (1, 9), "it answered few")),
        "The only metric tested may not stand in for an annotator: metric 1 is as good as 1 of 9 "
        "annotators, and 5 are needed",
    ),
)


@for_each(HEADINGS)
def test_a_heading(name: str, result: Any, expected: str) -> None:
    assert heading(name, result, PARAMETERS.get(name)) == expected


@pytest.mark.parametrize(
    ("kappa", "expected"),
    [(None, ""), (0.46, "With their own repeated judgments they agree moderately (κ = 0.46)")],
)
def test_how_far_annotators_agree_with_themselves(kappa: float | None, expected: str) -> None:
    repeats: Any = Made(agreement=Made(intra=Made(value=kappa, low=None)))
    assert repeats_in_words(repeats) == expected
