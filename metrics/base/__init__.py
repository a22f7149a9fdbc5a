"""The parts of metrics: their base classes, inputs, scoring and resampling.

A package that adds metrics imports these names from here (docs/metrics.md, "Metrics from packages").
"""

from core.arrays import FloatArray, IntArray
from metrics.base.metric import (
    AdditiveMetric,
    BatchReduce,
    MeanMetric,
    Metric,
    MetricError,
    NoParameters,
    NotScored,
    Reduce,
    Rows,
    mean_row,
)

__all__ = [
    "AdditiveMetric",
    "BatchReduce",
    "FloatArray",
    "IntArray",
    "MeanMetric",
    "Metric",
    "MetricError",
    "NoParameters",
    "NotScored",
    "Reduce",
    "Rows",
    "mean_row",
]
