"""Results that are published at a link."""

import re
import zipfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import cast

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.utils.html import escape
from pytest_django import DjangoDbBlocker

from analysis.analyses.systems.ranking import RANKING, RankingParameters
from analysis.models import Publication, PublicationPiece
from analysis.publishing import publications, storing
from analysis.publishing.citation import citation
from annotate.corpora.describing import describe
from annotate.models import AuditEntry, Campaign, User
from formats.naming import SystemNames
from jobs.models import Job, JobState
from jobs.refusals import RefusedError
from jobs.worker import run_queued_jobs
from tests.analysis.publishing.published import draw_nothing, published_result
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = pytest.mark.usefixtures("nothing_drawn")


def downloaded(client: Client, publication: Publication) -> bytes:
    response = client.get(f"{publication.get_absolute_url()}ranking.zip")
    assert response.status_code == 200
    return b"".join(cast(Iterable[bytes], response))


def test_the_page_warns_of_names_while_others_judge_the_same_corpus(
    admin: Client, campaign: Campaign
) -> None:
    address = f"/campaigns/{campaign.uuid}/published/"
    running_campaign(small_corpus("another"), "of another corpus")
    assert "still judging" not in admin.get(address).content.decode()
    running_campaign(campaign.corpus, "spring <b>")
    assert "still judging this corpus in spring &lt;b&gt;. In" in admin.get(address).content.decode()
    running_campaign(campaign.corpus, "summer")
    assert "in spring &lt;b&gt; and 1 other campaign. In" in admin.get(address).content.decode()


def test_an_admin_publishes_and_anyone_with_the_link_reads(
    admin: Client, client: Client, campaign: Campaign, tmp_path: Path
) -> None:
    address = f"/campaigns/{campaign.uuid}/published/?replicates=20&seed=7"
    response = admin.post(address, {"title": "Spring <b>2026</b>", "with_names": "on"}, follow=True)
    assert "The result is being prepared." in response.content.decode()
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


@pytest.mark.any_database
def test_the_page_of_a_ranking_is_a_leaderboard(client: Client, campaign: Campaign) -> None:
    publication = published_result(campaign)
    content = publication.content
    assert content
    text = client.get(publication.get_absolute_url()).content.decode()
    systems = text.partition("</table>")[0]
    rows = [row for cluster in content["ranking"]["clusters"] for row in cluster]
    assert systems.count("<circle") == len(rows) == len(content["tables"][0]["rows"])
    assert systems.count('class="plot hollow"') == 1, "the source"
    assert systems.count("<tbody>") == len(content["ranking"]["clusters"])
    assert [row["score"] for row in rows] == [row[1].split()[0] for row in content["tables"][0]["rows"]]
    headings = [
        text.index(f">{heading}<") for heading in ("How it was judged", "Head to head", "How to cite")
    ]
    assert headings == sorted(headings)
    assert text.index("Download everything") > text.index("</table>"), "the result comes first"
    assert [text.count(signature) for _, signature in content["signatures"]] == [1, 1]
    assert "INPUT (the unchanged text) is ranked like a system" in text.partition("<table")[0]
    wins = content["ranking"]["head_to_head"][0][1][1][2]
    assert re.fullmatch(r"\d+ won, \d+ lost, \d+ tied", wins)
    assert text.count(f'title="{wins}"') >= 1
    assert text.count('<tr><th scope="row"><span class="place">') == len(rows), "head to head, as a table"
    assert "<picture" not in text.partition("<details")[0]
    assert f'<meta property="og:title" content="{escape(content["headline"])}">' in text


def test_a_ranking_that_was_published_before_there_were_leaderboards_is_shown(
    client: Client, campaign: Campaign
) -> None:
    publication = published_result(campaign)
    content = publication.content
    assert content
    del content["ranking"], content["analysis"]
    publication.preview.delete()
    publication.save()
    drawn = client.get(publication.get_absolute_url()).content.decode()
    assert "<circle" in drawn.partition("</table>")[0]
    assert "head-to-head.svg" in drawn
    assert "ranking.svg" not in drawn
    assert "og:image" not in drawn
    # Still earlier ones drew nothing in tables.
    for key in ("drawn", "drawn_as", "marks"):
        del content["tables"][0][key]
    content["figures"] = [{"name": each["name"], "caption": each["caption"]} for each in content["figures"]]
    publication.save()
    before = client.get(publication.get_absolute_url()).content.decode()
    assert "<circle" not in before.partition("</table>")[0]
    assert "ranking.svg" in before


