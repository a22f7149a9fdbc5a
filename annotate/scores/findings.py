"""What the scores of a corpus say: which systems tests tell apart from all others, and by which metrics."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest

from annotate.models import SystemRole
from annotate.scores.queries import ScoreRow, ScoreTable
from annotate.web.registered_pages import PeoplesRanking
from core.wording import listed

MOST_NAMED = 3
"""Systems that the heading names."""


def finding_of_scores(table: ScoreTable, people: PeoplesRanking | None) -> str:
    """By how many metrics a system scores clearly above all others, and which one people rank first.

    Empty without scores.
    """
    scored = sum(any(row.cells[place].is_best for row in table.rows) for place in range(len(table.columns)))
    if not scored:
        return ""
    scored -= len(_metrics_of_the_source(table))
    if not scored:
        return "By no metric does a system score clearly higher than the unchanged sentences"
    finding = _clearly_above(table, scored)
    shown = {row.system.name: row.system.shown for row in table.rows}
    ranks = people.ranks if people else {}
    first = [name for name in ranks if name in shown and ranks[name].split("–")[0] == "1"]
    if len(first) != 1:
        return finding
    rank = "first" if ranks[first[0]] == "1" else ranks[first[0]]
    return f"{finding}; people rank {shown[first[0]]} {rank}"


def _clearly_above(table: ScoreTable, scored: int) -> str:
    """Which systems score clearly above all others, each by how many of the metrics that count."""
    clear = [(name, len(titles)) for name, titles in _metrics_by_clear_system(table).items()]
    metrics = f"{scored} metrics" if scored > 1 else _titles_that_count(table)[0]
    if not clear:
        return f"No system scores clearly above all others by {'any of ' if scored > 1 else ''}{metrics}"
    if len(clear) > MOST_NAMED:
        number = sum(times for _, times in clear)
        return f"One system scores clearly above all others by {number} of {metrics}, but not always the same"
    (first, most), *others = clear
    by = f"{most} of {metrics}" if scored > 1 else metrics
    further = "".join(f", {name} by {times}" for name, times in others)
    return f"{first} scores clearly above all other systems by {by}{further}"


def about_clear_scores(table: ScoreTable) -> str:
    """Which systems score clearly above all others, and by which metrics none beats the source."""
    said = [
        f"{name} scores clearly above each other system by {listed(titles)}."
        for name, titles in _metrics_by_clear_system(table).items()
    ]
    if unchanged := _metrics_of_the_source(table):
        none_higher = "no system scores clearly higher than the unchanged sentences"
        they_do = "it does" if len(unchanged) == 1 else "they do"
        said.append(f"By {listed(unchanged)}, {none_higher}, so {they_do} not count.")
    return " ".join(said)


def cited_metrics(table: ScoreTable) -> list[str]:
    """The titles of the metrics of the finding: one of each system that is clearly above, then the others."""
    rounds = zip_longest(*_metrics_by_clear_system(table).values())
    return [title for each in rounds for title in each if title is not None]


def cited_metrics_first(table: ScoreTable) -> ScoreTable:
    """The table with the metrics of the finding first, and last those by which the source is not beaten."""
    cited = cited_metrics(table)
    places = {title: place for place, title in enumerate(cited)}
    places |= dict.fromkeys(_metrics_of_the_source(table), len(cited) + 1)
    order = sorted(
        range(len(table.columns)), key=lambda place: places.get(table.columns[place].title, len(cited))
    )
    return replace(
        table,
        columns=[table.columns[place] for place in order],
        rows=[replace(row, cells=[row.cells[place] for place in order]) for row in table.rows],
    )


def _metrics_by_clear_system(table: ScoreTable) -> Mapping[str, list[str]]:
    """The titles of the metrics by which a system is clearly above all others, the system of most first.

    Metrics by which no system clearly beats the source are left out: they reward changing little.
    """
    clear: dict[str, list[str]] = defaultdict(list)
    counting = _titles_that_count(table)
    for row in table.rows:
        for column, cell in zip(table.columns, row.cells, strict=True):
            if cell.is_clear and column.title in counting:
                clear[row.system.shown].append(column.title)
    return dict(sorted(clear.items(), key=lambda item: -len(item[1])))


def _titles_that_count(table: ScoreTable) -> list[str]:
    """The titles of the metrics by which some system clearly beats the source, or that is not known."""
    unchanged = _metrics_of_the_source(table)
    return [column.title for column in table.columns if column.title not in unchanged]


def without_highest_of_the_source(table: ScoreTable) -> ScoreTable:
    """The table without a highest score, and tests against it, where no system beats the source."""
    unbeaten = _metrics_of_the_source(table)
    rows = [
        replace(
            row,
            cells=[
                replace(cell, is_best=False, p_value=None) if column.title in unbeaten else cell
                for column, cell in zip(table.columns, row.cells, strict=True)
            ],
        )
        for row in table.rows
    ]
    return replace(table, rows=rows)


def _metrics_of_the_source(table: ScoreTable) -> list[str]:
    """The titles of the metrics by which no system clearly beats the source, if that is among the systems."""
    sources = [row for row in table.rows if row.system.role == SystemRole.SOURCE]
    return [
        column.title
        for place, column in enumerate(table.columns)
        for of_source in [max((_value(row, place) for row in sources), default=None)]
        for of_best in [
            max((_value(row, place) for row in table.rows if row.cells[place].is_best), default=None)
        ]
        if of_source is not None
        and of_best is not None
        and (of_source >= of_best or any(row.cells[place].may_be_best for row in sources))
    ]


def _value(row: ScoreRow, place: int) -> float:
    """The score of a row in a column, below all others where there is none."""
    score = row.cells[place].score
    return float("-inf") if score is None or score.value is None else score.value
