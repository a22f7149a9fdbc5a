"""Metrics against people in windows of neighbouring systems: parameters, result, computation."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.analyses.base import stated
from analysis.analyses.metrics.against_people import (
    SystemsAgainstPeople,
)
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.systems.ranking import THREADS
from core.parameters import parameter
from core.progress import Progress
from core.wording import counted
from metrics import in_usual_order
from metrics.meta_evaluation import (
    HumanScore,
    MetricInWindows,
    Window,
    in_human_order,
    system_scores,
    system_windows,
    window_agreement,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricWindowsParameters(SystemsAgainstPeople):
    """Size of the windows, and the systems in them. The help of each parameter describes it."""

    size: int = parameter(
        4,
        label="Systems in a window",
        help="Number of neighbouring systems compared at a time.",
        minimum=3,
        maximum=100,
    )


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
        metrics: by name, in their usual order.
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
    """Compare metrics with people in windows of systems (`metrics.meta_evaluation.sensitivity.windows`).

    Raises:
        InputError: judgments and scores have nothing in common, or do not allow what was asked.
        SnapshotError: the judgments lack something.
    """
    human = parameters.human or HumanScore.EXPECTED_WINS
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
    order = in_human_order(data.systems, scores.human)
    names = [data.systems[place] for place in order]
    windows = system_windows(names, parameters.size)
    agreed = {
        each.metric: each
        for each in window_agreement(
            data, scores, windows, confidence=parameters.confidence, seed=parameters.seed
        )
    }
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
        metrics={name: agreed[name] for name in in_usual_order(agreed)},
        reason=None if windows else _too_few(len(names), parameters.size),
    )


def _too_few(systems: int, size: int) -> str:
    wider = "" if systems < 3 else " Ask for smaller windows."
    return f"People scored {counted(systems, 'system')}, and a window needs {size}.{wider}"
