"""The page that compares metrics over campaigns."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import unescape
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import ANY

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker

from analysis.analyses.metrics.metric_parts import BOOTSTRAP
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.models import Run
from analysis.pages.comparable_campaigns import (
    ANOTHER_PROTOCOL,
    DRAFT,
    FOLLOW_UP,
    MOST_CAMPAIGNS,
    SIMULATED,
    TOO_MANY,
    offered_of,
)
from analysis.pages.compare_metrics.campaigns import FIGURES, Comparison
from analysis.pages.compare_metrics.table import table_of
from analysis.pages.compare_metrics.words import about_below, about_campaigns, how_many
from annotate.models import Campaign
from jobs.models import Job
from jobs.worker import run_queued_jobs
from metrics.meta_evaluation import Estimate, MeanRank
from tests.analysis.scored_campaigns import compared_campaign, edited_campaign, result_of, scored_campaign
from tests.annotate.references.answers import judging_campaign
from tests.annotate.samples import small_campaign, small_corpus
from tests.annotate.scores.scoring import scored

ADDRESS = "/compare-metrics/"


def page(client: Client, query: str = "") -> str:
    response = client.get(f"{ADDRESS}{query}")
    assert response.status_code == 200
    shown = unescape(response.content.decode())
    assert ">nan" not in shown.lower()
    return shown


def file_of(client: Client, name: str) -> str:
    response = client.get(f"{ADDRESS}{name}")
    assert response.status_code == 200
    return b"".join(cast(Iterable[bytes], response)).decode()


def test_a_site_without_scores_says_what_to_do(researcher: Client, db: None) -> None:
    small_campaign(small_corpus())
    assert "No campaign has judgments of a corpus with metric scores" in page(researcher)


def test_missing_results_are_computed_on_request(researcher: Client, db: None) -> None:
    campaign = scored_campaign(small_corpus())
    shown = page(researcher)
    assert "1 result is missing or out of date." in shown
    assert "<h1>Compare metrics" in shown
    assert not Run.objects.exists()
    for _ in range(2):
        response = researcher.post(f"{ADDRESS}compute/?figure=spa&campaign={campaign.uuid}")
        assert response["Location"] == f"{ADDRESS}?figure=spa&campaign={campaign.uuid}"
    [job] = Job.objects.all()
    waiting = page(researcher)
    assert f'href="/jobs/{job.uuid}/"' in waiting
    assert "missing" not in waiting
    run_queued_jobs()
    assert "the highest SPA in judged" in page(researcher, "?figure=spa")
    scored(campaign.corpus, "bleu")
    assert "1 result is missing or out of date." in page(researcher)


def test_simulated_judgments_are_compared_only_if_chosen(researcher: Client, db: None) -> None:
    corpus = small_corpus()
    real = scored_campaign(corpus)
    made_up = small_campaign(corpus, "made up", synthetic=True)
    shown = page(researcher)
    assert "Left out" not in shown
    assert f'value="{made_up.uuid}"> <label' in shown
    assert f'value="{real.uuid}" checked> <label' in shown
    assert "1 result is missing" in shown
    chosen = page(researcher, f"?campaign={real.uuid}&campaign={made_up.uuid}")
    assert "Left out" not in chosen
    assert "<small>Relative ranking, 5 judgments, simulated</small>" in chosen
    assert "2 results are missing" in chosen


def test_nothing_is_compared_where_all_judgments_are_simulated(researcher: Client, db: None) -> None:
    corpus = small_corpus()
    scored(corpus, "gleu")
    small_campaign(corpus, synthetic=True)
    shown = page(researcher)
    assert "Choose the campaigns to compare" in shown
    assert "missing" not in shown
    assert researcher.get(f"{ADDRESS}table.csv").status_code == 200


def test_campaigns_of_other_protocols_are_not_offered(researcher: Client, db: None) -> None:
    corpus = small_corpus()
    scored_campaign(corpus)
    judging_campaign(corpus, "of validity")
    assert "of validity" not in page(researcher)


RANKS, SCORES = "relative-ranking", "partial-ranking-with-scalars"


def reasons(*campaigns: tuple[str, int], **others: Any) -> list[str]:
    """Why campaigns of these protocols with so many judgments, and one more, are left out."""
    made = [
        (Campaign(pk=number, name=f"{number}", protocol=protocol, state="closed"), judgments)
        for number, (protocol, judgments) in enumerate(campaigns)
    ]
    if others:
        made.append((Campaign(pk=99, **{"protocol": RANKS, "state": "closed", **others}), 1000))
    return [each.left_out for each in offered_of(dict(made))]


def test_the_protocol_with_most_judgments_by_people_is_compared() -> None:
    assert reasons((RANKS, 10), (SCORES, 25), (RANKS, 20)) == ["", ANOTHER_PROTOCOL, ""]
    assert reasons((RANKS, 10), (SCORES, 25)) == [ANOTHER_PROTOCOL, ""]
    assert reasons((SCORES, 25), synthetic=True) == ["", SIMULATED]
    assert reasons((SCORES, 25), state="draft") == ["", DRAFT]
    assert reasons((SCORES, 25), follows=Campaign(pk=1)) == ["", FOLLOW_UP]


def test_no_more_campaigns_are_compared_at_first_than_fit() -> None:
    found = reasons(*[(RANKS, 1)] * (MOST_CAMPAIGNS + 2), synthetic=True)
    assert found == [""] * MOST_CAMPAIGNS + [TOO_MANY] * 2 + [SIMULATED]


@pytest.mark.any_database
def test_a_figure_waits_for_a_result(researcher: Client, db: None) -> None:
    scored_campaign(small_corpus())
    assert researcher.get(f"{ADDRESS}figure.svg").status_code == 404


@pytest.fixture(scope="class")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[Campaign, Campaign]]:
    """Two campaigns, the second of a corpus with one metric of the first and one of its own.

    Made once for the tests of the class.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        first = compared_campaign(small_corpus(), "first")
        second = edited_campaign()
        scored(second.corpus, "gleu", "sari", "ld-source")
        result_of(METRICS_PEOPLE, second)
        yield first, second
        transaction.set_rollback(True)


