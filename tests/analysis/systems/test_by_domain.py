"""Systems by domain."""

import pytest
from django.test import Client

from analysis.analyses.systems import by_domain
from analysis.analyses.systems.by_domain import BY_DOMAIN, ByDomain, methods
from analysis.analyses.systems.ranking import RANKING, RankingParameters
from annotate.models import Campaign
from tests.analysis.scored_campaigns import result_of
from tests.annotate.samples import campaign_without_texts, ranking, sentence, small_campaign, small_corpus

pytestmark = pytest.mark.any_database

ADDRESS = "/campaigns/{}/analyses/by-domain/"
DOMAINS = {"news": "Alder > Birch > Cedar > INPUT", "mail": "Birch > Alder > Cedar > INPUT"}


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Two annotators agree that Alder is best in news and Birch in mail, on three sentences of each."""
    sentences = [
        sentence(f"It {n} .", f"It {n} !", f"It {n} ?", f"It {n} :", domain=list(DOMAINS)[n % 2])
        for n in range(6)
    ]
    rankings = [ranking(name, n, list(DOMAINS.values())[n % 2]) for n in range(6) for name in ("anna", "ben")]
    return small_campaign(small_corpus(sentences=sentences), rankings=rankings)


def test_each_domain_is_ranked_by_its_own_judgments(campaign: Campaign) -> None:
    result: ByDomain = result_of(BY_DOMAIN, campaign)
    found = {each.domain: [row.system for row in each.standings.systems] for each in result.domains}
    assert found == {domain: order.split(" > ") for domain, order in DOMAINS.items()}
    assert {each.sentences for each in result.domains} == {3}
    assert {(each.kappa.n, each.kappa.observed) for each in result.domains} == {(18, 1.0)}


def test_a_domain_has_the_numbers_of_a_campaign_of_it_alone(campaign: Campaign) -> None:
    parameters = RankingParameters(seed=3)
    [mail, _] = result_of(BY_DOMAIN, campaign, parameters).domains
    campaign.judgments.exclude(item__sentence__domain="mail").delete()
    alone = result_of(RANKING, campaign, parameters).standings
    assert mail.standings.systems == alone.systems


def test_domains_are_compared_by_the_scores_of_their_systems(campaign: Campaign) -> None:
    [pair] = result_of(BY_DOMAIN, campaign).pairs
    assert (pair.first, pair.second) == ("mail", "news")
    assert pair.spearman.value == pytest.approx(0.8), "two of four systems change places"


def test_the_page_names_the_best_of_each_domain_and_draws_all(campaign: Campaign, researcher: Client) -> None:
    address = ADDRESS.format(campaign.uuid)
    page = researcher.get(address).content.decode()
    assert "A different system has the highest score in each of 2 domains" in page
    assert "least alike in mail and news (ρ = 0.80)" in page
    drawn = researcher.get(f"{address}systems.svg").content.decode()
    assert all(domain in drawn for domain in DOMAINS)


def test_files_have_a_row_for_each_system_of_a_domain(campaign: Campaign, researcher: Client) -> None:
    address = ADDRESS.format(campaign.uuid)
    lines = b"".join(researcher.get(f"{address}systems.csv")).decode().splitlines()
    assert lines[0].startswith("domain,system,score,low,high,first_rank,last_rank,cluster,remark")
    assert [line.split(",")[:2] for line in lines[1:5]] == [
        ["mail", system] for system in ("Birch", "Alder", "Cedar", "INPUT")
    ]


@pytest.mark.parametrize(("replicates", "sentences"), [(0, 1), (40, 2)])
def test_the_methods_speak_of_intervals_where_there_are_some(
    campaign: Campaign, replicates: int, sentences: int
) -> None:
    parameters = BY_DOMAIN.resolved(RankingParameters(replicates=replicates), scored=False)
    said = methods(parameters, result_of(BY_DOMAIN, campaign, parameters))
    assert len(said) == sentences
    assert ("40 resamples of the sentences of each domain" in said[-1]) == bool(replicates)


def test_the_domains_with_the_most_sentences_are_ranked(
    campaign: Campaign, researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_domain, "MOST_DOMAINS", 1)
    campaign.corpus.sentences.filter(position=0).update(domain="mail")
    result: ByDomain = result_of(BY_DOMAIN, campaign)
    assert [(each.domain, each.sentences) for each in result.domains] == [("mail", 4)]
    page = researcher.get(ADDRESS.format(campaign.uuid)).content.decode()
    assert "Not ranked: 1 further domain with fewer judged sentences." in page


def test_a_corpus_without_domains_has_nothing_to_compare(db: None, researcher: Client) -> None:
    page = researcher.get(ADDRESS.format(campaign_without_texts().uuid)).content.decode()
    assert "Import the corpus with domains" in page


def test_a_result_without_domains_is_not_offered_for_publishing(db: None, admin: Client) -> None:
    judged = campaign_without_texts(rankings=[ranking("anna", 0, "Alder > Birch")])
    page = admin.get(ADDRESS.format(judged.uuid)).content.decode()
    assert "No judged sentence has a domain" in page
    assert "published/?analysis" not in page


def test_a_result_is_offered_for_publishing(campaign: Campaign, admin: Client) -> None:
    assert "published/?analysis=by-domain" in admin.get(ADDRESS.format(campaign.uuid)).content.decode()
