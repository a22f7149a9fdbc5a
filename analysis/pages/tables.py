"""The matrices of a ranking as rows for a page; pure functions."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from math import inf
from typing import NamedTuple

from analysis.analyses.agreement import Judging
from analysis.analyses.ranking_words import METHODS
from ranking import Comparison, HeadToHead, Kappa, MethodRank, Standing, Standings, Tally, side_by_side

MOST_IN_A_MATRIX = 60
"""Maximum number of systems or annotators; a larger matrix would make a page of megabytes."""


def with_labels(standings: Standings, labels: Mapping[str, str]) -> Standings:
    """The ranking for a figure, with systems by label.

    A figure identifies systems by label, so the name is added to a label that two systems share.
    """
    shown = {standing.system: labels.get(standing.system, standing.system) for standing in standings.systems}
    times = Counter(shown.values())
    unique = {name: label if times[label] == 1 else f"{label} ({name})" for name, label in shown.items()}
    systems = tuple(replace(standing, system=unique[standing.system]) for standing in standings.systems)
    return replace(standings, systems=systems)


def clusters(standings: Standings, head_to_head: HeadToHead) -> list[list[tuple[Standing, int]]]:
    """The systems, best first, in their clusters, each with its number of decided pairs."""
    decided: Counter[str] = Counter()
    for (system, _), comparison in head_to_head.comparisons.items():
        decided[system] += comparison.wins + comparison.losses
    grouped = groupby(standings.systems, key=lambda standing: standing.cluster)
    return [[(standing, decided[standing.system]) for standing in members] for _, members in grouped]


def head_to_head_rows(
    standings: Standings, head_to_head: HeadToHead
) -> Iterator[tuple[str, list[Comparison | None]]]:
    """Each system, best first, with the comparisons of all systems against it; None on the diagonal.

    The orientation is that of GJG15, Table 3d: a cell shows how often the column's system beat the row's.
    There are no rows for more than MOST_IN_A_MATRIX systems.
    """
    order = [standing.system for standing in standings.systems]
    if len(order) > MOST_IN_A_MATRIX:
        return
    for row in order:
        yield (
            row,
            [None if column == row else head_to_head.comparisons.get((column, row)) for column in order],
        )


def methods_side_by_side(
    standings: Standings, score_name: str, judging: Judging
) -> tuple[list[str], list[tuple[str, list[MethodRank]]]]:
    """The names of the methods with scores, the chosen one first, and the ranks by each.

    Systems are sorted best first by the chosen method, whose scores are named `score_name`.
    """
    scores = {score_name: {standing.system: standing.score for standing in standings.systems}}
    for method, of_systems in judging.scores.items():
        if method is not standings.method:
            scores[METHODS[method]] = dict(of_systems)
    places = side_by_side(scores)
    return list(scores), [(system, list(by_method.values())) for system, by_method in places.items()]


class Judge(NamedTuple):
    """Shown name of a judge; the name is empty for users who may not see it.

    Attributes:
        key: their pseudonym, the key in results.
        number: number in the campaign; None if they were deleted since.
        own_name: the name that they were given, if any.
    """

    key: str
    number: int | None = None
    own_name: str = ""

    @property
    def known_as(self) -> str:
        """The name on pages and figures."""
        return f"Annotator {self.number}" if self.number else f"Deleted annotator {self.key[-4:]}"


Judges = Mapping[str, Judge]
"""The judges of a campaign by key."""


def agreement_rows(judging: Judging, judges: Judges) -> Iterator[tuple[Judge, list[Kappa | None]]]:
    """Each judge with their kappas with themselves and later judges; None in the symmetric half.

    There are no rows for more than MOST_IN_A_MATRIX judges.
    """
    shown = in_order(judging.agreement.judges, judges)
    if len(shown) > MOST_IN_A_MATRIX:
        return
    for place, row in enumerate(shown):
        yield (
            row,
            [
                None
                if other < place
                else _as_shown(judging.agreement.between(row.key, column.key), row, column)
                for other, column in enumerate(shown)
            ],
        )


def judge_rows(judging: Judging, judges: Judges) -> Iterator[tuple[Judge, Tally, Kappa]]:
    """Each judge with their counts, and their agreement with all others together."""
    for judge in in_order(judging.judges.judges, judges):
        rest = _as_shown(judging.agreement.rest[judge.key], judge)
        yield judge, judging.judges.judges[judge.key], rest


def _as_shown(kappa: Kappa, *judges: Judge) -> Kappa:
    """The same, with judges' shown names in the reason."""
    if kappa.reason is None:
        return kappa
    reason = kappa.reason
    for judge in judges:
        reason = reason.replace(judge.key, judge.known_as)
    return replace(kappa, reason=reason)


def in_order(keys: Iterable[str], judges: Judges) -> list[Judge]:
    """The judges with these keys, sorted by number, deleted judges last."""
    shown = (judges.get(key) or Judge(key) for key in keys)
    return sorted(shown, key=lambda judge: (judge.number or inf, judge.key))
