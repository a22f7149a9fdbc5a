"""A follow-up asks about a system that joined later, only where it differs, and one ranking covers both."""

import csv
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.analyses.systems.ranking import RANKING, RankingParameters
from analysis.publishing.leaderboards import make_leaderboard
from analysis.publishing.storing import zip_of
from analysis.runs.requests import request_of
from analysis.runs.results import to_json
from analysis.runs.sources.judgments import JUDGMENTS
from annotate.campaigns.follow_ups.drafting import FollowUpError, create_newcomer_follow_up, newcomers_of
from annotate.campaigns.lifecycle import launch
from annotate.corpora.withdrawal import withdraw
from annotate.models import Campaign, Item, ItemOutput, System, User
from core.progress import NoProgress
from jobs.refusals import RefusedError
from tests.analysis.publishing.published import published_result
from tests.analysis.scored_campaigns import result_of
from tests.annotate.corpora.test_additions import added, state_of
from tests.annotate.protocols import RANKING as RANKING_PROTOCOL
from tests.annotate.running import SECRET, answer_all, cast, running
from tests.annotate.samples import no_progress, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_protocol]

ELM = "She goes home .\nI have 2 cats .\nIt is fine .\nHe loves tea <b> & cake .\n"
"""Equal to Alder on the first and third sentence."""


@pytest.fixture
def first(tmp_path: Path) -> Campaign:
    """Judged by Anna; then Elm joins the corpus."""
    corpus = small_corpus()
    campaign = running(
        "first",
        corpus=corpus,
        secret=SECRET,
        protocol=RANKING_PROTOCOL,
        outputs_per_screen=3,
        sampling="uniform",
        with_replacement=True,
        items=12,
    )
    [anna] = cast(campaign, "anna")
    answer_all(anna)
    added(corpus, tmp_path, Elm=ELM)
    return campaign


def follow_up(campaign: Campaign, items: int = 6) -> Campaign:
    """Launched, and judged by Ben."""
    draft = create_newcomer_follow_up(
        campaign, name="second", newcomers=list(System.objects.filter(name="Elm")), items=items
    )
    launch(draft, progress=no_progress, secret=SECRET)
    [ben] = cast(draft, "ben")
    answer_all(ben)
    return draft


def test_it_asks_only_where_the_newcomer_differs(first: Campaign) -> None:
    second = follow_up(first)
    positions = Item.objects.filter(campaign=second).values_list("sentence__position", flat=True)
    assert set(positions) == {1, 3}
    for item in Item.objects.filter(campaign=second):
        shown = list(ItemOutput.objects.filter(item=item).values_list("systems", flat=True))
        assert ["Elm"] in shown
        assert len(shown) == 3
    assert second.follows == first
    assert {system.name for system in second.systems.all()} == {"INPUT", "Alder", "Birch", "Cedar", "Elm"}


def test_the_first_campaign_does_not_change(first: Campaign) -> None:
    before = state_of(first)
    ranked = to_json(result_of(RANKING, first))
    follow_up(first)
    assert state_of(first) == before
    assert to_json(result_of(RANKING, first)) == ranked


def test_one_ranking_covers_both(first: Campaign) -> None:
    second = follow_up(first)
    request = request_of(RANKING, second, RankingParameters())
    assert request.parameters.combined, "Alone, it says nothing about the other sentences."
    ranked: Any = result_of(RANKING, second)
    by_name = {each.system: each for each in ranked.standings.systems}
    assert set(by_name) == {"INPUT", "Alder", "Birch", "Cedar", "Elm"}
    assert ranked.weights == RankingParameters().weights
    assert by_name["Elm"].units == 3, "Sentence 0 by the first campaign; sentence 2 has one output."


def test_a_large_campaign_is_read_in_pieces_with_the_same_ranking(
    first: Campaign,
) -> None:
    second = follow_up(first)
    request = request_of(RANKING, second, RankingParameters())
    whole, pieces = (JUDGMENTS.load(request, 10, NoProgress(), at_once=at_once) for at_once in (True, False))
    assert whole.digest == pieces.digest
    assert whole.snapshot["systems"].tolist() == pieces.snapshot["systems"].tolist()
    stated = [inputs.snapshot["propensities"].astype(str).tolist() for inputs in (whole, pieces)]
    assert stated[0] == stated[1]


def test_a_withdrawn_newcomer_leaves_the_ranking(first: Campaign) -> None:
    second = follow_up(first)
    withdraw(first.corpus, "Elm", by=None)
    ranked: Any = result_of(RANKING, second)
    assert "Elm" not in {each.system for each in ranked.standings.systems}


