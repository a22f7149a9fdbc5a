import csv
import re
from html import unescape
from io import StringIO

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from analysis.analyses.ranking import RankingParameters
from analysis.analyses.ranking_words import RANGES_OF_RUNS, UNIT_MEANINGS
from annotate.models import Annotator, Judgment, Rating, Revision
from ranking import Method, Unit
from tests.annotate.samples import RANKINGS, campaign_without_texts, ranking, small_campaign, small_corpus


def test_it_ranks_systems_and_says_how_far_judges_agree(researcher: Client) -> None:
    campaign = small_campaign(small_corpus())
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    rows = re.findall(r'<th scope="row">(\w+)', page)
    assert rows.index("Alder") < rows.index("INPUT")
    assert "κ between annotators" in page
    assert (
        "ew|pairs:expanded|ties:dropped|unit:sentence|replicates:1000|confidence:0.95|seed:0|rule:3|snapshot:"
        in page
    )


def test_it_works_without_texts(researcher: Client) -> None:
    campaign = campaign_without_texts("alone")
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    assert ">Alder<" in page


def test_missing_scores_have_a_reason(researcher: Client) -> None:
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
    judgment = Judgment.objects.create(
        campaign=campaign, item=item, annotator=judge, repetition=1, state="complete"
    )
    revision = Revision.objects.create(judgment=judgment)
    for rank, shown in enumerate(item.item_outputs.order_by("-systems"), start=1):
        Rating.objects.create(revision=revision, item_output=shown, position=rank, rank=rank)
    assert "Annotator 2" not in before
    assert "Annotator 2" in researcher.get(address).content.decode()


def test_researchers_see_judges_by_number_and_admins_by_name_too(admin: Client, researcher: Client) -> None:
    """Reasons name judges, too: Carl has judged nothing that another one has."""
    rankings = [*RANKINGS, ranking("carl", 2, "Alder Birch Cedar INPUT")]
    campaign = small_campaign(small_corpus(), rankings=rankings)
    address = f"/campaigns/{campaign.uuid}/ranking/"
    told = researcher.get(address).content.decode()
    assert not re.search(r"\b(anna|ben|carl)\b", told)
    assert "annotator-" not in told
    assert "Annotator 3 judged no pair of outputs twice" in told
    page = admin.get(address).content.decode()
    for number, name in enumerate(("anna", "ben", "carl"), start=1):
        assert f'<bdi>{name}</bdi> <small class="unbroken">Annotator {number}</small>' in page


def test_the_second_look_reads_no_judgments(
    researcher: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    campaign = small_campaign(small_corpus())
    researcher.get(f"/campaigns/{campaign.uuid}/ranking/")
    with django_assert_max_num_queries(9):
        researcher.get(f"/campaigns/{campaign.uuid}/ranking/")


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("query", "meaning", "signature"),
    [
        (
            "method=trueskill",
            "system’s skill",
            "trueskill|pairs:expanded|ties:kept|unit:sentence|",
        ),
        ("method=bradley-terry&unit=judge", "system’s strength", "|ties:kept|unit:judge|replicates:300|"),
        ("unit=pair&confidence=0.9", "judged better", "unit:pair|replicates:1000|confidence:0.9|"),
        (
            "unit=&confidence=0.8",
            "judged better",
            "ew|pairs:expanded|ties:dropped|unit:sentence|replicates:1000|confidence:0.8|",
        ),
    ],
)
def test_method_unit_and_confidence_can_be_chosen(
    researcher: Client, query: str, meaning: str, signature: str
) -> None:
    campaign = small_campaign(small_corpus())
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/?{query}").content.decode()
    assert meaning in page
    assert signature in page
    figure = re.findall(r'href="([^"]+/ranking\.svg[^"]*)"', page)[0]
    assert researcher.get(unescape(figure)).status_code == 200


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("method=elo", "method should be one of ew, trueskill, bradley-terry, mean, not &#x27;elo&#x27;"),
        ("confidence=95", "confidence should be at most 0.999, not 95"),
        ("replicates=1001", "with ew there may be 1000 replicates at most"),
        ("replicates=2", "2 replicates are too few"),
        ("tie_width=5", "these are rankings"),
        ("units=pair", "there is no parameter &#x27;units&#x27;; parameters are: method, unit,"),
    ],
)
def test_impossible_parameters_are_refused_in_words(researcher: Client, query: str, fault: str) -> None:
    campaign = small_campaign(small_corpus())
    address = f"/campaigns/{campaign.uuid}/ranking/"
    response = researcher.get(f"{address}?{query}")
    assert response.status_code == 400
    page = response.content.decode()
    assert fault in page
    assert "Signature" not in page
    figure = f"/campaigns/{campaign.uuid}/analyses/ranking/ranking.svg"
    assert researcher.get(f"{figure}?{query}").status_code == 400
    assert researcher.post(f"{address}compute/?{query}").status_code == (302 if "=2" in query else 400)


