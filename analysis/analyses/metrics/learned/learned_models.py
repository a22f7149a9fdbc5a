"""Shared by analyses that train a metric: what gives features, the model, and what it has learned."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from analysis.analyses.metrics.against_people import left_out_on_pages
from core.arrays import FloatArray
from core.columns import Number, Text
from core.names import Naming
from core.parameters import parameters_as_text
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import literal
from figures.drawing import Chart
from figures.metrics.learned import WIDTHS, coefficients_figure
from metrics.learned.metric import LearnedMetric
from metrics.learned.saved import LABELS, ModelCard, SavedModel, signed
from metrics.meta_evaluation import MetricScores
from metrics.meta_evaluation.output_statistics import GivenScores


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


def left_out_of_training(computed: Computed, naming: Naming) -> str:
    """The sentences on systems that are left out and metrics that give no features, in Markdown."""
    said = left_out_on_pages(computed, naming)
    if not_features := computed.result.not_features:
        said += f" Metrics that give no features: {', '.join(map(literal, not_features))}."
    return said


def _features(computed: Computed) -> list[tuple[str, float, float]]:
    """Name, effect and coefficient of each feature, the largest effect first."""
    model: SavedModel = computed.result.model
    rows = zip(model.features, model.effects.tolist(), model.coefficients, strict=True)
    return sorted(rows, key=lambda row: -abs(row[1]))


def _draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    model: SavedModel = computed.result.model
    title = f"{naming.title}: what {LABELS[model.kind]} has learned"
    return coefficients_figure(model.features, model.effects.tolist(), title=title, width=WIDTHS[layout])


FEATURES = Table(
    rows=_features,
    columns=(
        Text("feature", "Feature", itemgetter(0)),
        Number("effect", "Effect", itemgetter(1), digits=4),
        Number("coefficient", "Coefficient", itemgetter(2), digits=4),
    ),
    caption="Features by how far a usual change of each moves the score",
)
COEFFICIENTS = Figure(
    caption="The features that move the score most",
    finding=lambda computed, naming: f"{_features(computed)[0][0]} moves it most",
    draw=_draw,
    has_content=lambda computed: bool(computed.result.model.features),
)
LEARNED_SECTIONS = (
    Section(
        title="Effects of the features",
        text="The effect of a feature says how far a typical change in it moves the score: its coefficient "
        "times its spread in training. Features are correlated, so each coefficient depends on which others "
        "are in the model.",
        figures=["coefficients"],
        is_folded=True,
    ),
    Section(title="All features", tables=["features"], is_folded=True),
)