def test_newcomers_are_those_that_no_earlier_campaign_has(first: Campaign, tmp_path: Path) -> None:
    assert [system.name for system in newcomers_of(first)] == ["Elm"]
    second = follow_up(first)
    assert not newcomers_of(second)
    added(first.corpus, tmp_path, Fir=ELM.upper())
    assert [system.name for system in newcomers_of(second)] == ["Fir"]
    third = create_newcomer_follow_up(second, name="third", newcomers=list(newcomers_of(second)), items=4)
    launch(third, progress=no_progress, secret=SECRET)
    answer_all(cast(third, "cleo")[0])
    ranked: Any = result_of(RANKING, third)
    assert {each.system for each in ranked.standings.systems} >= {"Elm", "Fir"}


def test_what_is_no_newcomer_is_refused(first: Campaign) -> None:
    alder = list(System.objects.filter(name="Alder"))
    with pytest.raises(FollowUpError, match="Not a new system of this campaign: Alder"):
        create_newcomer_follow_up(first, name="second", newcomers=alder, items=4)
    with pytest.raises(FollowUpError, match="Choose at least one"):
        create_newcomer_follow_up(first, name="second", newcomers=[], items=4)


# --- Pages ----------------------------------------------------------------------------------------


def test_an_admin_drafts_it_from_the_overview(first: Campaign, admin: Client) -> None:
    overview = admin.get(f"/campaigns/{first.uuid}/manage/").content.decode()
    address = f"/campaigns/{first.uuid}/newcomers/"
    assert address in overview
    page = admin.get(address).content.decode()
    assert "Elm: differs on 2 sentences" in page
    response = admin.post(address, {"newcomers": ["Elm"], "items": 6, "name": "second"})
    second = Campaign.objects.get(name="second")
    assert response["Location"] == f"/campaigns/{second.uuid}/manage/"
    draft = admin.get(response["Location"]).content.decode()
    assert "New systems of this follow-up" in draft
    assert second.design.follow_up == {"newcomers": ["Elm"], "drawn": None}


def test_its_ranking_says_that_it_covers_both(first: Campaign, admin: Client, researcher: Client) -> None:
    second = follow_up(first)
    page = researcher.get(f"/campaigns/{second.uuid}/ranking/").content.decode()
    assert "so it is not ranked alone" in page
    assert "This campaign alone" not in page


def test_a_form_without_a_system_or_with_a_taken_name(first: Campaign, admin: Client) -> None:
    address = f"/campaigns/{first.uuid}/newcomers/"
    answer = admin.post(address, {"items": 6, "name": "second"})
    assert (answer.status_code, "Tick at least one system." in answer.content.decode()) == (422, True)
    answer = admin.post(address, {"newcomers": ["Elm"], "items": 6, "name": "first"})
    assert "Another campaign has this name." in answer.content.decode()


def test_nothing_to_ask_is_said(admin: Client) -> None:
    campaign = running("whole", protocol=RANKING_PROTOCOL)
    page = admin.get(f"/campaigns/{campaign.uuid}/newcomers/").content.decode()
    assert "Every system of the corpus is in this campaign already." in page
    assert "/newcomers/" not in admin.get(f"/campaigns/{campaign.uuid}/manage/").content.decode()


@pytest.mark.any_database
def test_its_ranking_is_published_for_both_campaigns(first: Campaign, client: Client, tmp_path: Path) -> None:
    second = follow_up(first)
    with pytest.raises(RefusedError, match="Close the campaign that this one follows first"):
        published_result(second, combined="yes")
    Campaign.objects.update(state="closed")
    with pytest.raises(RefusedError, match="only ranked together with the campaign"):
        published_result(second)
    publication = published_result(second, combined="yes")
    page = client.get(publication.get_absolute_url()).content.decode()
    ranking = result_of(RANKING, second, RankingParameters(combined=True, replicates=20))
    for standing in ranking.standings.systems:
        assert f'<th scope="row">{standing.system}</th>' in page
        if standing.score is not None:
            assert f"{standing.score:.3f}" in page
    file = tmp_path / "ranking.zip"
    file.write_bytes(b"".join(zip_of(publication)))
    call_command("verify", file)
    with zipfile.ZipFile(file) as archive:
        rows = list(csv.DictReader(archive.read("judgments.csv").decode().splitlines()))
    assert {row["annotator"] for row in rows} == {"annotator-001", "annotator-002"}
    numbers = {row["judgment"] for row in rows}
    assert len(numbers) == first.judgments.count() + second.judgments.count()


def test_its_ranking_is_a_version_of_the_leaderboard_of_the_first(first: Campaign, client: Client) -> None:
    admin = User.objects.create_user("chief", role="admin")
    board = make_leaderboard(first, "spring-2026", by=admin)
    published_result(first, leaderboard=board)
    second = follow_up(first)
    published_result(second, leaderboard=board, combined="yes")
    page = client.get("/leaderboards/spring-2026/").content.decode()
    assert "What changed since version 1" in page
    assert "Elm joined." in page
    assert "judgments of the campaigns that it follows too" in page
    beside = make_leaderboard(second, "of-the-second", by=admin)
    with pytest.raises(RefusedError, match="of another campaign"):
        published_result(first, leaderboard=beside)
