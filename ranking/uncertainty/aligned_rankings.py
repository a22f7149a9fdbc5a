"""Several rankings of the same systems side by side."""

from collections.abc import Mapping
from dataclasses import dataclass

from ranking.uncertainty.bootstrap import DECIMALS


@dataclass(frozen=True, slots=True)
class MethodRank:
    """The score and rank of a system by one method.

    Attributes:
        score: its score; None where the method gives none.
        rank: 1 plus the number of systems with a higher score; None if there is no score. Scores that differ
            only by rounding are equal.
    """

    score: float | None
    rank: int | None


def side_by_side(
    scores: Mapping[str, Mapping[str, float | None]],
) -> Mapping[str, Mapping[str, MethodRank]]:
    """Scores and ranks of each system under each method.

    `scores` maps methods to scores by system; higher is better. The result maps systems to ranks by method,
    the best system of the first method first, equal ones in alphabetical order. A system that a method does
    not know has no score there.
    """
    systems = sorted({system for ranking in scores.values() for system in ranking})
    places = {
        system: {
            method: _place(ranking.get(system), [score for score in ranking.values() if score is not None])
            for method, ranking in scores.items()
        }
        for system in systems
    }
    first = next(iter(scores), None)

    def best_first(system: str) -> int:
        rank = places[system][first].rank if first is not None else None
        return len(systems) + 1 if rank is None else rank

    return {system: places[system] for system in sorted(systems, key=best_first)}


def _place(score: float | None, scores: list[float]) -> MethodRank:
    if score is None:
        return MethodRank(None, None)
    return MethodRank(score, 1 + sum(round(other - score, DECIMALS) > 0 for other in scores))
