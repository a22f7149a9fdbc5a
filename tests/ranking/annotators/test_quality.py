"""The control check of annotators, and the other quality figures."""

from collections.abc import Mapping

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.snapshot.snapshots import DTYPES
from ranking import FlagRule
from ranking.annotators.control_rule import DEFAULT_RULE, ControlRule
from ranking.annotators.peer_agreement import BLOCKS
from ranking.annotators.quality import (
    AnnotatorQuality,
    ControlCheck,
    Measure,
    campaign_seconds,
    control_checks,
    quality_of_annotators,
    reasons_to_look,
)
from tests.depth import examples

ROLES = {"INPUT": "source", "source+error": "control", "gold": "reference", "A": "system", "B": "system"}

Screen = tuple[str, Mapping[str, int]]


def judged(*screens: Screen, by: str = "score", seconds: int | None = None) -> pd.DataFrame:
    """A snapshot of screens (annotator, score of each output as shown), or ranks; all of sentence 0."""
    rows = [
        {
            "judgment": f"judgment {number}",
            "annotator": annotator,
            "sentence": 0,
            "output": systems,
            "systems": tuple(systems.split()),
            "position": position,
            by: value,
            "active_ms": seconds and 1000 * seconds * (number + 1),
        }
        for number, (annotator, values) in enumerate(screens)
        for position, (systems, value) in enumerate(values.items())
    ]
    columns = [
        "judgment",
        "annotator",
        "sentence",
        "output",
        "systems",
        "position",
        "rank",
        "score",
        "active_ms",
    ]
    return pd.DataFrame(rows, columns=columns).astype({name: DTYPES[name] for name in columns})


def check(*screens: Mapping[str, int], by: str = "score", rule: ControlRule = DEFAULT_RULE) -> ControlCheck:
    return control_checks(judged(*(("ann", screen) for screen in screens), by=by), ROLES, rule)["ann"]


def quality(*screens: Screen, seconds: int | None = None) -> AnnotatorQuality:
    return {
        annotator.annotator: annotator
        for annotator in quality_of_annotators(judged(*screens, seconds=seconds), ROLES)
    }["ann"]


BELOW = {"INPUT": 60, "source+error": 40}
TIED = {"INPUT": 60, "source+error": 60}


def test_a_tie_is_a_miss() -> None:
    result = check(BELOW, BELOW, TIED, {"INPUT": 40, "source+error": 60})
    assert (result.cases, result.passed, result.share) == (4, 2, 0.5)


def test_only_screens_with_both_are_cases() -> None:
    assert check(BELOW, {"INPUT": 60, "A": 40}, {"source+error": 60, "A": 40}, {"A": 1, "B": 2}).cases == 1


def test_source_and_control_are_known_among_collapsed_systems() -> None:
    assert check({"A INPUT": 60, "source+error B": 40}).passed == 1


def test_a_campaign_without_controls_has_no_cases() -> None:
    frame = judged(*[("ann", {"INPUT": 50, "A": 60})] * 300).astype({"judgment": "category"})
    assert control_checks(frame, ROLES)["ann"].cases == 0


def test_a_control_that_is_the_source_makes_no_case() -> None:
    assert check({"INPUT source+error": 60, "A": 40}).cases == 0


def test_each_of_several_controls_must_be_below() -> None:
    roles = ROLES | {"other": "control"}
    frame = judged(("ann", {**BELOW, "other": 50}), ("ann", {**BELOW, "other": 70}))
    assert control_checks(frame, roles)["ann"].passed == 1


def test_of_ranks_the_lower_is_better() -> None:
    result = check({"INPUT": 1, "source+error": 2}, {"INPUT": 2, "source+error": 1}, by="rank")
    assert (result.cases, result.passed) == (2, 1)


def test_the_interval_is_exact() -> None:
    """Clopper and Pearson 1934: 7 of 10 has .3475 to .9333; 10 of 10 has .6915 to 1."""
    result = check(*[BELOW] * 7, *[TIED] * 3)
    assert result.low == pytest.approx(0.3475, abs=5e-5)
    assert result.high == pytest.approx(0.9333, abs=5e-5)
    result = check(*[BELOW] * 10)
    assert result.low == pytest.approx(0.6915, abs=5e-5)
    assert result.high == 1


@pytest.mark.parametrize(("passed", "flagged"), [(14, False), (13, True)])
def test_below_seventy_percent_is_flagged(passed: int, flagged: bool) -> None:
    assert check(*[BELOW] * passed, *[TIED] * (20 - passed)).flagged is flagged


def test_nobody_is_flagged_for_too_few_cases() -> None:
    result = check(*[TIED] * 19)
    assert (result.flagged, result.reason) == (False, "below the threshold, but fewer than 20 cases")
    assert check(*[TIED] * 19, rule=ControlRule(min_cases=19)).flagged is True
    assert check(*[BELOW] * 19).reason is None


def test_the_threshold_can_be_set() -> None:
    half = [BELOW] * 10 + [TIED] * 10
    assert check(*half, rule=ControlRule(threshold=0.5)).flagged is False
    assert check(*half, rule=ControlRule(threshold=0.51)).flagged is True


def test_without_cases_there_is_a_reason() -> None:
    assert check({"A": 1, "B": 2}) == ControlCheck(
        0, 0, None, None, None, False, "no screen showed source and control"
    )


def test_nobody_has_a_standing_in_an_empty_snapshot() -> None:
    assert control_checks(judged(), ROLES) == {}
    assert quality_of_annotators(judged(), ROLES) == ()