class TestTwoCampaigns:
    @pytest.fixture
    def two(self, made: tuple[Campaign, Campaign], db: None) -> tuple[Campaign, Campaign]:
        cache.clear()
        return made

    def test_the_list_of_campaigns_and_the_metrics_of_one_link_to_it(
        self, researcher: Client, two: tuple[Campaign, Campaign]
    ) -> None:
        for address in ("/", f"/campaigns/{two[0].uuid}/metrics/"):
            assert f'href="{ADDRESS}"' in researcher.get(address).content.decode()

    @pytest.mark.any_database
    @pytest.mark.parametrize("figure", FIGURES)
    def test_every_figure_is_shown_by_metric_and_campaign(
        self, researcher: Client, two: tuple[Campaign, Campaign], figure: str
    ) -> None:
        shown = page(researcher, f"?figure={figure}")
        table = shown.partition("<tbody>")[2].partition("</tbody>")[0]
        assert table.count("<tr>") == 4  # GLEU, SARI, chrF++ and the distance from the source
        assert "the metric has no scores in this campaign" in table

    def test_only_metrics_of_all_campaigns_have_a_mean_rank(
        self, researcher: Client, two: tuple[Campaign, Campaign]
    ) -> None:
        rows = list(csv.DictReader(io.StringIO(file_of(researcher, "table.csv?figure=accuracy"))))
        means = {row["metric"]: row["mean_rank"] for row in rows}
        assert means == {"gleu": ANY, "sari": ANY, "chrf": "", "ld-source": ""}
        assert float(means["gleu"]) + float(means["sari"]) == 3
        ranks = [float(row["rank"]) for row in rows if row["metric"] == "gleu"]
        assert sum(ranks) / 2 == float(means["gleu"])
        values = {(row["metric"], row["campaign"]): row["value"] for row in rows}
        result = result_of(METRICS_PEOPLE, two[0])
        assert float(values["gleu", "first"]) == result.metrics["gleu"].accuracy.value

    def test_one_chooses_campaigns(self, researcher: Client, two: tuple[Campaign, Campaign]) -> None:
        shown = page(researcher, f"?campaign={two[0].uuid}")
        table = shown.partition("<thead>")[2].partition("</table>")[0]
        assert f"/campaigns/{two[0].uuid}/metrics/" in table
        assert f"/campaigns/{two[1].uuid}/metrics/" not in table
        assert "the highest Pearson’s r in first" in shown

    def test_the_page_says_over_what_mean_ranks_are(
        self, researcher: Client, two: tuple[Campaign, Campaign]
    ) -> None:
        over = (
            "The mean rank is over first (5 judgments) and judged (6 judgments), among the 2 metrics with a "
            "value in each of them. Each campaign counts once, however many judgments it has."
        )
        assert over in page(researcher)
        assert over in file_of(researcher, "table.tex")
        third = small_campaign(two[0].corpus, "third")
        assert "left out: third." in page(researcher)
        result_of(METRICS_PEOPLE, third)
        assert "2 campaigns are of the corpus small, so its systems count more often." in page(researcher)

    def test_a_single_campaign_has_no_mean_ranks(
        self, researcher: Client, two: tuple[Campaign, Campaign]
    ) -> None:
        alone = f"?campaign={two[0].uuid}"
        table = page(researcher, alone).partition("<thead>")[2].partition("</table>")[0]
        assert "Mean rank" not in table
        assert '<th scope="col" class="mark">Pearson’s r</th>' in table
        assert "mean rank is over" not in page(researcher, alone)
        assert "Mean rank" not in file_of(researcher, f"table.tex{alone}")
        values = [
            float(row["value"])
            for row in csv.DictReader(io.StringIO(file_of(researcher, f"table.csv{alone}")))
        ]
        assert values == sorted(values, reverse=True)

    @pytest.mark.any_database
    def test_its_files_agree_with_the_page(self, researcher: Client, two: tuple[Campaign, Campaign]) -> None:
        latex = file_of(researcher, "table.tex")
        assert "Metric & first & judged & Mean rank" in latex
        figure = file_of(researcher, "figure.svg?figure=kendall")
        assert "first" in figure
        assert "GLEU" in figure

    @pytest.mark.any_database
    @pytest.mark.parametrize(
        "address",
        [
            "?figure=none",
            "?campaign=none",
            "table.xls",
            "figure.gif",
            f"?{'&'.join(['campaign=00000000-0000-0000-0000-000000000000'] * 2)}",
        ],
    )
    def test_unknown_names_are_404(
        self, researcher: Client, two: tuple[Campaign, Campaign], address: str
    ) -> None:
        assert researcher.get(f"{ADDRESS}{address}").status_code == 404

    def test_the_second_look_reads_no_judgment(
        self, researcher: Client, two: tuple[Campaign, Campaign]
    ) -> None:
        page(researcher)
        with CaptureQueriesContext(connection) as queries:
            page(researcher)
        assert not [query["sql"] for query in queries if '"annotate_rating"' in query["sql"]]


