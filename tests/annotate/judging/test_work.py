"""The annotator's answers without a browser: a plain form, invalid values, and hidden information."""

from uuid import uuid4

import pytest
from django.test import Client

from annotate.models import Campaign, Judgment, Revision
from tests.annotate.judging.at_work import JSON, address, answer, on_screen
from tests.annotate.labelled import label
from tests.annotate.protocols import CORRECTION, RATING, VALIDITY
from tests.annotate.samples import SYSTEMS


def test_without_scripts_the_form_is_a_plain_form(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    response = work.post(screen, answer(work, campaign))
    assert response["Location"] == address(campaign)
    assert Judgment.objects.get(showing__isnull=False).state == "complete"
    assert on_screen(work, campaign) != screen


@pytest.mark.parametrize("protocol", RATING, indirect=True)
@pytest.mark.parametrize("value", ["", "-1", "101", "x", "1.5"])
def test_missing_or_wrong_fields_are_named_and_nothing_is_stored(
    campaign: Campaign, work: Client, value: str
) -> None:
    screen = on_screen(work, campaign)
    rated, *_ = [name for name in answer(work, campaign) if name.endswith("-1")]
    fields = answer(work, campaign, **{rated: value})
    response = work.post(screen, fields, headers=JSON)
    assert response.status_code == 422
    assert response.json()["positions"] == [1]
    page = work.post(screen, fields).content.decode()
    assert "correction 2." in page
    assert not Revision.objects.filter(judgment__showing__isnull=False).exists()


@pytest.mark.parametrize("protocol", [CORRECTION], indirect=True)
def test_what_no_text_can_hold_is_left_out_of_an_answer(campaign: Campaign, work: Client) -> None:
    fields = answer(work, campaign, **{"version-0": "It goes\x0bon a\ufffebout\x02 it .\x00"})
    assert work.post(on_screen(work, campaign), fields, headers=JSON).status_code == 200
    assert Revision.objects.get(judgment__showing__isnull=False).text == "It goes on about it ."


@pytest.mark.parametrize(
    ("protocol", "wrong", "message"),
    [
        (VALIDITY, {"verdict": ""}, "Still to say whether it is valid: correction 1."),
        (VALIDITY, {"verdict": "x"}, "Still to say whether it is valid: correction 1."),
        (CORRECTION, {"version-0": ""}, "There is no text."),
        (CORRECTION, {"verdict": "no-correction-needed"}, "The text is not the sentence any more."),
    ],
    indirect=["protocol"],
)
def test_a_verdict_that_is_missing_or_wrong_is_told_and_nothing_is_stored(
    campaign: Campaign, work: Client, wrong: dict[str, str], message: str
) -> None:
    response = work.post(on_screen(work, campaign), answer(work, campaign, **wrong))
    assert response.status_code == 422
    assert message in response.content.decode()
    assert not Revision.objects.filter(judgment__showing__isnull=False).exists()


@pytest.mark.any_protocol
@pytest.mark.parametrize("key", ["", "x", "1"])
def test_an_answer_without_its_key_is_refused(campaign: Campaign, work: Client, key: str) -> None:
    assert work.post(on_screen(work, campaign), answer(work, campaign, key=key)).status_code == 422


@pytest.mark.any_protocol
@pytest.mark.parametrize(
    "odd",
    [
        {"started_at": "yesterday"},
        {"started_at": "2026-99-99T00:00:00Z"},
        {"started_at": "2026-01-01T00:00:00"},
        {"started_at": "0001-01-01T00:00:00+14:00"},
        {"started_at": "9999-12-31T23:59:59-14:00"},
        {"active_ms": "-1"},
        {"active_ms": "9" * 40},
        {"note": "x" * 5000 + "\0"},
    ],
)
def test_odd_times_and_notes_do_not_cost_the_answer(
    campaign: Campaign, work: Client, odd: dict[str, str]
) -> None:
    work.post(on_screen(work, campaign), answer(work, campaign, **odd))
    revision = Revision.objects.get(judgment__showing__isnull=False)
    assert revision.started_at is None
    assert revision.active_ms is None
    assert len(revision.note) <= 2000


def test_a_skip_needs_a_reason(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    for nothing in (" ", "\0 \0"):
        assert work.post(f"{screen}skip/", {"key": str(uuid4()), "note": nothing}).status_code == 422
    assert work.post(f"{screen}skip/", {"key": str(uuid4()), "note": "garbled"}).status_code == 302
    assert Judgment.objects.get(showing__isnull=False).state == "skipped"


def test_no_page_or_header_of_an_annotator_names_a_system(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    work.post(screen, answer(work, campaign))
    for path in (address(campaign), address(campaign, "answers"), screen):
        response = work.get(path)
        told = response.content.decode() + str(response.headers)
        assert not [name for name in SYSTEMS if name in told]
        assert response["Cache-Control"] == "no-store"


def test_types_of_edits_are_not_shown(campaign: Campaign, work: Client, protocol: str) -> None:
    label(campaign.corpus)
    page = work.get(on_screen(work, campaign)).content.decode()
    assert ("<ins" in page) == (protocol != CORRECTION)  # It shows no outputs.
    assert "edit-type" not in page
