"""A metric against people over the values of a parameter."""

import numpy as np
import pytest

from core.parameters import ParameterError
from metrics import METRICS, AnyMetric, EvaluationSet, Scored, metric_from_text, parameter_fields, score
from metrics.base.evaluation_sets import InputError
from metrics.meta_evaluation import (
    HumanScore,
    MetricsAndPeople,
    people,
    scores_of_metric,
    scores_of_systems,
    sweep,
    swept_parameters,
    system_agreement,
    system_scores,
    usual_values,
)
from metrics.meta_evaluation.sensitivity.sweep import p_of_the_best, round_step
from ranking import Coefficient, correlation
from tests.metrics.meta_evaluation.samples import rankings

EW = HumanScore.EXPECTED_WINS
RHO, R = Coefficient.SPEARMAN, Coefficient.PEARSON
SENTENCES = 12
WORDS = ["a", "b", "c", "d", "e", "f", "g", "h"]


def texts(seed: int) -> list[str]:
    """Sentences of eight words, of which the seed changes some."""
    rng = np.random.default_rng(seed)
    return [
        " ".join(word.upper() if rng.random() < 0.1 * seed else word for word in WORDS)
        for _ in range(SENTENCES)
    ]


DATA = EvaluationSet((" ".join(WORDS),) * SENTENCES, tuple((text, text.lower()) for text in texts(2)))
OUTPUTS = {name: texts(seed) for seed, name in enumerate("ABCD", start=1)}


def score_anew(metric: AnyMetric) -> Scored:
    return score(metric, DATA, OUTPUTS)


def data_of(name: str, *, has_texts: bool = True) -> MetricsAndPeople:
    judged = people(rankings(SENTENCES), SENTENCES)
    scored = score_anew(metric_from_text(name))
    metric = scores_of_metric(name, scored, judged.systems, score_anew=score_anew if has_texts else None)
    return MetricsAndPeople(judged, (metric,))


@pytest.mark.parametrize(
    ("name", "parameter", "values"),
    [
        ("ibleu", "alpha", (0.0, 0.25, 0.8, 1.0)),
        ("gleu", "iterations", (1, 5, 20)),
        ("gleu:iterations=5", "order", (1, 2, 4)),
        ("green", "beta", (0.5, 2.0, 3.0)),
    ],
)
def test_each_value_equals_the_metric_with_that_parameter(
    name: str, parameter: str, values: tuple[float, ...]
) -> None:
    """From statistics or from the texts: the same correlations, in the same resamples."""
    data = data_of(name)
    swept = sweep(data, EW, name, parameter, values, replicates=60, seed=3, threads=2)
    assert swept.values == values
    assert swept.reduced_anew == (parameter in ("order", "beta"))
    for place, value in enumerate(values):
        alone = data_of(f"{name}:{parameter}={value:g}")
        scores = system_scores(alone, EW, replicates=60, seed=3)
        for coefficient in (RHO, R):
            estimate = swept.correlations[coefficient][place]
            expected = correlation(scores.metrics[0], scores.human, coefficient).value
            assert estimate.value == pytest.approx(expected)
            [agreed] = system_agreement(alone, scores, seed=3)
            same = agreed.correlations[coefficient]
            assert (estimate.low, estimate.high) == pytest.approx((same.low, same.high))
            assert estimate.low is not None


def test_the_best_value_is_the_smallest_of_equal_ones_with_an_interval_of_values_that_were_tried() -> None:
    data = data_of("ibleu")
    values = tuple(round(number / 20, 2) for number in range(21))
    swept = sweep(data, EW, "ibleu", "alpha", values, replicates=80, seed=1)
    for coefficient, best in swept.best.items():
        heights = [round(each.value or -1, 9) for each in swept.correlations[coefficient]]
        assert best.value == values[heights.index(max(heights))]
        assert best.correlation == swept.correlations[coefficient][heights.index(max(heights))]
        assert {best.low, best.high} <= set(values)
        assert (best.low or 0) <= (best.high or 0)
    assert swept.default == 0.8


