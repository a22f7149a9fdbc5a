"""Differences over time, with intervals that hold at all looks."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from core.arrays import FloatArray
from ranking import (
    Design,
    Method,
    PairCounts,
    ResamplingError,
    Unit,
    Watched,
    simulated_campaign,
    standings,
    watch,
)
from ranking.models.expected_wins import shares_gradient, shares_influence
from ranking.planning.watching import FEWEST_SENTENCES
from tests.depth import examples
from tests.ranking.frames import frame, snapshot

SYSTEMS = tuple("ABCD")


def campaign(strengths: FloatArray, *, sentences: int, judges: int, seed: int) -> pd.DataFrame:
    """Rankings of all outputs by several judges, who share a sentence's luck, in random order of time."""
    rng = np.random.default_rng(seed)
    luck = rng.normal(0, 1, (sentences, len(strengths)))
    order = rng.permutation(np.repeat(np.arange(sentences), judges))
    seen = np.round(strengths + luck[order] + rng.gumbel(size=(len(order), len(strengths))))
    rows = [
        {
            "judgment": f"judgment {number}",
            "annotator": f"judge {number % judges}",
            "sentence": sentence,
            "output": system,
            "systems": (system,),
            "rank": int(1 + np.sum(values > value)),
        }
        for number, (sentence, values) in enumerate(zip(order.tolist(), seen, strict=True))
        for system, value in zip(SYSTEMS[: len(strengths)], values, strict=True)
    ]
    return frame(rows)


def claims(watched: Watched) -> bool:
    return any(pair.settled_at is not None for pair in watched.pairs)


@pytest.mark.parametrize("method", [Method.EXPECTED_WINS, Method.BRADLEY_TERRY])
def test_daily_looks_at_equal_systems_claim_a_difference_in_five_percent_at_most(
    method: Method, record_property: Callable[[str, object], None]
) -> None:
    """At each of 20 looks, an ordinary interval would have claimed one in far more campaigns."""
    number = examples(1000 if method is Method.EXPECTED_WINS else 200)
    claimed, naive = 0, 0
    for seed in range(number):
        judged = campaign(np.zeros(4), sentences=60, judges=3, seed=seed)
        watched = watch(judged, method, looks=20, planned=180)
        claimed += claims(watched)
        naive += any(
            np.any(pair.difference > pair.standard_error * watched.ordinary) for pair in watched.pairs
        )
    record_property("campaigns", number)
    record_property("claimed", int(claimed))
    record_property("claimed by an ordinary interval", int(naive))
    assert claimed <= 0.05 * number
    assert naive > 0.1 * number


@pytest.mark.parametrize("method", [Method.EXPECTED_WINS, Method.BRADLEY_TERRY])
def test_two_of_eight_equal_systems_at_a_time_settle_nothing(
    method: Method, record_property: Callable[[str, object], None]
) -> None:
    """Few comparisons of each pair of systems, all of them often one way, are no certainty."""
    equal = Design(systems=8, shown=2, per_sentence=1, wins=0.5, ties=0.5)
    number = examples(100)
    claimed = sum(
        claims(watch(simulated_campaign(equal, sentences=200, seed=seed), method, looks=5, planned=60))
        for seed in range(number)
    )
    record_property("campaigns", number)
    record_property("claimed", int(claimed))
    assert claimed <= 0.05 * number


def test_ties_say_nothing_about_the_share_of_wins() -> None:
    tied = [("anna", sentence, "A = B") for sentence in range(100)]
    [pair] = watch(snapshot(*tied, *(("anna", 100 + sentence, "A > B") for sentence in range(29)))).pairs
    assert np.isnan(pair.standard_error).all()
    assert pair.settled_at is None
    [pair] = watch(snapshot(*tied, *(("anna", 100 + sentence, "A > B") for sentence in range(30)))).pairs
    assert pair.settled_at == 130


def test_influences_are_derivatives_where_comparisons_are_many_and_both_win_alike() -> None:
    wins = np.array([[0, 5, 7, 9], [5, 0, 7, 9], [3, 3, 0, 6], [1, 1, 4, 0]]) * 10**6
    many = PairCounts(SYSTEMS, wins, np.zeros_like(wins))
    np.testing.assert_allclose(shares_influence(many, 0, 1), shares_gradient(many, 0, 1), rtol=1e-5)


def test_the_variance_of_few_comparisons_is_that_of_equal_systems() -> None:
    """Derivatives are 0 where all comparisons went one way, and their squares add up to no variance."""
    won = PairCounts(("A", "B"), np.array([[0, 5], [0, 0]]), np.zeros((2, 2), dtype=np.int64))
    assert shares_gradient(won, 0, 1)[0, 0, 1] == 0
    assert 5 * shares_influence(won, 0, 1)[0, 0, 1] ** 2 == pytest.approx(1 / 5, rel=0.2)


def test_five_comparisons_settle_no_pair_however_many_there_are_with_others() -> None:
    """A and B are as good as each other against C, which always loses; A beats B in all five comparisons."""
    judged = snapshot(
        *(("anna", number, "A > C") for number in range(40)),
        *(("anna", number, "B > C") for number in range(40, 80)),
        *(("anna", number, "A > B") for number in range(80, 85)),
    )
    first, _ = watch(judged, looks=5, planned=40).pairs
    assert (first.above, first.below) == ("A", "B")
    assert first.settled_at is None


