"""The table that papers print of a new metric: how it agrees with people, judgment set by judgment set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path

from analysis.analyses.metrics.new_metric.analysis import NEW_METRIC
from analysis.analyses.metrics.new_metric.analysis import sentences as sentences_of
from analysis.analyses.metrics.new_metric.compared import (
    ComparedMetric,
    NewMetric,
    NewMetricParameters,
    ties_of_metrics,
)
from analysis.analyses.metrics.new_metric.table import (
    about_table,
    columns_of_correlations,
    first_columns,
    further_columns,
)
from analysis.analyses.resampling import (
    confidence_of_intervals,
    replicates_of_intervals,
    seed_of_everything,
)
from analysis.judgment_sets.judgment_set import JudgmentSet
from analysis.runs.computing import computed
from core.columns import Column, Count, Number, Text
from core.parameters import ParameterError, parameter
from core.progress import Progress
from core.results import Computed
from core.tables import Table
from formats.metric_scores import GivenScores
from metrics.meta_evaluation import MetricScores
from metrics.meta_evaluation.tie_rules import TieRule
from ranking import holds_scores


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTableParameters:
    """How metrics are compared with people. The help of each parameter describes it."""

    ties: TieRule = ties_of_metrics()
    replicates: int = replicates_of_intervals(minimum=100)
    permutations: int = parameter(
        1000,
        label="Permutations",
        help="Number of permutations for soft pairwise accuracy and its tests.",
        minimum=100,
        maximum=100_000,
    )
    confidence: float = confidence_of_intervals()
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True)
class NewMetrics:
    """The metrics that a table is about.

    Attributes:
        computed: names of metrics to compute, such as "gleu" or "learned:model.json".
        given: by file, scores that were computed elsewhere.
    """

    computed: Sequence[str]
    given: Mapping[Path, Mapping[str, GivenScores]]

    def of(self, judgment_set: JudgmentSet, progress: Progress) -> list[MetricScores]:
        """Their scores on a judgment set."""
        made = [judgment_set.computed(name, progress.advance) for name in self.computed]
        return made + [
            metric for path, scores in self.given.items() for metric in judgment_set.given(scores, path)
        ]


@dataclass(frozen=True, slots=True)
class SetResult:
    """New metrics and others on a judgment set.

    Attributes:
        name: of the judgment set.
        about: what was judged.
        result: the comparison.
        released: by metric, Pearson's r and Spearman's rho with the scores of systems that came with the
            judgments, by the name of these scores.
        not_scored: by metric that others are compared with, why it has no scores here.
    """

    name: str
    about: str
    result: NewMetric
    released: Mapping[str, Mapping[str, tuple[float | None, float | None]]]
    not_scored: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MetricTable:
    """New metrics on all judgment sets.

    Attributes:
        sets: the judgment sets.
    """

    sets: tuple[SetResult, ...]

    @property
    def signature(self) -> str:
        """The signatures of the sets, one in a line."""
        return "\n".join(each.result.signature for each in self.sets)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A metric on a judgment set."""

    on: SetResult
    metric: ComparedMetric


def on_set(
    judgment_set: JudgmentSet,
    new: NewMetrics,
    parameters: MetricTableParameters,
    progress: Progress,
    *,
    against: Sequence[str] = (),
) -> SetResult:
    """Compare new metrics with people, and with other metrics, on a judgment set.

    Args:
        judgment_set: the judgments.
        new: the metrics that the table is about.
        parameters: how they are compared.
        progress: receives reports.
        against: names of metrics to compare them with, instead of those that the set names.

    Raises:
        FormatError: a file is missing or malformed.
        ParameterError: a new metric cannot score the set, or judgments and scores have nothing in common.
    """
    progress.begin(f"Scoring {judgment_set.name}")
    made = new.of(judgment_set, progress)
    others, not_scored = [], {}
    for name in against or judgment_set.compared:
        try:
            others.append(judgment_set.computed(name, progress.advance))
        except ParameterError as error:
            not_scored[name] = str(error)
    inputs = judgment_set.scored([*made, *others, *judgment_set.released(), judgment_set.most_edits()])
    asked = NewMetricParameters(
        of=",".join(metric.name for metric in made),
        ties=parameters.ties,
        with_source=True,
        references=True,
        replicates=parameters.replicates,
        permutations=parameters.permutations,
        confidence=parameters.confidence,
        seed=parameters.seed,
    )
    resolved = NEW_METRIC.resolved(asked, scored=holds_scores(inputs.judgments.snapshot))
    return SetResult(
        name=judgment_set.name,
        about=judgment_set.about,
        result=computed(NEW_METRIC, inputs, resolved, progress),
        released={metric.name: judgment_set.with_released(metric) for metric in inputs.metrics},
        not_scored=not_scored,
    )


def _metric(row: object) -> ComparedMetric:
    metric: ComparedMetric = attrgetter("metric")(row)
    return metric


def _released(scores: str, place: int, row: TableRow) -> float | None:
    return row.on.released.get(row.metric.metric, {}).get(scores, (None, None))[place]


def _columns(computed: Computed) -> list[Column]:
    table: MetricTable = computed.result
    scores = dict.fromkeys(name for each in table.sets for of in each.released.values() for name in of)
    metric, *further = first_columns(_metric)
    return [
        metric,
        Text("set", "Set", attrgetter("on.name"), on_page=False),
        *further,
        Count("systems", "Systems", lambda row: len(row.on.result.systems), on_page=False),
        *columns_of_correlations(_metric),
        *(
            Number(
                f"{short}_{name}".replace(" ", "_").lower(),
                f"{short}, {name}",
                partial(_released, name, place),
                heading=f"{letter}, {name}",
            )
            for name in scores
            for place, (short, letter) in enumerate((("r", "r"), ("rho", "ρ")))
        ),
        *further_columns(_metric),
    ]


METRIC_TABLE = Table(
    rows=lambda computed: [
        TableRow(each, metric) for each in computed.result.sets for metric in each.result.rows
    ],
    columns=_columns,
    caption=lambda computed: "; ".join(f"{each.name}: {each.about}" for each in computed.result.sets),
    comment=lambda computed: about_table(computed.parameters),
)


def tables_by_set(table: MetricTable) -> Iterator[MetricTable]:
    """The table of each judgment set."""
    return (replace(table, sets=(each,)) for each in table.sets)


def sentences(on: SetResult) -> Iterator[str]:
    """How each new metric stands to the best others on a judgment set."""
    yield from sentences_of(on.result)
    for reason in on.not_scored.values():
        yield f"Not compared: {reason}."
