import re

from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.models import Annotator, Judgment, Rating, Revision
from tests.annotate.samples import campaign_without_texts, ranking, small_campaign, small_corpus


def test_it_ranks_systems_and_says_how_far_judges_agree(researcher: Client) -> None:
    campaign = small_campaign(small_corpus())
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    assert page.index(">Alder<") < page.index(">INPUT<")
    assert "Between judges" in page
    assert "expected-wins|pairs:expanded|ties:dropped|snapshot:" in page


def test_it_works_without_texts(researcher: Client) -> None:
    campaign = campaign_without_texts("alone")
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    assert ">Alder<" in page


def test_what_cannot_be_computed_comes_with_its_reason(researcher: Client) -> None:
    campaign = small_campaign(small_corpus(), rankings=[ranking("anna", 0, "Alder Birch = Cedar")])
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    assert "all their comparisons are ties" in page
    assert not re.search(r"\bnan\b", page, re.IGNORECASE)


def test_a_campaign_without_judgments_says_so(researcher: Client) -> None:
    campaign = small_campaign(small_corpus())
    Rating.objects.all().delete()
    Judgment.objects.all().delete()
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    assert "nothing to rank here" in page


def test_a_new_answer_changes_the_ranking(researcher: Client) -> None:
    campaign = small_campaign(small_corpus(), rankings=[ranking("anna", 0, "Alder Birch > Cedar")])
    address = f"/campaigns/{campaign.uuid}/ranking/"
    before = researcher.get(address).content.decode()
    item = campaign.items.get()
    judge = Annotator.objects.create(campaign=campaign, name="carl")
    judgment = Judgment.objects.create(item=item, annotator=judge, repetition=1, state="complete")
    revision = Revision.objects.create(judgment=judgment)
    for rank, shown in enumerate(item.item_outputs.order_by("-systems"), start=1):
        Rating.objects.create(revision=revision, item_output=shown, position=rank, rank=rank)
    assert "carl" not in before
    assert "carl" in researcher.get(address).content.decode()


def test_the_second_look_reads_no_judgments(
    researcher: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    campaign = small_campaign(small_corpus())
    researcher.get(f"/campaigns/{campaign.uuid}/ranking/")
    with django_assert_max_num_queries(4):
        researcher.get(f"/campaigns/{campaign.uuid}/ranking/")
