"""Metrics under stress: degenerate systems, and the rules that name what a metric makes of them."""

from collections import Counter
from typing import Any

import pytest

from metrics import Annotation, CorpusScore, EvaluationSet, metric_from_text
from metrics.meta_evaluation.coverage.word_edits import word_edits
from metrics.meta_evaluation.estimates import Estimate
from metrics.meta_evaluation.stress import (
    PERSON,
    TOLERATED,
    Degenerate,
    Rule,
    StressCard,
    degenerate_outputs,
    disqualifying_fault,
    findings,
    has_unsure_faults,
    stress,
)

SOURCES = (
    "She go to the school every days .",
    "I has three dog and a cat at home .",
    "They was happy about the good new .",
    "He like to plays football with friend .",
)
ANNA = (
    "She goes to school every day .",
    "I have three dogs and a cat at home .",
    "They were happy about the good news .",
    "He likes to play football with friends .",
)
BEN = (
    "She goes to the school every day .",
    "I have three dogs and one cat at home .",
    "They were happy about the good news .",
    "He likes playing football with friends .",
)


def card(name: str) -> StressCard:
    annotations = tuple(
        (Annotation("ben", word_edits(source, text)),) for source, text in zip(SOURCES, BEN, strict=True)
    )
    data = EvaluationSet(SOURCES, tuple((text,) for text in BEN), annotations)
    return stress(metric_from_text(name), data, ANNA, seed=1)


def rules(named: StressCard) -> set[tuple[Rule, str]]:
    return {(finding.rule, finding.system) for finding in named.findings}


def given_scores(**values: float | None) -> dict[str, CorpusScore]:
    given = dict.fromkeys([PERSON, *Degenerate], 0.1) | {
        name.replace("_", "-"): value for name, value in values.items()
    }
    return {name: CorpusScore(value, {}, 0) for name, value in given.items()}


def test_degenerate_systems_match_their_names() -> None:
    made = degenerate_outputs(SOURCES, ANNA, seed=3)
    assert made[Degenerate.UNCHANGED] == SOURCES
    assert set(made[Degenerate.EMPTY]) == {""}
    assert made[Degenerate.REPEATED][0] == "She She go to the school every days ."
    for source, swapped, shuffled in zip(
        SOURCES, made[Degenerate.SWAPPED], made[Degenerate.SHUFFLED], strict=True
    ):
        before = source.split()
        different = [place for place, word in enumerate(swapped.split()) if word != before[place]]
        assert len(different) == 2
        assert Counter(swapped.split()) == Counter(shuffled.split()) == Counter(before)
    for correction, edited in zip(ANNA, made[Degenerate.OVER_EDITED], strict=True):
        assert len(edited.split()) == len(correction.split())
        assert edited != correction
    assert made[Degenerate.ELSEWHERE] == (*ANNA[1:], ANNA[0])


def test_choices_depend_on_seed_and_place_alone() -> None:
    made = degenerate_outputs(SOURCES, ANNA, seed=3)
    fewer = degenerate_outputs(SOURCES[:2], ANNA[:2], seed=3)
    assert made[Degenerate.SWAPPED][:2] == fewer[Degenerate.SWAPPED]
    assert made[Degenerate.SHUFFLED] == degenerate_outputs(SOURCES, ANNA, seed=3)[Degenerate.SHUFFLED]
    assert made[Degenerate.SHUFFLED] != degenerate_outputs(SOURCES, ANNA, seed=4)[Degenerate.SHUFFLED]


def test_m2_has_full_precision_without_an_edit_and_cannot_tell_no_change_from_nonsense() -> None:
    m2 = card("m2")
    assert (Rule.PRECISION_WITHOUT_EDITS, Degenerate.UNCHANGED) in rules(m2)
    assert (Rule.WORSE_EQUAL, Degenerate.EMPTY) in rules(m2)
    assert m2.scores[PERSON] > (m2.scores[Degenerate.UNCHANGED] or 0)  # type: ignore[operator]


def test_the_imeasure_puts_nonsense_below_no_change() -> None:
    scores = card("imeasure").scores
    for system in (Degenerate.EMPTY, Degenerate.SHUFFLED, Degenerate.ELSEWHERE):
        assert (scores[system] or 0) < 0
    assert scores[Degenerate.UNCHANGED] == 0
    assert (scores[PERSON] or 0) > 0


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"person": 0.9, "unchanged": 0.5}, set()),
        ({"person": 0.5, "unchanged": 0.5}, {(Rule.NO_CHANGE_AS_GOOD, "unchanged")}),
        ({"person": 0.9, "unchanged": 0.5, "shuffled": 0.6}, {(Rule.WORSE_ABOVE, "shuffled")}),
        ({"person": 0.9, "unchanged": 0.5, "empty": 0.5}, {(Rule.WORSE_EQUAL, "empty")}),
        ({"person": 0.9, "unchanged": None}, set()),
        ({"person": None, "unchanged": 0.5, "empty": None}, set()),
    ],
)
def test_rules(given: dict[str, Any], expected: set[tuple[Rule, str]]) -> None:
    named = findings(given_scores(**given), compares_edits=False)
    assert {(finding.rule, finding.system) for finding in named} == expected


