"""Living leaderboards: fixed addresses that show the newest of several published rankings."""

import zipfile
from importlib import import_module
from io import BytesIO
from pathlib import Path
from threading import Barrier, Thread
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, connection
from django.test import Client

from analysis.analyses.base import analyses
from analysis.analyses.systems.ranking import RANKING, RankingParameters
from analysis.models import Leaderboard, LeaderboardVersion, Publication
from analysis.publishing.leaderboards import current_version, make_leaderboard, show_version
from analysis.publishing.publications import publish, restore, retract
from analysis.publishing.storing import zip_of
from annotate.campaigns.deletion import delete_campaign
from annotate.corpora.withdrawal import withdraw
from annotate.models import AuditEntry, Campaign, System, User
from jobs.refusals import RefusedError
from jobs.worker import run_queued_jobs
from tests.analysis.publishing.published import draw_nothing, published_result
from tests.annotate.samples import no_progress, small_campaign, small_corpus

ADDRESS = "/leaderboards/spring-2026/"


@pytest.fixture(autouse=True)
def _nothing_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_nothing(monkeypatch)


@pytest.fixture
def chief(db: None) -> User:
    return User.objects.create_user("chief", role="admin")


@pytest.fixture
def board(campaign: Campaign, chief: User) -> Leaderboard:
    return make_leaderboard(campaign, "spring-2026", by=chief)


def test_an_admin_publishes_again_and_strangers_see_what_changed(
    admin: Client, client: Client, campaign: Campaign, tmp_path: Path
) -> None:
    page = f"/campaigns/{campaign.uuid}/published/"
    admin.post(f"/campaigns/{campaign.uuid}/leaderboards/new/", {"slug": "spring-2026"})
    assert client.get(ADDRESS).status_code == 404, "nothing is published to it"
    form = {"title": "Spring", "with_names": "on", "leaderboard": "spring-2026"}
    admin.post(f"{page}?replicates=20", form)
    assert client.get(ADDRESS).status_code == 404, "it is being prepared"
    waiting = admin.get(ADDRESS)
    assert waiting.status_code == 202
    assert "This result is being prepared" in waiting.content.decode(), "admins are told"
    text = admin.get(page).content.decode()
    assert "No version stands" not in text
    assert "not computed" not in text
    assert text.index('id="publish"') < text.index('id="new-leaderboard"')
    run_queued_jobs()
    first = Publication.objects.get()
    text = client.get(ADDRESS).content.decode()
    assert "Version 1 of" in text
    assert first.get_absolute_url() in text
    assert "What changed" not in text
    assert admin.get(ADDRESS).status_code == 200
    withdraw(campaign.corpus, "Cedar", by=None)
    admin.post(f"{page}?replicates=20&seed=7", {**form, "title": "Summer"})
    assert "Version 1 of" in client.get(ADDRESS).content.decode(), "the second is being prepared"
    run_queued_jobs()
    text = client.get(ADDRESS).content.decode()
    assert "Version 2 of" in text
    assert "What changed since version 1" in text
    assert "Cedar is no longer ranked." in text
    assert "Other settings: seed 7 instead of 0." in text
    assert "no-store" in client.get(ADDRESS)["Cache-Control"]
    # Each version stays at its own address, and verifies.
    permanent = client.get(first.get_absolute_url()).content.decode()
    assert "Cedar" in permanent
    assert "This is version 1 of the leaderboard" in permanent
    for publication in Publication.objects.all():
        file = tmp_path / "ranking.zip"
        file.write_bytes(b"".join(zip_of(publication)))
        call_command("verify", file)
        assert b"spring-2026" not in zipfile.ZipFile(BytesIO(file.read_bytes())).read("parameters.json")
    actions = AuditEntry.objects.order_by("pk").values_list("action", "details__version")
    assert [action for action, _ in actions if action != "withdraw"] == [
        "make-leaderboard",
        "publish",
        "publish",
    ]
    assert AuditEntry.objects.filter(details__version="version 2 of spring-2026").exists()


