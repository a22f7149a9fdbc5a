"""The cost of pages does not grow with the campaign: neither statements nor the work of each.

All pages and lists of the API are asked for, first page and last, in a campaign and in one four times as
large, with as many annotators. The work is counted in instructions of SQLite's virtual machine, which depend
on nothing but the data; a statement that goes through all judgments takes four times as many.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from pytest_django import Settings

from analysis.runs import queries
from annotate.corpora import forms
from annotate.judgments import stream
from annotate.models import Slot, SlotState
from dev.benchmarks.large_site import fill
from dev.benchmarks.large_site.addresses import TOKEN, Site, routes
from dev.benchmarks.large_site.size import Size
from dev.benchmarks.pages import NOT_MEASURED, faults_of, give_sign_for, last_page

pytestmark = pytest.mark.django_db

SMALL, LARGE = Size(400, 4), Size(1600, 4)
INSTRUCTIONS_A_TICK = 100
FEW_TICKS, SLACK = 30, 1.5
"""B-trees grow deeper, and what is on the shown page varies."""

GROWING = {
    "campaign-answers": "counts reports up to a thousand",
    "api-answers": "likewise",
    "manage-campaign of a draft": "draws the whole campaign, as its launch will",
    "launch-campaign": "likewise",
    "try-campaign": "likewise",
    "progress-figure": "adds up a row for each annotator and hour",
    "corpus?containing=nowhere": "looks for words, which no index holds",
    "api-sentences?containing=nowhere": "likewise",
    "api-judgments?limit=1000": "has room for all",
    "api-items?limit=1000": "likewise",
    "api-judgments?submitted_from=2026-01-20": "looks at the days of answers",
    "work": "takes a batch where the annotator has none; see test_work_cost",
    "next-batch": "likewise",
    "corpus-scores": "looks for a reference with edits, of which there may be none",
    "corpus-analyses": "likewise, and for a sentence with several references",
    "references": "counts the references of the corpus, by sentence and by annotator",
}
"""Pages that may take longer in a larger campaign, and why."""


PER_ROW = {
    "work": "one slot, in one statement",
    "showing": "likewise",
    "crowd-settings": "batches done by the workers of the page",
    "crowd-payouts": "batches done by a hundred workers",
    "delete-campaign": "last export of the one campaign",
    "delete-corpus": "last export of each campaign of the corpus",
    "manage-campaign": "systems of the campaign, which are read once",
    "ask-about-newcomers": "likewise",
    "metrics": "whether each of the score sets has a score",
    "analyses": "likewise",
    "publications": "likewise",
    "evaluation-table": "likewise",
    "evaluation-figure": "likewise",
    "metric-windows": "likewise",
    "metric-rank-pairs": "likewise",
    "metric-disagreements": "likewise",
    "metric-sweep": "likewise",
    "metric-causes": "likewise",
    "hybrids": "likewise",
    "corpus?distinct=8": "number of outputs of each sentence until a page is full",
    "api-sentences?distinct=8": "likewise",
    "corpus?containing=journey": "outputs with the words, found once for all sentences of the page",
    "api-sentences?containing=journey": "likewise",
    "corpus?type=R:PREP&system=system-01&outcome=missed": "edits of each sentence until a page is full",
    "corpus?type=R:NOUN:NUM&outcome=wrong": "likewise",
    "api-sentences?type=M:DET&system=system-01&outcome=hit": "likewise",
}
"""Pages that send a correlated subquery, and for which rows."""

MANY = (
    "annotate_(judgment|revision|rating|slot|showing|itemoutput|output|production|outputedit|referenceedit"
    "|outputscore)"
)
"""Tables of which no page reads all."""


READS_ALL = re.compile(rf"SCAN {MANY}\b|\W*Seq Scan on {MANY}\b")
PER_ROW_PLAN = re.compile(r"CORRELATED|SubPlan")


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a page.

    Attributes:
        statements: that it sent.
        plan: how the database goes about them, line by line.
        ticks: of so many instructions of SQLite's virtual machine; 0 elsewhere.
    """

    statements: tuple[str, ...]
    plan: tuple[str, ...]
    ticks: int


@contextmanager
def counted(statements: list[tuple[str, Any]], ticks: list[int]) -> Iterator[None]:
    """Note statements and ticks within the block."""

    def note(execute: Any, sql: str, parameters: Any, *arguments: Any) -> Any:
        statements.append((sql, parameters))
        return execute(sql, parameters, *arguments)

    def tick() -> None:
        ticks[0] += 1

    if connection.vendor == "sqlite":
        connection.connection.set_progress_handler(tick, INSTRUCTIONS_A_TICK)
    try:
        with connection.execute_wrapper(note):
            yield
    finally:
        if connection.vendor == "sqlite":
            connection.connection.set_progress_handler(None, 0)