@pytest.mark.any_database
def test_clusters_and_rank_ranges_stand_beside_the_scores(researcher: Client) -> None:
    rankings = [ranking("anna", 0, "Alder Birch > Cedar > INPUT")] * 20
    campaign = small_campaign(small_corpus(), rankings=rankings)
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/?unit=pair").content.decode()
    table = page[page.index('<table class="marks standings">') : page.index("<tfoot")]
    rows = [re.findall(r"<t[dh][^>]*>([^<]*?) *<", row) for row in table.split("<tr>")[2:]]
    assert rows == [
        ["1–2", "Alder", "", "1.000", "1.00–1.00", "40"],
        ["1–2", "Birch", "", "1.000", "1.00–1.00", "40"],
        ["3", "Cedar", "", "0.333", "0.33–0.33", "60"],
        ["4", "INPUT", "", "0.000", "0.00–0.00", "60"],
    ]
    assert table.count('<svg class="plot hollow"') == 1, "of the source"
    assert [table.count(f"cluster {number}<") for number in (1, 2, 3)] == [2, 1, 1]
    assert "1000 replicates, resampled by pair" in page
    assert "below cluster 1 100\N{NO-BREAK SPACE}%, below cluster 2 100\N{NO-BREAK SPACE}%." in page
    assert "resampling sentences none, since there is only one sentence" in page


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("unit", "meaning"),
    [
        ("pair", "for claims about systems, resample by sentence"),
        ("judgment", "other judgments of the same sentences"),
        ("sentence", "other sentences of the same kind"),
        ("judge", "with other annotators; with few annotators it is imprecise"),
    ],
)
def test_it_says_what_ranges_mean_by_the_unit_that_is_resampled(
    researcher: Client, unit: str, meaning: str
) -> None:
    campaign = small_campaign(small_corpus())
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/?unit={unit}").content.decode()
    assert [meaning in page for meaning in UNIT_MEANINGS.values()].count(True) == 1
    assert meaning in page


@pytest.mark.any_database
def test_columns_of_head_to_head_have_the_numbers_of_the_rows(researcher: Client) -> None:
    campaign = small_campaign(small_corpus())
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    section = page[page.index('id="head-to-head"') :]
    heads = re.findall(r'<th scope="col" title="(\w+)">(\d+)<', section)
    rows = re.findall(r'<span class="place">(\d+)</span> (\w+)</th>', section)
    assert [number for _, number in heads] == ["1", "2", "3", "4"]
    assert [(name, number) for number, name in rows] == heads


@pytest.mark.any_database
def test_head_to_head_is_tested_by_sentence_and_by_pair_if_pairs_are_resampled(researcher: Client) -> None:
    """Five judgments of one sentence agree: one opinion, or 2 / 2^5."""
    campaign = small_campaign(
        small_corpus(), rankings=[ranking(f"judge {number}", 0, "Alder > Cedar") for number in range(5)]
    )
    address = f"/campaigns/{campaign.uuid}/ranking/"
    by_sentence, by_pair = (
        researcher.get(address, {"unit": unit}).content.decode() for unit in ("sentence", "pair")
    )
    assert "exchanged together" in by_sentence
    assert "5 won, 0 lost, 0 tied; p = 1" in by_sentence
    assert "overstate the evidence" in by_pair
    assert "5 won, 0 lost, 0 tied; p = 0.06" in by_pair


def test_ranges_of_trueskill_by_pair_are_said_to_be_those_of_runs() -> None:
    by_pair = RankingParameters(method=Method.TRUESKILL, unit=Unit.PAIR)
    assert by_pair.unit_meaning == f"{UNIT_MEANINGS[Unit.PAIR]} {RANGES_OF_RUNS}"
    assert RankingParameters(unit=Unit.PAIR).unit_meaning == UNIT_MEANINGS[Unit.PAIR]
    assert RankingParameters(method=Method.TRUESKILL).unit_meaning == UNIT_MEANINGS[Unit.SENTENCE]


