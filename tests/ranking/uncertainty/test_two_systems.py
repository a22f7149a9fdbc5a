"""Two systems against each other, sentence by sentence."""

import numpy as np
import pytest

from ranking import Comparison, Lead, TwoSystems, Unit, expanded_pairs, group_pairs, head_to_head
from ranking.planning.watching import watch
from ranking.uncertainty.two_systems import two_systems
from tests.ranking.planning.test_watching import campaign


def test_wins_losses_and_ties_of_each_sentence_are_those_of_the_pairs() -> None:
    judged = campaign(np.array([0.0, 0.3, 0.6, 0.9]), sentences=25, judges=3, seed=5)
    pairs = expanded_pairs(judged)
    of_two = pairs[(pairs["first"] == "B") & (pairs["second"] == "D")]
    for first, second, sign in (("B", "D", 1), ("D", "B", -1)):
        found = two_systems(judged, first, second)
        assert found.sentences.tolist() == sorted(set(of_two["sentence"]))
        for place, sentence in enumerate(found.sentences.tolist()):
            outcomes = sign * of_two.loc[of_two["sentence"] == sentence, "outcome"].to_numpy()
            expected = [int(np.sum(outcomes == each)) for each in (1, -1, 0)]
            assert [found.wins[place], found.losses[place], found.ties[place]] == expected
        assert (found.leads == found.wins - found.losses).all()


def test_the_comparison_is_that_of_head_to_head_without_correction() -> None:
    judged = campaign(np.array([0.0, 0.3, 0.6, 0.9]), sentences=25, judges=3, seed=5)
    of_all = head_to_head(group_pairs(judged, Unit.SENTENCE)).comparisons["A", "C"]
    of_two = two_systems(judged, "A", "C").comparison
    assert (of_two.wins, of_two.losses, of_two.ties, of_two.share, of_two.p_value) == (
        *(of_all.wins, of_all.losses, of_all.ties, of_all.share, of_all.p_value),
    )
    assert of_two.holm_p_value == of_two.p_value


def test_systems_that_share_an_output_tie() -> None:
    judged = campaign(np.zeros(3), sentences=2, judges=1, seed=1)
    shared = judged[judged["output"] != "C"].copy()
    shared["systems"] = [("A", "C") if systems == ("A",) else systems for systems in shared["systems"]]
    found = two_systems(shared, "A", "C")
    assert found.comparison.reason == "all their comparisons are ties"
    assert found.ties.tolist() == [1, 1]


def test_systems_that_were_never_shown_together_have_no_sentence() -> None:
    judged = campaign(np.zeros(4), sentences=4, judges=1, seed=1)
    apart = judged[(judged["sentence"] < 2) ^ judged["output"].isin(["C", "D"])]
    found = two_systems(apart, "A", "D")
    assert found.comparison.reason == "they were never compared"
    assert len(found.sentences) == 0


def test_two_different_judged_systems_are_needed() -> None:
    judged = campaign(np.zeros(3), sentences=2, judges=1, seed=1)
    for first, second in (("A", "A"), ("A", "Z")):
        with pytest.raises(ValueError, match="are not two systems of A, B, C"):
            two_systems(judged, first, second)


def test_a_pair_is_watched_with_the_numbers_that_it_has_as_neighbours() -> None:
    judged = campaign(np.array([0.9, 0.5, 0.0]), sentences=60, judges=3, seed=3)
    neighbours = watch(judged, planned=180, looks=10)
    [best, _] = neighbours.pairs
    for pair in ((best.above, best.below), (best.below, best.above)):
        watched = watch(judged, planned=180, looks=10, pair=pair)
        [found] = watched.pairs
        assert (found.above, found.below, found.settled_at) == (best.above, best.below, best.settled_at)
        assert found.difference.tolist() == best.difference.tolist()
        np.testing.assert_allclose(found.standard_error, best.standard_error, rtol=1e-12)
        assert watched.anytime.tolist() == neighbours.anytime.tolist()
    [far] = watch(judged, planned=180, looks=10, pair=("C", "A")).pairs
    assert (far.above, far.below) == ("A", "C")
    assert far.last_difference == pytest.approx(sum(pair.last_difference or 0 for pair in neighbours.pairs))


def test_leads_have_intervals_clustered_by_sentence() -> None:
    judged = campaign(np.array([0.0, 0.5]), sentences=60, judges=4, seed=3)
    found = two_systems(judged, "A", "B")
    lead = found.lead(0.95)
    assert lead is not None
    assert lead.low is not None
    assert lead.high is not None
    won, lost = int(found.wins.sum()), int(found.losses.sum())
    assert lead.value == pytest.approx((won - lost) / (won + lost))
    rng = np.random.default_rng(0)
    drawn = rng.integers(len(found.leads), size=(4000, len(found.leads)))
    means = found.leads[drawn].sum(axis=1) / (found.wins + found.losses)[drawn].sum(axis=1)
    assert [lead.low, lead.high] == pytest.approx(np.quantile(means, [0.025, 0.975]), abs=0.02)
    mirrored = two_systems(judged, "B", "A").lead(0.95)
    assert mirrored is not None
    assert (mirrored.value, mirrored.low) == pytest.approx((-lead.value, -lead.high))


def test_a_lead_in_sentences_counts_each_decided_sentence_once() -> None:
    wins, losses = np.array([4, 1, 0, 2, 1]), np.array([0, 0, 3, 2, 0])
    comparison = Comparison(0, 0, 0, None, None, "", None, "", None)
    found = TwoSystems(comparison, np.arange(5), wins, losses, np.zeros(5, int))
    lead = found.lead_in_sentences(0.95)
    assert lead is not None
    assert lead.value == (3 - 1) / 4
    of_all = found.lead(0.95)
    assert of_all is not None
    assert (of_all.value, of_all.low, of_all.high) == pytest.approx((3 / 13, -0.966, 1.0), abs=0.001)


def test_there_is_no_lead_without_a_decided_case_and_no_interval_of_one_sentence() -> None:
    comparison = Comparison(0, 0, 0, None, None, "", None, "", None)
    none, one = np.zeros(1, int), np.ones(1, int)
    assert TwoSystems(comparison, none, none, none, one).lead(0.95) is None
    assert TwoSystems(comparison, none, one, none, none).lead(0.95) == Lead(1.0, None, None)
    for won, lost in ((18, 5), (2, 1), (50, 9)):
        some = TwoSystems(comparison, none, np.array([won]), np.array([lost]), none)
        assert some.lead(0.95) == Lead((won - lost) / (won + lost), None, None)


def test_with_few_sentences_the_interval_does_not_claim_what_the_test_denies() -> None:
    """Five of six sentences won: the two-sided sign test has p = .22."""
    wins = np.array([1, 1, 1, 1, 1, 0])
    comparison = Comparison(0, 0, 0, None, None, "", None, "", None)
    lead = TwoSystems(comparison, np.arange(6), wins, 1 - wins, np.zeros(6, int)).lead(0.95)
    assert lead is not None
    assert lead.low is not None
    assert lead.low < 0
