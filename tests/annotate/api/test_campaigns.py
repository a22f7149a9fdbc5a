from base64 import b64decode
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.judgments.pseudonyms import pseudonym
from annotate.models import AuditEntry, Campaign, CampaignState, Role
from tests.annotate.api.asking import ask, post, problem_of, program
from tests.annotate.running import answer, answer_all, cast, draft, pass_over, running, shown
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = pytest.mark.django_db
WHO = 1


@pytest.fixture
def client() -> Client:
    """A researcher's program."""
    return program()


@pytest.fixture
def campaign() -> Campaign:
    """Six items wanted once: anna answered one, ben skipped one."""
    campaign = running(repeat_percent=0)
    anna, ben = cast(campaign)
    answer(shown(anna))
    pass_over(shown(ben))
    return campaign


def test_campaigns_are_those_of_the_home_page(
    client: Client, campaign: Campaign, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    small_campaign(small_corpus(), synthetic=True)
    with django_assert_num_queries(WHO + 1):
        live, imported = ask(client, "campaigns/")["results"]
    assert (live["name"], live["state"], live["judgment_count"]) == ("campaign", "running", 2)
    assert live["protocol"] == "relative-ranking"
    assert live["corpus"]["name"] == "corpus of campaign"
    assert (imported["name"], imported["state"], imported["synthetic"]) == ("judged", "imported", True)


def test_a_campaign_tells_its_design_and_systems(client: Client, campaign: Campaign) -> None:
    whole = ask(client, f"campaigns/{campaign.uuid}/")
    assert whole["systems"] == ["Alder", "Birch", "Cedar", "INPUT"]
    assert whole["design"]["items"] == 6
    assert whole["design"]["seed"] == 1
    assert "campaign" not in whole["design"]


def test_imported_judgments_have_no_design_and_no_progress(client: Client) -> None:
    imported = small_campaign(small_corpus())
    assert ask(client, f"campaigns/{imported.uuid}/")["design"] is None
    problem_of(client.get(f"/api/v1/campaigns/{imported.uuid}/progress/"), 404)


def test_progress_counts_the_wanted_judgments(client: Client, campaign: Campaign) -> None:
    counts = ask(client, f"campaigns/{campaign.uuid}/progress/")
    assert (counts["filled"], counts["total"], counts["percent"]) == (1, 6, 16)
    assert counts["filled"] + counts["leased"] + counts["free"] == counts["total"]


def test_annotators_are_pseudonyms_in_rows_and_cursors(
    client: Client, campaign: Campaign, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(WHO + 2):
        rows = ask(client, f"campaigns/{campaign.uuid}/annotators/")["results"]
    assert [tuple(row.values())[:4] for row in rows] == [
        (pseudonym(campaign, "anna"), 1, 1, 0),
        (pseudonym(campaign, "ben"), 2, 0, 1),
    ]
    page = ask(client, f"campaigns/{campaign.uuid}/annotators/", limit=1)
    [cursor] = parse_qs(urlsplit(page["next"]).query)["cursor"]
    assert b"anna" not in b64decode(cursor)
    assert client.get(page["next"]).json()["results"] == rows[1:]


def test_names_are_for_admins(client: Client, campaign: Campaign) -> None:
    path = f"campaigns/{campaign.uuid}/annotators/"
    problem_of(client.get(f"/api/v1/{path}", {"names": "true"}), 403)
    rows = ask(program(Role.ADMIN), path, names="true")["results"]
    assert [row["annotator"] for row in rows] == ["anna", "ben"]


def test_items_tell_outputs_and_how_often_they_were_judged(client: Client, campaign: Campaign) -> None:
    rows = ask(client, f"campaigns/{campaign.uuid}/items/")["results"]
    assert [row["item"] for row in rows] == list(range(6))
    assert [row["sentence"] for row in rows] == [0, 1, 3] * 2
    assert sum(row["done"] for row in rows) == sum(row["skips"] for row in rows) == 1
    assert [row["wanted"] for row in rows] == [1] * 6
    assert sorted(name for output in rows[0]["outputs"] for name in output["systems"]) == [
        "Alder",
        "Birch",
        "Cedar",
        "INPUT",
    ]


def test_longer_pages_of_items_take_no_more_queries(
    client: Client, campaign: Campaign, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for limit in (1, 6):
        # The campaign, its items with their sentences, what they show, its texts, their slots and judgments.
        with django_assert_num_queries(WHO + 6):
            ask(client, f"campaigns/{campaign.uuid}/items/", limit=limit)


def test_an_admin_pauses_resumes_and_closes_on_record(campaign: Campaign) -> None:
    admin = program(Role.ADMIN)
    for verb, state in (("pause", "paused"), ("resume", "running"), ("close", "closed")):
        changed = post(admin, f"/api/v1/campaigns/{campaign.uuid}/{verb}/").json()
        assert changed["state"] == state
        campaign.refresh_from_db()
        assert campaign.state == state
    assert [entry.who for entry in AuditEntry.objects.filter(uuid=campaign.uuid)][:3] == [
        "admin-of-program"
    ] * 3


def test_a_verb_that_does_not_go_with_the_state_changes_nothing() -> None:
    campaign = draft()
    response = post(program(Role.ADMIN), f"/api/v1/campaigns/{campaign.uuid}/pause/")
    assert problem_of(response, 409)["detail"] == "Campaign 'campaign' is draft."
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.DRAFT


@pytest.mark.parametrize("verb", ["pause", "resume", "close"])
def test_others_change_nothing(campaign: Campaign, verb: str) -> None:
    path = f"/api/v1/campaigns/{campaign.uuid}/{verb}/"
    for client, status in ((program(), 403), (program(Role.ANNOTATOR), 403), (Client(), 401)):
        problem_of(post(client, path), status)
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.RUNNING


def test_an_annotator_learns_nothing_of_systems_even_of_the_own_campaign(annotator: Client) -> None:
    campaign = running()
    [judge] = cast(campaign, "ada")
    judge.user_id = int(annotator.session["_auth_user_id"])
    judge.save()
    answer_all(judge)
    for part in ("", "progress/", "annotators/", "items/", "judgments/", "export/?format=csv"):
        response = annotator.get(f"/api/v1/campaigns/{campaign.uuid}/{part}")
        problem_of(response, 403)
        assert b"Alder" not in response.content
