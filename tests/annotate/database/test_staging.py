"""Protects imports from other changes, and others from leftovers of imports."""

from contextlib import suppress
from time import sleep

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from annotate.database import staging
from annotate.database.staging import (
    ABANDONED_AFTER,
    ImportRefusedError,
    piece,
    stage,
    stored_before,
    sweep_abandoned_imports,
)
from annotate.models import Campaign, Corpus, CorpusState, Sentence
from tests.annotate.samples import campaign_without_texts, small_campaign, small_corpus
from tests.annotate.tables import contents

pytestmark = pytest.mark.django_db

LONG_AGO = timezone.now() - 2 * ABANDONED_AFTER


def corpus(name: str = "new", digest: str = "digest") -> Corpus:
    return Corpus(name=name, language="en", digest=digest)


def half_imported(touched_at: object) -> Corpus:
    """The rows of an unfinished import; its process may be alive or dead."""
    row = small_corpus("half")
    Corpus.objects.filter(pk=row.pk).update(state=CorpusState.IMPORTING, touched_at=touched_at)
    row.refresh_from_db()
    return row


def test_leftovers_of_a_killed_import_are_swept() -> None:
    half_imported(LONG_AGO)
    sweep_abandoned_imports()
    assert contents() == {}


def test_an_import_under_way_is_left_alone_and_its_name_refused() -> None:
    half_imported(timezone.now())
    before = contents()
    with pytest.raises(ImportRefusedError, match="'half' is being imported right now"):
        stored_before(corpus("half"))
    assert contents() == before


def test_leftovers_of_killed_judgments_are_swept_with_their_own_corpus() -> None:
    campaign = campaign_without_texts()
    Corpus.objects.update(state="importing", touched_at=LONG_AGO)
    Campaign.objects.filter(pk=campaign.pk).update(state="importing", touched_at=LONG_AGO)
    sweep_abandoned_imports()
    assert contents() == {}


def test_leftovers_of_killed_judgments_are_swept_without_the_corpus_that_was_judged() -> None:
    judged = small_corpus()
    before = contents()
    small_campaign(judged)
    Campaign.objects.update(state="importing", touched_at=LONG_AGO)
    sweep_abandoned_imports()
    assert contents() == before


def test_a_corpus_without_texts_is_not_swept_while_its_judgments_are_being_imported() -> None:
    campaign_without_texts()
    Corpus.objects.update(state="importing", touched_at=LONG_AGO)
    Campaign.objects.update(state="importing", touched_at=timezone.now())
    before = contents()
    sweep_abandoned_imports()
    assert contents() == before


def test_finished_rows_are_never_swept() -> None:
    small_campaign(small_corpus())
    campaign_without_texts()
    Corpus.objects.update(touched_at=LONG_AGO)
    Campaign.objects.update(touched_at=LONG_AGO)
    before = contents()
    sweep_abandoned_imports()
    assert contents() == before


def test_an_import_that_was_swept_while_its_process_slept_notices_it() -> None:
    asleep = half_imported(LONG_AGO)
    sweep_abandoned_imports()
    with pytest.raises(ImportRefusedError, match="'half' made no progress for more than 2 minutes"):
        piece(asleep).__enter__()


def test_an_import_that_has_woken_up_is_not_swept() -> None:
    with piece(half_imported(LONG_AGO)):
        pass
    sweep_abandoned_imports()
    assert Sentence.objects.count() == 4


def test_a_piece_leaves_the_lock_of_sqlite_to_others_for_as_long_as_it_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = half_imported(timezone.now())
    pauses: list[float] = []
    monkeypatch.setattr(staging, "sleep", pauses.append)
    monkeypatch.setattr(staging, "LOOKED_FOR_EVERY", 0.1)
    with piece(row):
        sleep(0.01)
    if connection.vendor == "sqlite":
        assert len(pauses) == 1
        assert pauses[0] >= 0.01
    else:
        assert pauses == []


def test_the_name_may_be_taken_between_plan_and_storing() -> None:
    corpus().save()
    with (
        pytest.raises(ImportRefusedError, match="Another corpus has just taken the name 'new'"),
        stage(corpus()),
    ):
        pytest.fail("must not be reached")
    assert Corpus.objects.count() == 1


def test_another_fault_of_the_row_is_not_taken_for_a_taken_name() -> None:
    wrong = Corpus(name="new", language="not a tag", digest="digest")
    with pytest.raises(IntegrityError, match="corpus_language_is_a_tag"), stage(wrong):
        pytest.fail("must not be reached")


def test_an_import_begins_when_it_is_stored_and_not_when_it_was_planned() -> None:
    with stage(Corpus(name="new", language="en", digest="digest", touched_at=LONG_AGO)):
        sweep_abandoned_imports()
        assert Corpus.objects.filter(name="new").exists()


@pytest.mark.parametrize("interruption", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_a_failed_write_leaves_nothing(interruption: type[BaseException]) -> None:
    with suppress(interruption), stage(corpus()) as row:
        Sentence.objects.bulk_create(Sentence(corpus=row, position=n, text="A") for n in range(250))
        raise interruption
    assert contents() == {}


def test_stored_before_tells_the_same_content_from_other_content() -> None:
    assert stored_before(corpus()) is None
    row = corpus()
    row.state = CorpusState.READY
    row.save()
    assert stored_before(corpus()) == row
    with pytest.raises(ImportRefusedError, match="'new' already exists, with different content"):
        stored_before(corpus(digest="another"))