def test_bars_of_a_table_begin_at_0_on_published_pages(client: Client, campaign: Campaign) -> None:
    publication = published_result(campaign, "fragility")
    assert publication.content
    table = publication.content["tables"][0]
    drawn = [mark for mark in table["marks"] if mark]
    assert drawn
    assert all(mark[4] for mark in drawn)
    page = client.get(publication.get_absolute_url()).content.decode()
    assert page.count('<rect class="bar" x="4.0%"') == len(drawn)
    assert f"Lines from 0 for {'each row' if len(drawn) < 9 else 'the first 8 of'}" in page


def test_results_beside_a_ranking_are_shown_where_an_admin_chose_so(
    admin: Client, client: Client, campaign: Campaign
) -> None:
    ranked = published_result(campaign)
    address = f"/campaigns/{campaign.uuid}/published/?analysis=fragility"
    form = {"title": "Fragile", "is_beside_rankings": "on"}
    refused = admin.post(address, form)
    assert "systems have other numbers" in refused.content.decode()
    published_result(campaign, "fragility", title="Apart")
    assert "companion-1" not in client.get(ranked.get_absolute_url()).content.decode()
    admin.post(address, {**form, "with_names": "on"})
    run_queued_jobs()
    beside = Publication.objects.get(title="Fragile")
    assert beside.content
    page = client.get(ranked.get_absolute_url()).content.decode()
    section = page.partition('id="companion-1"')[2].partition("</section>")[0]
    assert escape(beside.content["headline"]) in section
    assert beside.get_absolute_url() in section
    assert "<table" in section
    unnamed = published_result(campaign, with_names=False, title="Unnamed")
    assert "companion-1" not in client.get(unnamed.get_absolute_url()).content.decode()
    admin.post(f"/campaigns/{campaign.uuid}/published/{beside.uuid}/retract/")
    assert "companion-1" not in client.get(ranked.get_absolute_url()).content.decode()


def test_a_shared_link_has_a_picture_until_the_result_is_retracted(
    admin: Client, client: Client, campaign: Campaign
) -> None:
    admin.post(f"/campaigns/{campaign.uuid}/published/?replicates=20", {"title": "Hidden"})
    publication = Publication.objects.get()
    address = f"{publication.get_absolute_url()}preview.png"
    assert client.get(address).status_code == 404, "it is being prepared"
    assert "og:" not in client.get(publication.get_absolute_url()).content.decode()
    run_queued_jobs()
    picture = client.get(address)
    assert picture["Content-Type"] == "image/png"
    assert picture["Cache-Control"] == "no-store"
    page = client.get(publication.get_absolute_url()).content.decode()
    head = page.partition("</head>")[0]
    assert f'<meta property="og:image" content="http://testserver{address}">' in head
    assert '<meta name="twitter:card" content="summary_large_image">' in head
    assert 'property="og:image:alt" content="' in head
    assert "Alder" not in head
    admin.post(f"/campaigns/{campaign.uuid}/published/{publication.uuid}/retract/")
    gone = client.get(address)
    assert gone.status_code == 410
    assert "og:" not in client.get(publication.get_absolute_url()).content.decode()


def test_figures_keep_their_room_while_they_load(client: Client, campaign: Campaign) -> None:
    publication = published_result(campaign)
    svg = '<svg xmlns="http://www.w3.org/2000/svg" class="marks" width="{}" height="415" viewBox="0 0 9 9"/>'
    for layout, width in (("wide", "597"), ("narrow", "301.5")):
        publication.figures.filter(layout=layout).update(svg=svg.format(width))
    page = client.get(publication.get_absolute_url()).content.decode()
    figure = page.partition('id="figure-agreement"')[2].partition("</picture>")[0]
    assert figure.count('width="301.5" height="415"') == 2
    assert figure.count('width="597" height="415"') == 2


