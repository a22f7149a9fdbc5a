"""What the page of a published ranking shows beside its tables and figures."""

from typing import Any

from analysis.analyses.systems.ranking_headline import NO_SYSTEMS, not_counted
from analysis.analyses.systems.told_apart import are_apart, told_apart
from analysis.pages.forest_plot import axis_of
from analysis.pages.tables import Cell, Row, clusters, head_to_head_rows
from analysis.publishing.bundled_results import Results
from figures.systems.head_to_head import MARK
from figures.systems.ranking import even_score
from ranking import Standing, Unit

MOST_IN_A_MATRIX = 30
"""Systems whose comparisons are a table on the page; a larger one would take more bytes than all the rest."""


def ranking_content(results: Results) -> dict[str, object]:
    """The ranking with its dots and intervals, who is told apart, and the systems head to head, as JSON."""
    parameters, ranked, judging = (
        results.computed.parameters,
        results.computed.result,
        results.computed.beside,
    )
    standings, roles, labels = ranked.standings, results.naming.roles, dict(results.naming.labels)
    even = even_score(standings.method)
    axis = axis_of(standings.systems, even)
    competing = [each for each in standings.systems if roles.get(each.system) not in NO_SYSTEMS]
    names = {each.system for each in competing}
    return {
        "score_name": parameters.score_name,
        "confidence": f"{100 * parameters.confidence:g}",
        "meaning": parameters.meaning,
        "not_counted": not_counted(standings, roles, labels),
        "remarks": [remark for remark in (ranked.remark, ranked.warning) if remark],
        "reason": standings.reason,
        "ticks": [[tick.place, tick.label] for tick in axis.ticks],
        "even": None if even is None else axis.place(even),
        "clusters": [
            [_row(row, competing) for row in members]
            for members in clusters(standings, judging.head_to_head, roles, axis)
        ],
        "apart": list(told_apart(standings, judging.head_to_head, names, labels)),
        "tests_pairs": judging.head_to_head.unit is Unit.PAIR,
        "head_to_head": [
            [system, [_cell(cell) for cell in cells]]
            for system, cells in head_to_head_rows(standings, judging.head_to_head)
        ]
        if len(standings.systems) <= MOST_IN_A_MATRIX
        else [],
        "has_hints": True,
    }


def _row(row: Row, competing: list[Standing]) -> dict[str, Any]:
    standing, mark = row.standing, row.mark
    return {
        "system": standing.system,
        "role": row.role,
        "cluster": standing.cluster,
        "ranks": row.ranks,
        "score": row.score,
        "interval": row.interval,
        "decided": row.decided,
        "apart": None if standing.rank_low is None else sum(are_apart(standing, each) for each in competing),
        "mark": None if mark is None else [mark.dot, mark.low, mark.high],
        "reason": standing.reason,
    }


def _cell(cell: Cell | None) -> list[str] | None:
    """What a cell says, the class of its background, and its hint; None on the diagonal."""
    if cell is None:
        return None
    each = cell.comparison
    if cell.percent is None:
        return ["–", "few", each.reason or ""]
    hint = f"{each.wins:,} won, {each.losses:,} lost, {each.ties:,} tied"
    if cell.is_significant:
        return [f"{cell.percent}{MARK}", cell.shade, hint]
    return [f"{cell.percent}", "few", hint]
