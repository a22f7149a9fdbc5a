from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pandas.testing import assert_frame_equal

from annotate.corpora import queries as corpora_queries
from annotate.judgments import queries as judgments_queries
from annotate.judgments.snapshot_reading import answer_keys
from annotate.models import Campaign, Judgment, Rating, Revision
from formats import RankingRecord
from formats.snapshot.resolution import Texts, resolve
from formats.snapshot.snapshots import (
    DTYPES,
    categories,
    content_hash,
    frame_of_file,
    frame_of_judgments,
    frame_of_rows,
)
from ranking import SNAPSHOT_COLUMNS
from tests.annotate.samples import (
    campaign_without_texts,
    judgments_file,
    ranking,
    small_campaign,
    small_corpus,
)

FILE = """\
<appraise-results>
  <error-correction-ranking-result>
    <ranking-item src-id="3" user="anna" duration="00:00:01.500000">
      <translation rank="2" system="B A"/><translation rank="1" system="C"/>
    </ranking-item>
    <ranking-item src-id="3" user="ben"/>
  </error-correction-ranking-result>
</appraise-results>
"""


def frame_of(campaign: Campaign) -> pd.DataFrame:
    return judgments_queries.snapshot(campaign, names=True)


def without_database(texts: Texts | None, campaign: Campaign) -> pd.DataFrame:
    judgments = resolve(judgments_file(), Path("judgments.xml"), texts=texts)
    return frame_of_judgments(judgments, campaign=campaign.name)


