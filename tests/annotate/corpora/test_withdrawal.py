"""A withdrawn system is hidden from pages, metrics and rankings; judgments and published results keep it."""

from pathlib import Path

import pytest
from django.test import Client

from analysis.analyses.systems.ranking import RANKING, RankingParameters
from analysis.models import Publication
from analysis.runs.requests import request_of
from annotate.campaigns.forms import CampaignForm
from annotate.corpora.withdrawal import WithdrawalRefusedError, take_back, withdraw
from annotate.design.protocols import PROTOCOLS
from annotate.models import AuditEntry, Campaign, Corpus, Role, System, SystemScore
from annotate.scores.corpus_outputs import corpus_outputs
from annotate.scores.queries import score_sets, score_table
from formats.snapshot.vocabulary import ProtocolName
from tests.analysis.publishing.published import published_result
from tests.analysis.scored_campaigns import result_of
from tests.annotate.api.asking import ask, program
from tests.annotate.corpora.test_additions import planned, scored, state_of
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    """Scored by a metric."""
    corpus = small_corpus()
    scored(corpus, "gleu")
    return corpus


@pytest.fixture
def campaign(corpus: Corpus) -> Campaign:
    return small_campaign(corpus)


def ranked(campaign: Campaign) -> set[str]:
    """The systems of the ranking."""
    return {each.system for each in result_of(RANKING, campaign).standings.systems}


def text_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_rankings_and_metrics_leave_it_out(corpus: Corpus, campaign: Campaign) -> None:
    assert "Cedar" in ranked(campaign)
    withdraw(corpus, "Cedar", by=None)
    assert ranked(campaign) == {"INPUT", "Alder", "Birch"}
    request = request_of(RANKING, campaign, RankingParameters())
    assert request.left_out.systems == ("Cedar",)
    assert set(corpus_outputs(corpus).systems) == {"INPUT", "Alder", "Birch"}
    table = score_table(corpus, list(score_sets(corpus)))
    assert [row.system.name for row in table.rows] == ["Alder", "Birch", "INPUT"]
    take_back(corpus, "Cedar", by=None)
    assert "Cedar" in ranked(campaign)
    assert SystemScore.objects.filter(system__name="Cedar").exists(), "Its scores were kept."


def test_pages_do_not_show_it(corpus: Corpus, campaign: Campaign, client: Client, researcher: Client) -> None:
    [scores] = score_sets(corpus)
    pages = [
        corpus.get_absolute_url(),
        f"/corpora/{corpus.uuid}/scores/",
        scores.get_absolute_url(),
        campaign.get_absolute_url(),
        f"/campaigns/{campaign.uuid}/ranking/",
    ]
    for page in pages:
        assert "Cedar" in text_of(researcher, page), page
    withdraw(corpus, "Cedar", by=None)
    for page in pages:
        said = text_of(researcher, page).replace("without:Cedar", "")  # In the signature of the ranking.
        assert "Cedar" not in said, page
    assert "3 systems" in text_of(researcher, corpus.get_absolute_url())
    row = ask(program(Role.RESEARCHER), f"corpora/{corpus.uuid}/")
    assert (row["system_count"], len(row["systems"])) == (3, 3)


def test_outputs_of_no_other_system_are_hidden(corpus: Corpus, researcher: Client) -> None:
    """Sentence 1 has an empty output by Cedar alone."""
    assert corpus.distinct_outputs == [0, 1, 0, 2, 1]
    withdraw(corpus, "Cedar", by=None)
    corpus.refresh_from_db()
    assert corpus.distinct_outputs == [0, 1, 1, 2]
    assert "No sentence matches" in text_of(researcher, f"{corpus.get_absolute_url()}?distinct=4")
    assert "Sentence 0" in text_of(researcher, f"{corpus.get_absolute_url()}?distinct=2")


def test_judgments_and_exports_keep_it(corpus: Corpus, campaign: Campaign) -> None:
    before = state_of(campaign)
    withdraw(corpus, "Cedar", by=None)
    after = state_of(campaign)
    assert {name: after[name] for name in after if name != "systems"} == {
        name: before[name] for name in before if name != "systems"
    }


@pytest.mark.any_database
def test_published_results_keep_it(corpus: Corpus, campaign: Campaign, client: Client) -> None:
    published_result(campaign)
    link = f"/published/{Publication.objects.get().link}/"
    before = text_of(client, link)
    assert "Cedar" in before
    withdraw(corpus, "Cedar", by=None)
    assert text_of(client, link) == before


def test_a_new_campaign_cannot_ask_about_it(corpus: Corpus) -> None:
    withdraw(corpus, "Cedar", by=None)
    offered = CampaignForm(corpus, PROTOCOLS[ProtocolName.RELATIVE_RANKING]).fields["systems"].queryset  # type: ignore[attr-defined]
    assert {system.name for system in offered} == {"INPUT", "Alder", "Birch"}


def test_its_name_stays_taken(corpus: Corpus, tmp_path: Path) -> None:
    withdraw(corpus, "Cedar", by=None)
    with pytest.raises(Exception, match="has a system Cedar with other outputs"):
        planned(corpus, tmp_path, {"Cedar": "One .\nTwo .\nThree .\nFour .\n"})


@pytest.mark.parametrize("name", ["INPUT", "Elm", "", "Ced\u202ear"])
def test_what_cannot_be_withdrawn(corpus: Corpus, name: str) -> None:
    with pytest.raises(WithdrawalRefusedError):
        withdraw(corpus, name, by=None)
    with pytest.raises(WithdrawalRefusedError):
        take_back(corpus, name, by=None)


def test_an_admin_withdraws_it_on_the_page_and_takes_it_back(corpus: Corpus, admin: Client) -> None:
    address = corpus.get_absolute_url()
    page = admin.post(f"{address}withdraw/", {"system": "Cedar"}, follow=True).content.decode()
    assert "System Cedar is withdrawn." in page
    assert "Take back" in page
    assert System.every.get(name="Cedar").withdrawn_at is not None
    page = admin.post(f"{address}take-back/", {"system": "Cedar"}, follow=True).content.decode()
    assert "System Cedar is shown again." in page
    assert "has no system" in admin.post(f"{address}withdraw/", {"system": "x"}, follow=True).content.decode()
    actions = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["withdraw", "take-back"]