def test_credit_without_edits_is_named_only_where_edits_are_scored() -> None:
    """CLEME2.0 gives the unchanged sentences .40."""
    given = given_scores(person=0.9, unchanged=0.4)
    [named] = findings(given, compares_edits=True)
    assert (named.rule, named.text) == (
        Rule.CREDIT_WITHOUT_EDITS,
        "Without a single edit the score is 0.400.",
    )


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({}, None),
        ({Degenerate.EMPTY: 0.54, Degenerate.SWAPPED: 0.5, Degenerate.OVER_EDITED: 0.99}, None),
        (
            {Degenerate.EMPTY: 0.56},
            "It gives empty outputs 0.560, the unchanged sentences 0.500 and a person's corrections 1.000.",
        ),
        (
            {Degenerate.OVER_EDITED: 1.0},
            "It gives corrections, a fifth of words replaced 1.000, the unchanged sentences 0.500 "
            "and a person's corrections 1.000.",
        ),
        (
            {PERSON: 0.5},
            "It gives the unchanged sentences 0.500, and a person's corrections 0.500.",
        ),
        ({PERSON: None}, "It gives a person's corrections or the unchanged sentences no score."),
        ({Degenerate.SHUFFLED: None}, None),
    ],
)
def test_a_fault_disqualifies_if_it_could_change_which_system_wins(
    changed: dict[str, float | None], fault: str | None
) -> None:
    degenerate = {str(system): 0.2 for system in Degenerate} | {str(Degenerate.UNCHANGED): 0.5}
    assert disqualifying_fault(StressCard({PERSON: 1.0, **degenerate, **changed}, ())) == fault


def test_a_pass_is_clear_if_no_resample_of_the_sentences_would_change_it() -> None:
    gleu = card("gleu")
    assert set(gleu.differences) == {PERSON, *Degenerate} - {Degenerate.UNCHANGED}
    for system, each in gleu.differences.items():
        assert each.value == pytest.approx(
            (gleu.scores[system] or 0) - (gleu.scores[Degenerate.UNCHANGED] or 0)
        )
        assert (each.low or 0) <= (each.value or 0) <= (each.high or 0)
    assert gleu.is_clear == (not gleu.findings and not gleu.unsure)


def test_how_much_more_an_output_scores_than_it_may_is_resampled_with_the_scores() -> None:
    gleu = card("gleu")
    person, unchanged = (gleu.scores[system] or 0 for system in (PERSON, Degenerate.UNCHANGED))
    for system, allowed in ((Degenerate.OVER_EDITED, 1.0), (Degenerate.EMPTY, TOLERATED)):
        excess = gleu.excesses[system]
        assert excess.value == pytest.approx(
            (gleu.scores[system] or 0) - unchanged - allowed * (person - unchanged)
        )
        assert (excess.low or 0) < (excess.value or 0) < (excess.high or 0)
    assert gleu.excesses[Degenerate.UNCHANGED].value == pytest.approx(unchanged - person)


def test_over_edited_corrections_just_above_the_persons_are_perhaps_a_fault() -> None:
    """They are clearly above the unchanged sentences, but that is allowed."""
    scores: dict[str, float | None] = dict.fromkeys(map(str, Degenerate), 0.0)
    scores |= {PERSON: 0.5, Degenerate.UNCHANGED: 0.3, Degenerate.OVER_EDITED: 0.501}
    above = {str(Degenerate.OVER_EDITED): Estimate(0.201, 0.12, 0.28, None)}
    for low, is_unsure in ((-0.02, True), (0.0005, False)):
        excess = {str(Degenerate.OVER_EDITED): Estimate(0.001, low, 0.03, None)}
        assert has_unsure_faults(StressCard(scores, (), above, excess)) == is_unsure


@pytest.mark.parametrize(
    ("low", "high", "is_unsure"),
    [(0.1, 0.3, False), (-0.3, -0.1, False), (-0.1, 0.2, True), (0.0, 0.2, True), (0.0, 0.0, False)],
)
def test_an_output_is_unsure_if_the_interval_of_its_difference_includes_0(
    low: float, high: float, is_unsure: bool
) -> None:
    """An output that always scores as much as the unchanged sentences is sure to do so."""
    tried = StressCard({}, (), {Degenerate.EMPTY: Estimate((low + high) / 2, low, high, None)})
    assert (Degenerate.EMPTY in tried.unsure) == is_unsure


def test_a_difference_without_an_interval_is_unsure() -> None:
    assert StressCard({}, (), {PERSON: Estimate(0.2, None, None, "why")}).unsure == {PERSON}