def cost(browser: Any, address: str) -> tuple[Cost, Any]:
    """The cost of a page at its first request, and the page."""
    cache.clear()
    statements: list[tuple[str, Any]] = []
    ticks = [0]
    with counted(statements, ticks):
        response = browser.get(address)
        if response.streaming:
            next(iter(response.streaming_content), None)
    return Cost(tuple(sql for sql, _ in statements), tuple(plan(statements)), ticks[0]), response


def plan(statements: Sequence[tuple[str, Any]]) -> Iterator[str]:
    """The database's plan for the queries among the statements, if it avoids reading whole tables."""
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        if not is_sqlite:
            cursor.execute("SET LOCAL enable_seqscan = off")
        for sql, parameters in statements:
            if sql.startswith(("SELECT", "WITH")):
                cursor.execute(f"EXPLAIN {'QUERY PLAN ' if is_sqlite else ''}{sql}", parameters)
                yield from (str(row[-1]) for row in cursor.fetchall())


def costs(size: Size) -> Mapping[str, Cost]:
    """Costs of first and last pages by name, in a campaign of this size, which is gone afterwards."""
    found = {}
    with transaction.atomic():
        fill(size)
        # Of what is with somebody, or waits for somebody, there is more where there are more people.
        Slot.objects.exclude(state__in=(SlotState.FREE, SlotState.FILLED)).delete()
        site = Site()
        for route in routes():
            if route.name in NOT_MEASURED:
                continue
            for name, address in site.addresses(route).items():
                if name in GROWING:
                    continue
                found[name], response = cost(site.browser(route), address)
                if response.status_code == 200 and (end := last_page(address, response)):
                    found[f"{name}, last page"], _ = cost(site.browser(route), end)
        transaction.set_rollback(True)
    return found


@pytest.mark.slow
def test_no_page_costs_more_in_a_larger_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MOST_DOCUMENTS", 20)
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)  # Both are as large as a job has to rank.
    monkeypatch.setattr(stream, "KEYS_PER_FETCH", 200)  # Both have more than an export begins with.
    monkeypatch.setattr(stream, "JUDGMENTS_PER_CHUNK", 100)
    small, large = costs(SMALL), costs(LARGE)
    both = small.keys() & large.keys()
    assert len([name for name in both if name.endswith("last page")]) > 5
    assert {name: len(small[name].statements) for name in both} == {
        name: len(large[name].statements) for name in both
    }
    for size in (small, large):
        lines = [(name, line) for name, cost in size.items() for line in cost.plan]
        assert not [(name, line) for name, line in lines if READS_ALL.match(line)]
        per_row = {name for name, line in lines if PER_ROW_PLAN.search(line)}
        assert {name.removesuffix(", last page") for name in per_row} <= PER_ROW.keys()
    ticks = {name: (small[name].ticks, large[name].ticks) for name in both}
    grown = [
        f"{name}: {before} to {after}"
        for name, (before, after) in sorted(ticks.items())
        if after > FEW_TICKS + SLACK * before
    ]
    assert not grown, "\n".join(grown)


def test_what_exceeds_a_limit_is_named() -> None:
    well = {"first_s": 0.1, "last_s": 0.2, "cold_s": 0.9, "streamed_mb": 0.5, "mb_per_s": 1.0, "peak_mb": 400}
    pages = [
        {**well, "name": "well"},
        {**well, "name": "some-figure", "last_s": 1.9, "cold_s": 2.0},
        {**well, "name": "analysis-file ranking/ranking.svg", "cold_s": 2.0},
        {**well, "name": "slow", "last_s": 1.1},
        {**well, "name": "slow-figure", "last_s": 2.1},
        {**well, "name": "cold", "cold_s": 1.2},
        {**well, "name": "stream", "streamed_mb": 2.0, "mb_per_s": 4.9},
        {**well, "name": "large", "peak_mb": 401},
    ]
    assert faults_of(pages[:3], {"logout": "is a button"}, 1.0) == []
    assert faults_of(pages, {"new": "UNKNOWN: why"}, 1.0) == [
        "slow takes more than 1 s.",
        "slow-figure takes more than 2 s.",
        "cold takes more than 1 s longer when cold.",
        "stream streams at 4.9 MB/s.",
        "large took the process to 401 MB.",
        "new was not measured: UNKNOWN: why",
    ]


def test_health_and_figures_of_the_site_are_measured(settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    with transaction.atomic():
        fill(SMALL)
        site = Site()
        named = {route.name: route for route in routes()}
        for name in ("healthz", "site-metrics"):
            give_sign_for(name)
            [address] = site.addresses(named[name]).values()
            assert site.browser(named[name]).get(address).status_code == 200
        transaction.set_rollback(True)
