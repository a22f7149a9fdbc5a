import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotate.campaigns.preview import BATCHES_SHOWN, EXAMPLE, ITEMS_SHOWN, from_json, preview, to_json
from annotate.models import Campaign, CampaignState, Corpus, Item, Slot
from tests.annotate.crowds import crowd_of
from tests.annotate.designs import draft_campaign, running_campaign
from tests.annotate.samples import sentence, small_corpus
from tests.annotate.tables import contents
from tests.annotate.terms import without_meanings

pytestmark = pytest.mark.any_database


@pytest.fixture
def corpus(db: None) -> Corpus:
    return small_corpus()


@pytest.fixture
def long_corpus(db: None) -> Corpus:
    """Thirty sentences with three outputs each."""
    sentences = [sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?", f"Say {n} .") for n in range(30)]
    return small_corpus("long", sentences=sentences)


def address(campaign: Campaign, page: str = "manage") -> str:
    return reverse(f"{page}-campaign", args=[campaign.uuid])


def table(page: str, caption: str) -> dict[int, int]:
    """The rows of a table of two numbers."""
    rows = page.partition(f"<caption>{caption}")[2].partition("</table>")[0]
    cells = re.findall(r'class="number">(\d+)</th><td class="number">(\d+)</td></tr>', rows)
    return {int(number): int(times) for number, times in cells}


def figures(page: str) -> dict[str, int]:
    return {
        term: int(value)
        for term, value in re.findall(r"<dt>(.*?)</dt><dd>(\d+)</dd>", without_meanings(page))
    }


def test_it_says_how_much_will_be_asked(admin: Client, corpus: Corpus) -> None:
    campaign = draft_campaign(corpus, annotators_per_item=3, shared_percent=50, batch_size=3)
    assert figures(admin.get(address(campaign)).content.decode()) == {
        "Items": 4,
        "Shared": 2,
        "Total judgments": 4 + 2 * 2,
        "Of which repeats": 0,
        "Batches": 3,
        "Annotators needed (minimum)": 3,
    }


def test_screens_are_counted_by_their_outputs(admin: Client, corpus: Corpus) -> None:
    page = admin.get(address(draft_campaign(corpus))).content.decode()
    assert table(page, "Items by their number of outputs") == {1: 1, 2: 0, 3: 3}
    assert "1 of the items has only one output" in page


def test_a_draft_that_covers_all_outputs_says_of_how_many_sentences(admin: Client, corpus: Corpus) -> None:
    corpus.systems.filter(name="Cedar").update(role="control")
    campaign = draft_campaign(corpus, covers_outputs=True, checked_percent=100)
    page = " ".join(admin.get(address(campaign)).content.decode().split())
    assert "Every output of 4 sentences is judged. 3 screens show both the source and the control." in page
    assert figures(page)["Items"] == 5
    corpus.systems.filter(name="Cedar").update(role="system")
    page = admin.get(address(campaign)).content.decode()
    assert "No screen shows both a source and a control" in page


def test_batches_of_separate_domains_say_which(admin: Client, corpus: Corpus) -> None:
    assert "Domain</th>" not in admin.get(address(draft_campaign(corpus))).content.decode()
    page = admin.get(address(draft_campaign(corpus, "separate", separates_domains=True))).content.decode()
    assert "<td>private</td>" in page
    assert "<td>none</td>" in page


def test_without_single_outputs_nothing_is_said_of_them(admin: Client, long_corpus: Corpus) -> None:
    assert "only one output" not in admin.get(address(draft_campaign(long_corpus))).content.decode()


def test_items_are_shown_as_annotators_will_see_them(admin: Client, corpus: Corpus) -> None:
    campaign = draft_campaign(corpus, sampling="listed", listed_sentences=[0])
    page = admin.get(address(campaign)).content.decode()
    assert page.count("<article") == 1
    assert (
        'She <ins title="instead of: go">goes<span class="unseen"> (instead of: go)</span></ins> home .'
        in page
    )
    assert "<span>Alder</span> <span>Birch</span>" in page


def test_long_campaigns_show_their_beginning(admin: Client, long_corpus: Corpus) -> None:
    campaign = draft_campaign(long_corpus, items=30, batch_size=2)
    page = admin.get(address(campaign)).content.decode()
    assert page.count("<article") == ITEMS_SHOWN
    assert f"the first {BATCHES_SHOWN} of 23" in page


def test_the_sizes_of_batches_are_shown_before_the_launch(admin: Client, long_corpus: Corpus) -> None:
    campaign = draft_campaign(long_corpus, items=30, batch_size=20, shared_percent=10)
    for name in ("manage", "launch"):
        page = admin.get(address(campaign, name)).content.decode()
        assert "<dt>Screens per batch</dt><dd>16–17</dd>" in page
        assert "A visit of a crowd worker" not in page
    page = admin.get(address(campaign)).content.decode()
    assert table(page, "Batches by their number of screens") == {16: 1, 17: 1}


@pytest.mark.parametrize(
    ("control", "batch_size", "told"),
    [
        (False, 10, "No screen shows both a source and a control"),
        (True, 10, "About 10 of them show both the source and a control."),
        (True, 3, "Visits are too short to be checked: the control rule needs 5 screens"),
    ],
)
def test_visits_of_a_crowd_are_estimated_before_the_launch(
    admin: Client, long_corpus: Corpus, control: bool, batch_size: int, told: str
) -> None:
    if control:
        long_corpus.systems.filter(name="Birch").update(role="control")
        long_corpus.systems.filter(name="INPUT").update(role="source")
    campaign = draft_campaign(
        long_corpus, items=30, batch_size=batch_size, shared_percent=0, outputs_per_screen=4
    )
    crowd_of(campaign)
    for name in ("manage", "launch"):
        page = " ".join(admin.get(address(campaign, name)).content.decode().split())
        assert f"(1 batch) has {batch_size} screens." in page
        assert told in page
        assert ("too short" in page) == ("too short" in told)


@pytest.mark.parametrize(
    ("shared_percent", "batches", "visits", "fewest"),
    [(0, 2, 1, None), (50, 1, 1, None), (50, 2, 1, 10), (50, 1, 2, 5)],
)
def test_later_batches_of_a_worker_are_shorter_where_items_are_shared(
    admin: Client, long_corpus: Corpus, shared_percent: int, batches: int, visits: int, fewest: int | None
) -> None:
    campaign = draft_campaign(
        long_corpus, items=30, batch_size=10, shared_percent=shared_percent, annotators_per_item=2
    )
    crowd_of(campaign, batches_per_visit=batches, visits_per_worker=visits)
    for name in ("manage", "launch"):
        page = " ".join(admin.get(address(campaign, name)).content.decode().split())
        assert "A visit of a crowd worker" in page
        assert ("no worker judges one twice" in page) == (fewest is not None)
        if fewest is not None:
            assert f"may have fewer screens, but at least {fewest} while there are any left" in page


def test_a_preview_that_an_earlier_version_stored_can_be_read(corpus: Corpus) -> None:
    stored = to_json(preview(draft_campaign(corpus)))
    del stored["batch_sizes"]
    assert from_json(stored).visit(1).longest == 0


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"sampling": "diverse", "repeat_percent": 100},
        {"items": 9, "with_replacement": True, "annotators_per_item": 4, "shared_percent": 100},
        {"sampling": "listed", "listed_sentences": [3, 3, 1]},
    ],
)
def test_a_launch_by_the_secret_of_previews_creates_the_items_of_the_preview(
    corpus: Corpus, options: dict[str, Any]
) -> None:
    previewed = preview(draft_campaign(corpus, **options))
    launched = running_campaign(corpus, secret=EXAMPLE, **options)
    assert launched.items.count() == previewed.items
    assert [item.sentence.position for item in launched.items.order_by("number")] == [
        shown.sentence.position for shown in previewed.shown_items
    ]
    for item, shown in zip(Item.objects.order_by("number"), previewed.shown_items, strict=True):
        outputs = [(row.output.text, tuple(row.systems)) for row in item.item_outputs.all()]
        assert outputs == list(shown.outputs)
    assert launched.batches.count() == previewed.batches
    assert launched.slots.filter(repeats=None).count() == previewed.slots
    single = launched.items.filter(sentence__position=2).values("pk")
    assert launched.slots.exclude(repeats=None).exclude(item__in=single).count() == previewed.repeats


