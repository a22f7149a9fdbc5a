from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.judgments import stream as judgment_stream
from annotate.judgments.stream import Selection, selected_judgments, stream
from annotate.models import Campaign, Judgment, JudgmentState, Rating, Revision
from formats import JudgmentRecord
from tests.annotate.running import NOON
from tests.annotate.samples import (
    campaign_without_texts,
    no_progress,
    ranking,
    small_campaign,
    small_corpus,
)
from tests.formats.writers.stored import RECORDS, TOMORROW, store

pytestmark = pytest.mark.django_db


def streamed(campaign: Campaign, selection: Selection | None = None) -> list[JudgmentRecord]:
    return list(stream(campaign, selection or Selection(), named=str, progress=no_progress))


def test_judgments_come_in_order_with_their_current_answers() -> None:
    judgments = streamed(store(RECORDS, "campaign"))
    assert [judgment.answers for judgment in judgments] == [(judgment.current,) for judgment in RECORDS]
    assert [judgment.state for judgment in judgments] == [judgment.state for judgment in RECORDS]


def test_the_history_comes_on_request() -> None:
    judgments = streamed(store(RECORDS, "campaign"), Selection(history=True))
    assert [judgment.answers for judgment in judgments] == [judgment.answers for judgment in RECORDS]


@pytest.mark.parametrize(
    ("criteria", "keys"),
    [
        ({}, "abcde"),
        ({"states": ["complete"]}, "ad"),
        ({"states": ["skipped", "surplus"]}, "bc"),
        ({"submitted_from": NOON.date()}, "abcd"),
        ({"submitted_from": TOMORROW.date()}, "ad"),  # the day of the current answer counts
        ({"submitted_to": NOON.date()}, "bc"),
        ({"submitted_from": NOON.date(), "submitted_to": NOON.date()}, "bc"),
        ({"submitted_from": date.max}, ""),
        ({"submitted_to": date.min}, ""),
        ({"annotator": "=ben"}, "bc"),
        ({"annotator": "anna", "states": ["complete"], "submitted_to": TOMORROW.date()}, "ad"),
    ],
)
def test_judgments_can_be_selected(criteria: dict[str, Any], keys: str) -> None:
    campaign = store(RECORDS, "campaign")
    store(RECORDS, "other")
    if "annotator" in criteria:
        criteria = {**criteria, "annotator": campaign.annotators.get(name=criteria["annotator"])}
    expected = [judgment.current for judgment in RECORDS if judgment.key in keys]
    assert [judgment.current for judgment in streamed(campaign, Selection(**criteria))] == expected
    assert selected_judgments(campaign, Selection(**criteria)).count() == len(expected)


@pytest.mark.parametrize(
    ("criteria", "numbers"),
    [
        ({}, [0, 1, 2, 3, 4, 5]),
        ({"annotator": "ben"}, [1, 3, 4]),
        ({"states": ["complete"]}, [0, 1, 2, 5]),
        ({"sentence": 1}, [2, 3]),
        ({"sentence": 0, "annotator": "anna"}, [0]),
        ({"states": ["surplus"]}, []),
    ],
)
def test_judgments_are_those_of_the_campaign_alone(criteria: dict[str, Any], numbers: list[int]) -> None:
    corpus = small_corpus()
    small_campaign(corpus, "other")
    campaign = small_campaign(corpus)
    stored = list(Judgment.objects.filter(item__campaign=campaign).order_by("pk"))
    if "annotator" in criteria:
        criteria = {**criteria, "annotator": campaign.annotators.get(name=criteria["annotator"])}
    rows = selected_judgments(campaign, Selection(**criteria))
    assert [stored.index(row) for row in rows] == numbers


def test_days_are_those_of_the_settings_time_zone(settings: Any) -> None:
    campaign = store(RECORDS, "campaign")
    settings.TIME_ZONE = "Pacific/Kiritimati"  # noon in UTC is two o'clock of the next day
    assert len(streamed(campaign, Selection(submitted_to=NOON.date()))) == 0
    assert len(streamed(campaign, Selection(submitted_from=TOMORROW.date()))) == 4


