"""Weights by inverse propensities: what they are, and simulations of follow-ups whose truth is known."""

import json

import numpy as np
import pandas as pd
import pytest

from core.arrays import FloatArray
from ranking import Method, SnapshotError, Unit, group_pairs, standings
from ranking.judgments.grouped_pairs import cells_of_groups
from ranking.judgments.propensities import inverse_weights
from ranking.models.expected_wins import mean_shares_won, shares_gradient
from ranking.planning.watching import watch
from ranking.uncertainty.resampling import resampled_counts
from tests.depth import examples
from tests.ranking.follow_ups import Truth, many_systems, two_kinds_of_sentences

A, B, C = ("A",), ("B",), ("C",)

Judged = tuple[str, str, dict[tuple[str, ...], int], dict[str, list[float]] | None]


def judged(*judgments: Judged) -> pd.DataFrame:
    """Judgments of a campaign and a sentence each, with ranks by systems; outputs have the systems' names."""
    rows = [
        (str(number), campaign, "anna", sentence, " ".join(names), names, rank, asked and json.dumps(asked))
        for number, (campaign, sentence, ranks, asked) in enumerate(judgments)
        for names, rank in ranks.items()
    ]
    columns = ["judgment", "campaign", "annotator", "sentence", "output", "systems", "rank", "propensities"]
    return pd.DataFrame(rows, columns=columns)


ALIKE: dict[str, list[float]] = {"A": [1, 2, 0.5], "B": [2, 1, 1], "C": [0.5, 1, 1]}
OTHER: dict[str, list[float]] = {"A": [1, 1, 0.25], "B": [1, 1, 1], "C": [0.25, 1, 1]}
JUDGED = judged(
    ("f", "s", {A: 1, B: 2, C: 3}, ALIKE),
    ("f", "t", {C: 1, A: 2, B: 2}, OTHER),
    ("g", "s", {B: 1, A: 2, C: 3}, None),
)


def test_a_comparison_counts_by_its_inverse_propensity_up_to_a_factor_of_its_pair() -> None:
    counts = group_pairs(JUDGED, Unit.JUDGMENT, weighted=True).counts
    # A and C have the weights 2 and 4, whose effective number is 6² / 20; those of A and B are 1/2 and 1.
    assert counts.wins[0, 2] == pytest.approx(2 * 6 / 20 + 1)
    assert counts.wins[2, 0] == pytest.approx(4 * 6 / 20)
    assert counts.wins[0, 1] == pytest.approx(0.5 * 1.5 / 1.25)
    assert counts.ties[0, 1] == counts.ties[1, 0] == pytest.approx(1.5 / 1.25)
    assert counts.wins[1, 0] == 1
    assert counts.wins[1, 2] == 2


def test_equal_propensities_change_nothing() -> None:
    alike = JUDGED.assign(propensities=json.dumps({name: [3, 3, 3] for name in "ABC"}))
    weighted, plain = (group_pairs(alike, Unit.SENTENCE, weighted=flag) for flag in (True, False))
    assert weighted.counts.wins == pytest.approx(plain.counts.wins)


def test_without_propensities_nothing_is_weighted() -> None:
    ordinary = JUDGED.assign(propensities=None)
    assert standings(ordinary).systems == standings(ordinary, weighted=False).systems
    assert (
        standings(ordinary.drop(columns=["propensities", "campaign"])).systems == standings(ordinary).systems
    )


def test_trueskill_is_not_weighted() -> None:
    assert (
        standings(JUDGED, Method.TRUESKILL, replicates=20).systems
        == standings(JUDGED, Method.TRUESKILL, replicates=20, weighted=False).systems
    )


@pytest.mark.parametrize("unit", Unit)
def test_replicates_draw_weighted_comparisons(unit: Unit) -> None:
    """Their mean is the weighted count for any unit, and any range gives the same replicates."""
    pairs = group_pairs(JUDGED, unit, weighted=True)
    drawn = np.concatenate(list(resampled_counts(pairs, range(4000), seed=0)))
    assert drawn.mean(axis=0)[0] == pytest.approx(pairs.counts.wins, abs=0.15)
    part = np.concatenate(list(resampled_counts(pairs, range(60, 90), seed=0)))
    assert np.array_equal(part, drawn[60:90])


def test_bradley_terry_fits_weighted_shares() -> None:
    easy: list[Judged] = [("f", s, {A: 1, B: 2}, {"A": [1, 1], "B": [1, 1]}) for s in ("s", "t")]
    by_pairs = judged(
        *easy,
        ("f", "hard", {B: 1, A: 2}, {"A": [1, 0.5], "B": [0.5, 1]}),
    )
    strengths = {
        one.system: one.score for one in standings(by_pairs, Method.BRADLEY_TERRY, replicates=0).systems
    }
    assert strengths["A"] == pytest.approx(strengths["B"])


