"""Metrics against people are computed in parts; stored parts do not change the numbers."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.analyses.judgment_inputs import judgments
from analysis.analyses.metrics.metrics_people import (
    DRAWN_PER_PART,
    METRICS_PEOPLE,
    MetricsPeopleParameters,
    Part,
    Permuted,
    portions,
)
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.runs.computing import computed
from analysis.runs.results import to_json
from core.progress import NoProgress
from metrics import EvaluationSet, metric_from_text, score
from metrics.meta_evaluation import (
    HumanScore,
    MetricScores,
    Replicates,
    scores_of_metric,
    scores_of_sentences,
)
from tests.analysis.stored import KeptParts
from tests.metrics.meta_evaluation.samples import (
    SENTENCES,
    SYSTEMS,
    metric_like_people,
    rankings,
    scored_snapshot,
)

PARAMETERS = MetricsPeopleParameters(replicates=DRAWN_PER_PART + 10, permutations=2 * DRAWN_PER_PART, seed=3)


class Counting(NoProgress):
    """Notes how much was done."""

    def __init__(self) -> None:
        self.done = 0

    def advance(self, parts: int) -> None:
        self.done += parts


def inputs(*metrics: MetricScores) -> ScoredJudgments:
    return ScoredJudgments(judgments(rankings(), METRICS_PEOPLE.columns), SENTENCES, SYSTEMS, metrics)


def partly_scored() -> MetricScores:
    scores = metric_like_people("partly", 0.4, 3).sentences
    assert scores is not None
    scores[3:5, 1] = np.nan
    return scores_of_sentences("partly", scores)


def test_parts_that_were_stored_change_no_number() -> None:
    compared = inputs(
        metric_like_people("careful", 0.1, 1), metric_like_people("careless", 1.5, 2), partly_scored()
    )
    parameters = METRICS_PEOPLE.resolved(PARAMETERS, scored=False)
    parts, progress = KeptParts(Part), Counting()
    whole = to_json(computed(METRICS_PEOPLE, compared, parameters, NoProgress()))
    assert to_json(computed(METRICS_PEOPLE, compared, parameters, progress, parts)) == whole
    assert progress.done == PARAMETERS.replicates + PARAMETERS.permutations
    assert [type(part) for part in parts.values()] == [Replicates, Replicates, Permuted, Permuted]
    del parts[1], parts[2]
    assert to_json(computed(METRICS_PEOPLE, compared, parameters, NoProgress(), parts)) == whole


@pytest.mark.parametrize("number", [0, 1])
def test_one_metric_has_parts_and_no_tests(number: int) -> None:
    """And without replicates there are only permutations."""
    parameters = METRICS_PEOPLE.resolved(
        MetricsPeopleParameters(replicates=number * 50, permutations=100), scored=False
    )
    parts = KeptParts(Part)
    result = computed(METRICS_PEOPLE, inputs(partly_scored()), parameters, NoProgress(), parts)
    assert len(parts) == len(portions(parameters)) == 2 + number
    again = computed(METRICS_PEOPLE, inputs(partly_scored()), parameters, NoProgress(), parts)
    assert to_json(again) == to_json(result)
    assert {tests.p_values for tests in result.tests.values()} == {((None,),)}


# --- Sentences that nobody judged ------------------------------------------------------------------

EVERY = 3
"""One of so many sentences is judged."""


def computed_metric(name: str, sentences: int) -> MetricScores:
    """Scores of texts of random words, each sentence with two references."""
    rng = np.random.default_rng(8)

    def texts() -> list[str]:
        return [" ".join(rng.choice([*"abcde"], size=6)) for _ in range(sentences)]

    references = tuple(zip(texts(), texts(), strict=True))
    scored = score(
        metric_from_text(name), EvaluationSet(tuple(texts()), references), {each: texts() for each in SYSTEMS}
    )
    return scores_of_metric(name, scored, SYSTEMS)


def ratings() -> pd.DataFrame:
    rng = np.random.default_rng(9)
    return scored_snapshot(
        *(
            (judge, sentence, system, int(rng.integers(101)))
            for judge in ("anna", "ben")
            for sentence in range(SENTENCES)
            for system in SYSTEMS
        )
    )


@pytest.mark.parametrize("human", [HumanScore.EXPECTED_WINS, HumanScore.MEAN, HumanScore.Z])
def test_sentences_without_judgments_are_left_out_and_change_no_digit(
    human: HumanScore, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences = EVERY * SENTENCES
    judged = ratings() if human is HumanScore.Z else rankings()
    metrics = (
        *(computed_metric(name, sentences) for name in ("gleu", "bleu", "sari")),
        metric_like_people("given", 0.3, 4, sentences),
    )
    some = ScoredJudgments(
        judgments(judged.assign(sentence=EVERY * judged["sentence"] + 1), METRICS_PEOPLE.columns),
        sentences,
        SYSTEMS,
        metrics,
        domains=tuple(f"domain {number % 2}" for number in range(sentences)),
    )
    parameters = METRICS_PEOPLE.resolved(replace(PARAMETERS, human=human), scored=human is HumanScore.Z)
    left_out = to_json(computed(METRICS_PEOPLE, some, parameters, NoProgress()))
    assert compared_sentences(some, parameters) == SENTENCES
    compared = ScoredJudgments.compared
    monkeypatch.setattr(
        ScoredJudgments,
        "compared",
        lambda self, *, tie_width, only_judged: compared(self, tie_width=tie_width),
    )
    assert compared_sentences(some, parameters) == sentences
    assert to_json(computed(METRICS_PEOPLE, some, parameters, NoProgress())) == left_out


def compared_sentences(of: ScoredJudgments, parameters: MetricsPeopleParameters) -> int:
    """Number of sentences whose scores memory holds."""
    assert METRICS_PEOPLE.chunks
    data = METRICS_PEOPLE.chunks.prepare(of, parameters).data
    numbers = {data.people.sentences, len(data.domains), *(len(each.sentences) for each in data.metrics)}
    return numbers.pop() if len(numbers) == 1 else 0