def test_metrics_that_are_clearly_below_the_highest_r_of_one_campaign_are_marked() -> None:
    values = {"gleu": 0.7, "sari": 0.55, "index-match": 0.06}
    estimates = {name: Estimate(value, value - 0.1, value + 0.1, None) for name, value in values.items()}
    result = SimpleNamespace(
        metrics={name: SimpleNamespace(pearson=each) for name, each in estimates.items()},
        tests={BOOTSTRAP: SimpleNamespace(metrics=tuple(values), holm=[[None, 0.01, 0.2]])},
        systems=dict.fromkeys("ABC"),
        compared_sentences=88,
    )
    campaign: Any = SimpleNamespace(
        campaign=Campaign(name="GJG_15"), result=result, about="9 judgments", estimate=estimates.get
    )
    ranked = [(name, MeanRank(None, None, None)) for name in values]
    shown = Comparison("pearson", [campaign], [campaign], ranked)
    marked = {row[0].text: row[0].note for row in table_of(shown).page().rows}
    assert marked == {"GLEU": "", "SARI": "clearly below", "Index match": ""}
    first, lines = about_campaigns(shown)
    of = "The lines are 95\N{NO-BREAK SPACE}% intervals of the agreement on all sentences like these."
    assert lines.startswith(f"{of} *Clearly below* the highest: ")
    assert first == r"GJG\_15: 3 systems, 88 sentences, 9 judgments."
    assert about_below(shown).startswith("Index match (0.06) is not marked")
    assert how_many(shown) == ""
    not_shown: list[Any] = [
        SimpleNamespace(campaign=Campaign(name=name), left_out=why)
        for name, why in (("A", SIMULATED), ("B", SIMULATED), ("C", FOLLOW_UP), ("D", ""))
    ]
    assert how_many(replace(shown, offered=[campaign, *not_shown])) == (
        "Of 5 campaigns that can be compared, 1 is shown; the others (2 with simulated judgments, 1 to "
        "settle undecided pairs and 1 not chosen) can be chosen under *Change settings*."
    )
    others = {row[0].note for row in table_of(replace(shown, figure="spa")).page().rows}
    assert others == {""}
