"""A crowd worker's pages: consent, returning, the end with its code; and made-up addresses."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import Settings

from annotate.campaigns.lifecycle import close, pause
from annotate.judging.entering import revoke_links
from annotate.models import Annotator, Campaign, Judgment, Visit, Worker
from tests.annotate.crowds import crowd_of
from tests.annotate.designs import draft_campaign
from tests.annotate.protocols import filled_in
from tests.annotate.running import running
from tests.annotate.samples import SYSTEMS, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("protocol"), pytest.mark.any_protocol]

PROLIFIC = {"PROLIFIC_PID": "w1", "SESSION_ID": "s1", "STUDY_ID": "study"}
TURK = {"workerId": "A1", "assignmentId": "a1", "hitId": "h1", "turkSubmitTo": "https://www.mturk.com"}
PREVIEW = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "h1"}
FRAMES = "frame-ancestors https://www.mturk.com https://worker.mturk.com"


@pytest.fixture
def campaign() -> Campaign:
    return running(items=2, guidelines="Be **fair**.")


def address(campaign: Campaign, query: dict[str, str], *, frame: bool = False) -> str:
    pairs = "&".join(f"{name}={value}" for name, value in query.items())
    return f"/crowd/{campaign.crowd.entrance}/{'frame/' if frame else ''}?{pairs}"


def enter(campaign: Campaign, query: dict[str, str] = PROLIFIC) -> Client:
    """The browser of a worker who agreed."""
    client = Client()
    response = client.post(address(campaign, query), {"agree": campaign.crowd.consent_digest})
    assert response["Location"] == f"/judge/{campaign.uuid}/"
    client.post(f"/judge/{campaign.uuid}/guidelines/")
    return client


def judge(client: Client, campaign: Campaign) -> Any:
    """Answer all that is shown, after the guidelines; the page that comes then."""
    client.post(f"/judge/{campaign.uuid}/guidelines/")
    while (page := client.get(f"/judge/{campaign.uuid}/", follow=True)).context.get("showing"):
        fields = {"key": str(uuid4()), **filled_in(1 for _ in page.context["outputs"])}
        client.post(f"/judge/{campaign.uuid}/{page.context['showing'].uuid}/", fields)
    return page


# --- Coming and declining -------------------------------------------------------------------------


def test_only_agreeing_stores_anything(campaign: Campaign) -> None:
    crowd_of(campaign)
    page = Client().get(address(campaign, PROLIFIC))
    assert "I <em>agree</em>." in page.content.decode()
    assert not Annotator.objects.exists()
    declined = Client().post(address(campaign, PROLIFIC), {"decline": "1"})
    assert "https://app.prolific.com/submissions/complete?cc=RETURNED" in declined.content.decode()
    assert not declined.cookies.keys() & {f"annotator-{campaign.uuid}"}
    assert not Annotator.objects.exists()


def test_agreeing_begins_the_work_and_keeps_the_parameters(campaign: Campaign) -> None:
    crowd_of(campaign, captured_parameters=["extra"])
    query = {**PROLIFIC, "extra": "%00" + "x" * 900, "other": "y"}
    page = enter(campaign, query).get(f"/judge/{campaign.uuid}/")
    assert page.status_code == 200
    visit = Visit.objects.get()
    assert (visit.worker.platform_id, visit.key) == ("w1", "s1")
    assert visit.parameters == {"STUDY_ID": "study", "extra": " " + "x" * 499}


def test_a_worker_goes_on_from_another_browser(campaign: Campaign) -> None:
    crowd_of(campaign)
    first = enter(campaign).get(f"/judge/{campaign.uuid}/").context["showing"]
    page = Client().get(address(campaign, PROLIFIC)).content.decode()
    assert "Welcome back" in page
    assert enter(campaign).get(f"/judge/{campaign.uuid}/").context["showing"] == first
    assert Annotator.objects.count() == 1


def test_a_text_that_changed_is_agreed_to_again(campaign: Campaign) -> None:
    crowd = crowd_of(campaign)
    enter(campaign)
    old = crowd.consent_digest
    crowd.consent = "New words."
    crowd.save()
    page = Client().get(address(campaign, PROLIFIC)).content.decode()
    assert "has changed" in page
    assert "New words." in page
    assert Client().post(address(campaign, PROLIFIC), {"agree": old}).status_code == 422
    assert Visit.objects.get().consent.text == "I *agree*."


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ({}, "It lacks PROLIFIC_PID"),
        ({"PROLIFIC_PID": " "}, "It lacks PROLIFIC_PID"),
        ({"PROLIFIC_PID": "{{%25PROLIFIC_PID%25}}"}, "value for PROLIFIC_PID is not a valid id"),
        ({"PROLIFIC_PID": "<script>"}, "value for PROLIFIC_PID is not a valid id"),
        ({"PROLIFIC_PID": "a%00b"}, "value for PROLIFIC_PID is not a valid id"),
        ({"PROLIFIC_PID": "x" * 129}, "value for PROLIFIC_PID is not a valid id"),
        (
            {"PROLIFIC_PID": "w1", "SESSION_ID": "{{%25SESSION_ID%25}}"},
            "value for SESSION_ID is not a valid id",
        ),
    ],
)
def test_an_address_without_a_worker_enters_nobody(
    campaign: Campaign, query: dict[str, str], fault: str
) -> None:
    crowd = crowd_of(campaign)
    for response in (
        Client().get(address(campaign, query)),
        Client().post(address(campaign, query), {"agree": crowd.consent_digest}),
    ):
        assert response.status_code == 400
        assert fault in response.content.decode()
    assert not Annotator.objects.exists()


def test_a_door_that_is_shut_is_not_there(campaign: Campaign) -> None:
    crowd = crowd_of(campaign)
    crowd.is_open = False
    crowd.save()
    assert Client().get(address(campaign, PROLIFIC)).status_code == 404
    draft = draft_campaign(small_corpus("drafted"))
    crowd_of(draft)
    assert Client().get(address(draft, PROLIFIC)).status_code == 404


def test_an_excluded_worker_sees_a_polite_page(campaign: Campaign) -> None:
    crowd = crowd_of(campaign)
    client = enter(campaign)
    revoke_links(Annotator.objects.get())
    assert client.get(f"/judge/{campaign.uuid}/").status_code == 403
    for response in (
        Client().get(address(campaign, PROLIFIC)),
        Client().post(address(campaign, PROLIFIC), {"agree": crowd.consent_digest}),
    ):
        assert "Your access to this task was revoked." in response.content.decode()


def test_own_names_and_an_own_way_back(campaign: Campaign) -> None:
    crowd_of(
        campaign,
        platform="other",
        worker_parameter="pid",
        return_url="https://panel.example/done?c={code}&x=1",
    )
    page = judge(enter(campaign, {"pid": "ann@panel.example"}), campaign).content.decode()
    assert 'href="https://panel.example/done?c=PASSED&amp;x=1"' in page
    assert Worker.objects.get().platform_id == "ann@panel.example"


def come_from(address_of: str, campaign: Campaign, worker: str) -> int:
    """The response to a newcomer from this address."""
    query = {**PROLIFIC, "PROLIFIC_PID": worker}
    agreeing = {"agree": campaign.crowd.consent_digest}
    return Client(REMOTE_ADDR=address_of).post(address(campaign, query), agreeing).status_code


def test_made_up_ids_from_one_address_do_not_take_all_there_is(
    campaign: Campaign, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CROWD_NEWCOMERS_PER_HOUR = 2
    crowd_of(campaign)
    assert [come_from("8.8.8.8", campaign, f"made-up-{n}") for n in range(4)] == [302, 302, 429, 429]
    assert Worker.objects.count() == 2
    assert len([record for record in caplog.records if "newcomers from one address" in record.message]) == 1
    assert come_from("8.8.8.8", campaign, "made-up-0") == 302  # Earlier visitors can continue.
    assert come_from("9.9.9.9", campaign, "elsewhere") == 302
    other = running("other")
    crowd_of(other)
    assert come_from("8.8.8.8", other, "w1") == 302


def test_a_worker_beyond_the_limit_is_asked_to_try_again(campaign: Campaign, settings: Settings) -> None:
    settings.CROWD_NEWCOMERS_PER_HOUR = 1
    crowd = crowd_of(campaign)
    come_from("8.8.8.8", campaign, "w1")
    agreeing = {"agree": crowd.consent_digest}
    page = Client(REMOTE_ADDR="8.8.8.8").post(address(campaign, {"PROLIFIC_PID": "w2"}), agreeing)
    assert "Please come back in an hour, or return the task." in page.content.decode()
    assert "cc=RETURNED" in page.content.decode()


@pytest.mark.parametrize(("most", "network"), [(0, "8.8.8.8"), (1, "127.0.0.1"), (1, "10.0.0.7"), (1, "")])
def test_without_a_limit_or_a_public_address_nobody_is_counted(
    campaign: Campaign, settings: Settings, most: int, network: str
) -> None:
    settings.CROWD_NEWCOMERS_PER_HOUR = most
    crowd_of(campaign)
    assert [come_from(network, campaign, f"w{n}") for n in range(3)] == [302] * 3


# --- The end --------------------------------------------------------------------------------------


def test_the_end_shows_the_code_and_the_way_back(campaign: Campaign) -> None:
    crowd_of(campaign)
    page = judge(enter(campaign), campaign).content.decode()
    assert 'href="https://app.prolific.com/submissions/complete?cc=PASSED"' in page
    again = Client().get(address(campaign, PROLIFIC)).content.decode()
    assert "cc=PASSED" in again


def test_the_end_does_not_come_early(campaign: Campaign) -> None:
    crowd_of(campaign)
    client = enter(campaign)
    assert client.get(f"/judge/{campaign.uuid}/end/")["Location"] == f"/judge/{campaign.uuid}/"
    pause(campaign)
    assert "is paused" in client.get(f"/judge/{campaign.uuid}/end/").content.decode()
    assert Visit.objects.get().code == ""


def test_a_late_worker_is_sent_back(campaign: Campaign) -> None:
    crowd_of(campaign)
    late = enter(campaign, {"PROLIFIC_PID": "w2", "SESSION_ID": "s2"})
    close(campaign)
    for page in (
        late.get(f"/judge/{campaign.uuid}/", follow=True).content.decode(),
        Client().get(address(campaign, {"PROLIFIC_PID": "w3"})).content.decode(),
    ):
        assert "cc=RETURNED" in page
    assert Visit.objects.get().outcome == "incomplete"


def test_the_browser_says_which_visit_ends(campaign: Campaign) -> None:
    crowd_of(campaign)
    client = enter(campaign)
    enter(campaign, {**PROLIFIC, "SESSION_ID": "guessed"})
    judge(client, campaign)
    assert Visit.objects.get(key="s1").outcome == "passed"
    assert Visit.objects.get(key="guessed").outcome == "incomplete"


def test_a_guessed_id_meets_no_system_and_no_id(campaign: Campaign) -> None:
    crowd_of(campaign)
    ids = {"PROLIFIC_PID": "id-of-the-worker", "SESSION_ID": "id-of-the-visit", "STUDY_ID": "study"}
    client = enter(campaign, ids)
    pages = [client.get(f"/judge/{campaign.uuid}/"), judge(client, campaign)]
    for page in pages:
        told = page.content.decode() + str(page.headers)
        assert not [name for name in (*SYSTEMS, "id-of-the-worker", "id-of-the-visit") if name in told]


# --- Mechanical Turk ------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", [True, False])
def test_a_preview_enters_nobody(campaign: Campaign, frame: bool) -> None:
    crowd_of(campaign, platform="mturk")
    page = Client().get(address(campaign, PREVIEW, frame=frame)).content.decode()
    assert "Be <strong>fair</strong>." in page
    assert "<form" not in page
    if not frame:
        Client().post(address(campaign, PREVIEW), {"agree": campaign.crowd.consent_digest})
    assert not Annotator.objects.exists()


def test_the_frame_leads_to_a_window_and_then_hands_in(campaign: Campaign) -> None:
    crowd_of(campaign, platform="mturk")
    framed = Client()
    page = framed.get(address(campaign, TURK, frame=True))
    [window] = re.findall(r'href="(/crowd/\S+?)" target="_blank" rel="noopener"', page.content.decode())
    assert not page.cookies
    worker = Client()
    worker.post(window.replace("&amp;", "&"), {"agree": campaign.crowd.consent_digest})
    ended = judge(worker, campaign).content.decode()
    handing_in = framed.get(address(campaign, TURK, frame=True))
    assert not handing_in.cookies
    for told in (ended, handing_in.content.decode()):
        assert 'action="https://www.mturk.com/mturk/externalSubmit"' in told
        assert 'name="assignmentId" value="a1"' in told
        assert 'name="code" value="PASSED"' in told


def test_only_the_frame_of_mechanical_turk_can_be_framed(campaign: Campaign) -> None:
    crowd_of(campaign, platform="mturk")
    page = Client().get(address(campaign, TURK, frame=True))
    assert FRAMES in page["Content-Security-Policy"]
    assert "X-Frame-Options" not in page
    for path in (address(campaign, TURK), "/login/"):
        other = Client().get(path)
        assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
        assert other["X-Frame-Options"] == "DENY"


def test_other_platforms_have_no_frame(campaign: Campaign) -> None:
    crowd_of(campaign)
    page = Client().get(address(campaign, PROLIFIC, frame=True))
    assert page.status_code == 404
    assert page["X-Frame-Options"] == "DENY"


def test_without_an_assignment_the_code_is_shown(campaign: Campaign) -> None:
    crowd_of(campaign, platform="mturk")
    page = judge(enter(campaign, {**TURK, "assignmentId": ""}), campaign).content.decode()
    assert "externalSubmit" not in page
    assert "PASSED" in page


@pytest.mark.any_database
@pytest.mark.parametrize(
    "submit_to",
    [
        "",
        "https://evil.example",
        "http://www.mturk.com",
        "https://www.mturk.com.evil.example",
        "https://www.mturk.com@evil.example",
        "https://evil.example/www.mturk.com",
        "https://www.mturk.com:8443",
        "//www.mturk.com",
        "javascript:alert(1)",
        "https://[",
    ],
)
def test_an_assignment_is_handed_in_to_mechanical_turk_alone(campaign: Campaign, submit_to: str) -> None:
    crowd_of(campaign, platform="mturk")
    page = judge(enter(campaign, {**TURK, "turkSubmitTo": submit_to}), campaign).content.decode()
    assert "PASSED" in page
    assert "externalSubmit" not in page
    assert "evil" not in page


def test_the_sandbox_takes_its_own_assignments(campaign: Campaign) -> None:
    crowd_of(campaign, platform="mturk")
    sandbox = {**TURK, "turkSubmitTo": "https://workersandbox.mturk.com"}
    page = judge(enter(campaign, sandbox), campaign).content.decode()
    assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in page
    assert Judgment.objects.count() == 2


@pytest.mark.usefixtures("noon")
def test_a_worker_whose_day_is_done_is_paid_and_asked_to_come_back_tomorrow() -> None:
    campaign = running("separated", items=6, separates_domains=True, batch_size=6)
    crowd_of(campaign, visits_per_worker=2)
    assert "PASSED" in judge(enter(campaign), campaign).content.decode()
    page = judge(enter(campaign, {**PROLIFIC, "SESSION_ID": "s2"}), campaign).content.decode()
    assert "Please come back tomorrow." in page
