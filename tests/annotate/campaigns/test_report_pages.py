"""The list of items that annotators skipped or reported."""

import re
from collections.abc import Sequence
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotate.campaigns.report_views import REPORTS_PER_PAGE
from annotate.campaigns.reports import reports_and_skips
from annotate.judging.handout import Submission, submit
from annotate.judging.skipped_items import drop, release
from annotate.judgments.pseudonyms import pseudonym
from annotate.models import Campaign, Judgment, JudgmentState, Showing
from tests.annotate.running import answer, answer_to, cast, pass_over, running, shown
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = pytest.mark.django_db


def report(showing: Showing, note: str) -> Judgment:
    """Answer it, with a note."""
    given = answer_to(showing)
    return submit(showing.annotator, showing.uuid, lambda question: given, Submission(uuid4(), note=note))


def rows(client: Client, campaign: Campaign, query: str = "") -> list[str]:
    """The rows of the list, each in one line."""
    page = client.get(f"/campaigns/{campaign.uuid}/reports-and-skips/{query}").content.decode()
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    texts = (re.sub("<[^>]*>", " ", row) for row in body.split("</tr>")[:-1])
    return [" ".join(text.split()) for text in texts]


@pytest.fixture
def campaign() -> Campaign:
    """anna and ben skip the same item; ben then answers one with a note, and one without."""
    campaign = running(annotators_per_item=2, shared_percent=100)
    anna, ben = cast(campaign)
    pass_over(shown(anna), note="No sentence.")
    pass_over(shown(ben), note="Two sentences.")
    report(shown(ben), "A <b>name</b> stands in it.")
    answer(shown(ben))
    return campaign


def test_it_tells_item_annotator_reason_time_and_state(admin: Client, campaign: Campaign) -> None:
    noted, second, first = rows(admin, campaign)
    held = Judgment.objects.earliest("pk").item
    for row, name, reason in (
        (first, "anna Annotator 1", "No sentence."),
        (second, "ben Annotator 2", "Two sentences."),
    ):
        assert row.startswith(f"Judgments of item {held.number} {name} Skip {reason} 2026-05-04 ")
        assert "Waiting for a decision" in row
    assert "ben Annotator 2 Report A &lt;b&gt;name&lt;/b&gt; stands in it." in noted
    assert "Still to be judged" in noted
    release(held)
    assert "Still to be judged" in rows(admin, campaign)[2]
    pass_over(shown(campaign.annotators.create(name="cleo")))
    held.slots.update(state="held", annotator=None, assignment=None)
    drop(held)
    assert "Dropped" in rows(admin, campaign)[-1]


def test_it_can_be_filtered(admin: Client, campaign: Campaign) -> None:
    anna, ben = (pseudonym(campaign, name) for name in ("anna", "ben"))
    held, reported = (
        Judgment.objects.filter(**which).earliest("pk").item.number
        for which in ({"state": JudgmentState.SKIPPED}, {"is_reported": True})
    )
    numbers = {
        "": 3,
        "?kind=skip": 2,
        "?kind=report": 1,
        f"?annotator={anna}": 1,
        "?annotator=1": 1,
        f"?annotator={ben}": 2,
        f"?annotator={ben}&kind=skip": 1,
        f"?item={held}": 2,
        f"?item={reported}": 1,
        "?item=999": 0,
        "?item_state=held": 2,
        "?item_state=dropped": 0,
        "?kind=nonsense": 3,
        "?annotator=anna": 3,
    }
    assert {query: len(rows(admin, campaign, query)) for query in numbers} == numbers


def test_researchers_see_numbers(researcher: Client, campaign: Campaign) -> None:
    page = researcher.get(f"/campaigns/{campaign.uuid}/reports-and-skips/").content.decode()
    assert "Annotator 1" in page
    assert not re.search(r"\b(anna|ben)\b", page)
    assert "manage/#held" not in page


def test_the_campaign_page_shows_the_newest_and_leads_to_all(admin: Client, campaign: Campaign) -> None:
    page = admin.get(f"/campaigns/{campaign.uuid}/manage/").content.decode()
    section = page.partition('<h2 id="reports">')[2].partition("</section>")[0]
    assert "Two sentences." in section
    assert f'href="/campaigns/{campaign.uuid}/reports-and-skips/"' in section


def test_imported_skips_are_listed_though_nothing_more_is_asked_about_them(researcher: Client) -> None:
    campaign = small_campaign(small_corpus())
    [row] = rows(researcher, campaign)
    assert "Skip no reason given – –" in row


def test_an_empty_list_says_so(researcher: Client) -> None:
    page = researcher.get(f"/campaigns/{running().uuid}/reports-and-skips/").content.decode()
    assert "No item has been skipped or reported yet." in page


def test_a_long_note_is_folded(admin: Client, campaign: Campaign) -> None:
    report(shown(campaign.annotators.get(name="anna")), "=1+1 <script>" * 150)
    page = admin.get(f"/campaigns/{campaign.uuid}/reports-and-skips/").content.decode()
    assert "<details><summary><bdi>=1+1 &lt;script&gt;" in page
    assert "<script>=" not in page


def test_its_pages_cost_the_same_and_hold_every_row_once(admin: Client) -> None:
    campaign = small_campaign(small_corpus())
    [skipped] = Judgment.objects.filter(state=JudgmentState.SKIPPED)
    people = [campaign.annotators.create(name=f"judge {number}") for number in range(60)]
    Judgment.objects.bulk_create(
        Judgment(campaign=campaign, item=skipped.item, annotator=who, repetition=0, state="skipped")
        for who in people
    )
    address, sizes, counts = f"/campaigns/{campaign.uuid}/reports-and-skips/", [], []
    query: str | None = ""
    while query is not None:
        with CaptureQueriesContext(connection) as queries:
            page = admin.get(f"{address}{query}").content.decode()
        sizes.append(page.count('<th scope="row">'))
        counts.append(len(queries))
        onwards = re.search(r'href="([^"]*)" rel="next"', page)
        query = onwards and onwards[1]
    assert sizes == [REPORTS_PER_PAGE, REPORTS_PER_PAGE, 61 - 2 * REPORTS_PER_PAGE]
    # Session and account, the campaign with its design, annotators to choose from; the page,
    # its answers, slots of their items.
    assert counts == [8] * 3


def plan_of(campaign: Campaign, **asked: object) -> Sequence[str]:
    rows = reports_and_skips(campaign, **asked).order_by("-pk")[:26]  # type: ignore[arg-type]
    sql, parameters = rows.query.sql_with_params()
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
        words = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
        cursor.execute(f"{words} {sql}", parameters)
        return [str(row[-1]) for row in cursor.fetchall()]


def test_a_page_is_a_stretch_of_an_index_of_reports_and_skips_alone(campaign: Campaign) -> None:
    anna = campaign.annotators.get(name="anna")
    for asked in ({}, {"annotator": anna}, {"kind": "skip"}, {"kind": "report"}):
        plan = plan_of(campaign, **asked)
        assert any(re.search(r"\b(report_page|judgment_page_(in_state|reported))", line) for line in plan), (
            plan
        )
        assert not any("TEMP B-TREE" in line or "Sort" in line for line in plan), plan
