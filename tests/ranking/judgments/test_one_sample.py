"""A campaign and a follow-up about a newcomer are ranked as one sample, with intervals that hold."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from core.arrays import FloatArray
from formats.snapshot.snapshots import categories
from ranking import Unit, group_pairs, standings
from ranking.judgments.one_sample import as_one_sample
from ranking.models.expected_wins import mean_shares_won
from tests.depth import DEEP, examples
from tests.ranking.newcomers import NEWCOMER, LateSystem, late_system

FIRST, SECOND = 300, 150
"""Judgments of the two campaigns."""

LATE = late_system()


def together(late: LateSystem, seed: int) -> pd.DataFrame:
    return late.together(late.first(FIRST, seed), late.second(SECOND, seed))


def test_outputs_count_for_all_systems_that_wrote_them() -> None:
    first = LATE.first(FIRST, 0)
    assert not any(NEWCOMER in names for names in first["systems"])
    frame = together(LATE, 0)
    of_first = frame[frame["judgment"].str.startswith("first")]
    assert {names for names in of_first["systems"] if NEWCOMER in names} == {("A", NEWCOMER)}
    assert set(frame["campaign"]) == {"both"}
    pd.testing.assert_frame_equal(first, LATE.first(FIRST, 0))


def test_categories_stay_categories_and_judgments_without_outputs_stay() -> None:
    frame = LATE.first(3, 0)
    for name in ("judgment", "campaign", "output", "propensities"):
        frame[name] = categories(frame[name].where(frame[name].notna(), None))
    skipped = frame.assign(output=categories([None] * len(frame)))
    made = as_one_sample(
        frame, name="both", systems={}, propensities=lambda place, outputs: np.ones((len(outputs),) * 2)
    )
    assert made["propensities"].dtype == "category"
    assert made["propensities"].notna().all()
    again = as_one_sample(skipped, name="both", systems={}, propensities=lambda *_: np.ones((0, 0)))
    assert again["propensities"].isna().all()
    assert again["systems"].tolist() == frame["systems"].tolist()


def scores_of(frame: pd.DataFrame, *, weighted: bool) -> FloatArray:
    return mean_shares_won(group_pairs(frame, Unit.JUDGMENT, weighted=weighted).counts.wins)


def test_the_weighted_ranking_is_unbiased_where_the_unweighted_is_not() -> None:
    """The newcomer is asked about where it is at its worst; weights give the other sentences their share."""
    runs = examples(200)
    frames = [together(LATE, seed) for seed in range(runs)]
    truth = LATE.everything.expected_wins
    weighted, unweighted = (
        np.array([scores_of(frame, weighted=flag) for frame in frames]) for flag in (True, False)
    )
    deviation = weighted.std(axis=0) / np.sqrt(runs)
    assert np.all(np.abs(weighted.mean(axis=0) - truth) < 4 * deviation + 0.002)
    newcomer = LATE.everything.names.index(NEWCOMER)
    assert unweighted.mean(axis=0)[newcomer] < truth[newcomer] - 0.03


def coverage(runs: int) -> FloatArray:
    """The share of campaigns with follow-up whose 95 % intervals hold the truth, of each system.

    Campaign number s is drawn and judged by the seed s, which its bootstrap of sentences has, too.
    """
    truth = dict(zip(LATE.everything.names, LATE.everything.expected_wins.tolist(), strict=True))
    held = np.zeros((runs, len(truth)))
    for seed in range(runs):
        ranked = standings(together(LATE, seed), unit=Unit.SENTENCE, replicates=200, seed=seed)
        for standing in ranked.systems:
            assert standing.score_low is not None
            assert standing.score_high is not None
            place = LATE.everything.names.index(standing.system)
            held[seed, place] = standing.score_low <= truth[standing.system] <= standing.score_high
    share: FloatArray = held.mean(axis=0)
    return share


def test_intervals_hold_the_truth(record_property: Callable[[str, object], None]) -> None:
    """93 to 97 % of the truths of 500 campaigns; in a short run, most of fewer."""
    found = coverage(500 if DEEP else 12)
    record_property("coverage", found.round(3).tolist())
    if DEEP:
        assert 0.93 <= found.mean() <= 0.97
        assert found.min() >= 0.92, "Each system, within two standard errors of its share."
    else:
        assert found.mean() >= 0.85