def test_an_annotator_without_ratings_has_a_standing() -> None:
    frame = judged(("ann", BELOW))
    frame = frame.astype({name: "str" for name, dtype in frame.dtypes.items() if dtype == "category"})
    frame.loc[len(frame)] = {
        **frame.loc[0].to_dict(),
        "judgment": "skipped",
        "annotator": "ben",
        "score": None,
    }
    ben = quality_of_annotators(frame, ROLES)[1]
    assert (ben.annotator, ben.screens, ben.check.cases) == ("ben", 0, 0)
    assert (ben.seconds.reason, ben.all_equal.reason) == (
        "no times were recorded",
        "no screen showed several outputs",
    )
    assert ben.agreement.reason == "nobody else judged the same outputs"
    assert ben.repeats.reason == "no pair of outputs was judged twice"


def test_the_time_of_a_screen_is_the_median() -> None:
    figures = quality(("ann", BELOW), ("ann", BELOW), ("ann", BELOW), seconds=10)
    assert (figures.seconds.value, figures.seconds.cases) == (20, 3)


def test_constant_answers_show() -> None:
    figures = quality(("ann", TIED), ("ann", TIED), ("ann", BELOW), ("ann", {"A": 5}))
    assert figures.all_equal == Measure(2 / 3, 3, None)
    assert figures.screens == 4


def test_the_same_clicks_on_every_screen_show() -> None:
    """Clicks count as shown, whatever the outputs are; only screens of equal size are compared."""
    figures = quality(
        ("ann", {"A": 10, "B": 90}),
        ("ann", {"INPUT": 10, "A": 90}),
        ("ann", {"A": 90, "B": 10}),
        ("ann", {"A": 10, "B": 90, "INPUT": 50}),
    )
    assert figures.same_answer.value == pytest.approx(3 / 4)


def test_agreement_is_counted_over_pairs_of_outputs_that_others_judged() -> None:
    """Of the pairs AB, A-INPUT and B-INPUT, ben agrees on one and cleo judged one, the same way."""
    figures = quality(
        ("ann", {"A": 90, "B": 50, "INPUT": 10}),
        ("ben", {"A": 20, "B": 10, "INPUT": 30}),
        ("cleo", {"A": 80, "B": 70}),
    )
    assert figures.agreement == Measure(2 / 4, 4, None)


def test_work_on_many_pairs_can_be_stopped_between_its_parts() -> None:
    steps: list[int] = []

    def stop() -> None:
        steps.append(len(steps))
        if len(steps) > BLOCKS:
            raise InterruptedError

    outputs = {f"output{number}": number for number in range(2 * BLOCKS)}
    with pytest.raises(InterruptedError):
        quality_of_annotators(judged(("ann", outputs), ("ben", outputs)), ROLES, step=stop)


def test_repeats_are_an_annotators_own_judgments_of_the_same_outputs() -> None:
    figures = quality(("ann", {"A": 90, "B": 50}), ("ann", {"A": 80, "B": 10}), ("ann", {"A": 10, "B": 50}))
    assert figures.repeats == Measure(1 / 3, 3, None)


values = st.dictionaries(st.sampled_from(list(ROLES)), st.integers(1, 4), min_size=1)


@settings(max_examples=examples(15))
@given(st.lists(st.tuples(st.sampled_from(["ann", "ben"]), values), min_size=1, max_size=8))
def test_scores_and_ranks_that_say_the_same_have_the_same_quality(screens: list[Screen]) -> None:
    turned = [(name, {systems: 5 - value for systems, value in ratings.items()}) for name, ratings in screens]
    assert quality_of_annotators(judged(*screens), ROLES) == quality_of_annotators(
        judged(*turned, by="rank"), ROLES
    )


# --- Reasons to look ------------------------------------------------------------------------------

SIZES = FlagRule(min_cases=2)


def reasons(
    *screens: Screen, rule: ControlRule = DEFAULT_RULE, habits: FlagRule = SIZES
) -> dict[str, tuple[str, ...]]:
    frame = judged(*screens)
    frame["active_ms"] = frame["annotator"].map({"ann": 30_000, "ben": 4_000, "cleo": 20_000}).astype("Int64")
    return reasons_to_look(quality_of_annotators(frame, ROLES), rule, habits)


def test_reasons_are_words_with_the_numbers() -> None:
    screens: list[Screen] = [
        *(("ann", {"A": 10 * n, "B": 50, "INPUT": 20 + n}) for n in range(4)),
        *(("cleo", {"A": 10 * n, "B": 51, "INPUT": 21 + n}) for n in range(4)),
        *(("ben", {"A": 90, "B": 10, "INPUT": 90}) for _ in range(4)),
    ]
    by_annotator = reasons(*screens)
    assert by_annotator["ann"] == by_annotator["cleo"] == ()
    assert by_annotator["ben"] == (
        "median of 4.0 s a screen, 20 % of the campaign’s 20.0 s (at least 33 %)",
        "same answer on 100 % of 4 screens (at most 90 %)",
        "agreement beyond chance of −50 % (at least 0 %): 0 % of 96 comparisons with others agree, "
        "33 % would by chance (significant at the level 0.001)",
    )


def test_the_control_is_one_of_the_reasons() -> None:
    rule = ControlRule(min_cases=2)
    by_annotator = reasons(("ann", TIED), ("ann", BELOW), ("ben", BELOW), rule=rule)
    assert by_annotator == {"ann": ("control below source on 50 % of 2 screens (at least 70 %)",), "ben": ()}


def test_the_campaign_s_time_is_that_of_several_annotators() -> None:
    assert (
        campaign_seconds(
            quality_of_annotators(judged(("ann", BELOW), seconds=10), ROLES), FlagRule(min_cases=1)
        )
        is None
    )
    two = quality_of_annotators(judged(("ann", BELOW), ("ben", BELOW), seconds=10), ROLES)
    assert campaign_seconds(two, FlagRule(min_cases=1)) == 15