def test_a_withdrawn_version_is_shown_as_withdrawn_and_the_one_before_comes_back(
    client: Client, board: Leaderboard, chief: User
) -> None:
    first = published_result(board.campaign, title="Spring", leaderboard=board)
    second = published_result(board.campaign, title="Summer", leaderboard=board)
    third = published_result(board.campaign, title="Autumn", leaderboard=board)
    retract(second, by=chief)
    text = client.get(f"{ADDRESS}versions/").content.decode()
    assert "Withdrawn on" in text
    assert "Summer" not in text
    assert second.link not in text
    assert "Since version 1" in text
    assert "Since version 2" not in text
    retract(third, by=chief)
    assert "Version 1 of" in client.get(ADDRESS).content.decode()
    retract(first, by=chief)
    gone = client.get(ADDRESS)
    assert gone.status_code == 410
    assert "No version of this leaderboard stands" in gone.content.decode()
    assert client.get(f"{ADDRESS}versions/").content.decode().count("Withdrawn on") == 3
    restore(second, by=chief)
    assert "Version 2 of" in client.get(ADDRESS).content.decode()


def test_an_admin_sets_it_back_and_forward(
    admin: Client, client: Client, board: Leaderboard, chief: User
) -> None:
    for title in ("Spring", "Summer", "Autumn"):
        published_result(board.campaign, title=title, leaderboard=board)
    choose = f"/campaigns/{board.campaign.uuid}/leaderboards/spring-2026/versions/{{}}/show/"
    admin.post(choose.format(1))
    assert "Version 1 of" in client.get(ADDRESS).content.decode()
    assert client.get(f"{ADDRESS}versions/").content.decode().count("Set aside") == 2
    admin.post(choose.format(2))
    assert "Version 2 of" in client.get(ADDRESS).content.decode()
    published_result(board.campaign, title="Winter", leaderboard=board)
    text = client.get(ADDRESS).content.decode()
    assert "Version 4 of" in text
    assert "What changed since version 2" in text, "version 3 is set aside"
    retract(Publication.objects.get(title="Summer"), by=chief)
    refused = admin.post(choose.format(2), follow=True)
    assert "Version 2 cannot be shown: it is retracted." in refused.content.decode()
    assert admin.post(choose.format(9)).status_code == 404
    shown = AuditEntry.objects.filter(action="show-version").order_by("pk")
    assert [entry.details["version"] for entry in shown] == [1, 2]


def test_setting_back_leaves_a_version_that_is_still_computed(board: Leaderboard, chief: User) -> None:
    published_result(board.campaign, leaderboard=board)
    parameters = RankingParameters(replicates=20)
    publish(
        board.campaign,
        RANKING,
        title="Later",
        with_names=True,
        parameters=parameters,
        by=chief,
        leaderboard=board,
    )
    show_version(board, 1, by=chief)
    with pytest.raises(RefusedError, match="not computed"):
        show_version(board, 2, by=chief)
    run_queued_jobs()
    current = current_version(board)
    assert current
    assert current.number == 2


def test_a_retired_address_says_so_and_comes_back(admin: Client, client: Client, board: Leaderboard) -> None:
    publication = published_result(board.campaign, leaderboard=board)
    admin_page = f"/campaigns/{board.campaign.uuid}/leaderboards/spring-2026"
    for _ in range(2):
        admin.post(f"{admin_page}/retire/")
    for address in (ADDRESS, f"{ADDRESS}versions/"):
        gone = client.get(address)
        assert gone.status_code == 410
        assert "This leaderboard is retired" in gone.content.decode()
        assert publication.link not in gone.content.decode()
    permanent = client.get(publication.get_absolute_url())
    assert permanent.status_code == 200
    assert "spring-2026" not in permanent.content.decode()
    with pytest.raises(RefusedError, match="is retired"):
        published_result(board.campaign, leaderboard=board)
    assert Publication.objects.count() == 1
    admin.post(f"{admin_page}/reopen/")
    assert client.get(ADDRESS).status_code == 200
    actions = list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["make-leaderboard", "publish", "retire-leaderboard", "reopen-leaderboard"]


