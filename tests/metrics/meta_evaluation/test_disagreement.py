"""Sentences in which a metric and people disagree."""

from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from core.arrays import FloatArray
from metrics.meta_evaluation import (
    MetricsAndPeople,
    disagreement,
    disagreements,
    judged_pairs,
    people,
    scores_of_sentences,
    scores_of_systems,
)
from metrics.meta_evaluation.disagreement import NO_PAIRS
from metrics.meta_evaluation.judged_pairs import ComparedSystems
from metrics.meta_evaluation.sentence_level import NO_SENTENCE_SCORES
from tests.memory import peak_of
from tests.metrics.meta_evaluation.samples import both, judged_many_times, rankings
from tests.ranking.frames import few_examples, snapshot, snapshots

JUDGED = snapshot(
    ("anna", 0, "A > B > C"),
    ("ben", 0, "A > B = C"),
    ("anna", 1, "A B > C"),
    ("ben", 1, "C > A B"),
    ("cleo", 1, "A B > C"),
    ("anna", 2, "A > B"),
    ("ben", 2, "B > A"),
)
SCORES = np.array([[0.1, 0.3, 0.3], [0.5, 0.5, 0.9], [0.4, 0.6, 0.1]])


def of(scores: FloatArray, judged: pd.DataFrame = JUDGED) -> MetricsAndPeople:
    return MetricsAndPeople(people(judged, len(scores)), (scores_of_sentences("m", scores),))


def by_looking(judged: pd.DataFrame, scores: FloatArray) -> dict[int, tuple[float, int, int]]:
    """Size, pairs and those against people by sentence, as the definition says it."""
    systems = sorted({system for each in judged["systems"] for system in each})
    outcomes: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    score = {}
    for _, rows in judged[judged["rank"].notna()].groupby("judgment"):
        rated = sorted(rows.to_dict("records"), key=lambda row: str(row["output"]))
        for place, one in enumerate(rated):
            sentence, output = one["sentence"], one["output"]
            score[sentence, output] = scores[sentence, systems.index(one["systems"][0])]
            for other in rated[place + 1 :]:
                outcomes[sentence, output, other["output"]].append(int(np.sign(other["rank"] - one["rank"])))
    pairs = {
        key: (float(np.mean(signs)), score[key[0], key[1]] - score[key[0], key[2]])
        for key, signs in outcomes.items()
        if np.mean(signs)
    }
    leads = [abs(lead) for _, lead in pairs.values() if abs(lead) > 1e-12]
    sizes: dict[int, list[float]] = defaultdict(list)
    for (sentence, _, _), (margin, lead) in pairs.items():
        if abs(lead) <= 1e-12:
            sizes[sentence].append(abs(margin) / 2)
        elif lead * margin < 0:
            distance = float(np.mean([each <= abs(lead) + 1e-12 for each in leads]))
            sizes[sentence].append(abs(margin) * (1 + distance) / 2)
        else:
            sizes[sentence].append(0.0)
    return {
        sentence: (float(np.mean(found)), len(found), sum(size > 0 for size in found))
        for sentence, found in sizes.items()
    }


def test_an_example_by_hand() -> None:
    """Sentence 0: A leads both, B leads C by one of two judges; the metric has A last and ties the others.

    Sentence 1: two of three prefer the output of A and B, the metric the other, by its largest difference
    (.4). In sentence 2 the judges balance. Differences of the metric: .2, .2, .4, and a tie.
    """
    found = disagreements(of(SCORES))["m"]
    assert found.sentences.tolist() == [0, 1]
    far = (1 + 2 / 3) / 2
    np.testing.assert_allclose(found.sizes, [(far + far + 0.5 / 2) / 3, (1 / 3) * 1], atol=1e-12)
    assert found.pairs.tolist() == [3, 1]
    assert found.against.tolist() == [3, 1]
    assert found.largest_first.tolist() == [0, 1]


