import re
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.judgments.pseudonyms import pseudonym
from annotate.models import CampaignState
from tests.annotate.samples import RANKINGS, campaign_without_texts, small_campaign, small_corpus


def test_it_shows_ranks_beside_the_outputs_as_they_were_shown(researcher: Client) -> None:
    campaign = small_campaign(small_corpus())
    page = researcher.get(campaign.get_absolute_url()).content.decode()
    assert page.count("<article") == len(RANKINGS)
    assert "<ins" in page
    assert "no outputs were rated" in page


def test_without_texts_it_shows_systems_alone(researcher: Client) -> None:
    page = researcher.get(campaign_without_texts("alone").get_absolute_url()).content.decode()
    assert '<p class="source"' not in page
    assert '<p class="systems">' in page


def test_judgments_can_be_searched(researcher: Client) -> None:
    campaign = small_campaign(small_corpus())
    address = campaign.get_absolute_url()
    for anna in (1, pseudonym(campaign, "anna")):
        by_anna = researcher.get(f"{address}?annotator={anna}").content.decode()
        assert by_anna.count("Annotator 1</span></small>") == by_anna.count("<article") == 3
        assert "Annotator 2</span></small>" not in by_anna
        assert '<option value="1" selected>Annotator 1</option>' in by_anna
    skipped = researcher.get(f"{address}?state=skipped").content.decode()
    assert skipped.count("<article") == 1
    nothing = researcher.get(f"{address}?sentence=3000").content.decode()
    assert "No judgment matches" in nothing


@pytest.mark.parametrize(
    "query", ["annotator=nobody", "annotator=anna", "annotator=3", "annotator=0", "state=odd", "sentence=x"]
)
def test_a_wrong_search_says_so_and_shows_all(researcher: Client, query: str) -> None:
    campaign = small_campaign(small_corpus())
    page = researcher.get(f"{campaign.get_absolute_url()}?{query}").content.decode()
    assert "errorlist" in page
    assert page.count("<article") == len(RANKINGS)


def test_researchers_see_numbers_and_admins_names_beside_them(admin: Client, researcher: Client) -> None:
    campaign = small_campaign(small_corpus())
    told = researcher.get(campaign.get_absolute_url()).content.decode()
    assert '<a href="?annotator=1#judgments"><span class="unbroken">Annotator 1</span></a>' in told
    assert not re.search(r"\b(anna|ben)\b|[0-9a-f]{16}", told)
    for query in ("", "?annotator=1"):
        page = admin.get(f"{campaign.get_absolute_url()}{query}").content.decode()
        assert '<bdi>anna</bdi> <small class="unbroken">Annotator 1</small>' in page
        assert "anna (Annotator 1)" in page


def test_a_guessed_name_is_not_confirmed(researcher: Client) -> None:
    """Whether somebody has it or not, the page is the same but for the name that was asked for."""
    address = small_campaign(small_corpus()).get_absolute_url()
    right, wrong = (
        researcher.get(f"{address}?annotator={name}").content.decode().partition("<main")[2].replace(name, "")
        for name in ("anna", "zoe")
    )
    assert right == wrong


@pytest.mark.parametrize("synthetic", [True, False])
def test_simulated_judgments_are_labelled_wherever_they_are_shown(
    researcher: Client, synthetic: bool
) -> None:
    campaign = small_campaign(small_corpus(), synthetic=synthetic)
    for address in ("/", campaign.get_absolute_url(), f"{campaign.get_absolute_url()}ranking/"):
        assert ("synthetic</span>" in researcher.get(address).content.decode()) == synthetic


def test_a_campaign_that_is_not_there_or_not_whole_is_404(researcher: Client) -> None:
    campaign = small_campaign(small_corpus())
    campaign.state = CampaignState.IMPORTING
    campaign.save()
    assert researcher.get(campaign.get_absolute_url()).status_code == 404
    assert researcher.get(f"/campaigns/{uuid4()}/").status_code == 404


def test_queries_are_few(researcher: Client, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    campaign = small_campaign(small_corpus())
    with django_assert_max_num_queries(11):
        researcher.get(campaign.get_absolute_url())