def test_equal_systems_between_far_better_and_far_worse_ones_settle_nothing() -> None:
    """Only the few comparisons of the two with each other are uncertain."""
    number, claimed = examples(300), 0
    for seed in range(number):
        rng = np.random.default_rng(seed)
        orders = []
        for _ in range(150):
            first, second = rng.choice(4, 2, replace=False).tolist()
            is_first = rng.random() < 0.5 if {first, second} == {1, 2} else first < second
            better, worse = (first, second) if is_first else (second, first)
            orders.append(f"{SYSTEMS[better]} > {SYSTEMS[worse]}")
        watched = watch(snapshot(*(("anna", *each) for each in enumerate(orders))), looks=15, planned=40)
        [middle] = [pair for pair in watched.pairs if {pair.above, pair.below} == {"B", "C"}]
        claimed += middle.settled_at is not None
    assert claimed <= 0.01 * number


def test_neighbours_that_tie_or_have_no_score_are_not_settled() -> None:
    judged = snapshot(*(("anna", number, "A > B = C") for number in range(40)), ("anna", 40, "A = D"))
    first, tied, unknown = watch(judged, looks=4).pairs
    assert (first.above, first.below, first.last_difference) == ("A", "B", 1)
    assert first.settled_at is not None
    assert (tied.above, tied.below, tied.last_difference, tied.settled_at) == ("B", "C", 0, None)
    assert (unknown.above, unknown.below, unknown.last_difference, unknown.settled_at) == (
        "C",
        "D",
        None,
        None,
    )
    assert np.isnan(unknown.standard_error).all()


def test_systems_with_the_same_outputs_are_never_settled() -> None:
    """Their scores may differ by rounding, and so may the influences, which cancel."""
    rng = np.random.default_rng(2)
    orders = (" > ".join(rng.permutation(["A B", "C", "D", "E", "F", "G"])) for _ in range(100))
    pairs = watch(snapshot(*(("anna", number, order) for number, order in enumerate(orders)))).pairs
    twins = next(pair for pair in pairs if {pair.above, pair.below} == {"A", "B"})
    assert np.isnan(twins.standard_error).all()
    assert twins.settled_at is None


def test_a_clear_difference_is_settled_and_stays_so_named() -> None:
    judged = campaign(np.array([1.5, 0.0, 0.0, -1.5]), sentences=200, judges=1, seed=1)
    pairs = watch(judged, planned=200).pairs
    assert (pairs[0].above, pairs[-1].below) == ("A", "D")
    assert pairs[0].settled_at is not None
    assert FEWEST_SENTENCES <= pairs[0].settled_at < 200
    assert pairs[1].settled_at is None


def test_at_the_end_the_ordinary_interval_is_that_of_resampled_sentences() -> None:
    """Within a fifth, as 400 replicates of 150 sentences tell a standard deviation."""
    judged = campaign(np.array([0.5, 0.0, 0.0, -0.5]), sentences=150, judges=2, seed=2)
    watched = watch(judged, looks=5)
    ranked = standings(judged, unit=Unit.SENTENCE, replicates=400)
    spreads = {row.system: row.spread for row in ranked.systems}
    for pair in watched.pairs:
        together = np.hypot(spreads[pair.above] or 0, spreads[pair.below] or 0)
        assert 0.8 * together < pair.standard_error[-1] < 1.4 * together
    assert watched.judgments.tolist() == [60, 120, 180, 240, 300]


def test_the_interval_is_narrowest_in_standard_errors_at_the_planned_number() -> None:
    judged = campaign(np.array([1.0, 0.0, 0.0, -1.0]), sentences=300, judges=1, seed=3)
    watched = watch(judged, looks=30, planned=100)
    assert 60 <= watched.judgments[np.argmin(watched.anytime)] <= 180
    assert watched.anytime.min() > watched.ordinary


def test_judgments_count_in_the_order_of_time() -> None:
    judged = snapshot(*(("anna", number, "A > B" if number < 40 else "B > A") for number in range(60)))
    late_first = judged.assign(
        submitted_at=pd.Timestamp("2026-01-01", tz="UTC")
        - pd.to_timedelta(judged["judgment"].str.split().str[1].astype(int), unit="s")
    )
    [pair] = watch(judged, looks=3).pairs
    [turned] = watch(late_first, looks=3).pairs
    assert pair.difference.tolist() == pytest.approx([1, 1, 1 / 3])
    assert turned.difference.tolist() == pytest.approx([-1, 0, 1 / 3])


def test_few_sentences_have_no_interval_and_few_judgments_no_looks() -> None:
    few = snapshot(*(("anna", number, "A > B" if number % 3 else "B > A") for number in range(20)))
    watched = watch(few)
    assert np.isnan(watched.pairs[0].standard_error).all()
    assert watched.pairs[0].settled_at is None
    numbered = few.assign(judgment=few["judgment"].str.split().str[1].astype(int))
    assert watch(numbered).judgments.tolist() == watched.judgments.tolist()
    nothing = watch(snapshot(("anna", 0, "A")))
    assert (len(nothing.judgments), nothing.pairs) == (0, ())
    with pytest.raises(ResamplingError, match="by ew or bradley-terry, not by trueskill"):
        watch(few, Method.TRUESKILL)
