"""Which metric agrees best with people, and without which systems another one would."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from core.arrays import FloatArray
from metrics.meta_evaluation.significance import SMALLEST_DIFFERENCE
from metrics.meta_evaluation.system_level import FEWEST_SYSTEMS
from ranking import Coefficient, replicate_coefficients

SHARE_OF_ENDS = 0.2
"""Share of systems at one end of the ranking, the most that are left out to test a first place."""

MOST_SETS = 2000
"""Sets of systems whose removal is tried, to see what a first place depends on."""

FARTHEST = 2.5
"""Robust standard deviations from the median; systems farther away are outlying (Mathur et al. 2020)."""

NORMAL_DEVIATIONS = 1.4826
"""Standard deviations of a normal distribution in a median absolute deviation."""


@dataclass(frozen=True, slots=True)
class FirstPlace:
    """The metric that agrees best with people by Pearson's r, and what this depends on.

    Attributes:
        metric: the first one.
        overturned: by systems without which another metric is first, that metric. Groups of which a single
            system is enough are not among them.
    """

    metric: str
    overturned: Mapping[tuple[str, ...], str]


def first_place(
    human: Mapping[str, float | None],
    metrics: Mapping[str, Mapping[str, float | None]],
    groups: Iterable[Collection[str]] = (),
) -> FirstPlace | None:
    """The metric of the highest Pearson's r, and the systems without which another one is first.

    Each system is left out alone, then each of these groups and the outlying systems. Where none of this
    changes the first place, the fewest systems are sought that do, up to a fifth of them, while there are no
    more than `MOST_SETS` sets of so many. Scores stay what they are. None where fewer than two metrics have a
    correlation.

    Args:
        human: by system, the score by people; systems without one do not count.
        metrics: by metric, the score of each system; metrics that lack one do not count.
        groups: systems that are left out together, such as the source and the references.
    """
    systems = [system for system, score in human.items() if score is not None]
    size = len(systems)
    names = list(metrics)
    of_people = np.array([human[system] for system in systems], dtype=np.float64)
    by_metric = np.array([[each.get(system) for system in systems] for each in metrics.values()], dtype=float)
    if size < FEWEST_SYSTEMS or not names:
        return None

    def agreement(left_out: Sequence[Collection[int]]) -> FloatArray:
        """Shape (sets, K), without each of several sets of equal size; NaN where there is none."""
        kept = np.array([[place for place in range(size) if place not in each] for each in left_out])
        people = np.broadcast_to(of_people[kept], (len(names), *kept.shape)).reshape(-1, kept.shape[1])
        r = replicate_coefficients(people, by_metric[:, kept].reshape(people.shape), Coefficient.PEARSON)
        return r.reshape(len(names), -1).T

    [on_all] = agreement([()])
    if np.count_nonzero(np.isfinite(on_all)) < 2:
        return None
    first = int(np.nanargmax(on_all))

    def overturned(
        left_out: Sequence[Collection[int]], most: int | None = None
    ) -> dict[tuple[str, ...], str]:
        """The sets, all of one size, without which another metric is first; the clearest come first."""
        if not left_out or size - len(left_out[0]) < FEWEST_SYSTEMS:
            return {}
        r = np.nan_to_num(agreement(left_out), nan=-1.0)
        leads = r.max(axis=1) - r[:, first]
        order = [each for each in np.argsort(-leads, kind="stable") if leads[each] > SMALLEST_DIFFERENCE][
            :most
        ]
        return {tuple(systems[place] for place in left_out[each]): names[r[each].argmax()] for each in order}

    found = overturned([(place,) for place in range(size)])
    together = [[place for place, system in enumerate(systems) if system in group] for group in groups]
    for group in (*together, outlying(of_people)):
        if len(group) > 1 and not any((systems[place],) in found for place in group):
            found |= overturned([group])
    for number in range(2, round(SHARE_OF_ENDS * size) + 1):
        if not found and comb(size, number) <= MOST_SETS:
            found = overturned(list(combinations(range(size), number)), most=1)
    return FirstPlace(names[first], found)


def outlying(human: FloatArray) -> list[int]:
    """The places of outlying scores, shape (S,), by the rule of Mathur et al. 2020."""
    distance = np.abs(human - np.median(human))
    limit = FARTHEST * NORMAL_DEVIATIONS * float(np.median(distance))
    return np.flatnonzero(distance > limit).tolist() if limit > 0 else []
