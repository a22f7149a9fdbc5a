"""The matrices of a ranking as rows for a page. Pure."""

from collections.abc import Iterator

from analysis.rankings import Ranking
from ranking import Comparison, Kappa

MOST_SYSTEMS_HEAD_TO_HEAD = 60
"""A larger matrix is megabytes of page that nobody reads."""


def head_to_head_rows(ranking: Ranking) -> Iterator[tuple[str, list[Comparison | None]]]:
    """Each system, best first, with the comparisons of all systems against it; None on the diagonal.

    This is the way round of GJG15, Table 3d: a cell says how often the column's system won over the row's.
    There are no rows for more than MOST_SYSTEMS_HEAD_TO_HEAD systems.
    """
    order = [score.system for score in ranking.expected_wins.scores]
    if len(order) > MOST_SYSTEMS_HEAD_TO_HEAD:
        return
    for row in order:
        yield (
            row,
            [None if column == row else ranking.head_to_head.comparisons[column, row] for column in order],
        )


def agreement_rows(ranking: Ranking) -> Iterator[tuple[str, list[Kappa | None]]]:
    """Each judge with the kappas of the judges from himself on; None where the matrix repeats itself."""
    judges = ranking.agreement.judges
    for number, row in enumerate(judges):
        yield (
            row,
            [
                None if other < number else ranking.agreement.between(row, column)
                for other, column in enumerate(judges)
            ],
        )
