"""Judgments and their export: pseudonymised, filtered, in pages or in a file."""

import csv
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.judgments.pseudonyms import pseudonym
from annotate.models import AuditEntry, Campaign, Role
from formats.snapshot.judgment_columns import COLUMNS
from formats.writers import FORMATS
from tests.annotate.api.asking import ask, problem_of, program
from tests.annotate.protocols import RANKING
from tests.annotate.running import NOON, answer, cast, pass_over, running, shown
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = pytest.mark.django_db
WHO = 1


@pytest.fixture
def client() -> Client:
    """A researcher's program."""
    return program()


@pytest.fixture
def campaign() -> Campaign:
    """anna answers on one day and thinks better of it on the next, ben skips."""
    campaign = running()
    anna, ben = cast(campaign)
    showing = shown(anna)
    answer(showing)
    answer(showing, NOON + timedelta(days=1))
    pass_over(shown(ben))
    return campaign


def rows(client: Client, campaign: Campaign, **parameters: Any) -> list[dict[str, Any]]:
    """The judgments that the parameters ask for."""
    results: list[dict[str, Any]] = ask(client, f"campaigns/{campaign.uuid}/judgments/", **parameters)[
        "results"
    ]
    return results


def test_a_judgment_is_told_with_its_ratings(client: Client) -> None:
    campaign = small_campaign(small_corpus())
    first = rows(client, campaign)[0]
    assert first["annotator"] == pseudonym(campaign, "anna")
    assert (first["protocol"], first["state"]) == ("relative-ranking", "complete")
    assert (first["sentence"], first["repetition"]) == (0, 0)
    [current] = first["answers"]
    assert (current["revision"], current["active_ms"], current["submitted_at"]) == (1, 30_000, None)
    assert {tuple(rating["systems"]): rating["rank"] for rating in current["ratings"]} == {
        ("Alder", "Birch"): 1,
        ("Cedar",): 2,
        ("INPUT",): 3,
    }
    [text] = {
        output["text"]
        for item in ask(client, f"campaigns/{campaign.uuid}/items/")["results"]
        for output in item["outputs"]
        if output["output"] == current["ratings"][0]["output"]
    }
    assert text in {"She go home .", "She goes home .", "She went home ."}


def test_a_judgment_has_the_fields_of_an_export(client: Client, rating_protocol: str) -> None:
    """But for what its address says, or the campaign; positions are the order of the ratings."""
    campaign = running()
    [anna] = cast(campaign, "anna")
    answer(shown(anna))
    [judgment] = rows(client, campaign)
    [current] = judgment["answers"]
    told = judgment.keys() | current.keys() | current["ratings"][0].keys()
    assert COLUMNS.keys() - told == {"schema_version", "campaign", "marks_edits", "position"}
    touched = None if rating_protocol == RANKING else True
    assert {rating["touched"] for rating in current["ratings"]} == {touched}


def test_filters_select_judgments(client: Client, campaign: Campaign) -> None:
    anna, ben = pseudonym(campaign, "anna"), pseudonym(campaign, "ben")
    next_day = (NOON + timedelta(days=1)).date().isoformat()

    def judges(**filters: Any) -> list[str]:
        return [row["annotator"] for row in rows(client, campaign, **filters)]

    assert judges() == [anna, ben]
    assert judges(state="skipped") == [ben]
    assert judges(state=["skipped", "complete"]) == [anna, ben]
    assert judges(annotator=ben) == judges(annotator="2") == [ben]
    assert judges(submitted_from=next_day) == [anna]
    assert judges(submitted_to=NOON.date().isoformat()) == [ben]
    [sentence] = {row["sentence"] for row in rows(client, campaign, annotator=anna)}
    assert anna in judges(sentence=sentence)
    assert judges(sentence=2) == []


def test_revisions_are_told_on_request(client: Client, campaign: Campaign) -> None:
    assert [len(row["answers"]) for row in rows(client, campaign)] == [1, 1]
    answers = rows(client, campaign, history="true")[0]["answers"]
    assert [answer["revision"] for answer in answers] == [1, 2]