def test_an_output_without_propensities_is_refused() -> None:
    faulty = JUDGED.assign(propensities=json.dumps({"A": [1, 1], "B": [1, 1]}))
    with pytest.raises(SnapshotError, match="lack its output C"):
        group_pairs(faulty, Unit.PAIR, weighted=True)


def test_pairs_that_never_differ_are_scaled_by_all_their_comparisons() -> None:
    weights = inverse_weights(np.array([0.5, 1.0]), np.zeros(2, int), np.zeros(2, int), np.zeros(2, bool))
    assert weights.tolist() == pytest.approx([2 * 3 / 5, 3 / 5])


# --- Simulations with known truth ------------------------------------------------------------------


def scores_of(frame: pd.DataFrame, *, weighted: bool) -> FloatArray:
    """ExpectedWins of all systems, in alphabetical order."""
    return mean_shares_won(group_pairs(frame, Unit.JUDGMENT, weighted=weighted).counts.wins)


@pytest.mark.parametrize("combined", [False, True])
def test_the_weighted_estimate_is_unbiased_where_the_unweighted_is_not(combined: bool) -> None:
    """A and B are asked about on hard sentences, where they lose; weights give easy ones their share."""
    truth = two_kinds_of_sentences()
    runs = examples(300)
    found: dict[bool, list[FloatArray]] = {True: [], False: []}
    for seed in range(runs):
        frame = truth.follow_up(400, seed, "AB")
        if combined:
            frame = pd.concat([truth.ordinary(200, seed), frame], ignore_index=True)
        for weighted, scores in found.items():
            scores.append(scores_of(frame, weighted=weighted))
    errors = {weighted: np.mean(scores, axis=0) - truth.expected_wins for weighted, scores in found.items()}
    deviation = np.std(found[True], axis=0) / np.sqrt(runs)
    assert np.all(np.abs(errors[True]) < 4 * deviation + 0.002)
    assert errors[False][:2].max() < -0.05, "A and B seem worse than they are."


def error_of(frame: pd.DataFrame, first: int, second: int) -> float:
    """The standard error of the difference of the ExpectedWins of two systems, by sentences."""
    pairs = group_pairs(frame, Unit.SENTENCE, weighted=True)
    cells = np.flatnonzero(pairs.totals)
    gradient = shares_gradient(pairs.counts, first, second).ravel()[cells]
    return float(np.sqrt((cells_of_groups(pairs, cells) @ gradient) ** 2 @ np.ones(len(pairs.starts) - 1)))


def widths(truth: Truth, first: int, ordinary: int, asked: int, runs: int) -> tuple[float, float]:
    """Mean squared standard errors of A - B: after more ordinary judgments, and after a follow-up."""
    squared = [
        (
            error_of(truth.ordinary(first + ordinary, seed), 0, 1) ** 2,
            error_of(
                pd.concat(
                    [truth.ordinary(first, seed), truth.follow_up(asked, seed, "AB")], ignore_index=True
                ),
                0,
                1,
            )
            ** 2,
        )
        for seed in range(runs)
    ]
    usual, targeted = np.mean(squared, axis=0)
    return float(usual), float(targeted)


def test_a_follow_up_needs_at_least_30_percent_fewer_judgments_for_the_same_width() -> None:
    """Of 12 systems, five on a screen, one pair is undecided: 30 % fewer give an interval as narrow."""
    usual, targeted = widths(many_systems(), first=400, ordinary=1000, asked=700, runs=examples(60))
    assert targeted < usual


def test_a_standard_error_is_the_spread_of_repeated_follow_ups() -> None:
    """So that widths mean what they say: with weights too."""
    truth = two_kinds_of_sentences()
    runs = examples(200)
    frames = [truth.follow_up(300, seed, "AB", "CD") for seed in range(runs)]
    scores = np.array([scores_of(frame, weighted=True) for frame in frames])
    spread = np.std(scores[:, 0] - scores[:, 2], ddof=1)
    errors = np.sqrt(np.mean([error_of(frame, 0, 2) ** 2 for frame in frames]))
    assert errors == pytest.approx(spread, rel=0.15 if runs > 100 else 0.5)


def test_watching_weighs_too() -> None:
    truth = two_kinds_of_sentences()
    frame = truth.follow_up(400, 0, "AB")
    watched = watch(frame, looks=1)
    order = np.argsort(-scores_of(frame, weighted=True))
    assert [pair.above for pair in watched.pairs] == [truth.names[place] for place in order[:-1]]
