import re
from html import unescape

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.models import Annotator, Judgment, Rating, Revision
from annotate.pseudonyms import pseudonym
from tests.annotate.samples import RANKINGS, campaign_without_texts, ranking, small_campaign, small_corpus


def test_it_ranks_systems_and_says_how_far_judges_agree(researcher: Client) -> None:
    campaign = small_campaign(small_corpus())
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    assert page.index(">Alder<") < page.index(">INPUT<")
    assert "Between annotators" in page
    assert "ew|pairs:expanded|ties:dropped|unit:pair|replicates:1000|confidence:0.95|seed:0|snapshot:" in page


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
    carl = pseudonym(campaign, "carl")
    assert carl not in before
    assert carl in researcher.get(address).content.decode()


def test_researchers_see_judges_by_pseudonym_and_admins_by_name(admin: Client, researcher: Client) -> None:
    """Reasons name judges, too: Carl has judged nothing that another one has."""
    rankings = [*RANKINGS, ranking("carl", 2, "Alder Birch Cedar INPUT")]
    campaign = small_campaign(small_corpus(), rankings=rankings)
    address = f"/campaigns/{campaign.uuid}/ranking/"
    told = researcher.get(address).content.decode()
    assert not re.search(r"\b(anna|ben|carl)\b", told)
    known_as = {name: pseudonym(campaign, name) for name in ("anna", "ben", "carl")}
    assert f"{known_as['carl']} judged no pair of outputs twice" in told
    page = admin.get(address).content.decode()
    for name, word in known_as.items():
        assert f'<span title="{word}">{name}</span>' in page


def test_the_second_look_reads_no_judgments(
    researcher: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    campaign = small_campaign(small_corpus())
    researcher.get(f"/campaigns/{campaign.uuid}/ranking/")
    with django_assert_max_num_queries(6):
        researcher.get(f"/campaigns/{campaign.uuid}/ranking/")


@pytest.mark.parametrize(
    ("query", "meaning", "signature"),
    [
        (
            "method=trueskill",
            "system’s skill",
            "trueskill|pairs:expanded|ties:kept|unit:pair|",
        ),
        ("method=bradley-terry&unit=judge", "system’s strength", "|ties:kept|unit:judge|replicates:300|"),
        ("unit=sentence&confidence=0.9", "judged better", "unit:sentence|replicates:1000|confidence:0.9|"),
        ("method=elo&unit=&confidence=95", "judged better", "ew|pairs:expanded|ties:dropped|unit:pair"),
    ],
)
def test_method_unit_and_confidence_can_be_chosen(
    researcher: Client, query: str, meaning: str, signature: str
) -> None:
    """What does not exist is as if it had not been asked for."""
    campaign = small_campaign(small_corpus())
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/?{query}").content.decode()
    assert meaning in page
    assert signature in page
    [figure] = re.findall(r'<img src="([^"]+)"', page)
    assert researcher.get(unescape(figure)).status_code == 200


def test_clusters_and_rank_ranges_stand_beside_the_scores(researcher: Client) -> None:
    rankings = [ranking("anna", 0, "Alder Birch > Cedar > INPUT")] * 20
    campaign = small_campaign(small_corpus(), rankings=rankings)
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    table = page[page.index('<table class="clusters">') : page.index("</table>")]
    rows = [re.findall(r"<t[dh][^>]*>([^<]*?) *<", row) for row in table.split("<tr>")[2:]]
    assert rows == [
        ["1", "1–2", "Alder", "1.000", "0.000", "40"],
        ["", "1–2", "Birch", "1.000", "0.000", "40"],
        ["2", "3", "Cedar", "0.333", "0.000", "60"],
        ["3", "4", "INPUT", "0.000", "0.000", "60"],
    ]
    assert "1000 replicates, resampled by pair" in page


def test_it_warns_where_pairs_claim_more_than_sentences(researcher: Client) -> None:
    """Two sentences that disagree, one of them judged more often."""
    rankings = [ranking("anna", 0, "Alder Birch > Cedar")] * 60 + [ranking("anna", 1, "Cedar > Alder")] * 20
    campaign = small_campaign(small_corpus(), rankings=rankings)
    address = f"/campaigns/{campaign.uuid}/ranking/"
    warning = "Resampling pairs claims 3 clusters, resampling sentences 1."
    assert warning in researcher.get(address).content.decode()
    assert warning not in researcher.get(f"{address}?unit=sentence").content.decode()