@pytest.mark.parametrize(
    "slug",
    [
        "",
        "ab",
        "a" * 61,
        "Spring",
        "spring 2026",
        "a--b",
        "-ab",
        "ab-",
        "a/b",
        "../admin",
        "<b>x</b>",
        "été",
        "a\n",
    ],
)
def test_hostile_addresses_are_refused(campaign: Campaign, chief: User, slug: str) -> None:
    with pytest.raises(ValidationError):
        make_leaderboard(campaign, slug, by=chief)


def test_an_address_belongs_to_one_leaderboard(admin: Client, board: Leaderboard) -> None:
    other = small_campaign(small_corpus("another"), "elsewhere")
    page = f"/campaigns/{other.uuid}/leaderboards/new/"
    assert (
        "Another leaderboard has the address"
        in admin.post(page, {"slug": board.slug}, follow=True).content.decode()
    )
    assert "Use 3 to 60" in admin.post(page, {"slug": "<script>"}, follow=True).content.decode()
    assert Leaderboard.objects.count() == 1
    with pytest.raises(RefusedError, match="of another campaign"):
        published_result(other, leaderboard=board)
    # A stranger to the campaign has no power over its leaderboard through the address of another one.
    for action in ("retire/", "versions/1/show/"):
        assert admin.post(f"/campaigns/{other.uuid}/leaderboards/spring-2026/{action}").status_code == 404


def test_names_and_numbers_are_not_mixed(board: Leaderboard, chief: User) -> None:
    named = published_result(board.campaign, leaderboard=board)
    with pytest.raises(RefusedError, match="Version 1 of the leaderboard shows systems by name"):
        published_result(board.campaign, with_names=False, leaderboard=board)
    retract(named, by=chief)
    published_result(board.campaign, with_names=False, leaderboard=board)
    revealing = make_leaderboard(board.campaign, "after-alder", by=chief)
    with pytest.raises(RefusedError, match="names the system Alder"):
        published_result(board.campaign, with_names=False, leaderboard=revealing)


def test_a_retracted_version_returns_only_if_names_and_numbers_are_not_mixed(
    admin: Client, board: Leaderboard, chief: User
) -> None:
    named = published_result(board.campaign, leaderboard=board)
    retract(named, by=chief)
    numbered = published_result(board.campaign, with_names=False, leaderboard=board)
    again = f"/campaigns/{board.campaign.uuid}/published/{{}}/restore/"
    refused = admin.post(again.format(named.uuid), follow=True).content.decode()
    assert "Version 2 of the leaderboard shows systems as numbers" in refused
    retract(numbered, by=chief)
    System.objects.filter(name="Alder").update(label="Results")
    assert "names the system Results" in admin.post(again.format(numbered.uuid), follow=True).content.decode()
    assert not Publication.objects.filter(retracted_at=None).exists()
    restore(named, by=chief)
    current = current_version(board)
    assert current
    assert current.number == 1


def test_a_deleted_campaign_takes_its_leaderboard_along_and_versions_of_others_stay(
    client: Client, board: Leaderboard, chief: User
) -> None:
    follow_up = small_campaign(board.campaign.corpus, "follow-up")
    Campaign.objects.filter(pk=follow_up.pk).update(follows=board.campaign)
    follow_up.refresh_from_db()
    first = published_result(board.campaign, leaderboard=board)
    second = published_result(follow_up, title="Later", leaderboard=board)
    assert "Version 2 of" in client.get(ADDRESS).content.decode()
    delete_campaign(board.campaign, by=chief, progress=no_progress)
    assert client.get(ADDRESS).status_code == 404
    assert client.get(first.get_absolute_url()).status_code == 404
    page = client.get(second.get_absolute_url())
    assert page.status_code == 200
    assert "spring-2026" not in page.content.decode()
    assert not LeaderboardVersion.objects.exists()
    make_leaderboard(small_campaign(small_corpus("another"), "elsewhere"), "spring-2026", by=chief)


def test_a_deleted_follow_up_takes_its_versions_along(
    client: Client, board: Leaderboard, chief: User
) -> None:
    follow_up = small_campaign(board.campaign.corpus, "follow-up")
    Campaign.objects.filter(pk=follow_up.pk).update(follows=board.campaign)
    follow_up.refresh_from_db()
    published_result(board.campaign, leaderboard=board)
    published_result(follow_up, title="Later", leaderboard=board)
    delete_campaign(follow_up, by=chief, progress=no_progress)
    assert "Version 1 of" in client.get(ADDRESS).content.decode()
    published_result(board.campaign, title="Later still", leaderboard=board)
    assert "Version 3 of" in client.get(ADDRESS).content.decode(), "its number is not used again"