@few_examples
@given(snapshots())
def test_sizes_are_those_of_the_definition(judged: pd.DataFrame) -> None:
    ranked = people(judged, 2)
    if not ranked.systems:
        return
    by_text = np.random.default_rng(1).integers(4, size=int(ranked.texts.max(initial=0)) + 2) / 4.0
    scores = by_text[ranked.texts]  # Systems that share a text have one score.
    found = disagreements(of(scores, judged))["m"]
    expected = by_looking(judged, scores)
    assert found.sentences.tolist() == sorted(expected)
    for place, (size, pairs, against) in enumerate(expected[sentence] for sentence in sorted(expected)):
        assert found.sizes[place] == pytest.approx(size, abs=1e-12)
        assert (found.pairs[place], found.against[place]) == (pairs, against)


@few_examples
@given(snapshots())
def test_summing_up_the_judgments_of_a_pair_changes_no_digit(judged: pd.DataFrame) -> None:
    ranked = people(judged, 2)
    if not ranked.systems:
        return
    scores = np.random.default_rng(2).integers(4, size=(2, len(ranked.systems))) / 3.0
    data = MetricsAndPeople(ranked, (scores_of_sentences("m", scores),))
    pairs = ranked.judged
    each_alone = ComparedSystems(
        sentence=pairs.sentence.astype(np.int64),
        first=pairs.first.astype(np.int64),
        second=pairs.second.astype(np.int64),
        outcome=pairs.outcome.astype(np.int64),
        judgments=np.ones(len(pairs.outcome), dtype=np.int64),
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(disagreement, "compared_systems", lambda *given: each_alone)
        expected = disagreements(data)["m"]
        patched.undo()
        patched.setattr(judged_pairs, "PAIRS_PER_BLOCK", 3)
        found = disagreements(data)["m"]
    for name in ("sentences", "sizes", "pairs", "against"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


def test_memory_does_not_grow_with_the_number_of_judgments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged_pairs, "PAIRS_PER_BLOCK", 10_000)
    many = judged_many_times(both(), 10**6)
    read: list[int] = []
    assert peak_of(lambda: disagreements(many, progress=read.append)) < 10**6
    assert sum(read) == len(many.people.judged.outcome)
    assert len(read) == 100


def test_the_scale_of_a_metric_does_not_matter_and_its_sign_does() -> None:
    data = both()
    careful = data.metrics[0].sentences
    assert careful is not None
    judged = data.people
    same, scaled, turned = (
        disagreements(MetricsAndPeople(judged, (scores_of_sentences("m", scores),)))["m"]
        for scores in (careful, 100 * careful - 7, -careful)
    )
    np.testing.assert_allclose(same.sizes, scaled.sizes, atol=1e-9)
    assert turned.sizes.mean() > same.sizes.mean() + 0.3
    assert (same.against + turned.against == same.pairs).all()  # It ties nothing.


def test_a_metric_that_orders_all_as_people_do_disagrees_nowhere() -> None:
    judged = snapshot(*[("anna", sentence, "A > B > C") for sentence in range(3)])
    right, wrong = (
        disagreements(of(np.tile(scores, (3, 1)), judged))["m"]
        for scores in (np.array([3.0, 2.0, 1.0]), np.array([1.0, 1.0, 1.0]))
    )
    assert right.sizes.tolist() == [0, 0, 0]
    assert wrong.sizes.tolist() == [0.5, 0.5, 0.5]
    [opposite] = disagreements(of(np.array([[1.0, 2.0]]), snapshot(("anna", 0, "A > B")))).values()
    assert opposite.sizes.tolist() == [1]


def test_sentences_with_few_pairs_may_be_left_out() -> None:
    assert disagreements(of(SCORES), fewest_pairs=2)["m"].sentences.tolist() == [0]
    assert disagreements(of(SCORES), fewest_pairs=4)["m"].reason == NO_PAIRS


def test_outputs_without_a_score_are_left_out_and_nothing_is_said_in_words() -> None:
    partial = np.array([[0.1, np.nan, 0.3], [np.nan, np.nan, 0.9], [0.4, 0.6, 0.1]])
    found = disagreements(of(partial))["m"]
    assert (found.sentences.tolist(), found.pairs.tolist()) == ([0], [1])
    data = MetricsAndPeople(
        people(rankings(), 24),
        (scores_of_systems("systems", np.arange(4.0)), scores_of_sentences("none", np.full((24, 4), np.nan))),
    )
    reasons = {name: each.reason for name, each in disagreements(data).items()}
    assert reasons == {"systems": NO_SENTENCE_SCORES, "none": NO_PAIRS}
