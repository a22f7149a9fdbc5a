"""An admin sets up the crowd of a campaign, copies the address, and downloads the payouts."""

import csv
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.crowd.visits import conclude
from annotate.design.protocols import RatingValue
from annotate.judging.handout import give_next_showing
from annotate.models import Annotator, AuditEntry, Campaign, Crowd, Design
from tests.annotate.checked import checked_campaign
from tests.annotate.crowds import crowd_of, visit_of
from tests.annotate.designs import draft_campaign
from tests.annotate.running import answer, answer_all, running
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return running(items=6, batch_size=2)


def path(campaign: Campaign, rest: str = "") -> str:
    return f"/campaigns/{campaign.uuid}/crowd/{rest}"


def filled(**changes: Any) -> dict[str, Any]:
    return {
        "platform": "prolific",
        "is_open": "on",
        "batches_per_visit": 1,
        "visits_per_worker": 1,
        "consent": "I agree.",
        "code_passed": "AAAA",
        "code_failed": "BBBB",
        "code_returned": "CCCC",
        **changes,
    }


def rows(client: Client, campaign: Campaign) -> list[dict[str, str]]:
    response = client.get(path(campaign, "payouts.csv"))
    text = b"".join(response).decode()
    return list(csv.DictReader(StringIO(text)))


# --- Setting up -----------------------------------------------------------------------------------


def test_the_form_comes_with_codes_and_a_text(admin: Client, campaign: Campaign) -> None:
    form = admin.get(path(campaign)).context["form"]
    codes = {form[name].value() for name in ("code_passed", "code_failed", "code_returned")}
    assert len(codes) == 3
    assert "voluntary" in form["consent"].value()
    grouped = [field.name for group in form.groups() for field in group.fields]
    assert sorted(grouped) == sorted(form.fields)


@pytest.mark.parametrize(
    ("options", "address"),
    [
        (
            {},
            "?PROLIFIC_PID={{%PROLIFIC_PID%}}&amp;SESSION_ID={{%SESSION_ID%}}&amp;STUDY_ID={{%STUDY_ID%}}",
        ),
        (
            {"worker_parameter": "pid"},
            "?pid={{%PROLIFIC_PID%}}&amp;SESSION_ID={{%SESSION_ID%}}&amp;STUDY_ID={{%STUDY_ID%}}",
        ),
        ({"platform": "mturk"}, "frame/"),
        ({"platform": "other", "worker_parameter": "pid"}, "?pid=ID-OF-WORKER"),
    ],
)
def test_the_address_to_paste_has_the_platforms_placeholders(
    admin: Client, campaign: Campaign, options: dict[str, str], address: str
) -> None:
    page = admin.post(path(campaign), filled(**options), follow=True).content.decode()
    crowd = Crowd.objects.get()
    assert f"<code>http://testserver/crowd/{crowd.entrance}/{address}</code>" in page


def test_a_draft_can_be_prepared_and_a_running_campaign_changed(admin: Client, campaign: Campaign) -> None:
    draft = draft_campaign(small_corpus("other"))
    assert "once the campaign is launched" in admin.post(path(draft), filled(), follow=True).content.decode()
    entrance = crowd_of(campaign).entrance
    admin.post(path(campaign), filled(code_passed="DDDD", captured_parameters="a, b a"))
    crowd = Crowd.objects.get(campaign=campaign)
    assert (crowd.entrance, crowd.code_passed, crowd.captured_parameters) == (entrance, "DDDD", ["a", "b"])


def test_opening_and_closing_the_door_is_put_on_record(admin: Client, campaign: Campaign) -> None:
    for form in (filled(), filled(code_passed="DDDD"), filled(is_open=""), filled()):
        admin.post(path(campaign), form)
    entries = AuditEntry.objects.filter(uuid=campaign.uuid, who="the-admin").order_by("pk")
    assert [entry.action for entry in entries] == ["make-link", "revoke-link", "make-link"]
    assert entries[0].details == {"for": "workers of Prolific"}


def test_faults_are_reported_and_the_address_stays(admin: Client, campaign: Campaign) -> None:
    crowd_of(campaign)
    page = admin.post(path(campaign), filled(platform="other", code_failed="AAAA"))
    assert page.context["form"].errors.keys() == {"worker_parameter", "code_failed"}
    assert "PROLIFIC_PID={{%" in page.content.decode()
    assert Crowd.objects.get().code_passed == "PASSED"


