"""Do intervals of agreement hold the truth, and do tests of two equal metrics claim nothing?

Shares of simulations have standard errors of about 2 % in the deep tests and 4 % in the others; bounds leave
three of them.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from dev.benchmarks.metrics_people import read_data
from metrics import metric_from_text, score
from metrics.meta_evaluation import people
from metrics.meta_evaluation.intervals import AgreementIntervals, Resampled
from tests.metrics.meta_evaluation.simulated_agreement import (
    MEASURES,
    Coverage,
    EqualMetrics,
    Population,
    coverage,
    means,
    synthetic,
)

FEW, MANY = 40, 100
SETS = 4

Record = Callable[[str, object], None]

NOISY = synthetic(6, [0.99], spread=0.2, judgments=1, seed=1, sentences=1000)


def test_intervals_hold_where_percentiles_of_resamples_do_not() -> None:
    """A good metric of six systems whose scores err: every resample correlates less than the truth."""
    [held] = coverage(NOISY, 150, samples=FEW, seed=3).values()
    assert held.printed >= 0.6 * FEW
    for measure in MEASURES:
        assert held.share(measure) >= 0.83
    assert held.percentile_held <= 0.75 * FEW


@pytest.mark.slow
def test_intervals_hold_an_unlikely_order_of_almost_equal_systems() -> None:
    """Of 15 systems; with the tails of r, 39 of 60 intervals of tau held, and more sentences did not help."""
    unlikely = synthetic(15, [0.95, 0.7, 0.0], spread=0.3, judgments=2, seed=15)
    held = coverage(unlikely, 1300, samples=60, seed=1, replicates=300)["r 0"]
    assert held.printed == 60
    for measure in MEASURES:
        assert held.share(measure) >= 0.8, measure


def test_there_is_no_interval_of_systems_that_do_not_differ() -> None:
    [held] = coverage(
        synthetic(8, [0.7], spread=0.0, judgments=2, seed=2, sentences=800), 200, samples=FEW, seed=4
    ).values()
    assert held.printed <= 0.1 * FEW


def test_an_interval_says_why_it_is_missing() -> None:
    rng = np.random.default_rng(5)
    human, metric = np.array([0.1, 0.2, 0.3, 0.4]), np.array([1.0, 2, 3, 4])
    near, far = (human + rng.normal(scale=scale, size=(50, 4)) for scale in (0.01, 0.5))
    exact = np.tile(metric, (50, 1))
    reasons = [
        Resampled(human, metric, *replicates).reason
        for replicates in (
            (near, exact),
            (far, exact),
            (near[:9], exact[:9]),
            (near[:0], exact[:0]),
            (np.where(np.arange(50)[:, None] < 30, np.nan, near), exact),
        )
    ]
    assert reasons[0] is None
    assert reasons[1] == (
        "these judgments do not separate the systems enough: "
        "all of the variance of people’s scores among systems is error"
    )
    assert reasons[2:] == [
        "scores of all systems are needed in 10 resamples of the sentences",
        "nothing was resampled",
        "all systems have scores in 20 of 50 resamples of the sentences",
    ]


def test_scores_without_errors_are_certain() -> None:
    human, metric = np.array([0.1, 0.2, 0.3, 0.5]), np.array([1.0, 3, 2, 4])
    same = Resampled(human, metric, np.tile(human, (50, 1)), np.tile(metric, (50, 1)))
    assert same.reliability == (1.0, 1.0)
    for name, of in MEASURES.items():
        value = float(of(human[None], metric[None])[0])
        estimate = AgreementIntervals(same, confidence=0.95, seed=1).of(value, of, by_order=name != "pearson")
        assert (estimate.low, estimate.high) == pytest.approx((value, value), abs=1e-3)


def test_of_equal_metrics_none_is_called_better() -> None:
    """One of them errs more in each sentence, which lowers its correlation in resamples."""
    claimed, tested = EqualMetrics(8, 0.5, 2, 0.7, noise=(0.9, 4.0)).claims(300, samples=FEW, seed=6)
    assert tested >= 0.6 * FEW
    assert claimed <= 0.16 * tested


def test_of_unequal_metrics_one_is_called_better() -> None:
    claimed, tested = EqualMetrics(12, 0.5, 3, 0.9, lead=0.5).claims(400, samples=10, seed=7)
    assert claimed >= 0.8 * tested > 0


@pytest.mark.deep
@pytest.mark.parametrize(
    ("spread", "judgments", "below"), [(1.0, 1, 0), (0.3, 2, 0), (0.1, 6, 0), (0.6, 2, 6)]
)
@pytest.mark.parametrize("systems", [6, 10, 15])
@pytest.mark.parametrize("sentences", [100, 400, 1300])
def test_printed_intervals_hold_for_synthetic_systems(
    systems: int, sentences: int, spread: float, judgments: int, below: float, record_property: Record
) -> None:
    """Of several sets of systems; with `below`, one is far below the others, which are close together."""
    held = {
        f"set {seed}, {metric}": held
        for seed in range(SETS)
        for metric, held in coverage(
            synthetic(
                systems,
                (0.95, 0.7, 0.0),
                spread=spread,
                judgments=judgments,
                seed=1000 * systems + seed,
                below=below,
            ),
            sentences,
            samples=MANY // SETS,
            seed=seed,
            replicates=300,
        ).items()
    }
    assert_held(held, record_property)


@pytest.mark.deep
@pytest.mark.parametrize("sentences", [150, 400, 1300])
@pytest.mark.parametrize("places", [range(13), range(6), range(0, 12, 2), range(4, 10)])
def test_printed_intervals_hold_for_systems_of_gjg15(
    reference_data: Path, places: range, sentences: int, record_property: Record
) -> None:
    population = gjg15(reference_data, places)
    assert_held(coverage(population, sentences, samples=MANY, seed=1, replicates=300), record_property)


@pytest.mark.deep
@pytest.mark.parametrize("noise", [(0.9, 0.9), (0.9, 4.0)])
@pytest.mark.parametrize(
    ("systems", "spread", "judgments", "correlation", "sentences"),
    [(12, 0.3, 3, 0.7, 400), (12, 0.5, 1, 0.7, 300), (6, 0.5, 3, 0.6, 400), (8, 1.0, 6, 0.5, 800)],
)
def test_equal_metrics_are_separated_in_at_most_5_percent(
    systems: int,
    spread: float,
    judgments: int,
    correlation: float,
    sentences: int,
    noise: tuple[float, float],
    record_property: Record,
) -> None:
    equal = EqualMetrics(systems, spread, judgments, correlation, noise)
    claimed, tested = equal.claims(sentences, samples=200, seed=8)
    record_property("samples with a test", tested)
    record_property("of these, one called better", claimed)
    assert claimed <= 0.05 * tested + 3 * np.sqrt(0.05 * 0.95 * max(tested, 1))


def assert_held(held: Mapping[str, Coverage], record_property: Record) -> None:
    """Of all sets and metrics together: those of a set share their samples, so each alone varies too much."""
    printed = sum(each.printed for each in held.values())
    together = {measure: sum(each.held[measure] for each in held.values()) for measure in MEASURES}
    record_property("samples", sum(each.samples for each in held.values()))
    record_property("printed", printed)
    record_property("held", together)
    record_property("r held by percentiles", sum(each.percentile_held for each in held.values()))
    worst = {
        measure: min((each.share(measure) for each in held.values() if each.printed >= FEW // 2), default=1.0)
        for measure in MEASURES
    }
    record_property("least held of a set and metric", worst)
    if printed < MANY:
        return
    for measure in MEASURES:
        assert together[measure] >= 0.9 * printed, measure


def gjg15(folder: Path, places: range) -> Population:
    """The judged sentences of GJG15, with those of its systems at these places of the ranking."""
    snapshot, evaluation = read_data(folder)
    judged = people(snapshot, len(evaluation.data.sources))
    chosen, size = judged.judged_sentences, len(judged.systems)
    counts = np.zeros((judged.sentences, 2 * size * size))
    sentence_of_pair = np.repeat(np.arange(judged.sentences), np.diff(judged.pairs.starts))
    np.add.at(counts, (sentence_of_pair, judged.pairs.codes), 1)
    wins = counts[chosen, : size * size].reshape(-1, size, size)
    ranked = np.argsort(-Population(wins, {}).true[0])[list(places)]
    metrics = {}
    for name in ("bleu", "gleu", "sari"):
        scored = score(metric_from_text(name), evaluation.data, evaluation.outputs)
        scores = np.stack([scored.sentences(judged.systems[place]) for place in ranked], axis=1)[chosen]
        there = np.isfinite(scores)
        metrics[name] = np.stack([np.where(there, scores, 0.0), there], axis=2), means
    return Population(wins[:, ranked][:, :, ranked], metrics)
