"""The matrices of a ranking as rows for a page; pure functions."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from math import ceil
from typing import NamedTuple

from analysis.analyses.agreement import Judging
from analysis.analyses.ranking_words import METHODS
from analysis.pages.forest_plot import Axis, Mark
from analysis.pages.ranking_headline import ROLES
from core.names import Judge, Judges
from figures.head_to_head import is_significant
from figures.ranking import interval_text, ranks_text
from ranking import (
    Comparison,
    HeadToHead,
    Kappa,
    Method,
    MethodRank,
    Standing,
    Standings,
    Tally,
    side_by_side,
)

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


class Row(NamedTuple):
    """A system in the table of a ranking.

    Attributes:
        standing: where it stands.
        role: "source", "reference" or "control"; empty for a system.
        mark: what the row draws; None without a score.
        ranks: the rank range in words.
        score: the score in words.
        interval: the interval of the score in words.
        decided: number of decided pairs.
    """

    standing: Standing
    role: str
    mark: Mark | None
    ranks: str
    score: str
    interval: str
    decided: int


def clusters(
    standings: Standings, head_to_head: HeadToHead, roles: Mapping[str, str], axis: Axis
) -> list[list[Row]]:
    """The systems, best first, in their clusters."""
    decided: Counter[str] = Counter()
    for (system, _), comparison in head_to_head.comparisons.items():
        decided[system] += comparison.wins + comparison.losses
    digits = score_digits(standings.method)
    grouped = groupby(standings.systems, key=lambda standing: standing.cluster)
    return [
        [
            Row(
                standing,
                ROLES.get(roles.get(standing.system, ""), ""),
                axis.mark(standing),
                ranks_text(standing) or "–",
                "–" if standing.score is None else f"{standing.score:.{digits}f}",
                interval_text(standing, digits - 1) or "–",
                decided[standing.system],
            )
            for standing in members
        ]
        for _, members in grouped
    ]


def score_digits(method: Method) -> int:
    """Number of decimals of a score."""
    return 2 if method is Method.MEAN_SCORE else 3


class Cell(NamedTuple):
    """A cell of the heat map of systems head to head.

    Attributes:
        comparison: of the system of the row with that of the column.
        percent: of decided comparisons that the row won; None where there are none.
        is_significant: whether the share differs from one half.
        shade: name of the style of the background; empty for none.
    """

    comparison: Comparison
    percent: int | None
    is_significant: bool
    shade: str


def head_to_head_rows(
    standings: Standings, head_to_head: HeadToHead
) -> Iterator[tuple[str, list[Cell | None]]]:
    """Each system, best first, with its comparisons with all systems; None on the diagonal.

    There are no rows for more than MOST_IN_A_MATRIX systems.
    """
    order = [standing.system for standing in standings.systems]
    if len(order) > MOST_IN_A_MATRIX:
        return
    for row in order:
        yield row, [_cell(head_to_head.comparisons.get((row, column))) for column in order]


def _cell(comparison: Comparison | None) -> Cell | None:
    if comparison is None:
        return None
    if comparison.share is None:
        return Cell(comparison, None, False, "")
    significant = is_significant(comparison.holm_p_value)
    level = min(5, ceil(10 * abs(comparison.share - 0.5)))
    shade = f"{'shade' if comparison.share > 0.5 else 'lost'}-{level}" if significant else ""
    return Cell(comparison, round(100 * comparison.share), significant, shade)


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
    """The judges with these keys, sorted by campaign and number, deleted judges last."""
    shown = (judges.get(key) or Judge(key) for key in keys)
    return sorted(shown, key=lambda judge: (not judge.number, judge.campaign, judge.number or 0, judge.key))
