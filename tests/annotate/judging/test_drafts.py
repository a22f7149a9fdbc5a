"""Entries that are not submitted yet are kept."""

from urllib.parse import urlencode

from django.test import Client

from annotate.models import Campaign
from tests.annotate.judging.at_work import answer, on_screen


def test_a_draft_is_kept_within_its_bounds(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    fields = {f"field-{number}": "x" * 9000 for number in range(150)}
    assert work.post(f"{screen}draft/", {"key": "k", "rank-0": "2", **fields}).status_code == 204
    draft = work.get(screen).context["fields"]
    assert draft["rank-0"] == "2"
    assert "key" not in draft
    assert len(draft) <= 100
    assert sum(map(len, draft.values())) <= 100_000
    long = {"field-0": "x" * 20_001}
    assert work.post(f"{screen}draft/", long).status_code == 204
    assert len(work.get(screen).context["fields"]["field-0"]) == 20_000


def test_a_draft_that_comes_after_its_answer_does_not_hide_it(campaign: Campaign, work: Client) -> None:
    screen, fields = on_screen(work, campaign), answer(work, campaign)
    judged = [*fields][-1]
    other = "2" if fields[judged] == "1" else "1"
    early = {**fields, judged: other, "revises": "0"}
    work.post(f"{screen}draft/", early)
    assert work.get(screen).context["fields"][judged] == other
    work.post(screen, fields)
    work.post(f"{screen}draft/", early)
    again = work.get(screen).context
    assert (again["revises"], again["fields"][judged]) == (1, fields[judged])
    work.post(f"{screen}draft/", {**early, "revises": "1"})
    assert work.get(screen).context["fields"][judged] == other


def test_a_draft_holds_what_a_database_can(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    fields = {"rank-0": "2\0", "rank\0": "1", "x" * 10_000: "1"}
    form = "application/x-www-form-urlencoded"
    assert work.post(f"{screen}draft/", urlencode(fields), content_type=form).status_code == 204
    assert work.get(screen).context["fields"] == {"rank-0": "2"}
