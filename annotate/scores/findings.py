"""What the scores of a corpus say: which system has the highest, and by which metrics."""

from collections.abc import Mapping
from dataclasses import replace

from annotate.models import SystemRole
from annotate.scores.queries import ScoreRow, ScoreTable
from annotate.web.registered_pages import PeoplesRanking
from core.wording import briefly, listed


def finding_of_scores(table: ScoreTable, people: PeoplesRanking | None) -> str:
    """Which system has the highest scores, and which one people rank first; empty without scores."""
    best = _metrics_by_best_system(table)
    if not best:
        return ""
    most = max(map(len, best.values()))
    ahead = [name for name, titles in best.items() if len(titles) == most]
    scored = {title for titles in best.values() for title in titles}
    by = f"{most} of {len(scored)} metrics" if len(scored) > 1 else next(iter(scored))
    finding = f"{briefly(ahead, 'scores', 'score')} highest by {by}"
    shown = {row.system.name: row.system.shown for row in table.rows}
    ranks = people.ranks if people else {}
    first = [shown[name] for name in ranks if name in shown and ranks[name].split("–")[0] == "1"]
    return f"{finding}; people rank {first[0]} first" if len(first) == 1 else finding


def metrics_of_the_best(table: ScoreTable) -> str:
    """By which metrics the best systems score highest, and by which the source does no worse.

    Empty where that is obvious: with a single metric, or without scores.
    """
    best = _metrics_by_best_system(table)
    if len(table.columns) < 2 or not best:
        return ""
    most = max(map(len, best.values()))
    said = [
        f"{name} scores highest by {listed(titles)}." for name, titles in best.items() if len(titles) == most
    ]
    if unchanged := _metrics_of_the_source(table):
        said.append(f"By {listed(unchanged)}, no system scores higher than the unchanged sentences.")
    return " ".join(said)


def best_metrics_first(table: ScoreTable) -> ScoreTable:
    """The table with the metrics of the finding in front: those by which the best systems score highest."""
    best = _metrics_by_best_system(table)
    most = max(map(len, best.values()), default=0)
    first = {title for titles in best.values() if len(titles) == most for title in titles}
    order = sorted(range(len(table.columns)), key=lambda place: table.columns[place].title not in first)
    return replace(
        table,
        columns=[table.columns[place] for place in order],
        rows=[replace(row, cells=[row.cells[place] for place in order]) for row in table.rows],
    )


def _metrics_by_best_system(table: ScoreTable) -> Mapping[str, list[str]]:
    """The titles of the metrics by which each system has the highest score, by the system's name as shown."""
    best: dict[str, list[str]] = {}
    for row in table.rows:
        titles = [column.title for column, cell in zip(table.columns, row.cells, strict=True) if cell.is_best]
        if titles:
            best[row.system.shown] = titles
    return best


def _metrics_of_the_source(table: ScoreTable) -> list[str]:
    """The titles of the metrics by which no system beats the source, if that is among the systems."""
    sources = [row for row in table.rows if row.system.role == SystemRole.SOURCE]
    return [
        column.title
        for place, column in enumerate(table.columns)
        for of_source in [max((_value(row, place) for row in sources), default=None)]
        for of_best in [
            max((_value(row, place) for row in table.rows if row.cells[place].is_best), default=None)
        ]
        if of_source is not None and of_best is not None and of_source >= of_best
    ]


def _value(row: ScoreRow, place: int) -> float:
    """The score of a row in a column, below all others where there is none."""
    score = row.cells[place].score
    return float("-inf") if score is None or score.value is None else score.value
