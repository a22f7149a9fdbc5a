"""One annotator against the others, against direct computations of the definitions."""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from metrics.meta_evaluation import (
    HumanScore,
    MetricsAndPeople,
    ceiling_of_sentences,
    ceiling_of_systems,
    judged_pairs,
    people,
    scores_of_sentences,
)
from metrics.meta_evaluation.human_ceiling import ALONE, NO_ALL, NO_INTERVAL
from metrics.meta_evaluation.sentence_level import NONE_SHARED
from metrics.meta_evaluation.system_level import TOO_FEW
from ranking import Coefficient, annotator_correlations

SYSTEMS = ("a", "b", "c", "d")
SENTENCES = 12
OF_RANKS = (HumanScore.EXPECTED_WINS, HumanScore.TRUESKILL, HumanScore.BRADLEY_TERRY, HumanScore.MEAN)
OF_SCORES = (*OF_RANKS, HumanScore.Z)


def judged(rating: str, *, annotators: int = 4, seed: int = 0, systems: int = 4) -> pd.DataFrame:
    """Annotators of different noise judge most sentences, some twice; b and c share some outputs."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, Any]] = []
    for annotator in range(annotators):
        for sentence in rng.choice(SENTENCES, size=9, replace=True).tolist():
            judgment = f"{annotator}-{len(rows)}"
            lists = [("a",), ("b", "c"), ("d",)] if sentence % 4 == 0 else [(name,) for name in SYSTEMS]
            lists = [names for names in lists if set(names) <= set(SYSTEMS[:systems])]
            quality = [np.mean([SYSTEMS.index(name) for name in names]) for names in lists]
            values = np.rint(10 * (np.array(quality) + rng.normal(0, 1 + annotator / 2, len(lists))))
            ranks = pd.Series(-values // 8).rank(method="dense").astype(int)
            for names, value, rank in zip(lists, values.tolist(), ranks.tolist(), strict=True):
                output = f"{sentence}:{'+'.join(names)}"
                given = {"rank": rank, "score": None} if rating == "rank" else {"rank": None, "score": value}
                rows.append(
                    {
                        "judgment": judgment,
                        "annotator": f"j{annotator}",
                        "sentence": sentence,
                        "output": output,
                        "systems": names,
                        **given,
                    }
                )
    return pd.DataFrame(rows)


def compared(snapshot: pd.DataFrame) -> MetricsAndPeople:
    of = people(snapshot, SENTENCES)
    return MetricsAndPeople(of, (scores_of_sentences("metric", np.zeros(of.scores.shape)),))


def scores_of(snapshot: pd.DataFrame, human: HumanScore) -> dict[str, float]:
    """The scores of systems by these judgments alone."""
    of = people(snapshot, SENTENCES)
    scores = of.scores_of_draws(human)(np.arange(SENTENCES)[None])[0]
    return dict(zip(of.systems, scores.tolist(), strict=True))


def directly(snapshot: pd.DataFrame, human: HumanScore) -> dict[str, float]:
    """The weighted means, by judgments of one annotator and of the others, one annotator after the other."""
    found: dict[str, list[float]] = {"pearson": [], "spearman": [], "kendall": [], "accuracy": []}
    weights = []
    for annotator in sorted(set(snapshot["annotator"])):
        is_own = snapshot["annotator"] == annotator
        if human is HumanScore.Z:
            values = snapshot.groupby("annotator")["score"]
            standard = (snapshot["score"] - values.transform("mean")) / values.transform("std")
            whole = snapshot.assign(score=standard)
            own, rest = (scores_of(whole[one], HumanScore.MEAN) for one in (is_own, ~is_own))
        else:
            own, rest = (scores_of(snapshot[one], human) for one in (is_own, ~is_own))
        if len(own) < len(SYSTEMS) or not np.isfinite([*own.values(), *rest.values()]).all():
            continue
        one, other = [own[name] for name in SYSTEMS], [rest[name] for name in SYSTEMS]
        found["pearson"].append(pearsonr(one, other).statistic)
        found["spearman"].append(spearmanr(one, other).statistic)
        found["kendall"].append(kendalltau(one, other).statistic)
        pairs = [(i, k) for i, k in combinations(range(len(SYSTEMS)), 2) if other[i] != other[k]]
        agreed = [np.sign(one[i] - one[k]) == np.sign(other[i] - other[k]) for i, k in pairs]
        found["accuracy"].append(float(np.mean(agreed)))
        sizes = snapshot[is_own].groupby("judgment")["systems"].agg(lambda lists: sum(map(len, lists)))
        weights.append(sum(size * (size - 1) // 2 for size in sizes))
    return {name: float(np.average(values, weights=weights)) for name, values in found.items()}


@pytest.mark.parametrize(
    ("rating", "human"), [*(("rank", each) for each in OF_RANKS), *(("score", each) for each in OF_SCORES)]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_systems_are_compared_as_defined(rating: str, human: HumanScore, seed: int) -> None:
    snapshot = judged(rating, seed=seed)
    ceiling = ceiling_of_systems(compared(snapshot), snapshot, human, replicates=50)
    expected = directly(snapshot, human)
    found = {name.value: each.value for name, each in ceiling.correlations.items()}
    assert found | {"accuracy": ceiling.accuracy.value} == pytest.approx(expected, abs=1e-6)
    for each in (*ceiling.correlations.values(), ceiling.accuracy):
        assert each.low is not None
        assert each.value is not None
        assert each.high is not None
        assert -1 <= each.low <= each.value <= each.high <= 1


def test_expected_wins_agree_with_the_table_of_gjg15() -> None:
    snapshot = judged("rank", seed=3)
    ceiling = ceiling_of_systems(compared(snapshot), snapshot, HumanScore.EXPECTED_WINS, replicates=0)
    published = annotator_correlations(snapshot)
    assert ceiling.annotators == published.mean_pearson.annotators == 4
    assert ceiling.correlations[Coefficient.PEARSON].value == pytest.approx(published.mean_pearson.value)
    assert ceiling.correlations[Coefficient.SPEARMAN].value == pytest.approx(published.mean_spearman.value)


@pytest.mark.parametrize("rating", ["rank", "score"])
@pytest.mark.parametrize("block", [1, 40, 10_000])
def test_sentences_are_compared_as_defined(rating: str, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged_pairs, "PAIRS_PER_BLOCK", block)
    snapshot = judged(rating, seed=5)
    data = compared(snapshot)
    right = ordered = wrong = 0
    for one, other in outcomes(data):
        ordered += other != 0
        right += other != 0 and one == other
        wrong += other != 0 and one == -other
    reported: list[int] = []
    ceiling = ceiling_of_sentences(data, replicates=200, progress=reported.append)
    assert len(reported) > len(data.people.judged.outcome) // block
    assert ceiling.accuracy.value == pytest.approx(right / ordered)
    assert ceiling.tau.value == pytest.approx((2 * right - ordered) / ordered)
    assert ceiling.pairs is not None
    assert (ceiling.pairs.concordant, ceiling.pairs.discordant) == (right, wrong)
    assert ceiling.tau.value is not None
    assert ceiling.tau.low is not None
    assert ceiling.tau.high is not None
    assert ceiling.tau.low < ceiling.tau.value < ceiling.tau.high


def outcomes(data: MetricsAndPeople) -> Iterator[tuple[int, int]]:
    """The outcomes of each two judgments of a pair of outputs by different annotators, in both directions."""
    of = data.people.judged
    rows = list(zip(of.sentence, of.first, of.second, of.judge, of.outcome.tolist(), strict=True))
    for one, other in permutations(rows, 2):
        if one[:3] == other[:3] and one[3] != other[3]:
            yield one[4], other[4]


def test_it_says_why_there_is_none() -> None:
    alone = judged("rank", annotators=1)
    found = ceiling_of_systems(compared(alone), alone, HumanScore.EXPECTED_WINS)
    assert (found.annotators, found.accuracy.value, found.accuracy.reason) == (0, None, ALONE)
    assert ceiling_of_sentences(compared(alone)).reason == NONE_SHARED
    two = judged("rank", annotators=2)
    found = ceiling_of_systems(compared(two), two, HumanScore.EXPECTED_WINS)
    assert found.accuracy.value is not None
    assert (found.accuracy.low, found.accuracy.reason) == (None, NO_INTERVAL)
    few = judged("rank", systems=2)
    found = ceiling_of_systems(compared(few), few, HumanScore.EXPECTED_WINS)
    assert found.correlations[Coefficient.PEARSON].reason == TOO_FEW
    halves = judged("rank", annotators=2)
    halves = halves[(halves["annotator"] == "j0") ^ halves["systems"].isin([("a",), ("d",)])]
    found = ceiling_of_systems(compared(halves), halves, HumanScore.EXPECTED_WINS)
    assert found.accuracy.reason == NO_ALL
