"""Shared by analyses that train a metric: the metrics that give features, and the stored model."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.parameters import parameters_as_text
from metrics.base import FloatArray
from metrics.learned.metric import LearnedMetric
from metrics.learned.saved import ModelCard, SavedModel, signed
from metrics.validation import MetricScores
from metrics.validation.statistics import GivenScores


def giving_features(metrics: Sequence[MetricScores]) -> tuple[list[MetricScores], tuple[str, ...]]:
    """The metrics whose statistics give features, and the names of the others.

    Scores that were computed elsewhere cannot be computed of new outputs, learned metrics would learn from
    themselves, and of one metric with several parameters only the first is taken.
    """
    giving: dict[str, MetricScores] = {}
    others = []
    for metric in metrics:
        kind = None if metric.statistics is None else metric.statistics.metric
        if kind is None or isinstance(kind, GivenScores | LearnedMetric) or kind.name in giving:
            others.append(metric.name)
        else:
            giving[kind.name] = metric
    return list(giving.values()), tuple(others)


def as_written(metric: MetricScores) -> str:
    """A computed metric as on a command line, with the parameters that differ from their defaults."""
    assert metric.statistics is not None  # noqa: S101  # one of `giving_features`
    kind = metric.statistics.metric
    usual = parameters_as_text(kind.Parameters())
    values = parameters_as_text(kind.parameters)
    stated = (f"{name}={text}" for name, text in values.items() if usual.get(name) != text)
    return ":".join([kind.name, *stated])


def kept(
    kind: str,
    metrics: Sequence[MetricScores],
    features: tuple[str, ...],
    coefficients: FloatArray,
    spread: FloatArray,
    card: ModelCard,
    **more: Any,
) -> SavedModel:
    """The model with its digest."""
    parts: Mapping[str, Any] = {"groups": (), "rules": (), "checker": "", "intercept": 0.0, **more}
    return signed(
        SavedModel(
            kind=kind,
            metrics=tuple(map(as_written, metrics)),
            features=features,
            coefficients=tuple(coefficients.tolist()),
            spread=tuple(spread.tolist()),
            card=card,
            **parts,
        )
    )