@pytest.mark.any_database
def test_a_retracted_ranking_says_so_and_comes_back(
    admin: Client, client: Client, campaign: Campaign
) -> None:
    publication = published_result(campaign)
    address = f"/campaigns/{campaign.uuid}/published/{publication.uuid}"
    admin.post(f"{address}/retract/")
    page = client.get(publication.get_absolute_url())
    assert page.status_code == 410
    assert "This result was retracted" in page.content.decode()
    assert "Alder" not in page.content.decode()
    assert publication.title not in page.content.decode()
    for name in ("ranking.zip", "ranking.svg"):
        gone = client.get(f"{publication.get_absolute_url()}{name}")
        assert gone.status_code == 410
        assert "This result was retracted" in gone.content.decode()
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
            RANKING,
            title="Early",
            with_names=True,
            parameters=RankingParameters(),
            by=User.objects.create_user("somebody", role="admin"),
        )


def test_a_zip_is_stored_and_sent_in_pieces(
    campaign: Campaign, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "PIECE", 1000)
    publication = published_result(campaign)
    assert PublicationPiece.objects.count() > 5
    assert zipfile.ZipFile(BytesIO(downloaded(client, publication))).testzip() is None


def test_a_rerun_after_the_end_of_the_storing_changes_nothing(campaign: Campaign, client: Client) -> None:
    """Its worker was killed before it could say that the job is done."""
    publication = published_result(campaign, with_names=False)
    stored = downloaded(client, publication)
    Job.objects.update(state=JobState.QUEUED)
    run_queued_jobs()
    assert Job.objects.get().state == JobState.DONE
    assert downloaded(client, publication) == stored


@pytest.mark.parametrize(
    ("query", "title", "message"),
    [
        ("", "", "This field is required."),
        ("method=bt", "A", "should be one of ew, trueskill, bradley-terry, mean"),
    ],
)
def test_unpublishable_analyses_are_refused(
    admin: Client, campaign: Campaign, query: str, title: str, message: str
) -> None:
    answer = admin.post(f"/campaigns/{campaign.uuid}/published/?{query}", {"title": title})
    assert answer.status_code == 400
    assert message in answer.content.decode()
    assert not Publication.objects.exists()


@pytest.mark.any_database
def test_the_page_says_how_to_cite(admin: Client, client: Client, campaign: Campaign) -> None:
    form = {"title": "50 % & more", "authors": 'Anna "A." Alder', "with_names": "on"}
    admin.post(f"/campaigns/{campaign.uuid}/published/?replicates=20", form)
    run_queued_jobs()
    publication = Publication.objects.get()
    address = f"http://testserver{publication.get_absolute_url()}"
    cited = citation(publication, address)
    assert cited["text"].startswith('Anna "A." Alder. 50 % & more. ')
    assert "title = {{50 \\% \\& more}}," in cited["bibtex"]
    assert f"howpublished = {{\\url{{{address}}}}}," in cited["bibtex"]
    assert '  - name: "Anna \\"A.\\" Alder"' in cited["cff"]
    page = client.get(publication.get_absolute_url()).content.decode()
    for text in cited.values():
        assert escape(text) in page


@pytest.mark.parametrize(
    ("title", "cited"),
    [
        ("gjg15", "gjg15: human judgments of 12 systems. Assay, 2026. https://assay.example/"),
        ("Rankings of 2014", "Rankings of 2014. Assay, 2026. https://assay.example/"),
    ],
)
def test_the_name_of_a_campaign_is_cited_with_what_the_data_are(title: str, cited: str) -> None:
    publication = Publication(title=title, content={"facts": [["Systems judged", "12"]]})
    publication.published_at = datetime(2026, 11, 27, tzinfo=UTC)
    assert citation(publication, "https://assay.example/")["text"] == cited


@pytest.mark.any_database
def test_an_admin_chooses_what_to_publish(admin: Client, campaign: Campaign) -> None:
    page = admin.get(f"/campaigns/{campaign.uuid}/published/?analysis=stopping&planned=50").content.decode()
    assert "When to stop" in page
    assert "planned=50" in page
    admin.post(f"/campaigns/{campaign.uuid}/published/?analysis=stopping&planned=50", {"title": "Stop"})
    run_queued_jobs()
    publication = Publication.objects.get()
    assert publication.analysis == "stopping"
    assert publication.parameters["planned"] == "50"
    page = admin.get(f"/campaigns/{campaign.uuid}/analyses/stopping/?planned=50").content.decode()
    assert f"/campaigns/{campaign.uuid}/published/?analysis=stopping&amp;planned=50" in page
    for unknown in ("quality", "nothing"):
        assert admin.get(f"/campaigns/{campaign.uuid}/published/?analysis={unknown}").status_code == 404


