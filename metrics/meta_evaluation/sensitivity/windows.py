"""Metrics against people among systems of similar quality: windows of neighbouring systems.

Kobayashi, Mita and Komachi 2024 ("Revisiting Meta-evaluation for Grammatical Error Correction", TACL 12,
SEEDA): systems are sorted by human score, and metrics are compared with people on each k neighbouring
systems. A metric may correlate well over all systems because it separates the worst from the best, and still
not order the best ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.estimates import Estimate
from metrics.meta_evaluation.system_level import FEWEST_SYSTEMS, estimates
from metrics.meta_evaluation.system_scores import SystemScores
from ranking import Coefficient


@dataclass(frozen=True, slots=True)
class Window:
    """Neighbouring systems by human score.

    Attributes:
        first: rank of the best of them, 1 being the best of all systems.
        last: rank of the worst of them.
        systems: their names, the best first.
    """

    first: int
    last: int
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WindowAgreement:
    """A metric against people on some of the systems.

    Attributes:
        correlations: Pearson's r, Spearman's rho and Kendall's tau-b of the scores of these systems.
        accuracy: share of the pairs of these systems that the metric orders as people do.
    """

    correlations: Mapping[Coefficient, Estimate]
    accuracy: Estimate


@dataclass(frozen=True, slots=True)
class MetricInWindows:
    """One metric against people in each window.

    Attributes:
        metric: its name.
        whole: on all systems that have a human score.
        windows: on those of each window, in the order of the windows.
    """

    metric: str
    whole: WindowAgreement
    windows: tuple[WindowAgreement, ...]


def in_human_order(systems: Sequence[str], human: FloatArray) -> tuple[int, ...]:
    """The places of the systems, the highest human score first; those without a score are left out.

    Systems of equal score come in the order of their names, so that windows do not depend on chance.
    """
    scored = [place for place in range(len(systems)) if np.isfinite(human[place])]
    return tuple(sorted(scored, key=lambda place: (-human[place], systems[place])))


def system_windows(systems: Sequence[str], size: int) -> tuple[Window, ...]:
    """Each `size` neighbours of systems in human order; none where there are fewer systems.

    Raises `ValueError` for windows of fewer than three systems, on which no correlation says anything.
    """
    if size < FEWEST_SYSTEMS:
        raise ValueError(f"a window has at least {FEWEST_SYSTEMS} systems, not {size}")
    return tuple(
        Window(first + 1, first + size, tuple(systems[first : first + size]))
        for first in range(len(systems) - size + 1)
    )


def window_agreement(
    data: MetricsAndPeople,
    scores: SystemScores,
    windows: Sequence[Window],
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> tuple[MetricInWindows, ...]:
    """Agreement of each metric with people in each window, and on all systems with a human score.

    Windows stay what they are in the replicates, which resample sentences: intervals are those of the
    agreement on these systems.

    Args:
        data: metrics and people.
        scores: result of `system_scores` for them.
        windows: of systems of `data`.
        confidence: of the intervals.
        seed: of the draws of true scores.
    """
    everything = [data.systems[place] for place in in_human_order(data.systems, scores.human)]
    of_windows = [
        _restricted(data, scores, names) for names in (everything, *(each.systems for each in windows))
    ]
    agreements = []
    for place, metric in enumerate(data.metrics):
        whole, *in_windows = (
            WindowAgreement(*estimates(systems, restricted, place, confidence, seed))
            for systems, restricted in of_windows
        )
        agreements.append(MetricInWindows(metric.name, whole, tuple(in_windows)))
    return tuple(agreements)


def _restricted(
    data: MetricsAndPeople, scores: SystemScores, names: Sequence[str]
) -> tuple[tuple[str, ...], SystemScores]:
    return tuple(names), scores.of([data.systems.index(name) for name in names])
