"""The preview beside the form of a draft: what annotators will do, while the form is filled in."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.campaigns import live_preview
from annotate.campaigns.estimates import work_estimate
from annotate.campaigns.preview import from_json, preview, to_json
from annotate.design.protocols import PROTOCOLS
from annotate.judging.usual_pace import UsualPace
from annotate.models import Campaign, Corpus
from tests.annotate import protocols
from tests.annotate.designs import draft_campaign
from tests.annotate.samples import sentence, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

TEXTS = [
    sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?", f"Says {n} .", document="letter") for n in range(6)
]


@pytest.fixture
def corpus() -> Corpus:
    return small_corpus(sentences=TEXTS)


def form(corpus: Corpus, **changes: str) -> dict[str, Any]:
    """The fields of a filled-in form, without a name."""
    design = {"items": "6", "outputs_per_screen": "3", "sampling": "uniform", "batch_size": "4"}
    people = {
        "shared_percent": "50",
        "annotators_per_item": "2",
        "repeat_percent": "0",
        "lease_minutes": "60",
    }
    rest = {"checked_percent": "100", "time_zone": "UTC", "practice_needed": "0"}
    return {
        **design,
        **people,
        **rest,
        "practice_tries": "2",
        "stops_when": "never",
        "stop_confidence": "95",
        "stop_after": "200",
        "shows_context": "on",
        "systems": [system.pk for system in corpus.systems.all()],
        **changes,
    }


def shown(admin: Client, corpus: Corpus, **changes: str) -> str:
    url = f"{reverse('preview-new-campaign', args=[corpus.uuid])}?protocol={protocols.current}"
    response = admin.post(url, form(corpus, **changes))
    assert response.status_code == 200
    return response.content.decode()


def test_it_shows_numbers_work_and_the_first_three_screens(admin: Client, corpus: Corpus) -> None:
    text = " ".join(shown(admin, corpus, people="3", rate="18").split())
    assert "<dt>Screens to judge</dt><dd>9</dd>" in text
    # Nine screens of three corrections take thirty seconds each, so 270 s cost 270 / 3600 * 18.
    assert "<b>3 screens, about 2 minutes</b> for each of 3 people. About 4 minutes in all" in text
    assert "costs about <b>1</b>" in text
    assert text.count("<figure") == 3
    assert text.count("Rank these corrections") == 3


def test_it_needs_no_name_and_stores_nothing(admin: Client, corpus: Corpus) -> None:
    with CaptureQueriesContext(connection) as queries:
        shown(admin, corpus)
    assert {query["sql"].split()[0] for query in queries} <= {"SELECT", "SAVEPOINT", "RELEASE"}
    assert not Campaign.objects.exists()


def test_missing_entries_are_named(admin: Client, corpus: Corpus) -> None:
    text = shown(admin, corpus, items="", batch_size="0")
    assert "Number of items: This field is required." in text
    assert "Screens per batch: " in text


def test_an_impossible_design_is_explained(admin: Client, corpus: Corpus) -> None:
    assert "6 can be drawn" in shown(admin, corpus, items="7")


def test_a_large_draft_is_estimated_without_drawing(
    admin: Client, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_preview, "is_small", lambda *_: False)
    text = shown(admin, corpus)
    assert "<dt>Judgments, about</dt><dd>9</dd>" in text
    assert "a job then draws its items" in text


def test_changes_of_a_draft_are_previewed_and_not_saved(admin: Client, corpus: Corpus) -> None:
    campaign = draft_campaign(corpus)
    address = reverse("preview-campaign", args=[campaign.uuid])
    text = admin.post(address, form(corpus, items="2", shared_percent="0")).content.decode()
    assert "<dt>Screens to judge</dt><dd>2</dd>" in text
    campaign.design.refresh_from_db()
    assert campaign.design.items == 4


def test_the_first_screens_are_those_of_the_first_batch_in_context(corpus: Corpus) -> None:
    screens = preview(draft_campaign(corpus, items=6, batch_size=4)).screens
    assert 1 < len(screens) <= 4
    texts = [text.source for text in TEXTS]
    for screen in screens:
        place = texts.index(screen.source)
        assert screen.previous == (texts[place - 1] if place else "")
        assert screen.following == (texts[place + 1] if place < 5 else "")
        assert len(screen.texts) == 3
    assert not any(
        screen.previous for screen in preview(draft_campaign(corpus, "bare", shows_context=False)).screens
    )


def test_a_stored_preview_is_read_again_and_one_of_an_earlier_release_too(corpus: Corpus) -> None:
    made = preview(draft_campaign(corpus))
    stored = to_json(made)
    assert from_json(stored) == made
    del stored["screens"]
    assert from_json(stored).screens == ()


@pytest.mark.parametrize(
    ("wishes", "people", "screens_each", "cost"),
    [
        ({}, 2, 50, None),
        ({"people": "1"}, 2, 50, None),
        ({"people": "3", "rate": "12"}, 3, 34, 100 * 50 / 3600 * 12),
        ({"people": "many", "rate": "nan"}, 2, 50, None),
        ({"rate": "0"}, 2, 50, 0),
    ],
)
def test_the_estimate_divides_screens_evenly(
    wishes: dict[str, str], people: int, screens_each: int, cost: float | None
) -> None:
    work = work_estimate(100, UsualPace(50, ""), least_people=2, wishes=wishes)
    assert (work.people, work.screens_each) == (people, screens_each)
    assert work.cost == (cost if cost is None else pytest.approx(cost))
    assert work.time_in_all == "85 minutes", "100 screens of 50 seconds are 83 minutes, in fives"


@pytest.mark.usefixtures("protocol")
def test_it_shows_the_page_of_a_machines_answer_where_there_is_one(admin: Client, corpus: Corpus) -> None:
    asked = {"outputs_per_screen": str(min(3, PROTOCOLS[protocols.current].most_outputs))}
    assert "A program’s answer" not in shown(admin, corpus, **asked)
    assert shown(admin, corpus, opinion_of="gpt", **asked).count("A program’s answer") == 1
