"""The matrices of a ranking as rows for a page. Pure."""

from collections.abc import Iterator

from analysis.rankings import Ranking
from ranking import Comparison, Kappa


def head_to_head_rows(ranking: Ranking) -> Iterator[tuple[str, list[Comparison | None]]]:
    """Each system, best first, with the comparisons of all systems against it; None on the diagonal.

    This is the way round of GJG15, Table 3d: a cell says how often the column's system won over the row's.
    """
    order = [score.system for score in ranking.expected_wins.scores]
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