@pytest.mark.any_database
@pytest.mark.parametrize(
    "wrong",
    [
        {"state": "late"},
        {"annotator": "anna"},
        {"sentence": "first"},
        {"submitted_from": "yesterday"},
        {"submitted_to": "2026-02-30"},
        {"names": "perhaps"},
        {"anotator": "ben"},
    ],
)
@pytest.mark.parametrize("part", ["judgments/", "export/?format=csv"])
def test_a_filter_that_is_wrong_is_named(
    client: Client, campaign: Campaign, wrong: dict[str, str], part: str
) -> None:
    """A name instead of a pseudonym is wrong as well: whether it is one is not told."""
    path, _, query = part.partition("?")
    parameters = {**dict([query.split("=")] if query else []), **wrong}
    response = client.get(f"/api/v1/campaigns/{campaign.uuid}/{path}", parameters)
    assert problem_of(response, 400)["errors"].keys() == wrong.keys()
    assert not AuditEntry.objects.filter(action="export").exists()


@pytest.mark.parametrize("part", ["judgments/", "export/"])
def test_names_are_for_admins(client: Client, campaign: Campaign, part: str) -> None:
    parameters = {"names": "true"} | ({"format": "csv"} if part == "export/" else {})
    path = f"/api/v1/campaigns/{campaign.uuid}/{part}"
    problem_of(client.get(path, parameters), 403)
    told = program(Role.ADMIN).get(path, parameters)
    assert b"anna" in (told.getvalue() if told.streaming else told.content)


def test_longer_pages_take_no_more_queries(
    client: Client, campaign: Campaign, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for limit in (1, 2):
        # The campaign and its design, who is excluded, the judgments' keys, their answers and ratings.
        with django_assert_num_queries(WHO + 6):
            rows(client, campaign, limit=limit)


def test_pages_hold_all_judgments_once(client: Client) -> None:
    campaign = small_campaign(small_corpus())
    page = ask(client, f"campaigns/{campaign.uuid}/judgments/", limit=4)
    rest = client.get(page["next"]).json()
    assert rest["next"] is None
    assert page["results"] + rest["results"] == rows(client, campaign)


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if not each.holds_spans])
def test_exports_are_those_of_the_page(client: Client, researcher: Client, name: str) -> None:
    campaign = small_campaign(small_corpus())
    told = client.get(f"/api/v1/campaigns/{campaign.uuid}/export/", {"format": name, "state": "complete"})
    page = researcher.get(f"/campaigns/{campaign.uuid}/export/", {"file_format": name, "state": "complete"})
    assert told.getvalue() == page.getvalue()
    for header in ("Content-Type", "Content-Disposition", "Cache-Control"):
        assert told[header] == page[header]


def test_an_export_is_filtered_and_put_on_record(client: Client, campaign: Campaign) -> None:
    ben = pseudonym(campaign, "ben")
    told = client.get(
        f"/api/v1/campaigns/{campaign.uuid}/export/", {"format": "csv", "annotator": ben, "sentence": "0"}
    )
    exported = list(csv.DictReader(told.getvalue().decode().splitlines()))
    assert {row["annotator"] for row in exported} <= {ben}
    entry = AuditEntry.objects.get(action="export")
    assert entry.who == "researcher-of-program"
    assert (entry.details["annotator"], entry.details["sentence"]) == ("Annotator 2", 0)


@pytest.mark.parametrize("accept", ["application/json", "text/csv", "*/*", "nonsense"])
def test_an_export_comes_whatever_a_program_says_it_accepts(client: Client, accept: str) -> None:
    campaign = small_campaign(small_corpus())
    path = f"/api/v1/campaigns/{campaign.uuid}/export/"
    assert client.get(path, {"format": "csv"}, headers={"Accept": accept}).status_code == 200


def test_judgments_that_a_format_cannot_hold_are_reported(client: Client, campaign: Campaign) -> None:
    path = f"/api/v1/campaigns/{campaign.uuid}/export/"
    response = client.get(path, {"format": "appraise", "history": "true"})
    assert "current answers only" in problem_of(response, 400)["errors"]["format"][0]
    assert problem_of(client.get(path), 400)["errors"] == {"format": ["This field is required."]}