def test_the_default_is_compared_even_if_it_is_not_among_the_values() -> None:
    data = data_of("ibleu")
    [expected] = sweep(data, EW, "ibleu", "alpha", (0.8,), replicates=0).correlations[R]
    swept = sweep(data, EW, "ibleu", "alpha", (0.1, 0.2), replicates=0)
    assert swept.at_default[R] == expected
    assert swept.best[R].p_value is None


def test_a_lead_of_the_best_of_many_values_is_less_sure_than_that_of_a_single_one() -> None:
    rng = np.random.default_rng(0)
    leads = rng.normal(size=(20, 999)) * np.linspace(0.1, 1, 20)[:, None] + 0.3
    alone = p_of_the_best(0.25, 0, leads[:1])
    assert alone == pytest.approx(0.012, abs=0.01)  # of a normal distribution 1.11 times as wide
    assert (p_of_the_best(0.25, 0, leads) or 0) > 5 * (alone or 1)
    assert p_of_the_best(2.5, 19, leads) == pytest.approx(p_of_the_best(0.25, 0, leads), rel=0.5)
    assert p_of_the_best(1.0, 0, leads) == 1 / 1000
    assert (p_of_the_best(0.0, 0, leads) or 0) > 0.99
    assert p_of_the_best(0.25, 0, leads[:, :5]) is None
    leads[0, 0] = np.nan
    assert p_of_the_best(1.0, 0, leads) == 1 / 999


def test_the_default_has_no_lead_over_itself() -> None:
    swept = sweep(data_of("ibleu"), EW, "ibleu", "alpha", (0.8,), replicates=40)
    assert {best.p_value for best in swept.best.values()} == {None}


def test_without_texts_only_parameters_of_scores_can_be_swept() -> None:
    data = data_of("gleu:iterations=5", has_texts=False)
    assert sweep(data, EW, "gleu:iterations=5", "iterations", (1, 2), replicates=0).best[R].low is None
    with pytest.raises(InputError, match="gleu has to read the texts again"):
        sweep(data, EW, "gleu:iterations=5", "order", (1, 2), replicates=0)


def test_parameters_that_cannot_be_swept_are_refused() -> None:
    data = data_of("ibleu")
    with pytest.raises(InputError, match="no scores by 'm2'; there are: ibleu"):
        sweep(data, EW, "m2", "beta")
    with pytest.raises(InputError, match="no numeric parameter 'sign'; there are: alpha"):
        sweep(data, EW, "ibleu", "sign")
    with pytest.raises(ParameterError, match="alpha should be at most 1, not 2"):
        sweep(data, EW, "ibleu", "alpha", (0.5, 2.0))
    assert swept_parameters(scores_of_systems("given", np.arange(4.0))) == ()


@pytest.mark.parametrize(
    "name", [f"{name}:{each.name}" for name, metric in METRICS.items()
             for each in parameter_fields(metric.Parameters) if each.is_numeric]
)  # fmt: skip
def test_the_usual_values_of_all_parameters_are_allowed_and_few_where_outputs_are_reduced_anew(
    name: str,
) -> None:
    metric, parameter = name.split(":")
    [each] = [one for one in parameter_fields(METRICS[metric].Parameters) if one.name == parameter]
    values = usual_values(each)
    assert 3 <= len(values) <= (21 if each.changes_statistics else 101)
    assert values == tuple(sorted(set(values)))
    for value in (values[0], values[-1]):
        metric_from_text(f"{metric}:{parameter}={value:g}")
    assert each.type is float or all(value == int(value) for value in values)


def test_the_usual_betas_are_those_of_gjg15() -> None:
    [beta] = [each for each in parameter_fields(METRICS["m2"].Parameters) if each.name == "beta"]
    assert usual_values(beta) == tuple(number / 100 for number in range(1, 101))


def test_steps_are_round() -> None:
    assert [round_step(least, whole=False) for least in (0.01, 0.011, 0.03, 0.4, 7)] == [
        0.01,
        0.02,
        0.05,
        0.5,
        10,
    ]
    assert [round_step(least, whole=True) for least in (0.2, 1, 1.1, 30)] == [1, 1, 2, 50]