def test_looking_changes_nothing(admin: Client, corpus: Corpus) -> None:
    campaign = draft_campaign(corpus)
    admin.get("/")
    before = contents()
    admin.get(address(campaign))
    admin.get(address(campaign, "launch"))
    assert contents() == before


def test_a_draft_that_asks_for_too_much_says_so(admin: Client, corpus: Corpus) -> None:
    campaign = draft_campaign(corpus, items=5)
    page = admin.get(address(campaign)).content.decode()
    assert "only 4 can be drawn: ask for fewer or draw with replacement" in page
    assert address(campaign, "launch") not in page
    for method in (admin.get, admin.post):
        response = method(address(campaign, "launch"), follow=True)
        assert response.redirect_chain == [(address(campaign), 302)]
        assert 'class="message error" role="status">5 sentences asked for' in response.content.decode()
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.DRAFT


def test_guidelines_are_shown_as_markup_and_never_run(admin: Client, corpus: Corpus) -> None:
    campaign = draft_campaign(corpus, guidelines="# Be *fair*\n\n<script>alert(1)</script>")
    page = admin.get(address(campaign)).content.decode()
    assert "<h3>Be <em>fair</em></h3>" in page
    assert "<script" not in page


def test_without_guidelines_it_says_why_some_help(admin: Client, corpus: Corpus) -> None:
    assert "No guidelines yet." in admin.get(address(draft_campaign(corpus))).content.decode()


def test_launching_is_confirmed_and_then_done(admin: Client, corpus: Corpus) -> None:
    campaign = draft_campaign(corpus)
    assert "freezes the campaign" in admin.get(address(campaign, "launch")).content.decode()
    assert not Slot.objects.exists()
    page = admin.post(address(campaign, "launch"), follow=True).content.decode()
    assert "Launched. Annotators can begin." in page
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.RUNNING
    assert campaign.slots.count() == 6


def test_a_campaign_is_launched_once(admin: Client, corpus: Corpus) -> None:
    campaign = running_campaign(corpus)
    before = contents()
    page = admin.post(address(campaign, "launch"), follow=True).content.decode()
    assert "is running." in page
    assert admin.get(address(campaign, "launch")).status_code == 302
    assert {table: rows for table, rows in contents().items() if table in before} == before


@pytest.mark.parametrize("role", ["stranger", "annotator", "researcher"])
def test_nobody_else_can_launch(role: str, corpus: Corpus, request: pytest.FixtureRequest) -> None:
    campaign = draft_campaign(corpus)
    client: Client = request.getfixturevalue(role)
    assert client.post(address(campaign, "launch")).status_code in (302, 403)
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.DRAFT


def test_queries_do_not_grow_with_the_items(
    admin: Client, long_corpus: Corpus, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for items in (1, 30):
        campaign = draft_campaign(long_corpus, f"of {items}", items=items)
        with django_assert_num_queries(15):
            admin.get(address(campaign))
