"""Metrics against people are computed in parts; stored parts do not change the numbers."""

import numpy as np
import pytest

from analysis.analyses.inputs import judgments
from analysis.analyses.metrics_people import (
    DRAWN_PER_PART,
    METRICS_PEOPLE,
    MetricsPeopleParameters,
    Part,
    Permuted,
    portions,
)
from analysis.analyses.scored_judgments import ScoredJudgments
from analysis.runs.computing import computed
from analysis.runs.results import to_json
from core.progress import NoProgress
from metrics.validation import MetricScores, Replicates, scores_of_sentences
from tests.analysis.stored import KeptParts
from tests.metrics.validation.samples import SENTENCES, SYSTEMS, metric_like_people, rankings

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
    whole = to_json(computed(METRICS_PEOPLE, compared, parameters, NoProgress(), {}))
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