@pytest.mark.any_database
def test_methods_stand_side_by_side(researcher: Client) -> None:
    rankings = [ranking("anna", 0, "Alder Birch > Cedar")] * 3 + [ranking("anna", 1, "Cedar > Alder")]
    campaign = small_campaign(small_corpus(), rankings=rankings)
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/?method=trueskill").content.decode()
    section = page[page.index('id="methods"') : page.index('id="agreement"')]
    heads = re.findall(r'<th scope="col"[^>]*>([^<]*)<', section)
    assert heads == ["System", "TrueSkill", "ExpectedWins", "Bradley-Terry"]
    rows = [re.sub(r"<[^>]*>", " ", row).split() for row in section.split("<tr>")[2:]]
    assert [row[0] for row in rows] == ["Birch", "Alder", "Cedar"]
    assert [row[2:5] for row in rows] == [["1", "1.000", "1"], ["2", "0.750", "2"], ["3", "0.125", "3"]]


@pytest.mark.any_database
def test_agreement_has_alphas_and_each_judge_with_the_others(researcher: Client) -> None:
    rankings = [
        ranking(judge, 0, order)
        for judge, order in (("anna", "Alder Birch > Cedar"), ("ben", "Cedar > Alder Birch"))
    ]
    campaign = small_campaign(small_corpus(), rankings=rankings)
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    assert "α over pairs, nominal" in page
    assert page.count("judged by several") == 2
    assert "κ with the others" in page
    assert page.count('<td class="number">-1.000</td>') == 2


@pytest.mark.any_database
def test_it_warns_where_pairs_claim_more_than_sentences(researcher: Client) -> None:
    """Two sentences that disagree, one of them judged more often."""
    rankings = [ranking("anna", 0, "Alder Birch > Cedar")] * 60 + [ranking("anna", 1, "Cedar > Alder")] * 20
    campaign = small_campaign(small_corpus(), rankings=rankings)
    address = f"/campaigns/{campaign.uuid}/ranking/"
    warning = "Resampling pairs claims 3 clusters, resampling sentences 1."
    by_sentence = researcher.get(address).content.decode()
    assert warning not in by_sentence
    [by_pair] = re.findall(r'href="([^"]+)">resample pairs<', by_sentence)
    assert warning in researcher.get(f"{address}{unescape(by_pair)}").content.decode()


@pytest.mark.any_database
def test_the_heading_states_the_result(researcher: Client) -> None:
    """All sentences are judged alike, so resampling them changes nothing."""
    rankings = [ranking("anna", sentence, order) for sentence, order in ((0, "Alder Birch > Cedar"),) * 9]
    rankings += [ranking("ben", 1, "Birch > Cedar"), ranking("ben", 1, "Alder > Cedar")]
    campaign = small_campaign(small_corpus(), rankings=rankings)
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    assert "<h1>Alder and Birch are together ranked first" in page


@pytest.mark.any_database
def test_each_linked_file_comes_with_its_signature(researcher: Client) -> None:
    """Those of the agreement, and of what is computed with it, bear the signature of the agreement."""
    campaign = small_campaign(small_corpus())
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    links = set(map(unescape, re.findall(r'href="([^"]+)" download', page)))
    tables = {link for link in links if ".csv" in link}
    assert {link.split("/analyses/")[1].split(".")[0] for link in tables} == {
        *("ranking/systems", "ranking/methods", "ranking/head-to-head"),
        *("agreement/agreement", "agreement/pairs-of-annotators", "agreement/annotators"),
    }
    for link in tables:
        rows = list(csv.DictReader(StringIO(text_of(researcher, link))))
        signed = "ew" if link.split("/")[-1].split(".")[0] in ("systems", "methods") else "agreement"
        assert {row["signature"].split("|")[0] for row in rows} == {signed}
        latex = text_of(researcher, link.replace(".csv", ".tex"))
        assert f"% {rows[0]['signature']}" in latex
        assert latex.count(r"\\") == len(rows) + 1
        assert not re.search(r"\b(anna|ben|nan)\b", latex, re.IGNORECASE)
    assert all(researcher.get(link).status_code == 200 for link in links - tables)


def text_of(client: Client, address: str) -> str:
    return client.get(address).getvalue().decode()
