"""From the database into a file, and from the file back into the database."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from pandas.testing import assert_frame_equal

from annotate.corpora.queries import texts
from annotate.judgments import queries
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.judgments.stream import Selection, stream
from annotate.models import Campaign
from formats import JudgmentRecord, read_judgments
from formats.snapshot.resolution import resolve
from ranking import count_pairs
from tests.annotate.running import answer, cast, pass_over, running, shown
from tests.annotate.samples import no_progress, small_campaign, small_corpus
from tests.depth import examples
from tests.formats.writers.records import judgments
from tests.formats.writers.stored import BEYOND_RATINGS, RECORDS, exported, store

pytestmark = pytest.mark.django_db
TABLES = ("csv", "jsonl", "parquet")


def snapshot(campaign: Campaign) -> pd.DataFrame:
    """The snapshot with its judgments numbered and its campaign unnamed."""
    frame = queries.snapshot(campaign, names=True)
    numbers = pd.Series(pd.factorize(frame["judgment"])[0]).astype("str")
    return frame.assign(judgment=numbers, campaign=pd.Series(["c"] * len(frame), dtype="str"))


def imported(content: bytes, folder: Path, campaign: Campaign) -> Campaign:
    """The judgments in the file, of the same corpus if that has texts."""
    path = folder / "file"
    path.write_bytes(content)
    corpus = campaign.corpus if campaign.corpus.has_texts else None
    judgments = resolve(read_judgments(path), path, texts=None if corpus is None else texts(corpus))
    plan = plan_judgments(name="again", corpus=corpus, judgments=judgments, synthetic=False)
    return store_judgments(plan, progress=no_progress)


@pytest.mark.parametrize("table", TABLES)
def test_every_kind_of_judgment_comes_back(table: str, tmp_path: Path) -> None:
    campaign = store((*RECORDS, *BEYOND_RATINGS), "first")
    again = imported(exported(campaign, table, Selection(history=True)), tmp_path, campaign)
    assert again.protocol == "thumbs"
    assert_frame_equal(snapshot(again), snapshot(campaign))
    assert contents(again) == contents(campaign)


def contents(campaign: Campaign) -> list[JudgmentRecord]:
    """All that is known of the judgments, surplus ones and older revisions too, but for their ids."""
    judgments = stream(campaign, Selection(history=True), named=str, progress=no_progress)
    return [replace(judgment, key="") for judgment in judgments]


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(records=judgments())
def test_all_columns_come_back(table: str, records: tuple[JudgmentRecord, ...], tmp_path: Path) -> None:
    with transaction.atomic():
        campaign = store(records, "first")
        again = imported(exported(campaign, table, Selection(history=True)), tmp_path, campaign)
        assert_frame_equal(snapshot(again), snapshot(campaign))
        assert contents(again) == contents(campaign)
        transaction.set_rollback(True)


@pytest.mark.parametrize("table", TABLES)
def test_judgments_of_a_corpus_come_back_to_it(table: str, tmp_path: Path) -> None:
    campaign = small_campaign(small_corpus())
    assert_frame_equal(snapshot(imported(exported(campaign, table), tmp_path, campaign)), snapshot(campaign))


@pytest.mark.usefixtures("protocol")
@pytest.mark.parametrize("table", TABLES)
def test_judgments_made_here_come_back(table: str, tmp_path: Path) -> None:
    campaign = running(items=6)
    for annotator in cast(campaign):
        answer(shown(annotator))
        pass_over(shown(annotator), note="No sentence.")
    again = imported(exported(campaign, table), tmp_path, campaign)
    assert_frame_equal(snapshot(again), snapshot(campaign))


@pytest.mark.parametrize("file_format", ["appraise", "wmt-csv"])
def test_rankings_come_back_from_the_fields_formats(file_format: str, tmp_path: Path) -> None:
    campaign = small_campaign(small_corpus())
    before = count_pairs(snapshot(campaign))
    after = count_pairs(snapshot(imported(exported(campaign, file_format), tmp_path, campaign)))
    assert after.systems == before.systems
    assert after.wins.tolist() == before.wins.tolist()
    assert after.ties.sum() > 0
    assert after.ties.tolist() == before.ties.tolist()
