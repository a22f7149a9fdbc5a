"""Pages and figures for admins and researchers show labels; files and scores use identifiers only."""

import pytest
from django.test import Client

from annotate.models import Campaign, Corpus, System
from tests.annotate.designs import draft_campaign
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.any_database

LABEL = "Alder <b> نظام"
SHOWN = '<bdi title="Alder">Alder &lt;b&gt; نظام</bdi>'


@pytest.fixture
def corpus(db: None) -> Corpus:
    corpus = small_corpus()
    System.objects.filter(name="Alder").update(label=LABEL)
    return corpus


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_pages_show_labels(researcher: Client, campaign: Campaign) -> None:
    assert page(researcher, campaign.get_absolute_url()).count(SHOWN) == 5
    ranking = page(researcher, f"{campaign.get_absolute_url()}ranking/")
    assert ranking.count(SHOWN) == 3
    assert 'title="Alder &lt;b&gt; نظام"' in ranking
    corpus = page(researcher, campaign.corpus.get_absolute_url())
    assert corpus.count(SHOWN) == 4
    assert "<bdi>Alder &lt;b&gt; نظام</bdi> <code>Alder</code>" in corpus


def test_admins_choose_systems_by_label(admin: Client, corpus: Corpus) -> None:
    draft = draft_campaign(corpus)
    assert SHOWN in page(admin, f"/campaigns/{draft.uuid}/manage/")
    assert "Alder &lt;b&gt; نظام" in page(admin, f"/campaigns/{draft.uuid}/edit/")


def test_figures_show_labels(researcher: Client, campaign: Campaign) -> None:
    figure = page(researcher, f"{campaign.get_absolute_url()}analyses/ranking/ranking.svg")
    assert "Alder &lt;b&gt; نظام" in figure
    assert ">Alder<" not in figure


def test_systems_with_one_label_are_told_apart_in_figures(researcher: Client, campaign: Campaign) -> None:
    System.objects.filter(name="Birch").update(label="Cedar")
    figure = page(researcher, f"{campaign.get_absolute_url()}analyses/ranking/ranking.svg")
    assert ">Cedar (Birch)<" in figure
    assert ">Cedar (Cedar)<" in figure


def test_files_and_programs_know_identifiers(researcher: Client, campaign: Campaign) -> None:
    address = f"/api/v1/campaigns/{campaign.uuid}/"
    ranking = page(researcher, f"{address}ranking/")
    assert "Alder" in ranking
    assert LABEL not in ranking
    export = researcher.get(f"{campaign.get_absolute_url()}export/?file_format=csv")
    content = export.getvalue().decode()
    assert "Alder" in content
    assert "نظام" not in content
    systems = researcher.get(f"/api/v1/corpora/{campaign.corpus.uuid}/").json()["systems"]
    assert {"name": "Alder", "label": LABEL, "role": "system", "family": ""} in systems
