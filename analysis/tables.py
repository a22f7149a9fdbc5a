"""The matrices of a ranking as rows for a page. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from analysis.rankings import Judging
from ranking import Comparison, HeadToHead, Kappa, Standing, Standings, Tally

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


def judge_rows(judging: Judging, names: Mapping[str, str]) -> Iterator[tuple[Judge, Tally]]:
    """Each judge with what they judged."""
    for judge in _in_order(judging.judges.judges, names):
        yield judge, judging.judges.judges[judge.known_as]


def _in_order(judges: Iterable[str], names: Mapping[str, str]) -> list[Judge]:
    """Judges known by pseudonym, in the order of what is shown of them; `names` are those that may be."""
    known = (Judge(known_as, names.get(known_as, "")) for known_as in judges)
    return sorted(known, key=lambda judge: (judge.name, judge.known_as))
