"""TrueSkill in closed form, compared with the package `trueskill`, and whole runs of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import (
    Design,
    GroupedPairs,
    Skill,
    TrueSkillParameters,
    Unit,
    count_pairs,
    group_pairs,
    rate_pairs,
    rate_rankings,
    simulated_campaign,
    trueskill_replicates,
    trueskill_runs,
    trueskill_scores,
    update_skills,
    wmt_parameters,
)
from tests.ranking.frames import few_examples, snapshot

START = Skill(0.0, 0.5)
JUDGED = snapshot(
    *[("anna", sentence, "A > B > C") for sentence in range(4)],
    ("ben", 0, "B > A = C"),
    ("ben", 1, "A C > B"),
)

comparisons = st.lists(
    st.tuples(st.permutations(range(4)).map(lambda order: order[:2]), st.booleans()), max_size=60
)


def pairs_of(games: list[tuple[list[int], bool]]) -> GroupedPairs:
    codes = [4 * first + second + 16 * draw for (first, second), draw in games]
    return GroupedPairs(
        ("A", "B", "C", "D"), Unit.PAIR, np.arange(len(codes) + 1), np.array(codes, dtype=np.int32)
    )


def played(games: list[tuple[list[int], bool]], parameters: TrueSkillParameters) -> list[Skill]:
    skills = [Skill(0.0, parameters.sigma)] * 4
    for (first, second), draw in games:
        skills[first], skills[second] = update_skills(skills[first], skills[second], parameters, draw=draw)
    return skills


@pytest.mark.parametrize(("exact", "tolerance"), [(True, 1e-9), (False, 1e-6)])
@pytest.mark.parametrize("beta", [0.25, 4.0, 1363.7])
@few_examples
@given(games=comparisons)
def test_the_closed_form_agrees_with_the_package(
    beta: float, exact: bool, tolerance: float, games: list[tuple[list[int], bool]]
) -> None:
    """Its approximations of the normal distribution are off by up to 3e-8 each."""
    parameters = TrueSkillParameters(beta=beta)
    reference = rate_pairs(pairs_of(games), parameters, exact=exact)
    for ours, theirs in zip(played(games, parameters), reference.values(), strict=True):
        assert ours.mu == pytest.approx(theirs.mu, abs=tolerance)
        assert ours.sigma == pytest.approx(theirs.sigma, abs=tolerance)


def test_a_win_parts_two_systems_and_a_draw_brings_them_together() -> None:
    parameters = TrueSkillParameters(beta=0.25)
    winner, loser = update_skills(START, START, parameters)
    assert winner.mu > 0 > loser.mu
    assert winner.mu == -loser.mu
    closer, other = update_skills(winner, loser, parameters, draw=True)
    assert 0 < closer.mu - other.mu < winner.mu - loser.mu


def test_outcomes_of_zero_probability_are_defined() -> None:
    parameters = TrueSkillParameters(beta=0.01)
    for draw in (False, True):
        for skill in update_skills(Skill(-9.0, 0.1), Skill(9.0, 0.1), parameters, draw=draw):
            assert np.isfinite([skill.mu, skill.sigma]).all()
            assert 0 < skill.sigma < 0.1


def test_beta_grows_with_the_number_of_comparisons() -> None:
    assert wmt_parameters(109_099).beta == pytest.approx(1363.7375)
    assert wmt_parameters(0).beta > 0


@pytest.mark.parametrize("wrong", [{"beta": 0.0}, {"beta": 1.0, "draw_probability": 1.0}])
def test_parameters_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        TrueSkillParameters(**wrong)


@pytest.mark.parametrize(
    ("design", "sentences", "bias"),
    [
        (Design(4, 4, 1, 0.62, 0.2), 2000, 0.004),
        (Design(8, 3, 1, 0.6, 0.3), 2000, 0.004),
        (Design(3, 2, 1, 0.75, 0.2), 1200, 0.01),
        (Design(4, 4, 1, 0.62, 0.2), 40, 0.03),
        (Design(8, 3, 1, 0.6, 0.3), 12, 0.07),
        (Design(6, 2, 1, 0.7, 0.2), 40, 0.07),
    ],
)
def test_scores_are_expected_means_of_runs(design: Design, sentences: int, bias: float) -> None:
    """Within four standard errors of the mean of 500 runs, and what is lost where comparisons are few."""
    counts = count_pairs(simulated_campaign(design, sentences=sentences, seed=1))
    runs = trueskill_runs(counts, range(500), seed=1)
    errors = runs.std(axis=0, ddof=1) / np.sqrt(len(runs))
    assert np.all(np.abs(trueskill_scores(counts) - runs.mean(axis=0)) < 4 * errors + bias)


def test_longer_steps_give_the_scores_of_as_many_steps_as_comparisons(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts = count_pairs(simulated_campaign(Design(5, 5, 1, 0.6, 0.2), sentences=2000, seed=1))
    longer = trueskill_scores(counts)
    monkeypatch.setattr("ranking.models.trueskill.FEWEST_STEPS", 10**9)
    assert longer == pytest.approx(trueskill_scores(counts), abs=0.005)


@pytest.mark.parametrize("threads", [1, 2])
def test_runs_are_the_same_by_any_number_of_threads_and_in_any_split(threads: int) -> None:
    counts, pairs = count_pairs(JUDGED), group_pairs(JUDGED, Unit.SENTENCE)
    whole = trueskill_runs(counts, range(100), seed=1, threads=threads)
    parts = [trueskill_runs(counts, part, seed=1) for part in (range(33), range(33, 100))]
    assert np.array_equal(whole, np.concatenate(parts))
    assert not np.array_equal(whole, trueskill_runs(counts, range(100), seed=2))
    replicates = trueskill_replicates(pairs, range(100), seed=1, threads=threads)
    parts = [trueskill_replicates(pairs, part, seed=1) for part in (range(33), range(33, 100))]
    assert np.array_equal(replicates, np.concatenate(parts))


def test_runs_rank_as_the_judgments_do() -> None:
    for scores in (
        trueskill_runs(count_pairs(JUDGED), range(200), seed=1),
        trueskill_replicates(group_pairs(JUDGED, Unit.PAIR), range(200), seed=1),
    ):
        a, b, c = scores.mean(axis=0)
        assert a > b > c


def test_a_system_never_compared_has_no_score_and_disturbs_no_other() -> None:
    judged = snapshot(("anna", 0, "A > B"), ("anna", 1, "C"), ("ben", 0, "A > B"))
    without = snapshot(("anna", 0, "A > B"), ("ben", 0, "A > B"))
    for lone, other in (
        (trueskill_runs(count_pairs(judged), range(5), 1), trueskill_runs(count_pairs(without), range(5), 1)),
        (
            trueskill_replicates(group_pairs(judged, Unit.PAIR), range(5), 1),
            trueskill_replicates(group_pairs(without, Unit.PAIR), range(5), 1),
        ),
    ):
        assert np.isnan(lone[:, 2]).all()
        assert np.array_equal(lone[:, :2], other)


def test_systems_that_never_met_are_never_compared() -> None:
    """A with B, C with D: each two keep the sum of their means at 0."""
    judged = snapshot(("anna", 0, "A > B"), ("anna", 1, "C > D"), ("ben", 0, "B > A"))
    scores = trueskill_runs(count_pairs(judged), range(20), seed=1)
    assert np.allclose(scores[:, 0] + scores[:, 1], 0)
    assert np.allclose(scores[:, 2] + scores[:, 3], 0)
    assert (scores[:, 2] > 0).all()


def test_equal_systems_have_equal_scores() -> None:
    """Steps take one system after the other, which leaves rounding alone."""
    scores = trueskill_scores(count_pairs(snapshot(*[("anna", each, "A = B > C D") for each in range(300)])))
    assert scores[0] == pytest.approx(scores[1], abs=0.01)
    assert scores[2] == pytest.approx(scores[3], abs=0.01)


def test_only_ties_leave_all_means_at_the_start() -> None:
    assert trueskill_scores(count_pairs(snapshot(("anna", 0, "A = B")))).tolist() == [0, 0]
    scores = trueskill_runs(count_pairs(snapshot(("anna", 0, "A = B"))), range(10), seed=1)
    assert np.array_equal(scores, np.zeros((10, 2)))


def test_no_judgments_give_no_scores() -> None:
    assert trueskill_runs(count_pairs(snapshot()), range(3), seed=1).shape == (3, 0)
    assert trueskill_replicates(group_pairs(snapshot(), Unit.ANNOTATOR), range(3), seed=1).shape == (3, 0)
    assert trueskill_scores(count_pairs(snapshot())).shape == (0,)


def test_progress_is_told_how_many_runs_are_finished() -> None:
    finished: list[int] = []
    trueskill_runs(count_pairs(JUDGED), range(45), seed=1, progress=finished.append)
    assert sum(finished) == 45


@few_examples
@given(st.integers(-3, 3))
def test_only_the_order_of_ranks_matters(shift: int) -> None:
    shifted = JUDGED.assign(rank=JUDGED["rank"] * 2 + shift)
    assert np.array_equal(
        trueskill_runs(count_pairs(shifted), range(5), seed=1),
        trueskill_runs(count_pairs(JUDGED), range(5), seed=1),
    )


def test_a_free_for_all_of_two_is_a_pair() -> None:
    judged = snapshot(("anna", 0, "A > B"), ("anna", 1, "B > A"), ("ben", 1, "A = B"), ("ben", 2, "A"))
    parameters = TrueSkillParameters(beta=0.25)
    pairs = rate_pairs(group_pairs(judged, Unit.PAIR), parameters)
    for system, skill in rate_rankings(judged, parameters).items():
        assert skill.mu == pytest.approx(pairs[system].mu, abs=1e-9)
        assert skill.sigma == pytest.approx(pairs[system].sigma, abs=1e-9)


def test_a_free_for_all_ranks_up_to_five() -> None:
    """The package iterates until changes are below 1e-4, so equals come out equal to that."""
    skills = rate_rankings(snapshot(("anna", 0, "A > B C > D > E")))
    mu = [skills[system].mu for system in "ABCDE"]
    assert mu[0] > mu[1] > mu[3] > mu[4]
    assert mu[1] == pytest.approx(mu[2], abs=1e-4)


def test_a_larger_free_for_all_is_refused() -> None:
    with pytest.raises(ValueError, match="judgment 0 ranks 6 systems"):
        rate_rankings(snapshot(("anna", 0, "A > B > C > D > E > F")))
