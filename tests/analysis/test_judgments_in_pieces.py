"""Judgments that are read in pieces are those of the whole snapshot; memory holds what is read of them."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import numpy as np
import pyarrow as pa
import pytest
from django.conf import LazySettings
from pandas.testing import assert_frame_equal

from analysis.analyses.judgment_inputs import Judgments, LeftOut, judgments, judgments_in_pieces
from annotate.judgments import kept_snapshots
from annotate.judgments.kept_snapshots import KeptAnswers, discard_snapshot, kept_answers
from annotate.models import Campaign, Revision
from formats.snapshot.judgment_columns import LATER_SNAPSHOT_COLUMNS
from formats.snapshot.snapshot_tables import SnapshotTables, table
from formats.snapshot.snapshots import content_hash, joined
from ranking.judgments.snapshot import system_names
from tests.annotate.samples import campaign_without_texts, small_campaign, small_corpus
from tests.memory import peak_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

COLUMNS = ("judgment", "annotator", "sentence", "output", "systems", "rank", "submitted_at")
READ = {*COLUMNS, *LATER_SNAPSHOT_COLUMNS}


@pytest.fixture(autouse=True)
def short_pieces(settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SNAPSHOTS_DIR = tmp_path
    monkeypatch.setattr(kept_snapshots, "JUDGMENTS_PER_PIECE", 2)


@pytest.fixture
def answers() -> list[KeptAnswers]:
    campaigns = [small_campaign(small_corpus()), campaign_without_texts()]
    return [kept_answers(campaign) for campaign in campaigns]


def left_outs(answers: KeptAnswers) -> Iterator[LeftOut]:
    systems = system_names(answers.frame())
    annotators = sorted(set(answers.frame()["annotator"]))
    yield LeftOut()
    yield LeftOut(systems[:1])
    yield LeftOut(systems[:2], tuple(annotators[:1]))
    yield LeftOut(annotators=tuple(annotators))


def read(answers: list[KeptAnswers], left_out: LeftOut, steps: list[None]) -> Judgments:
    return judgments_in_pieces(
        answers,
        COLUMNS,
        left_out=left_out,
        roles={"alpha": "system"},
        source="alpha",
        step=lambda: steps.append(None),
    )


@pytest.mark.parametrize("number", [1, 2])
def test_pieces_give_the_judgments_of_the_whole_snapshot(answers: list[KeptAnswers], number: int) -> None:
    some = answers[:number]
    for left_out in left_outs(some[0]):
        whole = judgments(joined(each.frame() for each in some), COLUMNS, left_out=left_out)
        steps: list[None] = []
        in_pieces = read(some, left_out, steps)
        assert_frame_equal(in_pieces.snapshot, whole.snapshot)
        assert in_pieces.digest == whole.digest
        assert in_pieces.left_out == left_out
        pieces = sum(len(list(each.pieces())) for each in some)
        assert len(steps) == number * len(READ) + 2 + pieces > number * len(READ) + 2 + number


def test_texts_and_verdicts_count_in_pieces_too(answers: list[KeptAnswers]) -> None:
    revision = Revision.objects.filter(judgment__campaign=answers[0].campaign).latest("pk")
    Revision.objects.filter(pk=revision.pk).update(verdict="no")
    discard_snapshot(answers[0].campaign)
    again = kept_answers(answers[0].campaign)
    assert read([again], LeftOut(), []).digest == content_hash(again.frame())
    assert read([again], LeftOut(), []).digest != read(answers[:1], LeftOut(), []).digest


def test_memory_holds_the_columns_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 200,000 ratings, the whole snapshot with its hash takes 65 MB at its peak, and in pieces 14."""
    monkeypatch.setattr(kept_snapshots, "JUDGMENTS_PER_PIECE", 250)
    answers = KeptAnswers(Campaign(name="many", protocol="relative-ranking"), many_answers(20_000))
    columns = ("annotator", "sentence", "rank")
    in_pieces = peak_of(
        lambda: judgments_in_pieces(
            [answers], columns, left_out=LeftOut(), roles={}, source=None, step=lambda: None
        )
    )
    assert in_pieces < 0.4 * peak_of(lambda: judgments(answers.frame(), columns))


def many_answers(number: int) -> SnapshotTables:
    """Rankings of five outputs each, by ten annotators."""
    keys = np.arange(number)
    columns = {
        "judgments": {
            "key": keys,
            "answer": keys,
            "uuid": [UUID(int=int(key)).bytes for key in keys],
            "annotator": keys % 10,
            "item": keys % 100,
            "repetition": keys // 100,
            "state": np.zeros(number),
            "text": pa.nulls(number),
            "revision": np.ones(number),
            "started_at": keys,
            "submitted_at": keys,
            "active_ms": keys,
            "ratings": np.full(number, 5),
            **{
                name: pa.nulls(number)
                for name in ("further_texts", "verdict", "details", "confidence", "opinion")
            },
        },
        "ratings": {
            "output": (keys[:, None] % 100 * 5 + np.arange(5)).ravel(),
            "position": np.tile(np.arange(5), number),
            "rank": np.tile(np.arange(1, 6), number),
            **{name: pa.nulls(5 * number) for name in ("score", "meaning_changed", "rating_details")},
        },
        "annotators": {"pseudonym": [f"{place:010}" for place in range(10)]},
        "items": {
            "key": np.arange(100),
            "number": np.arange(100),
            "sentence": np.arange(100),
            "propensities": pa.nulls(100),
        },
        "outputs": {
            "key": np.arange(500),
            "digest": [f"{place:064x}" for place in range(500)],
            "systems": [[f"system-{place % 5}"] for place in range(500)],
        },
    }
    return SnapshotTables(**{name: table(name, each) for name, each in columns.items()})
