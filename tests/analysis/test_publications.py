"""Rankings that are published at a link."""

import zipfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import cast

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.analyses.base import Untold
from analysis.analyses.ranking import RankingParameters
from analysis.models import Publication, PublicationPiece
from analysis.publishing import publications
from annotate.models import AuditEntry, Campaign, User
from jobs.refusals import RefusedError
from jobs.worker import run_queued_jobs
from tests.analysis.publishing import published_ranking
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_campaign, small_corpus


@pytest.fixture
def campaign(db: None) -> Campaign:
    return small_campaign(small_corpus())


def downloaded(client: Client, publication: Publication) -> bytes:
    response = client.get(f"{publication.get_absolute_url()}ranking.zip")
    assert response.status_code == 200
    return b"".join(cast(Iterable[bytes], response))


def test_an_admin_publishes_and_anyone_with_the_link_reads(
    admin: Client, client: Client, campaign: Campaign, tmp_path: Path
) -> None:
    address = f"/campaigns/{campaign.uuid}/published/?replicates=20&seed=7"
    response = admin.post(address, {"title": "Spring <b>2026</b>", "with_names": "on"}, follow=True)
    assert "The ranking is being prepared." in response.content.decode()
    publication = Publication.objects.get()
    assert client.get(publication.get_absolute_url()).status_code == 202
    run_queued_jobs()
    page = client.get(publication.get_absolute_url())
    text = page.content.decode()
    assert page.status_code == 200
    assert page["X-Robots-Tag"] == "noindex"
    assert "Spring &lt;b&gt;2026&lt;/b&gt;" in text
    assert "Alder" in text
    assert "seed:7" in text
    assert "anna" not in text
    file = tmp_path / "ranking.zip"
    file.write_bytes(downloaded(client, publication))
    call_command("verify", file)
    with zipfile.ZipFile(file) as archive:
        assert not any(b"anna" in archive.read(name) for name in archive.namelist())
    assert AuditEntry.objects.filter(action="publish", details__title="Spring <b>2026</b>").exists()


def test_without_names_systems_are_numbers_everywhere(client: Client, campaign: Campaign) -> None:
    publication = published_ranking(campaign, with_names=False)
    page = client.get(publication.get_absolute_url()).content.decode()
    figure = client.get(f"{publication.get_absolute_url()}ranking.svg?theme=dark").content.decode()
    with zipfile.ZipFile(BytesIO(downloaded(client, publication))) as archive:
        files = b"".join(archive.read(name) for name in archive.namelist() if not name.endswith("pdf"))
    for held in (page, figure, files.decode()):
        assert "system-01" in held
        assert "Alder" not in held


def test_a_retracted_ranking_says_so_and_comes_back(
    admin: Client, client: Client, campaign: Campaign
) -> None:
    publication = published_ranking(campaign)
    address = f"/campaigns/{campaign.uuid}/published/{publication.uuid}"
    admin.post(f"{address}/retract/")
    page = client.get(publication.get_absolute_url())
    assert page.status_code == 410
    assert "This ranking was retracted" in page.content.decode()
    assert "Alder" not in page.content.decode()
    for name in ("ranking.zip", "ranking.svg"):
        assert client.get(f"{publication.get_absolute_url()}{name}").status_code == 404
    admin.post(f"{address}/retract/")
    admin.post(f"{address}/restore/")
    assert client.get(publication.get_absolute_url()).status_code == 200
    actions = list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["publish", "retract", "publish"]


def test_a_campaign_that_still_runs_is_not_published(admin: Client, db: None) -> None:
    """Its annotators would learn the ranking."""
    campaign = running_campaign(small_corpus())
    page = admin.get(f"/campaigns/{campaign.uuid}/published/").content.decode()
    assert "Close the campaign first" in page
    answer = admin.post(f"/campaigns/{campaign.uuid}/published/", {"title": "Early"})
    assert "Close the campaign first" in answer.content.decode()
    assert not Publication.objects.exists()
    with pytest.raises(RefusedError, match="Close the campaign first"):
        publications.publish(
            campaign,
            title="Early",
            with_names=True,
            parameters=RankingParameters(),
            by=User.objects.create_user("somebody", role="admin"),
        )


def test_making_it_twice_gives_one_zip_in_pieces(
    campaign: Campaign, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that was killed begins anew."""
    monkeypatch.setattr(publications, "PIECE", 1000)
    publication = published_ranking(campaign)
    pieces = PublicationPiece.objects.count()
    assert pieces > 5
    publications.make(publication, Untold())
    assert PublicationPiece.objects.count() == pieces
    assert zipfile.ZipFile(BytesIO(downloaded(client, publication))).testzip() is None


@pytest.mark.parametrize(
    ("query", "title", "message"),
    [("", "", "This field is required."), ("method=none", "A", "This is no ranking")],
)
def test_what_cannot_be_published_is_refused(
    admin: Client, campaign: Campaign, query: str, title: str, message: str
) -> None:
    answer = admin.post(f"/campaigns/{campaign.uuid}/published/?{query}", {"title": title}, follow=True)
    assert message in answer.content.decode()
    assert not Publication.objects.exists()


def test_an_unknown_link_is_not_found(client: Client, campaign: Campaign) -> None:
    publication = published_ranking(campaign)
    for name in ("nowhere/", f"{publication.link}/unknown.svg", f"{publication.link}/ranking.svg?theme=x"):
        assert client.get(f"/published/{name}").status_code == 404