def test_queries_and_progress_go_by_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgment_stream, "JUDGMENTS_PER_CHUNK", 4)
    campaign = campaign_without_texts(rankings=[ranking("anna", n, "Alder > Birch") for n in range(10)])
    steps: list[int] = []
    with CaptureQueriesContext(connection) as captured:
        judgments = list(stream(campaign, Selection(), named=str, progress=steps.append))
    assert [judgment.sentence for judgment in judgments] == list(range(10))
    assert steps == [4, 4, 2]
    # The newest key, who is excluded, keys, design; answers and ratings of each chunk.
    assert len(captured) == 4 + 2 * len(steps)


def test_the_first_judgment_needs_a_piece_of_the_keys_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgment_stream, "JUDGMENTS_PER_CHUNK", 2)
    monkeypatch.setattr(judgment_stream, "KEYS_PER_FETCH", 4)
    campaign = campaign_without_texts(rankings=[ranking("anna", n, "Alder > Birch") for n in range(10)])
    with CaptureQueriesContext(connection) as captured:
        judgments = stream(campaign, Selection(), named=str, progress=no_progress)
        next(judgments)
        assert fetches_of_keys(captured) == 1
        list(judgments)
    assert fetches_of_keys(captured) == 3


def fetches_of_keys(captured: CaptureQueriesContext) -> int:
    """How many pieces of four keys were read. Django notes no SQL of what PostgreSQL sends as columns."""
    return sum("LIMIT 4" in (query["sql"] or "") for query in captured)


@pytest.mark.parametrize("keys_per_fetch", [1, 2, 3, 100])
@pytest.mark.parametrize("states", [[], ["complete"], ["surplus", "complete"], list(JudgmentState.values)])
def test_keys_in_pieces_are_all_keys_in_order(
    monkeypatch: pytest.MonkeyPatch, keys_per_fetch: int, states: list[str]
) -> None:
    monkeypatch.setattr(judgment_stream, "KEYS_PER_FETCH", keys_per_fetch)
    campaign = store(RECORDS, "campaign")
    judgments = streamed(campaign, Selection(states=states))
    assert [judgment.current for judgment in judgments] == [
        judgment.current for judgment in RECORDS if not states or judgment.state in states
    ]


def test_a_judgment_that_changes_its_state_meanwhile_comes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgment_stream, "KEYS_PER_FETCH", 1)
    monkeypatch.setattr(judgment_stream, "JUDGMENTS_PER_CHUNK", 1)
    campaign = store(RECORDS, "campaign")
    judgments = stream(campaign, Selection(states=["skipped", "surplus"]), named=str, progress=no_progress)
    streamed_ones = [next(judgments)]
    Judgment.objects.filter(state="surplus").update(state="skipped")
    streamed_ones += judgments
    assert [judgment.annotator for judgment in streamed_ones] == ["=ben", "=ben"]


def revise(campaign: Campaign) -> None:
    """The first judgment gets another answer."""
    judgment = Judgment.objects.filter(item__campaign=campaign).order_by("pk")[0]
    old = judgment.revisions.get()
    judgment.revisions.update(is_current=False)
    new = Revision.objects.create(judgment=judgment, number=2)
    for rating in old.ratings.all():
        Rating.objects.create(revision=new, item_output=rating.item_output, position=rating.position, rank=1)


def add(campaign: Campaign) -> None:
    """The first judgment gets a surplus one beside it."""
    judgment = Judgment.objects.filter(item__campaign=campaign).order_by("pk")[0]
    late = Judgment.objects.create(
        campaign=campaign,
        item=judgment.item,
        annotator=judgment.annotator,
        repetition=0,
        state="surplus",
    )
    Revision.objects.create(judgment=late)


@pytest.mark.parametrize("happening", [revise, add])
@pytest.mark.parametrize("history", [False, True])
def test_judgments_that_arrive_during_a_chunk_are_left_out_as_a_whole(
    happening: Callable[[Campaign], None], history: bool
) -> None:
    campaign = campaign_without_texts()
    before = streamed(campaign)
    statements = 0

    def before_the_fifth(execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        nonlocal statements
        statements += 1
        if statements == 5:
            happening(campaign)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(before_the_fifth):
        assert streamed(campaign, Selection(history=history)) == before
