"""Intervals of scores hold with few sentences too, by simulation."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import norm, t

from ranking import Design, Method, count_pairs, point_scores, rank_ranges, simulated_campaign, standings
from ranking.uncertainty.bootstrap import expanded_tails
from tests.depth import DEEP, examples

ALL_SHOWN = Design(4, 4, 1, 0.6, 0.2)
JUDGED_THRICE = Design(4, 4, 3, 0.6, 0.2)
HALF_SHOWN = Design(6, 3, 1, 0.62, 0.2)
"""A system is on the screens of half the sentences."""


def test_tails_are_those_of_students_interval() -> None:
    """For 12 units, t = 2.201 times the root of 12 / 11; for many, as they were."""
    assert norm.ppf(expanded_tails(0.95, np.array([12]))) == pytest.approx(
        t.ppf(0.025, 11) * np.sqrt(12 / 11)
    )
    assert expanded_tails(0.95, np.array([10**9])) == pytest.approx(0.025)
    tails = expanded_tails(0.9, np.arange(1, 100))
    assert np.all(np.diff(tails) >= 0)
    assert tails[0] == tails[1]


def test_fewer_ranks_are_dropped_for_few_units() -> None:
    """Of 1,000 replicates, 11 at either end for 12 units, and 25 for a hundred thousand."""
    scores = np.column_stack([np.where(np.arange(1000) < 20, 0.0, 2.0), np.ones(1000)])
    few, many = (rank_ranges(scores, 0.95, np.full(2, units)) for units in (12, 100_000))
    assert [ends.tolist() for ends in few] == [[1, 1], [2, 2]]
    assert [ends.tolist() for ends in many] == [[1, 2], [1, 2]]


@pytest.mark.parametrize(
    ("method", "design", "sentences", "least"),
    [
        (Method.EXPECTED_WINS, ALL_SHOWN, 12, 0.93),
        (Method.EXPECTED_WINS, JUDGED_THRICE, 20, 0.93),
        (Method.EXPECTED_WINS, HALF_SHOWN, 12, 0.9),
        (Method.EXPECTED_WINS, HALF_SHOWN, 40, 0.93),
        pytest.param(Method.BRADLEY_TERRY, ALL_SHOWN, 12, 0.93, marks=pytest.mark.deep),
        (Method.TRUESKILL, ALL_SHOWN, 40, 0.93),
    ],
)
def test_intervals_hold(
    method: Method,
    design: Design,
    sentences: int,
    least: float,
    record_property: Callable[[str, object], None],
) -> None:
    """Beside the score of 60,000 outputs; less three standard errors, as if systems were independent.

    TrueSkill's scores grow with the comparisons, so its truth is the mean score of such campaigns.
    """
    campaigns = examples(200 if method is Method.EXPECTED_WINS else 100)
    many = count_pairs(simulated_campaign(design, sentences=60_000 // design.shown, seed=12345))
    truth = dict(zip(many.systems, point_scores(method, many).tolist(), strict=True))
    rows = [
        standings(
            simulated_campaign(design, sentences=sentences, seed=seed), method, replicates=300, seed=seed
        ).systems
        for seed in range(campaigns)
    ]
    if method is Method.TRUESKILL:
        scores = [{row.system: row.score or 0.0 for row in each} for each in rows]
        truth = {name: float(np.mean([each[name] for each in scores])) for name in truth}
    held = [
        row.score_low <= truth[row.system] <= row.score_high
        for each in rows
        for row in each
        if row.score_low is not None and row.score_high is not None
    ]
    record_property("intervals", len(held))
    record_property("share that holds", float(np.mean(held)))
    assert np.mean(held) > least - 3 * np.sqrt(least * (1 - least) / len(held)) * (1 if DEEP else 1.5)
