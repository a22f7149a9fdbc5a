"""The line at which a campaign may stop: one look, and campaigns that are looked at until they stop."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import ceil
from statistics import median

import numpy as np
import pandas as pd
import pytest

from ranking import (
    Look,
    Scores,
    StopLine,
    Unit,
    count_pairs,
    expected_wins,
    group_pairs,
    judged_pairs,
    look_at,
    watch,
)
from tests.depth import DEEP, examples
from tests.ranking.frames import snapshot
from tests.ranking.planning.test_watching import SYSTEMS, campaign

FIRST_LOOK = 100


def look(judged: pd.DataFrame, line: StopLine = StopLine.ORDER, *, planned: int = 100) -> Look:
    return look_at(lambda: [judged_pairs(judged)], systems_of(judged), line, planned=planned)


def systems_of(judged: pd.DataFrame) -> list[str]:
    return sorted({name for names in judged["systems"] for name in names})


def looks(judged: pd.DataFrame, line: StopLine, *, planned: int) -> Iterator[Look]:
    """The looks at a campaign while it goes on, as a job makes them: after every 5 % more judgments."""
    whole, systems = judged_pairs(judged), systems_of(judged)
    number = FIRST_LOOK
    while number <= len(whole.sentences):
        so_far = replace(whole, table=whole.table[:number], sentences=whole.sentences[:number])
        yield look_at(lambda: [so_far], systems, line, planned=planned)  # noqa: B023  # called at once
        number = max(number + 1, ceil(1.05 * number))


def stopped_at(judged: pd.DataFrame, line: StopLine) -> int | None:
    """After how many judgments the campaign stops; None if it goes on to the end."""
    planned = judged["judgment"].nunique() // 4
    return next((one.judgments for one in looks(judged, line, planned=planned) if one.is_reached), None)


def order_after(judged: pd.DataFrame, number: int) -> tuple[str, ...]:
    """The systems by ExpectedWins of the first judgments."""
    first = group_pairs(judged, Unit.JUDGMENT).names[:number]
    ranked = expected_wins(count_pairs(judged[judged["judgment"].isin(first)]))
    return tuple(score.system for score in ranked.scores)


@pytest.mark.parametrize(
    ("strengths", "line"),
    [((0.0, 0.0), StopLine.ORDER), ((1.5, 1.5, -1.5, -1.5), StopLine.FIRST)],
    ids=["two equal systems", "two equal best systems"],
)
def test_at_most_five_percent_of_campaigns_stop_by_a_difference_that_is_none(
    strengths: tuple[float, ...], line: StopLine, record_property: Callable[[str, object], None]
) -> None:
    number = 1000 if DEEP else 40
    stopped = sum(
        stopped_at(campaign(np.array(strengths), sentences=100, judges=3, seed=seed), line) is not None
        for seed in range(number)
    )
    record_property("campaigns", number)
    record_property("stopped", stopped)
    assert stopped <= 0.05 * number


@pytest.mark.slow
@pytest.mark.parametrize(("gap", "stop", "saved"), [(1.0, 0.95, 0.6), (0.6, 0.8, 0.3)])
def test_a_campaign_of_different_systems_stops_early_and_right(
    gap: float, stop: float, saved: float, record_property: Callable[[str, object], None]
) -> None:
    """At least a share `stop` of the campaigns stops, and half of all save a share `saved` or more."""
    strengths = gap * np.array([1.5, 0.5, -0.5, -1.5])
    wanted, ends, wrong = 1200, [], 0
    for seed in range(examples(300)):
        judged = campaign(strengths, sentences=wanted // 2, judges=2, seed=seed)
        end = stopped_at(judged, StopLine.ORDER)
        wrong += end is not None and order_after(judged, end) != SYSTEMS
        ends.append(end or wanted)
    record_property("campaigns", len(ends))
    record_property("stopped", int(sum(end < wanted for end in ends)))
    record_property("wrong order", int(wrong))
    record_property("median judgments", float(median(ends)))
    assert np.mean(np.array(ends) < wanted) >= stop
    assert 1 - median(ends) / wanted >= saved
    assert wrong <= 0.05 * len(ends)


def test_a_look_is_the_last_look_of_a_watched_ranking() -> None:
    judged = campaign(np.array([1.5, 0.2, 0.0, -1.5]), sentences=200, judges=2, seed=4)
    watched = watch(judged, looks=1, planned=100)
    seen = look(judged)
    assert (seen.judgments, seen.sentences, seen.borders) == (400, 200, 3)
    assert seen.settled == sum(pair.settled_at is not None for pair in watched.pairs)
    assert 0 < seen.settled < 3


def test_pieces_of_any_size_give_the_same() -> None:
    judged = campaign(np.array([1.5, 0.2, 0.0, -1.5]), sentences=100, judges=2, seed=4)
    number = judged["judgment"].str.split().str[1].astype(int)
    whole = look(judged)
    pieces = [judged_pairs(judged[number // 30 == piece]) for piece in range(ceil(200 / 30))]
    assert look_at(lambda: pieces, SYSTEMS, StopLine.ORDER, planned=100) == whole


def test_the_first_place_is_settled_before_the_order() -> None:
    judged = campaign(np.array([2.0, 0.0, 0.0, 0.0]), sentences=200, judges=1, seed=1)
    assert look(judged, StopLine.FIRST).is_reached
    assert not look(judged, StopLine.ORDER).is_reached


def test_a_system_without_judgments_keeps_every_line_open() -> None:
    judged = campaign(np.array([3.0, 1.0, -1.0, -3.0]), sentences=200, judges=1, seed=1)
    assert look(judged).is_reached
    for line in StopLine:
        seen = look_at(lambda: [judged_pairs(judged)], [*SYSTEMS, "E"], line, planned=100)
        assert (seen.settled, seen.borders, seen.is_reached) == (3, 4, False)


def test_scores_settle_as_ranks_do() -> None:
    judged = campaign(np.array([1.5, 0.2, 0.0, -1.5]), sentences=200, judges=1, seed=4)
    scored = judged.assign(score=-judged["rank"].astype(float), rank=None)
    by_scores = look_at(lambda: [judged_pairs(scored, Scores())], SYSTEMS, StopLine.ORDER, planned=100)
    assert by_scores == look(judged)


def test_little_or_nothing_settles_nothing() -> None:
    few = snapshot(*(("anna", number, "A > B") for number in range(29)))
    assert look(few) == Look(judgments=29, sentences=29, settled=0, borders=1)
    ties = snapshot(*(("anna", number, "A B") for number in range(60)))
    assert look(ties).settled == 0
    for systems in ([], ["A"], ["A", "B"]):
        nothing = look_at(list, systems, StopLine.FIRST)
        assert not nothing.is_reached
        assert nothing.borders == max(0, len(systems) - 1)


def test_a_system_that_should_not_be_there_is_named() -> None:
    judged = snapshot(("anna", 0, "A > B"))
    with pytest.raises(ValueError, match="B should not be in the judgments"):
        look_at(lambda: [judged_pairs(judged)], ["A"], StopLine.ORDER)