@pytest.mark.any_database
def test_analyses_with_nothing_to_publish_are_not_offered(admin: Client, campaign: Campaign) -> None:
    address = f"/campaigns/{campaign.uuid}/published/"
    offered = admin.get(address).content.decode()
    assert "?analysis=fragility#publish" in offered
    assert "?analysis=metrics-people#publish" not in offered, "nothing is scored"
    assert (
        "?analysis=metrics-people#publish" in admin.get(f"{address}?analysis=metrics-people").content.decode()
    )


@pytest.fixture(scope="class")
def published(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Publication]:
    """Published once for the tests of the class."""
    with pytest.MonkeyPatch.context() as patched, django_db_blocker.unblock(), transaction.atomic():
        draw_nothing(patched)
        yield published_result(small_campaign(small_corpus()), "fragility")
        transaction.set_rollback(True)


@pytest.mark.any_database
class TestReaders:
    @pytest.fixture
    def publication(self, published: Publication, db: None) -> Publication:
        return Publication.objects.get()

    def test_only_admins_publish_and_anyone_with_the_link_reads(
        self, publication: Publication, client: Client, annotator: Client, researcher: Client, admin: Client
    ) -> None:
        page = f"/campaigns/{publication.campaign.uuid}/published/"
        for reader in (client, annotator, researcher, admin):
            assert reader.get(publication.get_absolute_url()).status_code == 200
            assert reader.get(f"{publication.get_absolute_url()}fragility.zip").status_code == 200
        for other in (client, annotator, researcher):
            assert other.get(page).status_code in (302, 403, 404)
            assert other.post(page, {"title": "Mine"}).status_code in (302, 403, 404)
            assert other.post(f"{page}{publication.uuid}/retract/").status_code in (302, 403, 404)
        assert Publication.objects.get().retracted_at is None

    def test_no_cache_stores_it(self, publication: Publication, client: Client) -> None:
        for name in ("", "fragility.zip", "fragility.svg", "fragility.svg?theme=dark"):
            address = f"{publication.get_absolute_url()}{name}"
            answer = client.get(address, headers={"If-None-Match": "*"})
            assert answer.status_code == 200
            assert answer["Cache-Control"] == "no-store"
            assert answer["X-Robots-Tag"] == "noindex"
            assert not answer.has_header("ETag")
            assert not answer.has_header("Last-Modified")

    def test_a_phone_has_figures_of_its_own_unless_they_were_stored_before(
        self, campaign: Campaign, client: Client
    ) -> None:
        publication = published_result(campaign, "stopping")
        address = publication.get_absolute_url()
        assert "stopping.svg?layout=narrow&amp;theme=dark" in client.get(address).content.decode()
        for theme in ("light", "dark"):
            assert client.get(f"{address}stopping.svg?layout=narrow&theme={theme}").status_code == 200
        publication.figures.filter(layout="narrow").delete()
        assert "layout=narrow" not in client.get(address).content.decode()
        assert client.get(f"{address}stopping.svg?layout=narrow").status_code == 404

    def test_files_have_the_name_of_the_analysis(self, publication: Publication, client: Client) -> None:
        link = publication.link
        sent = client.get(f"/published/{link}/fragility.zip")
        assert sent["Content-Disposition"] == 'attachment; filename="fragility.zip"'
        for name in ("nowhere/", *(f"{link}/{file}" for file in ("ranking.zip", "unknown.svg"))):
            assert client.get(f"/published/{name}").status_code == 404
        assert client.get(f"/published/{link}/fragility.svg?theme=x").status_code == 404


@pytest.mark.any_database
def test_a_published_result_stays_as_it_was_when_its_corpus_is_described_anew(
    admin: Client, client: Client, campaign: Campaign
) -> None:
    publication = published_result(campaign)
    address = publication.get_absolute_url()
    before = client.get(address).content, downloaded(client, publication)
    corpus = campaign.corpus
    describe(
        corpus,
        name="Letters",
        language="cs",
        tokenisation="running",
        holds_essays=False,
        systems={
            "Alder": SystemNames("Alder", "Alder et al.", "reference"),
            "INPUT": SystemNames("INPUT", "", "system"),
        },
        domains=["mail"] * corpus.sentence_count,
        by=None,
    )
    assert (client.get(address).content, downloaded(client, publication)) == before
    ranking = admin.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    assert "Alder et al." in ranking, "while the campaign's own page follows the corpus"
