"""Automatic metrics of text corrections, independent of web framework, database and settings.

A metric is created by name and scores any number of systems on an evaluation set::

    from metrics import EvaluationSet, metric_from_text, score

    data = EvaluationSet(sources=("A cat sit .",), references=(("A cat sits .",),))
    scored = score(metric_from_text("gleu"), data, {"first": ["A cat sits ."], "second": ["A cat sit ."]})
    print(scored.signature, scored.corpus("first").value)

`bootstrap_intervals`, `paired_bootstrap` and `approximate_randomisation` take what `score` returns. Heavy
libraries are imported when a metric needs them.
"""

from assay import __version__
from core.parameters import ParameterError, ParameterField, parameter_fields
from metrics.base.evaluation_sets import (
    Annotation,
    Checker,
    EditedText,
    EvaluationSet,
    GoldEdit,
    InputError,
    Need,
    Parser,
)
from metrics.base.metric import AnyMetric, BatchReduce, Metric, MetricError, NotScored
from metrics.base.resampling import (
    DifferenceTest,
    ScoreInterval,
    approximate_randomisation,
    bootstrap_intervals,
    bootstrap_scores,
    compare_with_best,
    paired_bootstrap,
)
from metrics.base.scoring import CorpusScore, Scored, score
from metrics.english.parses import ParsedText
from metrics.errant import TypeScore, scores_by_type
from metrics.registry import (
    METRICS,
    faults_of_packages,
    in_usual_order,
    metric_class,
    metric_from_text,
)
from metrics.untrained import UnknownMetricError

__all__ = [
    "METRICS",
    "Annotation",
    "AnyMetric",
    "BatchReduce",
    "Checker",
    "CorpusScore",
    "DifferenceTest",
    "EditedText",
    "EvaluationSet",
    "GoldEdit",
    "InputError",
    "Metric",
    "MetricError",
    "Need",
    "NotScored",
    "ParameterError",
    "ParameterField",
    "ParsedText",
    "Parser",
    "ScoreInterval",
    "Scored",
    "TypeScore",
    "UnknownMetricError",
    "__version__",
    "approximate_randomisation",
    "bootstrap_intervals",
    "bootstrap_scores",
    "compare_with_best",
    "faults_of_packages",
    "in_usual_order",
    "metric_class",
    "metric_from_text",
    "paired_bootstrap",
    "parameter_fields",
    "score",
    "scores_by_type",
]
