"""The interface of protocols: any kind of answer goes from the form of a campaign to an import.

Nothing but the registry knows the protocols of `tests.annotate.toys`: one shows no output and asks for texts
and a detail, one asks for a verdict on one output, and one ranks two. Real ones go the same way, among them a
ranking with the annotator's confidence.
"""

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotate.corpora.queries import texts
from annotate.judging.entering import add_annotator
from annotate.judgments.exporting import ExportError
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.judgments.kept_snapshots import kept_snapshot
from annotate.judgments.queries import snapshot
from annotate.models import Campaign, Corpus, Judgment
from formats import read_judgments
from formats.snapshot.resolution import resolve
from formats.snapshot.snapshots import content_hash
from tests.annotate.api.asking import ask, program
from tests.annotate.campaigns.test_campaign_form import address, filled
from tests.annotate.samples import no_progress
from tests.annotate.toy_protocols.at_work import AtWork
from tests.annotate.toy_protocols.cases import Case
from tests.formats.writers.stored import exported

pytestmark = pytest.mark.django_db

SEVERAL_OUTPUTS = {"sampling": "listed", "listed_sentences": "0-1,3"}
"""What the form says to ask for sentences with several outputs only."""

TABLES = {"csv": ".csv", "jsonl": ".jsonl", "parquet": ".parquet"}


@pytest.fixture
def campaign(admin: Client, corpus: Corpus, case: Case) -> Campaign:
    """Launched from the form, as an admin does it; each sentence is asked once of two annotators."""
    form = filled(corpus, shared_percent=100, guidelines="", **SEVERAL_OUTPUTS)
    url = address(corpus, case.protocol.name)
    assert admin.post(url, {**form, **case.options}).status_code == 302
    campaign = Campaign.objects.get()
    assert case.protocol.title in admin.get(reverse("manage-campaign", args=[campaign.uuid])).content.decode()
    admin.post(reverse("launch-campaign", args=[campaign.uuid]))
    campaign.refresh_from_db()
    assert campaign.state == "running"
    return campaign


@pytest.fixture
def judged(campaign: Campaign, case: Case) -> Campaign:
    """anna answers one item and revises it, and skips another; ben answers one."""
    anna, ben = (AtWork(add_annotator(campaign, name=name)) for name in ("anna", "ben"))
    screen = anna.next_screen()
    anna.post(screen, case.first)
    anna.post(screen, {**case.second, "revises": "1", "note": "odd"})
    anna.post(f"{anna.next_screen()}skip/", {"note": "no sentence"})
    ben.post(ben.next_screen(), case.first)
    return campaign


def test_a_screen_shows_what_the_protocol_asks_for(campaign: Campaign, case: Case) -> None:
    anna = AtWork(add_annotator(campaign, name="anna"))
    page = anna.get(anna.next_screen())
    assert len(page.context["outputs"]) == case.outputs
    html = page.content.decode()
    assert all(f'name="{field}"' in html for field in case.first)
    assert ("<dd>next, previous " in html) == (case.outputs > 0)


def test_an_answer_that_is_not_complete_is_refused(campaign: Campaign, case: Case) -> None:
    anna = AtWork(add_annotator(campaign, name="anna"))
    refused = anna.post(anna.next_screen(), case.incomplete)
    assert refused.status_code == 422
    assert case.fault in refused.content.decode()
    assert not Judgment.objects.exists()


def test_an_answer_stands_in_the_form_until_it_is_revised(campaign: Campaign, case: Case) -> None:
    anna = AtWork(add_annotator(campaign, name="anna"))
    screen = anna.next_screen()
    anna.post(f"{screen}draft/", {**case.second, "revises": "0"})
    assert anna.get(screen).context["fields"] == {**case.second, "revises": "0"}
    for fields in (case.first, case.second):
        assert anna.post(screen, fields).status_code == 302
        assert anna.get(screen).context["fields"] == {**fields, "note": ""}
    assert Judgment.objects.get().revisions.count() == 2


