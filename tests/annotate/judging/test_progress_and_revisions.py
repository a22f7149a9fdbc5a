"""A screen shows the annotator's progress, the time left, and the answer being revised."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from annotate.campaigns.reports import reports_and_skips
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.judging.screen import SKIP_REASONS
from annotate.judging.work_time import time_left
from annotate.models import Annotator, Campaign, Revision, Slot
from tests.annotate.designs import running_campaign
from tests.annotate.judging.at_work import JSON, address, answer, on_screen
from tests.annotate.protocols import CORRECTION, ERROR_SPANS, RANKING, SCALARS, SCALES, VALIDITY
from tests.annotate.samples import sentence, small_corpus

pytestmark = pytest.mark.any_protocol


@pytest.mark.parametrize(
    ("screens", "minutes", "left", "words"),
    [
        (4, 4, 6, ""),
        (5, 0, 6, ""),
        (5, 5, 0, ""),
        (5, 5, 6, "about 6 minutes"),
        (20, 5, 3, "less than a minute"),
        (10, 20, 50, "about 1.5 hours"),
    ],
)
def test_the_time_left_is_at_the_annotators_own_pace_and_unsaid_while_unknown(
    screens: int, minutes: int, left: int, words: str
) -> None:
    assert time_left(Annotator(screens=screens, active_ms=60_000 * minutes), left) == words


def test_progress_counts_the_batch_and_time_appears_with_the_fifth_answer(db: None, protocol: str) -> None:
    texts = [sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?", f"Says {n} .") for n in range(8)]
    campaign = running_campaign(
        small_corpus(sentences=texts), items=8, sampling="uniform", repeat_percent=0, annotators_per_item=1
    )
    work = Client()
    work.post(f"/join/{mint_personal_link(add_annotator(campaign, name='ada'))}/")
    for done in range(1, 6):
        fields = answer(work, campaign, active_ms="60000")
        reply = work.post(on_screen(work, campaign), fields, headers=JSON).json()
        assert f"<b>{done} of 8</b> in this batch" in reply["screen"]
        assert (", about 3 minutes left" in reply["screen"]) == (done == 5)


def test_progress_counts_what_the_annotator_has_answered_repeats_and_late_judgments_too(
    db: None, protocol: str
) -> None:
    texts = [sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?", f"Says {n} .") for n in range(30)]
    design: dict[str, Any] = {"batch_size": 14, "repeat_percent": 50, "annotators_per_item": 1}
    campaign = running_campaign(small_corpus(sentences=texts), sampling="uniform", items=28, **design)
    ada = add_annotator(campaign, name="ada")
    work = Client()
    work.post(f"/join/{mint_personal_link(ada)}/")
    skipped = on_screen(work, campaign)
    work.post(f"{skipped}skip/", {"key": str(uuid4()), "reason": SKIP_REASONS[0]})
    work.post(skipped, {**answer(work, campaign), "revises": "1"})
    counts = []
    while "pause" not in (shown := work.get(address(campaign), follow=True).context):
        ada.refresh_from_db()
        # Repeats may come due after the batch, which then counts them at its end.
        assert shown["progress"] is None or shown["progress"].done == ada.answered
        counts.append(ada.answered)
        work.post(on_screen(work, campaign), answer(work, campaign))
    ada.refresh_from_db()
    assert Slot.objects.filter(annotator=ada, state="filled").exclude(repeats=None).exists()
    assert counts == list(range(1, len(counts) + 1))
    assert shown["pause"].screens == ada.answered == len(counts) + 1


def test_a_skip_that_is_judged_after_all_is_no_report(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    work.post(f"{screen}skip/", {"key": str(uuid4()), "reason": SKIP_REASONS[0]})
    page = work.get(screen)
    assert f"You skipped this one: “<bdi>{SKIP_REASONS[0]}" in page.content.decode()
    fields = answer(work, campaign)
    note = re.search(r'<textarea id="note"[^>]*>(.*?)</textarea>', page.content.decode(), re.DOTALL)
    assert note is not None
    work.post(screen, {**fields, "note": note[1], "revises": "1"})
    assert not reports_and_skips(campaign).exists()


def test_a_skipped_screen_is_no_longer_part_of_the_batch(campaign: Campaign, work: Client) -> None:
    total = work.get(address(campaign), follow=True).context["progress"].screens
    work.post(f"{on_screen(work, campaign)}skip/", {"key": str(uuid4()), "reason": SKIP_REASONS[0]})
    assert work.get(address(campaign), follow=True).context["progress"].screens == total - 1


def test_a_revision_shows_what_was_given_and_when(campaign: Campaign, work: Client, protocol: str) -> None:
    screen = on_screen(work, campaign)
    outputs = len(work.get(screen).context["outputs"])
    work.post(screen, answer(work, campaign))
    page = work.get(screen)
    text = page.content.decode()
    given = [output["given"] for output in page.context["outputs"]]
    first = {
        RANKING: ["1"],
        SCALARS: ["90"],
        SCALES: ["Fluency 4, Grammaticality 4, Meaning ?"],
        ERROR_SPANS: ["90, major missing"],
        VALIDITY: ["yes"],
        CORRECTION: [],
    }[protocol]
    assert given[:1] == first
    assert len(given) == outputs
    assert [f"Before: <b>{mark}</b>" in text for mark in first] == [True] * len(first)
    assert ">Save <kbd" in text
    assert 'data-cancel aria-keyshortcuts="Escape">Cancel' in text
    assert "data-revision" in text
    assert "Skip, because" not in text, "an answer stays an answer"


def test_a_draft_of_a_revision_stands_beside_what_was_given(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    work.post(screen, answer(work, campaign))
    before = work.get(screen).context["earlier"].marks
    work.post(f"{screen}draft/", {"revises": "1", "note": "hm"})
    page = work.get(screen)
    assert page.context["fields"]["note"] == "hm"
    assert page.context["earlier"].marks == before
    work.post(f"{screen}draft/", {})
    assert work.get(screen).context["fields"]["note"] == "", "cancelled"


def test_a_skip_that_is_opened_again_says_why_and_can_be_judged(campaign: Campaign, work: Client) -> None:
    screen, fields = on_screen(work, campaign), answer(work, campaign, revises="1")
    work.post(f"{screen}skip/", {"key": str(uuid4()), "reason": SKIP_REASONS[1], "note": "no verb"})
    assert Revision.objects.get(judgment__showing__isnull=False).note == f"{SKIP_REASONS[1]}: no verb"
    text = work.get(screen).content.decode()
    assert f"You skipped this one: “<bdi>{SKIP_REASONS[1]}: no verb</bdi>”" in text
    work.post(screen, fields)
    assert Revision.objects.get(judgment__showing__isnull=False, number=2).judgment.state == "complete"


def test_each_reason_skips_at_once_without_scripts(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    text = work.get(screen).content.decode()
    for reason in SKIP_REASONS:
        assert f'name="reason" value="{reason}" formaction="{screen}skip/"' in text
    assert work.post(f"{screen}skip/", {"key": str(uuid4()), "reason": SKIP_REASONS[2]}).status_code == 302
    assert work.post(f"{screen}skip/", {"key": str(uuid4())}).status_code == 422
