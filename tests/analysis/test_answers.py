"""The answers about a campaign in words, from results that are made up here."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.analyses.annotators.agreement import words_for_kappa
from analysis.analyses.metrics.metric_advice_verdicts import MetricAdvice
from analysis.analyses.planning.when_to_stop import WhenToStop
from analysis.analyses.systems.fragility import FragileBorders
from analysis.answers.metrics import which_metric
from analysis.answers.ranked import _how_firm, is_it_enough
from core.names import Naming
from metrics.meta_evaluation import Check, CheckLine, Estimate
from metrics.meta_evaluation.comparison import Outcome
from ranking import Fragility, Remaining, Watched, WatchedPair

NAMES = Naming("", {"c": "Cedar"}, {}, {})
ODDS = "with at least even odds."
SETTLED = Remaining(None, None, None, 0, None)


def pair(
    above: str, below: str, difference: float, settled_at: int | None = None, *, error: float = 0.01
) -> WatchedPair:
    return WatchedPair(above, below, np.array([difference]), np.array([error]), settled_at)


def watched(*rows: tuple[WatchedPair, Remaining], seconds: float | None = 36.0) -> WhenToStop:
    """After 500 judgments; the interval for every look is three standard errors wide on each side."""
    pairs, remaining = zip(*rows, strict=True) if rows else ((), ())
    looks = Watched(np.array([500]), np.array([100]), 1.96, np.array([3.0]), 0.05, 1000, tuple(pairs))
    return WhenToStop("signature", looks, tuple(remaining), seconds)


def more(median: int | None) -> Remaining:
    return Remaining(None if median is None else 10, median, None, 5000, None)


@pytest.mark.parametrize(
    ("rows", "sentence", "further"),
    [
        ([], "No two systems have been compared yet.", []),
        (
            [(pair("a", "b", 0.2, 300), SETTLED)],
            "Yes: the only pair of neighbouring systems is settled.",
            [],
        ),
        (
            [(pair("a", "b", 0.2, 300), SETTLED), (pair("b", "c", 0.2, 400), SETTLED)],
            "Yes: all 2 pairs of neighbouring systems are settled.",
            [],
        ),
        (
            [(pair("a", "b", 0.2, 300), SETTLED), (pair("b", "c", 0.02), more(1000))],
            "Not yet: 1 of 2 pairs of neighbouring systems is settled.",
            [f"About 1,000 further judgments (10 hours of judging) would settle each of the others {ODDS}"],
        ),
        (
            [(pair("a", "b", 0.2, 300), SETTLED), (pair("b", "c", 0.02), more(79_810))],
            "Not yet: 1 of 2 pairs of neighbouring systems is settled.",
            [f"About 80,000 further judgments (800 hours of judging) would settle each of the others {ODDS}"],
        ),
        (
            [(pair("a", "b", 0.01), more(50))],
            "Not yet: the only pair of neighbouring systems is not settled.",
            ["About 50 further judgments (less than an hour) would settle it with even odds."],
        ),
        (
            [(pair("a", "b", 0.01), more(50)), (pair("b", "c", 0.02), more(1))],
            "Not yet: none of 2 pairs of neighbouring systems are settled.",
            [f"About 50 further judgments (less than an hour) would settle each of them {ODDS}"],
        ),
        (
            [(pair("a", "b", 0.2, 300), SETTLED), (pair("b", "c", 0.01), more(None))],
            "More judgments will hardly help: 1 of 2 pairs of neighbouring systems is settled.",
            [
                "b and Cedar would probably not be told apart by 40 times as many judgments.",
            ],
        ),
        (
            [(pair("a", "b", 0.2, 300), SETTLED), (pair("b", "c", 0.002, error=0.005), more(None))],
            "More judgments will hardly help: 1 of 2 pairs of neighbouring systems is settled.",
            ["b and Cedar are equal for practical purposes: their scores differ by less than 0.02."],
        ),
        (
            [
                (pair("a", "b", 0.2, 300), SETTLED),
                (pair("b", "c", 0.01), more(None)),
                (pair("c", "d", 0.02), more(None)),
                (pair("d", "e", 0.0, error=0.001), more(None)),
                (pair("e", "f", 0.0, error=0.006), more(None)),
            ],
            "More judgments will hardly help: 1 of 5 pairs of neighbouring systems is settled.",
            [
                "d and e are equal for practical purposes: their scores differ by less than 0.02; so are e "
                "and f.",
                "b and Cedar, and 1 further pair, would probably not be told apart by 40 times as many "
                "judgments.",
            ],
        ),
    ],
)
def test_whether_it_is_enough(
    rows: list[tuple[WatchedPair, Remaining]], sentence: str, further: list[str]
) -> None:
    answer = is_it_enough(watched(*rows), NAMES)
    assert (answer.sentence, [*answer.further]) == (sentence, further)


def test_no_pair_is_called_equal_without_an_interval() -> None:
    unknown = replace(pair("a", "b", 0.01), standard_error=np.array([np.nan]))
    answer = is_it_enough(watched((unknown, more(None))), NAMES)
    assert answer.further == []


def test_hours_are_said_only_where_times_were_recorded() -> None:
    [further] = is_it_enough(watched((pair("a", "b", 0.01), more(90)), seconds=None), NAMES).further
    assert further == "About 90 further judgments would settle it with even odds."


def test_the_figure_shows_the_unsettled_pairs_around_0() -> None:
    answer = is_it_enough(
        watched((pair("a", "b", 0.2, 300), SETTLED), (pair("b", "c", 0.02), more(40))), NAMES
    )
    [row] = answer.rows
    assert row.label == "b over Cedar"
    assert row.mark is not None
    assert [row.mark.low, row.mark.high] == pytest.approx([-0.01, 0.05])
    assert answer.scale is not None
    assert answer.scale.low <= 0 <= answer.scale.high


@pytest.mark.parametrize(
    ("removed", "sentence"),
    [
        (
            1,
            "The first place rests on few judgments: without 1 of 100 judgments that compare systems, "
            "b would be above a.",
        ),
        (9, "Without 9 of 100 judgments that compare systems, b would be above a."),
        (0, "No removal of judgments that was tried puts b above a."),
    ],
)
def test_how_firm_the_first_place_is(removed: int, sentence: str) -> None:
    names = tuple(map(str, range(removed)))
    without, reason = (-0.1, None) if removed else (None, "none")
    border = Fragility("a", "b", 100, removed, names, True, 0.1, without, reason)
    assert _how_firm(FragileBorders("signature", 100, (border,), {}).borders[0], NAMES) == sentence


def test_kappa_has_the_words_of_landis_and_koch() -> None:
    words = [words_for_kappa(value) for value in (0.1, 0.2, 0.21, 0.41, 0.8, 0.81, 1.0)]
    assert words == [
        *("slightly", "slightly", "fairly", "moderately"),
        *("substantially", "almost perfectly", "almost perfectly"),
    ]


def checked(*outcomes: str, value: float = 0.9) -> tuple[CheckLine, ...]:
    """The checks in their order, those not named passed."""
    named = dict(zip(Check, map(Outcome, outcomes), strict=False))
    return tuple(CheckLine(check, named.get(check, Outcome.PASSED), value, (1, 1), (), "") for check in Check)


def advised(
    lines: dict[str, tuple[CheckLine, ...]], rejected: dict[str, str], reason: str | None = None
) -> MetricAdvice:
    recommended = tuple(name for name in lines if name not in rejected)
    return MetricAdvice("signature", (), (), recommended, rejected, lines, reason)


def test_a_metric_that_leads_and_is_not_recommended_is_said_why() -> None:
    result = advised(
        {"gleu": checked(value=0.8), "sari": checked("passed", "passed", "failed", value=0.9)},
        {"sari": "Without INPUT, GLEU agrees more with people."},
    )
    result = replace(result, pearson={"gleu": Estimate(0.8, 0.7, 0.85, None)})
    answer = which_metric(result)
    assert answer.sentence == "GLEU passes every check: it is the metric to report."
    assert answer.further == ["SARI fails: without INPUT, GLEU agrees more with people."]
    assert [(row.label, row.value) for row in answer.rows] == [
        ("SARI (failed)", "0.90"),
        ("GLEU (passed)", "0.80"),
    ]
    drawn = [(row.mark.is_hollow, row.mark.low, row.mark.high) for row in answer.rows if row.mark]
    assert drawn == [(True, None, None), (False, 0.7, 0.85)]


def test_a_check_that_was_not_made_is_said() -> None:
    lines = {name: checked(*["passed"] * 5, "unchecked") for name in ("gleu", "sari")}
    answer = which_metric(advised(lines, {}))
    assert answer.sentence == "GLEU and SARI pass every check but stress, which was not tried."
    assert answer.further == ["Not checked: under stress."]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ({}, "No metric is recommended: there is only one metric."),
        (
            dict.fromkeys(["gleu", "sari"], checked("failed")),
            "None of 2 metrics passes every check: each fails at least one.",
        ),
    ],
    ids=["no check", "no metric"],
)
def test_where_none_is_safe_the_reason_is_said(lines: dict[str, tuple[CheckLine, ...]], said: str) -> None:
    result = advised(lines, dict.fromkeys(lines, "On all systems, it fails."), "there is only one metric")
    assert which_metric(result).sentence == said