def renumbered(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its judgments numbered in order, since the database gives them ids of its own."""
    numbers, _ = pd.factorize(frame["judgment"])
    return frame.assign(judgment=categories(map(str, numbers)))


# --- The frame ------------------------------------------------------------------------------------


def test_columns_are_those_of_the_contract() -> None:
    assert tuple(DTYPES) == SNAPSHOT_COLUMNS


@pytest.mark.parametrize(
    "rows", [[], [("j", "c", "p", "a", 0, 0, 0, "skipped", *[None] * 7, 1, *[None] * 11)]]
)
def test_columns_and_types_are_the_same_however_little_there_is(rows: list[tuple[object, ...]]) -> None:
    frame = frame_of_rows(rows)
    assert tuple(frame.columns) == SNAPSHOT_COLUMNS
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == DTYPES


def test_a_file_becomes_a_frame_without_a_database(tmp_path: Path) -> None:
    path = tmp_path / "published.xml"
    path.write_text(FILE)
    frame = frame_of_file(path)
    assert list(frame["campaign"].unique()) == ["published"]
    assert list(frame["judgment"]) == ["0", "0", "1"]
    assert list(frame["systems"]) == [("A", "B"), ("C",), ()]
    assert list(frame["position"]) == [0, 1, pd.NA]
    assert list(frame["rank"]) == [2, 1, pd.NA]
    assert list(frame["output"].isna()) == [False, False, True]
    assert list(frame["state"]) == ["complete", "complete", "skipped"]
    assert list(frame["active_ms"]) == [1500, 1500, pd.NA]
    assert list(frame["sentence"]) == [3, 3, 3]


# --- The frame from the database ------------------------------------------------------------------


@pytest.mark.django_db
def test_the_database_gives_the_frame_of_the_file() -> None:
    corpus = small_corpus()
    campaign = small_campaign(corpus)
    expected = without_database(corpora_queries.texts(corpus), campaign)
    assert_frame_equal(renumbered(frame_of(campaign)), expected)


@pytest.mark.django_db
def test_the_database_gives_the_frame_of_the_file_without_texts_too() -> None:
    campaign = campaign_without_texts()
    assert_frame_equal(renumbered(frame_of(campaign)), without_database(None, campaign))


@pytest.mark.django_db
def test_judgments_of_other_campaigns_stay_out() -> None:
    corpus = small_corpus()
    first, second = small_campaign(corpus, "first"), small_campaign(corpus, "second")
    assert set(frame_of(first)["judgment"]).isdisjoint(frame_of(second)["judgment"])
    assert set(frame_of(first)["campaign"]) == {"first"}


@pytest.mark.django_db
def test_surplus_answers_stay_out() -> None:
    campaign = small_campaign(small_corpus())
    before = frame_of(campaign)
    late = Judgment.objects.filter(annotator__name="ben", state="complete").get()
    Judgment.objects.filter(pk=late.pk).update(state="surplus")
    expected = before[before["judgment"] != str(late.uuid)].reset_index(drop=True)
    assert len(expected) < len(before)
    assert_frame_equal(frame_of(campaign), expected, check_categorical=False)


@pytest.mark.django_db
def test_only_the_current_answer_counts() -> None:
    campaign = small_campaign(small_corpus())
    judgment = Judgment.objects.order_by("pk")[0]
    revise(judgment, ranks=[3, 1, 2])
    revised = frame_of(campaign).query("judgment == @judgment.uuid.hex or judgment == @judgment.uuid.urn[9:]")
    assert list(revised["rank"]) == [3, 1, 2]
    assert set(revised["revision"]) == {2}
    assert frame_of(campaign)["judgment"].nunique() == 6


def revise(judgment: Judgment, *, ranks: Sequence[int]) -> None:
    """Give the judgment a second revision with other ranks."""
    old = judgment.revisions.get()
    Revision.objects.filter(pk=old.pk).update(is_current=False)
    new = Revision.objects.create(judgment=judgment, number=2)
    Rating.objects.bulk_create(
        Rating(revision=new, item_output=rating.item_output, position=rating.position, rank=rank)
        for rating, rank in zip(old.ratings.order_by("position"), ranks, strict=True)
    )


@pytest.mark.django_db
def test_an_answer_that_arrives_meanwhile_is_left_out_as_a_whole() -> None:
    campaign = small_campaign(small_corpus())
    before = frame_of(campaign)
    judgment = Judgment.objects.order_by("pk")[0]
    queries_seen = 0

    def revise_before_the_second_query(execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        nonlocal queries_seen
        queries_seen += 1
        if queries_seen == 2:
            revise(judgment, ranks=[3, 1, 2])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(revise_before_the_second_query):
        assert_frame_equal(frame_of(campaign), before)
    assert list(frame_of(campaign)["rank"][:3]) == [3, 1, 2]


@pytest.mark.django_db
def test_the_number_of_queries_does_not_depend_on_the_size() -> None:
    few = [ranking("anna", 0, "Alder > Birch")]
    many = [ranking(judge, n, "Alder > Birch > Cedar") for n in range(60) for judge in ("anna", "ben")]
    assert queries_for(few) == queries_for(many) == 7


@pytest.mark.django_db
def test_the_keys_of_answers_are_found_without_their_items() -> None:
    campaign, other = small_campaign(small_corpus()), campaign_without_texts("Other")
    statements: list[str] = []

    def note(execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        statements.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        keys = answer_keys(campaign)
    assert len(statements) == 1
    assert "annotate_item" not in statements[0]
    judged = Judgment.objects.exclude(state="surplus").order_by("pk").values_list("pk", flat=True)
    assert keys.judgments.tolist() == list(judged.filter(item__campaign=campaign))
    assert answer_keys(other).judgments.tolist() == list(judged.filter(item__campaign=other))


def queries_for(rankings: Sequence[RankingRecord]) -> int:
    campaign = campaign_without_texts(f"{len(rankings)} rankings", rankings=rankings)
    with CaptureQueriesContext(connection) as captured:
        assert frame_of(campaign)["judgment"].nunique() == len(rankings)
    return len(captured)


# --- The content hash -----------------------------------------------------------------------------

FULL = pd.DataFrame(
    {
        "judgment": ["j", "j"],
        "campaign": ["c", "c"],
        "protocol": ["p", "p"],
        "annotator": ["anna", "anna"],
        "sentence": [1, 1],
        "item": [2, 2],
        "repetition": [0, 0],
        "state": ["complete", "complete"],
        "output": ["x", "y"],
        "systems": [("A", "B"), ("C",)],
        "position": [0, 1],
        "rank": [1, 2],
        "score": [50, 60],
        "meaning_changed": [True, False],
        "text": ["", "t"],
        "revision": [1, 1],
        "started_at": pd.to_datetime(["2015-01-01T00:00:00.000001Z"] * 2),
        "submitted_at": pd.to_datetime(["2015-01-01T00:00:01Z"] * 2),
        "active_ms": [2**53, 2**53],
        "further_texts": [None, None],
        "verdict": [None, None],
        "details": [None, None],
        "propensities": [None, None],
        "confidence": [None, None],
        "annotator_kind": [None, None],
        "rating_details": [None, None],
        "opinion": [None, None],
    }
).astype(DTYPES)

CHANGES = {
    "sentence": 2,
    "item": 3,
    "repetition": 1,
    "output": None,
    "systems": ("A", "B C"),
    "position": None,
    "rank": 2,
    "score": None,
    "meaning_changed": None,
    "text": None,
    "revision": 2,
    "started_at": pd.Timestamp("2015-01-01T00:00:00.000002Z"),
    "submitted_at": None,
    "active_ms": 2**53 + 1,
    "confidence": 3,
}


def test_equal_content_has_an_equal_hash() -> None:
    assert content_hash(FULL) == content_hash(FULL.copy())
    assert len(content_hash(FULL)) == 64


@pytest.mark.parametrize("column", DTYPES)
def test_the_hash_sees_every_column(column: str) -> None:
    changed = FULL.copy()
    changed[column] = pd.Series([CHANGES.get(column, "other"), FULL[column][1]], dtype=DTYPES[column])
    assert content_hash(changed) != content_hash(FULL)


def test_the_hash_sees_missing_and_exchanged_rows() -> None:
    assert content_hash(FULL[:1]) != content_hash(FULL)
    assert content_hash(FULL[::-1].reset_index(drop=True)) != content_hash(FULL)


def test_the_hash_is_the_same_tomorrow() -> None:
    """Results name the hash of their snapshot; a change of it would disown all of them."""
    assert content_hash(FULL) == "c0250c1769c322177b58c8d4c7744fdd95c20656eecd5ba9b125b7a7c8cf8341"
