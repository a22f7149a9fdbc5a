"""Verdicts on edits, on the pages of a campaign: precision, ranking, checks, and metrics against people."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.systems.edits_one_by_one import EDITS
from analysis.analyses.systems.ranking import RANKING
from analysis.analyses.systems.rejected_edits import REJECTED_EDITS
from annotate.models import Campaign
from tests.analysis.campaigns_of_edits import ACCEPTED, REJECTED, campaign_of_edits
from tests.analysis.scored_campaigns import result_of, upload_scores
from tests.annotate.samples import sentence, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def verdict(judge: str, sentence: int, systems: tuple[str, ...], question: int) -> str:
    """Alder is right, Birch in every second sentence, and Cedar seldom."""
    good = systems[0] == "Alder" or (systems[0] == "Birch" and sentence % 2) or sentence % 7 == 0
    return ACCEPTED if good else REJECTED


@pytest.fixture(scope="module")
def campaign(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Campaign]:
    with django_db_blocker.unblock(), transaction.atomic():
        sentences = [
            sentence(
                f"He go to {place} .", f"He goes to {place} .", f"He went to {place} .", f"He go at {place} ."
            )
            for place in range(40)
        ]
        yield campaign_of_edits(small_corpus("of edits", sentences=sentences), verdict=verdict)
        transaction.set_rollback(True)


def test_systems_have_precision_clusters_and_agreement(campaign: Campaign) -> None:
    result = result_of(EDITS, campaign)
    assert [(row.system, row.cluster, row.score) for row in result.standings.systems] == [
        ("Alder", 1, 1.0),
        ("Birch", 2, pytest.approx(23 / 40)),
        ("Cedar", 3, pytest.approx(6 / 40)),
    ]
    assert result.between.value == 1.0
    assert result.alpha.value == 1.0
    assert {each.of for each in result.types} == {"replacement"}


def test_rejected_edits_are_listed_with_their_words(campaign: Campaign, researcher: Client) -> None:
    result = result_of(REJECTED_EDITS, campaign)
    assert {each.systems for each in result.listed} == {"Birch", "Cedar"}
    assert {each.replacement for each in result.listed} == {"went", "at"}
    assert (result.edits, result.rejected, len(result.listed)) == (120, 17 + 34, 30)
    page = researcher.get(f"/campaigns/{campaign.uuid}/analyses/rejected-edits/").content.decode()
    assert "Somebody rejected 51 of 120 edits" in page
    assert page.count('<article class="sentence">') == 30
    first = result.listed[0]
    link = f'?sentence={first.sentence}#sentences">Sentence {first.sentence}</a>'
    heading = page.split(link)[1].split("</h2>")[0]
    assert "<del>to</del> <ins>at</ins>" in heading
    assert f"{first.rejected} rejected and 0 accepted" in heading


def test_the_page_says_who_is_most_precise(campaign: Campaign, researcher: Client) -> None:
    page = researcher.get(f"/campaigns/{campaign.uuid}/analyses/edits/").content.decode()
    assert "Alder makes the most precise edits: people accept 100\xa0%" in page
    assert "Annotators agree on edits with κ = 1.00." in page


def test_rankings_compare_systems_by_the_precision_of_outputs(campaign: Campaign) -> None:
    standings = result_of(RANKING, campaign).standings
    assert standings.method == "mean"
    assert [(row.system, row.cluster) for row in standings.systems] == [
        ("Alder", 1),
        ("Birch", 2),
        ("Cedar", 3),
    ]


def test_metrics_are_compared_with_people(campaign: Campaign, tmp_path: Path) -> None:
    rows = [f"good,{system},,0.{place}" for place, system in ((9, "Alder"), (5, "Birch"), (1, "Cedar"))]
    upload_scores(campaign.corpus, tmp_path, *rows)
    assert list(result_of(METRICS_PEOPLE, campaign).metrics) == ["good (uploaded)"]
