"""Accuracy by the pair of ranks that people gave."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from core.arrays import FloatArray
from metrics.meta_evaluation import (
    MetricsAndPeople,
    judged_pairs,
    people,
    rank_pairs,
    scores_of_sentences,
    scores_of_systems,
    sentence_agreement,
)
from metrics.meta_evaluation.sensitivity.rank_pairs import NO_PAIRS
from metrics.meta_evaluation.sentence_level import NO_JUDGED_OUTPUT, NO_SENTENCE_SCORES
from tests.memory import peak_of
from tests.metrics.meta_evaluation.samples import both, judged_many_times, rankings, scored_snapshot
from tests.ranking.frames import few_examples, snapshot, snapshots


def by_looking(judged: pd.DataFrame, scores: FloatArray) -> dict[tuple[int, int], tuple[int, int, int]]:
    """Pairs, those that the metric orders as the judge did, and its ties, by ranks: each pair looked at."""
    systems = sorted({system for each in judged["systems"] for system in each})
    counts: Counter[tuple[int, int, str]] = Counter()
    for _, rows in judged[judged["rank"].notna()].groupby("judgment"):
        rated = rows.to_dict("records")
        for better in rated:
            for worse in rated:
                if better["rank"] >= worse["rank"]:
                    continue
                for one in better["systems"]:
                    for other in worse["systems"]:
                        lead = (
                            scores[better["sentence"], systems.index(one)]
                            - scores[better["sentence"], systems.index(other)]
                        )
                        ranks = int(better["rank"]), int(worse["rank"])
                        counts[*ranks, "pairs"] += 1
                        counts[*ranks, "agreed"] += lead > 0
                        counts[*ranks, "ties"] += lead == 0
    return {
        ranks: (counts[*ranks, "pairs"], counts[*ranks, "agreed"], counts[*ranks, "ties"])
        for ranks in sorted({key[:2] for key in counts})
    }


@few_examples
@given(snapshots())
def test_pairs_are_those_that_one_counts_by_looking_at_each(judged: pd.DataFrame) -> None:
    ranked = people(judged, 2)
    scores = np.random.default_rng(1).integers(3, size=(2, len(ranked.systems))) / 4.0
    if not ranked.systems:
        return
    data = MetricsAndPeople(ranked, (scores_of_sentences("m", scores),))
    found = rank_pairs(data, replicates=0).metrics["m"]
    assert {
        (cell.better, cell.worse): (cell.share.pairs, cell.share.agreed, cell.share.ties)
        for cell in found.cells
    } == by_looking(judged, scores)


def test_ranks_are_as_the_judge_gave_them() -> None:
    """Anna left out ranks 2 and 3."""
    judged = snapshot(("anna", 0, "A > B")).assign(rank=pd.array([1, 4], dtype="Int64"))
    data = MetricsAndPeople(people(judged, 1), (scores_of_sentences("m", np.array([[1.0, 0.0]])),))
    found = rank_pairs(data, replicates=0)
    [cell] = found.metrics["m"].cells
    assert (cell.better, cell.worse, cell.share.accuracy.value) == (1, 4, 1)
    assert list(found.metrics["m"].by_difference) == [3]
    beyond = rank_pairs(data, last_rank=3, replicates=0)
    assert (beyond.beyond, beyond.metrics["m"].reason) == (1, NO_PAIRS)


def test_scores_rank_the_outputs_of_a_judgment() -> None:
    judged = scored_snapshot(
        ("anna", 0, "A", 80), ("anna", 0, "B", 20), ("anna", 0, "C", 80), ("ben", 0, "B", 9)
    )
    judged["judgment"] = ["one", "one", "one", "other"]
    data = MetricsAndPeople(people(judged, 1), (scores_of_sentences("m", np.array([[3.0, 2.0, 1.0]])),))
    [cell] = rank_pairs(data, replicates=0).metrics["m"].cells
    assert (cell.better, cell.worse, cell.share.pairs, cell.share.agreed) == (1, 2, 2, 1)


def test_all_pairs_together_are_those_of_the_sentence_level() -> None:
    data = both()
    for name, found in rank_pairs(data, replicates=200, seed=3).metrics.items():
        [agreed] = [each for each in sentence_agreement(data, replicates=200, seed=3) if each.metric == name]
        assert found.whole is not None
        for one, other in zip(
            (found.whole.accuracy.value, found.whole.accuracy.low, found.whole.accuracy.high),
            (agreed.accuracy.value, agreed.accuracy.low, agreed.accuracy.high),
            strict=True,
        ):
            assert one == pytest.approx(other, abs=1e-12)
        assert sum(cell.share.pairs for cell in found.cells) == found.whole.pairs
        assert sum(share.pairs for share in found.by_difference.values()) == found.whole.pairs
        assert all(cell.share.accuracy.low is not None for cell in found.cells)


def test_blocks_change_no_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = rank_pairs(both(), replicates=50, last_rank=3)
    monkeypatch.setattr(judged_pairs, "PAIRS_PER_BLOCK", 7)
    assert rank_pairs(both(), replicates=50, last_rank=3) == at_once
    assert at_once.beyond


def test_memory_holds_a_few_bytes_of_each_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged_pairs, "PAIRS_PER_BLOCK", 10_000)
    many = judged_many_times(both(), 10**6)
    size = len(many.people.judged.outcome)
    read: list[int] = []
    assert peak_of(lambda: rank_pairs(many, replicates=10, progress=read.append)) < 8 * size
    assert sum(read) == (1 + len(many.metrics)) * size


def test_a_careful_metric_sees_large_differences_best() -> None:
    careful = rank_pairs(both(), replicates=0).metrics["careful"].by_difference
    assert (careful[3].accuracy.value or 0) > (careful[1].accuracy.value or 0)


def test_what_a_metric_gains_on_distant_pairs_is_tested_on_the_same_resamples() -> None:
    for found in rank_pairs(both(), replicates=200, seed=3).metrics.values():
        near, far = (found.by_difference[end(found.by_difference)].accuracy for end in (min, max))
        gain = found.gain
        assert gain is not None
        assert gain.value == pytest.approx((far.value or 0) - (near.value or 0))
        ends = gain.low, gain.value, gain.high, near.low, near.high, far.low, far.high
        low, value, high, near_low, near_high, far_low, far_high = (each or 0.0 for each in ends)
        assert far_low - near_high < low < value < high < far_high - near_low


def test_of_a_single_sentence_nothing_is_tested() -> None:
    """All its resamples are the same."""
    scores = {"m": [[3.0, 2.0, 2.5]], "other": [[1.0, 2.0, 3.0]]}
    data = MetricsAndPeople(
        people(snapshot(("anna", 0, "A > B > C")), 1),
        tuple(scores_of_sentences(name, np.array(each)) for name, each in scores.items()),
    )
    found = rank_pairs(data)
    gain = found.metrics["m"].gain
    assert gain is not None
    assert (gain.value, gain.low) == (0.5, None)
    assert {each for row in found.tests.p_values for each in row} == {None}


def test_pairs_that_are_all_equally_far_apart_show_no_gain() -> None:
    assert rank_pairs(both(), last_rank=2, replicates=5).metrics["careful"].gain is None


def test_missing_values_have_a_reason_in_words() -> None:
    judged = people(rankings(), 24)
    systems = scores_of_systems("systems", np.arange(4.0))
    none = scores_of_sentences("none", np.full((24, 4), np.nan))
    found = rank_pairs(MetricsAndPeople(judged, (systems, none)), replicates=5)
    assert found.metrics["systems"].reason == NO_SENTENCE_SCORES
    assert found.metrics["none"].reason == NO_JUDGED_OUTPUT
    assert found.not_scored == 0
    tied = MetricsAndPeople(
        people(snapshot(("anna", 0, "A = B")), 1), (scores_of_sentences("m", np.array([[1.0, 0.0]])),)
    )
    assert rank_pairs(tied, replicates=5).metrics["m"].reason == NO_PAIRS


def test_metrics_are_tested_against_each_other_on_all_pairs() -> None:
    found = rank_pairs(both(), replicates=400, seed=1)
    assert set(found.tests.metrics) == {name for name, each in found.metrics.items() if each.whole}
    careful, careless = (found.tests.metrics.index(name) for name in ("careful", "careless"))
    assert (found.tests.p_values[careful][careless] or 1) < 0.05
    assert (found.tests.p_values[careless][careful] or 0) > 0.95
    untested = rank_pairs(both(), replicates=0).tests
    assert untested.p_values[careful][careless] is None