def test_a_clone_has_no_crowd_of_its_own(admin: Client, campaign: Campaign) -> None:
    crowd_of(campaign)
    admin.post(f"/campaigns/{campaign.uuid}/clone/", {"name": "copy"})
    assert Crowd.objects.count() == 1


@pytest.mark.parametrize("rest", ["", "payouts.csv"])
def test_researchers_do_not_see_ids_of_workers(researcher: Client, campaign: Campaign, rest: str) -> None:
    visit = visit_of(crowd_of(campaign), "SECRET-ID")
    answer_all(visit.worker.annotator)
    assert researcher.get(path(campaign, rest)).status_code == 403
    assert "SECRET-ID" not in researcher.get(campaign.get_absolute_url()).content.decode()


# --- Payouts --------------------------------------------------------------------------------------


def test_payouts_say_what_each_visit_is_worth(admin: Client, campaign: Campaign) -> None:
    crowd = crowd_of(campaign, visits_per_worker=2)
    done = visit_of(crowd, "w1", "s1", STUDY_ID="=1+1")
    answer_all(done.worker.annotator)
    conclude(done)
    showing = give_next_showing(Annotator.objects.get(pk=visit_of(crowd, "w1", "s2").worker.annotator_id))
    assert showing is not None
    answer(showing)
    visit_of(crowd, "-w2", "")
    first, second, third = rows(admin, campaign)
    assert (first["worker"], first["visit"], first["visits"]) == ("w1", "s1", "2")
    assert (first["batches"], first["screens"], first["outcome"], first["code"]) == (
        *("1", "2"),
        *("passed", "PASSED"),
    )
    assert first["parameter:STUDY_ID"] == "'=1+1"
    assert first["consent"] == crowd.consent_digest
    assert (second["batches"], second["screens"], second["outcome"]) == ("0", "1", "incomplete")
    assert (third["worker"], third["visit"], third["code"]) == ("'-w2", "", "")


def test_visits_that_are_too_short_to_be_checked_are_said_to_be_so(admin: Client) -> None:
    campaign = checked_campaign()
    done = visit_of(crowd_of(campaign))
    while (showing := give_next_showing(done.worker.annotator)) is not None:
        answer(showing, ratings=[RatingValue(score=50, meaning_changed=False, touched=True)] * 3)
    conclude(done)
    page = " ".join(admin.get(path(campaign)).content.decode().split())
    assert "and at least 5. A visit with fewer passes unchecked" in page
    assert '<td>0 of 2</td> <td>passed <span class="absent">unchecked: too short</span></td>' in page
    [row] = rows(admin, campaign)
    assert (row["checked"], row["control_cases"], row["control_passed"]) == ("no", "2", "0")
    assert "Visits are too short to be checked: with 1 batch of at most 2 screens" in page
    Design.objects.update(batch_size=20)
    assert "Visits are too short" not in admin.get(path(campaign)).content.decode()


def test_a_campaign_without_controls_says_that_nobody_is_checked(admin: Client, campaign: Campaign) -> None:
    done = visit_of(crowd_of(campaign))
    answer_all(done.worker.annotator)
    conclude(done)
    page = admin.get(path(campaign)).content.decode()
    assert "workers are not checked: everyone who finishes passes" in page
    assert "no such screens" in page
    assert rows(admin, campaign)[0]["checked"] == ""


def test_payouts_are_put_on_record(admin: Client, campaign: Campaign) -> None:
    crowd_of(campaign)
    assert rows(admin, campaign) == []
    assert AuditEntry.objects.get(action="export").details == {"format": "payouts", "names": True}


def test_there_are_no_payouts_without_a_crowd(admin: Client, campaign: Campaign) -> None:
    assert admin.get(path(campaign, "payouts.csv")).status_code == 404


def test_the_page_costs_the_same_for_any_number_of_visits(
    admin: Client, campaign: Campaign, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    crowd = crowd_of(campaign)
    for number in range(30):
        visit_of(crowd, f"w{number}")
    with django_assert_max_num_queries(12):
        page = admin.get(path(campaign))
    assert page.content.decode().count("incomplete") == 25
