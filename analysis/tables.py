"""The matrices of a ranking as rows for a page. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from analysis.rankings import METHODS, Judging
from ranking import Comparison, HeadToHead, Kappa, Place, Standing, Standings, Tally, side_by_side

MOST_IN_A_MATRIX = 60
"""Systems, or annotators. A larger matrix is megabytes of page that nobody reads."""


def clusters(found: Standings, head_to_head: HeadToHead) -> list[list[tuple[Standing, int]]]:
    """The systems, best first, in their clusters, each with its number of decided pairs."""
    decided: Counter[str] = Counter()
    for (system, _), comparison in head_to_head.comparisons.items():
        decided[system] += comparison.wins + comparison.losses
    grouped = groupby(found.systems, key=lambda standing: standing.cluster)
    return [[(standing, decided[standing.system]) for standing in members] for _, members in grouped]


def head_to_head_rows(
    found: Standings, head_to_head: HeadToHead
) -> Iterator[tuple[str, list[Comparison | None]]]:
    """Each system, best first, with the comparisons of all systems against it; None on the diagonal.

    This is the way round of GJG15, Table 3d: a cell says how often the column's system won over the row's.
    There are no rows for more than MOST_IN_A_MATRIX systems.
    """
    order = [standing.system for standing in found.systems]
    if len(order) > MOST_IN_A_MATRIX:
        return
    for row in order:
        yield (
            row,
            [None if column == row else head_to_head.comparisons[column, row] for column in order],
        )


def methods_side_by_side(
    found: Standings, score_name: str, judging: Judging
) -> tuple[list[str], list[tuple[str, list[Place]]]]:
    """The names of the methods whose scores are known, the chosen one first, and the places by each.

    Systems come best first by the chosen method, whose scores are called `score_name`.
    """
    scores = {score_name: {standing.system: standing.score for standing in found.systems}}
    for method, of_systems in judging.scores.items():
        if method is not found.method:
            scores[METHODS[method]] = dict(of_systems)
    places = side_by_side(scores)
    return list(scores), [(system, list(by_method.values())) for system, by_method in places.items()]


class Judge(NamedTuple):
    """What a judge is called; the name is empty for those who are not to see it."""

    known_as: str
    name: str


def agreement_rows(judging: Judging, names: Mapping[str, str]) -> Iterator[tuple[Judge, list[Kappa | None]]]:
    """Each judge with the kappas of the judges from themselves on; None where the matrix repeats itself.

    There are no rows for more than MOST_IN_A_MATRIX judges.
    """
    judges = _in_order(judging.agreement.judges, names)
    if len(judges) > MOST_IN_A_MATRIX:
        return
    for number, row in enumerate(judges):
        yield (
            row,
            [
                None if other < number else judging.agreement.between(row.known_as, column.known_as)
                for other, column in enumerate(judges)
            ],
        )


def judge_rows(judging: Judging, names: Mapping[str, str]) -> Iterator[tuple[Judge, Tally, Kappa]]:
    """Each judge with what they judged, and their agreement with all others together."""
    for judge in _in_order(judging.judges.judges, names):
        yield judge, judging.judges.judges[judge.known_as], judging.agreement.rest[judge.known_as]


def _in_order(judges: Iterable[str], names: Mapping[str, str]) -> list[Judge]:
    """Judges known by pseudonym, in the order of what is shown of them; `names` are those that may be."""
    known = (Judge(known_as, names.get(known_as, "")) for known_as in judges)
    return sorted(known, key=lambda judge: (judge.name, judge.known_as))
