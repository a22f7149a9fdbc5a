"""Admins make machines on a page of the campaign, which shows each token once."""

import re

import pytest
from django.test import Client

from annotate.machines.making import machine_of_token
from annotate.models import Annotator, AuditEntry, Campaign, Machine
from formats.digests import text_digest
from tests.annotate.machine_judges import PROMPT, machine_of, with_machine
from tests.annotate.running import cast, running
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SENT = {"name": "gpt", "model": "gpt-4o", "version": "2024-08-06", "prompt": PROMPT, "temperature": "0"}


def address(campaign: Campaign, rest: str = "") -> str:
    return f"/campaigns/{campaign.uuid}/machines/{rest}"


def token_on(page: str) -> str:
    found = re.search(r'id="new-token">([^<]+)<', page)
    assert found
    return found[1]


def test_an_admin_makes_a_machine_and_sees_its_token_once(admin: Client) -> None:
    campaign = running()
    page = admin.post(address(campaign), SENT)
    token = token_on(page.content.decode())
    machine = Annotator.every.get(kind="machine")
    assert machine_of_token(token) == machine
    assert machine.machine.prompt_sha256 == text_digest(PROMPT)
    assert token not in str(vars(machine.machine))
    assert "new-token" not in admin.get(address(campaign)).content.decode()
    assert AuditEntry.objects.filter(action="make-machine", details__model="gpt-4o").exists()
    assert "1 machine" in admin.get(f"/campaigns/{campaign.uuid}/manage/").content.decode()


def test_a_machine_states_its_family_to_admins_and_in_files_but_not_to_itself(admin: Client) -> None:
    campaign = running()
    token = token_on(admin.post(address(campaign), {**SENT, "family": "GPT <b>"}).content.decode())
    machine = Annotator.every.get(kind="machine")
    assert machine.machine.description["family"] == "GPT <b>"
    listed = admin.get(f"/api/v1/campaigns/{campaign.uuid}/annotators/?kind=machine").json()["results"]
    assert [each["machine"]["family"] for each in listed] == ["GPT <b>"]
    program = Client(headers={"Authorization": f"Bearer {token}"})
    task, asked = (
        program.get("/api/v1/machine/"),
        program.post("/api/v1/machine/items/", b"", "application/json"),
    )
    assert (task.status_code, asked.status_code) == (200, 200)
    assert not any(b"GPT" in each.content or b"family" in each.content for each in (task, asked))


def test_the_family_of_a_machine_that_judged_elsewhere_is_stated_later(admin: Client) -> None:
    campaign = small_campaign(small_corpus())
    machine = with_machine(campaign)
    state = {"family": " GPT <b> "}
    page = admin.post(address(campaign, f"{machine.pk}/family/"), state, follow=True).content.decode()
    assert "is saved" in page
    assert 'value="GPT &lt;b&gt;"' in page
    assert AuditEntry.objects.get(action="describe-machine").details["family"] == "GPT <b>"
    refused = admin.post(address(campaign, f"{machine.pk}/family/"), {"family": "x" * 101}, follow=True)
    assert "The family is not saved" in refused.content.decode()
    assert Machine.objects.get().family == "GPT <b>"


@pytest.mark.parametrize("family", ["x" * 101, "a\u202eb"])
def test_a_family_is_one_short_line(admin: Client, family: str) -> None:
    campaign = running()
    assert admin.post(address(campaign), {**SENT, "family": family}).status_code == 422
    assert not Machine.objects.exists()


def test_it_says_whose_answer_annotators_see_and_what_is_missing(admin: Client) -> None:
    campaign = running(opinion_of="gpt")
    assert "has no machine of this name" in admin.get(address(campaign)).content.decode()
    page = admin.post(address(campaign), SENT).content.decode()
    assert "see the answer of gpt, if" in page
    assert "has no machine of this name" not in page
    assert "see the answer of" not in admin.get(address(running("other"))).content.decode()


def test_a_new_token_ends_the_old_one_and_revoking_ends_both(admin: Client) -> None:
    campaign = running()
    old = token_on(admin.post(address(campaign), SENT).content.decode())
    machine = Annotator.every.get(kind="machine")
    new = token_on(admin.post(address(campaign, f"{machine.pk}/token/")).content.decode())
    assert machine_of_token(old) is None
    assert machine_of_token(new) == machine
    admin.post(address(campaign, f"{machine.pk}/token/revoke/"))
    assert machine_of_token(new) is None


def test_a_name_that_a_person_has_is_refused_and_the_reverse(admin: Client) -> None:
    campaign = running()
    cast(campaign, "gpt")
    page = admin.post(address(campaign), SENT)
    assert page.status_code == 422
    assert "Another annotator of this campaign has this name." in page.content.decode()
    assert not Machine.objects.exists()
    machine_of(campaign, "claude")
    page = admin.post(f"/campaigns/{campaign.uuid}/invite/", {"name": "claude"})
    assert "Another annotator of this campaign has this name." in page.content.decode()


def test_people_are_no_machines(admin: Client) -> None:
    campaign = running()
    [anna] = cast(campaign, "anna")
    assert admin.post(address(campaign, f"{anna.pk}/token/")).status_code == 404
