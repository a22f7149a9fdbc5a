"""Analysis of which metrics agree with people among systems of similar quality."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.analyses.base import Analysis, Table, register, stated, with_controls, with_excluded
from analysis.analyses.metrics_people import RENEWED_AFTER_SECONDS, resolved, too_much
from analysis.analyses.metrics_people_parameters import (
    confidence_of_intervals,
    human_score,
    replicates_of_intervals,
    seed_of_everything,
    true_intervals_in_words,
    with_references,
    with_whole_set,
    without_named_systems,
    without_the_source,
)
from analysis.analyses.metrics_people_result import HUMAN_SCORES, left_out_in_words
from analysis.analyses.ranking import RATED, THREADS, tie_width_parameter
from analysis.analyses.scored_judgments import ScoredJudgments
from core.parameters import ParameterError, parameter
from core.progress import Progress
from metrics import InputError
from metrics.validation import (
    HumanScore,
    MetricInWindows,
    Window,
    in_human_order,
    system_scores,
    system_windows,
    window_agreement,
)
from ranking import Coefficient


@dataclass(frozen=True, slots=True)
class MetricWindowsParameters:
    """Size of the windows, and the systems in them. The help of each parameter describes it."""

    size: int = parameter(
        4,
        label="Systems in a window",
        help="Number of neighbouring systems compared at a time.",
        minimum=3,
        maximum=100,
    )
    human: HumanScore | None = human_score()
    whole_set: bool = with_whole_set()
    replicates: int = replicates_of_intervals()
    confidence: float = confidence_of_intervals()
    tie_width: float | None = tie_width_parameter()
    seed: int = seed_of_everything()
    without_source: bool = without_the_source()
    references: bool = with_references()
    exclude_systems: str | None = without_named_systems()
    controls: bool = with_controls()
    excluded: bool = with_excluded()


@dataclass(frozen=True, slots=True)
class MetricsInWindows:
    """All metrics against people in windows of neighbouring systems.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        human: how systems are scored by people.
        systems: by name, the human score; the best first.
        unranked: systems without a human score, which are in no window.
        left_out: systems that were judged and not scored, or scored and not judged.
        compared_sentences: how many metrics score.
        windows: the best systems first.
        metrics: by name, in the order of the scores.
        reason: why there is no window, in words; None where there is one.
    """

    signature: str
    human: HumanScore
    systems: Mapping[str, float]
    unranked: tuple[str, ...]
    left_out: tuple[str, ...]
    compared_sentences: int
    windows: tuple[Window, ...]
    metrics: Mapping[str, MetricInWindows]
    reason: str | None


def metric_windows(
    inputs: ScoredJudgments, parameters: MetricWindowsParameters, progress: Progress
) -> MetricsInWindows:
    """Compare metrics with people in windows of systems (`metrics.validation.windows`).

    Raises:
        ParameterError: judgments and scores have nothing in common, or do not allow what was asked.
        SnapshotError: the judgments lack something.
    """
    human = parameters.human or HumanScore.EXPECTED_WINS
    try:
        data = inputs.compared(tie_width=parameters.tie_width or 0.0)
        progress.begin("Resampling", total=parameters.replicates)
        scores = system_scores(
            data,
            human,
            whole_set=parameters.whole_set,
            replicates=parameters.replicates,
            seed=parameters.seed,
            threads=THREADS,
            progress=progress.advance,
        )
    except InputError as error:
        raise ParameterError(str(error)) from error
    order = in_human_order(data.systems, scores.human)
    names = [data.systems[place] for place in order]
    windows = system_windows(names, parameters.size)
    agreed = window_agreement(data, scores, windows, confidence=parameters.confidence, seed=parameters.seed)
    return MetricsInWindows(
        signature=inputs.signature(stated("metric-windows", parameters)),
        human=human,
        systems=dict(zip(names, scores.human[list(order)].tolist(), strict=True)),
        unranked=tuple(
            name for name, score in zip(data.systems, scores.human, strict=True) if not np.isfinite(score)
        ),
        left_out=inputs.unmatched,
        compared_sentences=len(scores.sentences),
        windows=windows,
        metrics={each.metric: each for each in agreed},
        reason=None if windows else _too_few(len(names), parameters.size),
    )


def _too_few(systems: int, size: int) -> str:
    counted = f"{systems} system{'s' if systems != 1 else ''}"
    wider = "" if systems < 3 else " Ask for smaller windows."
    return f"People scored {counted}, and a window needs {size}.{wider}"


def tables(result: MetricsInWindows) -> tuple[Table, ...]:
    """The result for the terminal: a table of windows for Pearson's r, Spearman's rho and the accuracy."""
    titles = [f"{window.first}-{window.last}" for window in result.windows]
    systems = Table(
        f"Systems by {HUMAN_SCORES[result.human]}, {result.compared_sentences:,} sentences",
        ("Rank", "System", "Score"),
        tuple((rank, name, score) for rank, (name, score) in enumerate(result.systems.items(), start=1)),
    )
    shown = [systems]
    for title, value in (
        ("Pearson's r", Coefficient.PEARSON),
        ("Spearman's rho", Coefficient.SPEARMAN),
        ("Kendall's tau", Coefficient.KENDALL),
    ):
        rows = tuple(
            (name, *(each.correlations[value].value for each in (metric.whole, *metric.windows)))
            for name, metric in result.metrics.items()
        )
        shown.append(Table(f"{title} by ranks of systems", ("Metric", "all", *titles), rows))
    reasons = {
        (name, each.correlations[Coefficient.PEARSON].reason or "")
        for name, metric in result.metrics.items()
        for each in (metric.whole, *metric.windows)
        if each.correlations[Coefficient.PEARSON].value is None
    }
    missing = [*sorted(reasons), *([("all metrics", result.reason)] if result.reason else [])]
    if missing:
        shown.append(Table("What is missing", ("Metric", "Reason"), tuple(missing)))
    return tuple(shown)


def methods(parameters: MetricWindowsParameters, result: MetricsInWindows) -> list[str]:
    """The comparison in sentences for a paper."""
    sentences = [
        f"{len(result.metrics)} metrics are compared with {HUMAN_SCORES[result.human]} of people on "
        f"{len(result.systems)} systems and on each of {len(result.windows)} windows of {parameters.size} "
        f"neighbouring systems, over {result.compared_sentences:,} sentences."
    ]
    return [*sentences, *true_intervals_in_words(parameters), *left_out_in_words(result.left_out)]


METRIC_WINDOWS = register(
    Analysis(
        name="metric-windows",
        title="Metrics in windows of systems",
        help="Whether metrics also agree with people among neighbouring systems, such as the best ones.",
        parameters=MetricWindowsParameters,
        result=MetricsInWindows,
        inputs=ScoredJudgments,
        columns=RATED,
        compute=metric_windows,
        tables=tables,
        methods=methods,
        resolve=resolved,
        too_much=too_much,
        at_once=False,
        renewed_after=RENEWED_AFTER_SECONDS,
    )
)
