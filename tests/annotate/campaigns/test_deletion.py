"""Deleting a corpus or campaign leaves only audit entries, and is refused while somebody needs it."""

from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotate.campaigns.deletion import DeletionRefusedError, delete_campaign, delete_corpus, parts
from annotate.campaigns.launch_plans import plan_launch
from annotate.campaigns.lifecycle import CampaignError, close, pause, store_launch
from annotate.corpora.queries import texts
from annotate.database import staging
from annotate.database.staging import ImportRefusedError
from annotate.judging.entering import mint_personal_link
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.models import AuditEntry, Campaign, CampaignState, Corpus, Item, Sentence
from formats.snapshot.resolution import resolve
from tests.annotate.designs import draft_campaign
from tests.annotate.labelled import label
from tests.annotate.running import answer, cast, draft, running, shown
from tests.annotate.samples import (
    campaign_without_texts,
    judgments_file,
    no_progress,
    small_campaign,
    small_corpus,
)
from tests.annotate.tables import contents as all_contents

pytestmark = pytest.mark.django_db


def contents() -> dict[object, object]:
    """Everything but the record."""
    return {table: rows for table, rows in all_contents().items() if table is not AuditEntry}


@pytest.fixture(autouse=True)
def pieces_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small data go in several pieces, too."""
    monkeypatch.setattr(staging, "DELETED_PER_PIECE", 2)


def judged_and_closed() -> Campaign:
    """A campaign that has everything a campaign can have: links, leases, answers."""
    campaign = running(repeat_percent=50)
    for annotator in cast(campaign):
        mint_personal_link(annotator)
        answer(shown(annotator))
    close(campaign)
    return campaign


def test_a_campaign_takes_all_of_its_own_along_and_nothing_else() -> None:
    corpus = small_corpus("corpus of campaign")
    before = contents()
    campaign = running(corpus=corpus)
    annotator = cast(campaign, "anna")[0]
    mint_personal_link(annotator)
    answer(shown(annotator))
    close(campaign)
    delete_campaign(campaign, by=None, progress=no_progress)
    assert contents() == before


def test_a_corpus_takes_its_campaigns_along() -> None:
    corpus = judged_and_closed().corpus
    small_campaign(corpus)
    draft_campaign(corpus)
    told: list[int] = []
    label(corpus)
    total = parts(corpus)
    delete_corpus(corpus, by=None, progress=told.append)
    assert contents() == {}
    assert sum(told) == total


def test_judgments_without_texts_take_their_corpus_along() -> None:
    delete_campaign(campaign_without_texts(), by=None, progress=no_progress)
    assert contents() == {}


def test_it_is_logged_with_the_deleted_campaigns() -> None:
    corpus = small_corpus()
    small_campaign(corpus)
    delete_corpus(corpus, by=None, progress=no_progress)
    entries = AuditEntry.objects.filter(action="delete").order_by("pk")
    assert [(entry.kind, entry.name, entry.details) for entry in entries] == [
        ("corpus", "small", {"sentences": 4, "campaigns": ["judged"]}),
        ("campaign", "judged", {"judgments": 6}),
    ]


@pytest.mark.parametrize("state", ["running", "paused", "launching"])
def test_campaigns_in_use_stay(state: str) -> None:
    campaign = running()
    if state == "paused":
        pause(campaign)
    if state == "launching":
        Campaign.objects.update(state=state, touched_at=timezone.now())
    before = contents()
    with pytest.raises(DeletionRefusedError, match=rf"'campaign' \({state}\). Close"):
        delete_campaign(campaign, by=None, progress=no_progress)
    with pytest.raises(DeletionRefusedError, match=rf"'campaign' \({state}\). Close"):
        delete_corpus(campaign.corpus, by=None, progress=no_progress)
    assert contents() == before


def test_a_half_launched_campaign_can_be_deleted() -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    campaign = draft()
    Campaign.objects.update(state=CampaignState.LAUNCHING, touched_at=long_ago)
    delete_campaign(campaign, by=None, progress=no_progress)
    assert not Campaign.objects.exists()


@pytest.mark.parametrize("killed_after", [1, 2, 4])
def test_a_killed_deletion_goes_on_and_is_on_record_once(killed_after: int) -> None:
    campaign = judged_and_closed()
    pieces = 0

    def die(deleted: int) -> None:
        nonlocal pieces
        pieces += 1
        if pieces == killed_after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        delete_corpus(campaign.corpus, by=None, progress=die)
    assert Corpus.objects.get().state == "deleting"
    delete_corpus(Corpus.objects.get(), by=None, progress=no_progress)
    assert contents() == {}
    assert AuditEntry.objects.filter(action="delete").count() == 2


def test_meanwhile_nothing_new_hangs_on_it_and_its_name_is_taken() -> None:
    corpus = small_corpus()
    small_campaign(corpus, "first")
    drafted = draft_campaign(corpus, "last")
    launch_plan = plan_launch(drafted)
    judgments = resolve(judgments_file(), Path("judgments.xml"), texts=texts(corpus))
    judgments_plan = plan_judgments(name="new", corpus=corpus, judgments=judgments, synthetic=False)

    def look(deleted: int) -> None:
        if not Campaign.objects.filter(name="first").exists():
            return
        with pytest.raises(CampaignError, match="deleted"):
            draft_campaign(corpus, "new")
        with pytest.raises(CampaignError, match="deleting"):
            store_launch(launch_plan, progress=no_progress)
        with pytest.raises(ImportRefusedError, match="deleted"):
            store_judgments(judgments_plan, progress=no_progress)
        with pytest.raises(ImportRefusedError, match="being deleted"):
            small_corpus()

    delete_corpus(corpus, by=None, progress=look)
    assert contents() == {}


@pytest.mark.django_db(transaction=True)
def test_a_campaign_that_is_being_made_is_waited_for() -> None:
    corpus = small_corpus()

    def delete() -> None:
        delete_corpus(corpus, by=None, progress=no_progress)
        connection.close()

    deleting = Thread(target=delete)
    with transaction.atomic():
        draft_campaign(corpus)
        deleting.start()
        deleting.join(timeout=0.5)
        assert deleting.is_alive()
    deleting.join()
    assert not Sentence.objects.exists()
    assert not Item.objects.exists()
    assert not Campaign.objects.exists()
