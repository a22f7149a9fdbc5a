"""The drawn table and the matrices of the ranking page; pure functions."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby, pairwise
from math import ceil
from typing import NamedTuple

from analysis.analyses.annotators.agreement_result import Judging
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from analysis.analyses.systems.ranking_tables import MOST_IN_A_MATRIX
from analysis.pages.forest_plot import Axis, Mark
from core.names import Naming, ShownAnnotator
from figures.systems.head_to_head import is_significant
from figures.systems.ranking import interval_text, ranks_text
from ranking import Comparison, HeadToHead, Kappa, Method, Standing, Standings


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
        below: the next system with a score; empty for the last one and without a score.
    """

    standing: Standing
    role: str
    mark: Mark | None
    ranks: str
    score: str
    interval: str
    decided: int
    below: str


def clusters(
    standings: Standings, head_to_head: HeadToHead, roles: Mapping[str, str], axis: Axis
) -> list[list[Row]]:
    """The systems, best first, in their clusters."""
    decided: Counter[str] = Counter()
    for (system, _), comparison in head_to_head.comparisons.items():
        decided[system] += comparison.wins + comparison.losses
    digits = score_digits(standings.method)
    scored = [standing.system for standing in standings.systems if standing.score is not None]
    below = dict(pairwise(scored))
    grouped = groupby(standings.systems, key=lambda standing: standing.cluster)
    return [
        [
            Row(
                standing,
                role if (role := roles.get(standing.system, "")) in NO_SYSTEMS else "",
                axis.mark(standing),
                ranks_text(standing) or "–",
                "–" if standing.score is None else f"{standing.score:.{digits}f}",
                interval_text(standing, digits - 1) or "–",
                decided[standing.system],
                below.get(standing.system, ""),
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
        opponent: the system of the column.
        comparison: of the system of the row with that of the column.
        percent: of decided comparisons that the row won; None where there are none.
        is_significant: whether the share differs from one half.
        shade: name of the style of the background; empty for none.
    """

    opponent: str
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
        yield row, [_cell(column, head_to_head.comparisons.get((row, column))) for column in order]


def _cell(opponent: str, comparison: Comparison | None) -> Cell | None:
    if comparison is None:
        return None
    if comparison.share is None:
        return Cell(opponent, comparison, None, False, "")
    significant = is_significant(comparison.holm_p_value)
    level = min(5, ceil(10 * abs(comparison.share - 0.5)))
    shade = f"{'shade' if comparison.share > 0.5 else 'lost'}-{level}" if significant else ""
    return Cell(opponent, comparison, round(100 * comparison.share), significant, shade)


def agreement_rows(judging: Judging, naming: Naming) -> Iterator[tuple[ShownAnnotator, list[Kappa | None]]]:
    """Each annotator with their kappas with themselves and later annotators; None in the symmetric half.

    There are no rows for more than MOST_IN_A_MATRIX annotators.
    """
    shown = [naming.shown_annotator(key) for key in sorted(judging.agreement.judges, key=naming.place)]
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


def _as_shown(kappa: Kappa, *annotators: ShownAnnotator) -> Kappa:
    """The kappa, with annotators' shown names in the reason."""
    if kappa.reason is None:
        return kappa
    reason = kappa.reason
    for annotator in annotators:
        reason = reason.replace(annotator.key, annotator.known_as)
    return replace(kappa, reason=reason)