def test_a_skipped_item_opens_again_without_an_answer(campaign: Campaign, case: Case) -> None:
    anna = AtWork(add_annotator(campaign, name="anna"))
    screen = anna.next_screen()
    anna.post(f"{screen}skip/", {"note": "no sentence"})
    assert anna.get(screen).context["fields"] == {"note": ""}, "the reason to skip is no report"
    anna.post(screen, case.first)
    assert Judgment.objects.get().state == "complete"


def test_characters_that_no_database_stores_are_removed_or_refused(campaign: Campaign, case: Case) -> None:
    anna = AtWork(add_annotator(campaign, name="anna"))
    screen = anna.next_screen()
    nul = {field: f"\0{value}" for field, value in case.first.items()}
    assert anna.post(screen, nul).status_code == 302
    long = {field: value + " x" * 10_000 for field, value in case.first.items()}
    assert anna.post(screen, long).status_code == 422
    assert Judgment.objects.get().revisions.count() == 1


def test_the_page_of_judgments_shows_it(judged: Campaign, case: Case, researcher: Client) -> None:
    page = researcher.get(judged.get_absolute_url()).content.decode()
    assert all(words in page for words in case.shown)
    assert page.count("no outputs were rated") == 1, "the skip"


def test_the_api_tells_it(judged: Campaign, case: Case) -> None:
    client = program()
    path = f"campaigns/{judged.uuid}/judgments/"
    [first, *_] = ask(client, path)["results"]
    [current] = first["answers"]
    assert {name: current[name] for name in case.told} == case.told
    ranks = case.ranks or (None,) * case.outputs
    assert tuple(rating["rank"] for rating in current["ratings"]) == ranks
    [both, *_] = ask(client, path, history=True)["results"]
    assert [answer["revision"] for answer in both["answers"]] == [1, 2]


def test_the_snapshot_has_it(judged: Campaign, case: Case) -> None:
    frame = snapshot(judged)
    assert list(frame.groupby("judgment", sort=False)["state"].first()) == ["complete", "skipped", "complete"]
    first = frame.astype(object).where(frame.notna(), None).iloc[0]
    assert {name: first[name] for name in case.stored} == case.stored
    assert (first["score"], first["revision"]) == (case.stored.get("score"), 2)
    assert len(set().union(*frame["systems"])) >= case.protocol.least_systems
    assert content_hash(kept_snapshot(judged)) == content_hash(frame)


@pytest.mark.parametrize("table", TABLES)
def test_an_export_is_imported_to_the_same_snapshot(judged: Campaign, table: str, tmp_path: Path) -> None:
    file = tmp_path / f"copy{TABLES[table]}"
    file.write_bytes(exported(judged, table))
    records = resolve(read_judgments(file), file, texts=texts(judged.corpus))
    plan = plan_judgments(name="copy", corpus=judged.corpus, judgments=records, synthetic=False)
    imported = store_judgments(plan, progress=no_progress)
    before, after = snapshot(judged, names=True), snapshot(imported, names=True)
    ids = ["judgment", "campaign"]
    assert content_hash(after.drop(columns=ids)) == content_hash(before.drop(columns=ids))


@pytest.mark.any_database
@pytest.mark.parametrize("file_format", ["appraise", "wmt-csv"])
def test_formats_of_rankings_hold_ranks_or_say_that_there_are_none(
    judged: Campaign, case: Case, file_format: str
) -> None:
    if case.compares:
        assert exported(judged, file_format)
        return
    with pytest.raises(ExportError, match="has none; CSV, JSON Lines and Parquet hold judgments of every"):
        exported(judged, file_format)


def test_every_page_of_the_campaign_opens(judged: Campaign, admin: Client) -> None:
    for name in ("campaign", "manage-campaign", "export", "reports-and-skips", "ranking", "quality"):
        assert admin.get(reverse(name, args=[judged.uuid])).status_code == 200, name