def test_leaderboards_of_before_know_their_last_number(board: Leaderboard) -> None:
    published_result(board.campaign, leaderboard=board)
    published_result(board.campaign, title="Later", leaderboard=board)
    Leaderboard.objects.update(last_number=0)
    migration = import_module("analysis.migrations.0007_last_number")
    migration.number_of_versions(apps, SimpleNamespace(connection=connection))
    board.refresh_from_db()
    assert board.last_number == 2


def test_only_rankings_are_versions(board: Leaderboard, chief: User) -> None:
    analysis = analyses()["fragility"]
    with pytest.raises(RefusedError, match="rankings only"):
        publish(
            board.campaign,
            analysis,
            title="A",
            with_names=True,
            parameters=analysis.parameters(),
            by=chief,
            leaderboard=board,
        )


def test_only_admins_have_power_over_it(
    client: Client, annotator: Client, researcher: Client, board: Leaderboard
) -> None:
    published_result(board.campaign, leaderboard=board)
    pages = f"/campaigns/{board.campaign.uuid}/leaderboards"
    for other in (client, annotator, researcher):
        assert other.get(ADDRESS).status_code == other.get(f"{ADDRESS}versions/").status_code == 200
        for action in ("new/", "spring-2026/retire/", "spring-2026/reopen/", "spring-2026/versions/1/show/"):
            assert other.post(f"{pages}/{action}", {"slug": "mine"}).status_code in (302, 403)
        form = {"title": "Mine", "leaderboard": "spring-2026"}
        assert other.post(f"/campaigns/{board.campaign.uuid}/published/", form).status_code in (302, 403)
    board.refresh_from_db()
    assert board.retired_at is None
    assert (Leaderboard.objects.count(), Publication.objects.count()) == (1, 1)


def test_a_version_has_its_number_alone(board: Leaderboard) -> None:
    published_result(board.campaign, leaderboard=board)
    other = published_result(board.campaign)
    with pytest.raises(IntegrityError):
        LeaderboardVersion.objects.create(leaderboard=board, publication=other, number=1)


@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
def test_two_admins_publish_at_once(client: Client) -> None:
    campaign = small_campaign(small_corpus())
    chiefs = [User.objects.create_user(name, role="admin") for name in ("ada", "bea")]
    board = make_leaderboard(campaign, "spring-2026", by=chiefs[0])
    start = Barrier(len(chiefs))
    failed: list[BaseException] = []

    def publish_one(by: User) -> None:
        try:
            start.wait()
            parameters = RankingParameters(replicates=20)
            publish(
                campaign,
                RANKING,
                title=by.username,
                with_names=True,
                parameters=parameters,
                by=by,
                leaderboard=board,
            )
        except BaseException as error:
            failed.append(error)
        finally:
            connection.close()

    threads = [Thread(target=publish_one, args=(by,)) for by in chiefs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert sorted(board.versions.values_list("number", flat=True)) == [1, 2]
    run_queued_jobs()
    assert "Version 2 of" in client.get(ADDRESS).content.decode()


def test_the_list_of_versions_has_pages(client: Client, board: Leaderboard) -> None:
    published = published_result(board.campaign, leaderboard=board)
    for number in range(2, 13):
        copy = Publication.objects.get(pk=published.pk)
        copy.pk = None
        copy.uuid, copy.link, copy._state.adding = (
            f"00000000-0000-4000-8000-{number:012}",
            f"link{number}",
            True,
        )
        copy.save()
        LeaderboardVersion.objects.create(leaderboard=board, publication=copy, number=number)
    first = client.get(f"{ADDRESS}versions/").content.decode()
    assert first.count("<h2") == 10
    assert 'id="version-12"' in first
    second = client.get(f"{ADDRESS}versions/?after=3").content.decode()
    assert second.count("<h2") == 2
    assert (
        "The ranking and the number of judgments are the same." not in second.partition('id="version-1"')[2]
    )
