from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from annotate.corpora.queries import texts
from annotate.database.staging import ImportRefusedError
from annotate.judgments import importing
from annotate.judgments.importing import JudgmentsPlan, plan_judgments, store_judgments
from annotate.models import (
    Annotator,
    Campaign,
    CampaignState,
    Corpus,
    CorpusState,
    Item,
    ItemOutput,
    Judgment,
    Output,
    Rating,
    Revision,
    Sentence,
    System,
)
from formats import RankingRecord
from formats.snapshot.resolution import resolve
from jobs.running import JobCancelledError
from tests.annotate.faults import crash, fail_at, press_ctrl_c
from tests.annotate.samples import (
    RANKINGS,
    campaign_without_texts,
    judgments_file,
    no_progress,
    ranking,
    small_campaign,
    small_corpus,
)
from tests.annotate.tables import contents

pytestmark = pytest.mark.django_db


def plan(
    corpus: Corpus | None = None,
    *,
    name: str = "judged",
    rankings: Sequence[RankingRecord] = RANKINGS,
    synthetic: bool = False,
) -> JudgmentsPlan:
    corpus_texts = None if corpus is None else texts(corpus)
    resolved = resolve(judgments_file(rankings), Path("judgments.xml"), texts=corpus_texts)
    return plan_judgments(name=name, corpus=corpus, judgments=resolved, synthetic=synthetic)


def store(planned: JudgmentsPlan) -> Campaign:
    return store_judgments(planned, progress=no_progress)


# --- What is stored -------------------------------------------------------------------------------


@pytest.mark.parametrize("with_corpus", [True, False])
def test_results_are_the_same_with_and_without_a_corpus(with_corpus: bool) -> None:
    campaign = small_campaign(small_corpus()) if with_corpus else campaign_without_texts()
    assert campaign.state == CampaignState.IMPORTED
    assert campaign.protocol == "relative-ranking"
    assert not campaign.synthetic
    assert sorted(campaign.systems.values_list("name", flat=True)) == ["Alder", "Birch", "Cedar", "INPUT"]
    assert sorted(campaign.annotators.values_list("name", flat=True)) == ["anna", "ben"]
    assert list(campaign.items.values_list("number", "sentence__position")) == [
        (0, 0),
        (1, 1),
        (2, 1),
        (3, 2),
        (4, 3),
    ]
    stored = Judgment.objects.order_by("pk").values_list(
        "annotator__name", "item__number", "repetition", "state"
    )
    assert list(stored) == [
        ("anna", 0, 0, "complete"),
        ("ben", 0, 1, "complete"),
        ("anna", 1, 0, "complete"),
        ("ben", 2, 0, "skipped"),
        ("ben", 3, 0, "auto"),
        ("anna", 4, 0, "complete"),
    ]
    assert list(Revision.objects.values_list("number", "is_current", "active_ms")) == [
        (1, True, 30_000),
        (1, True, None),
        (1, True, 75_500),
        (1, True, 30_000),
        (1, True, 0),
        (1, True, 30_000),
    ]
    ratings = Rating.objects.filter(revision__judgment__repetition=1).order_by("position")
    assert list(ratings.values_list("position", "rank", "item_output__systems")) == [
        (0, 1, ["Alder", "Birch"]),
        (1, 1, ["Cedar"]),
        (2, 2, ["INPUT"]),
    ]


def test_outputs_are_those_of_the_corpus() -> None:
    corpus = small_corpus()
    before = Output.objects.count()
    small_campaign(corpus)
    assert Output.objects.count() == before
    judged = ItemOutput.objects.filter(item__sentence__position=1)
    assert {row.output.text: row.systems for row in judged} == {
        "I have two cats .": ["Alder"],
        "I have two cat .": ["Birch"],
        "I has two cat .": ["INPUT"],
        "": ["Cedar"],
    }


def test_without_a_corpus_one_without_texts_is_made() -> None:
    campaign = campaign_without_texts("alone")
    corpus = campaign.corpus
    assert (corpus.name, corpus.state, corpus.has_texts) == ("alone", CorpusState.READY, False)
    assert list(corpus.sentences.values_list("position", "text")) == [(n, None) for n in range(4)]
    assert set(Output.objects.values_list("text", flat=True)) == {None}
    assert Counter(Output.objects.values_list("sentence__position", flat=True)) == {0: 3, 1: 4, 2: 1, 3: 3}


def test_without_a_corpus_sentences_keep_the_numbers_of_the_file() -> None:
    campaign_without_texts(rankings=[ranking("anna", 999_999_999, "Alder > Birch"), ranking("anna", 7, "")])
    assert sorted(Sentence.objects.values_list("position", flat=True)) == [7, 999_999_999]


def test_systems_that_were_not_judged_are_no_systems_of_the_campaign() -> None:
    campaign = small_campaign(small_corpus(), rankings=[ranking("anna", 0, "Alder Birch > INPUT")])
    assert sorted(campaign.systems.values_list("name", flat=True)) == ["Alder", "Birch", "INPUT"]


def test_simulated_judgments_are_labelled() -> None:
    assert campaign_without_texts(synthetic=True).synthetic


# --- Twice, and under a taken name ----------------------------------------------------------------


@pytest.mark.parametrize("with_corpus", [True, False])
def test_the_same_judgments_twice_change_nothing(with_corpus: bool) -> None:
    corpus = small_corpus() if with_corpus else None
    first = store(plan(corpus))
    before = contents()
    again = plan(corpus)
    assert again.stored == first
    assert store(again) == first
    assert contents() == before


def test_other_judgments_under_the_same_name_are_refused() -> None:
    corpus, twin = small_corpus(), small_corpus("twin")
    store(plan(corpus))
    before = contents()
    others: list[dict[str, Any]] = [
        {"corpus": corpus, "rankings": RANKINGS[:-1]},
        {"corpus": corpus, "rankings": [*RANKINGS[:-1], ranking("anna", 3, "Alder > Birch > Cedar INPUT")]},
        {"corpus": corpus, "rankings": [*RANKINGS[:-1], ranking("ben", 3, "Birch > Alder > Cedar INPUT")]},
        {"corpus": corpus, "synthetic": True},
        {"corpus": twin},
        {"corpus": None},
    ]
    for other in others:
        with pytest.raises(
            ImportRefusedError, match="A campaign named 'judged' already exists, with different content"
        ):
            plan(**other)
    assert contents() == before


def test_a_campaign_of_ones_own_is_not_overwritten() -> None:
    Campaign.objects.create(name="judged", corpus=small_corpus(), protocol="relative-ranking")
    with pytest.raises(ImportRefusedError, match="A campaign named 'judged' already exists"):
        plan()


def test_the_name_of_a_corpus_is_taken_for_a_forgotten_option() -> None:
    small_corpus("small")
    with pytest.raises(ImportRefusedError, match="If these are judgments of it"):
        plan(name="small")


def test_judgments_may_have_the_name_of_their_corpus() -> None:
    assert store(plan(small_corpus("small"), name="small")).name == "small"


@pytest.mark.parametrize("with_corpus", [True, False])
def test_of_two_imports_of_one_name_at_once_one_is_refused(with_corpus: bool) -> None:
    corpus = small_corpus() if with_corpus else None
    first, second = plan(corpus), plan(corpus)
    store(first)
    before = contents()
    with pytest.raises(ImportRefusedError, match="has just taken the name 'judged'"):
        store(second)
    assert contents() == before


def test_a_name_can_be_read_and_clicked() -> None:
    with pytest.raises(ValidationError):
        plan(name=" ")


# --- Pieces ---------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("with_corpus", [True, False])
def test_every_piece_is_committed_before_the_next_begins(
    with_corpus: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "JUDGMENTS_PER_PIECE", 4)
    planned = plan(small_corpus() if with_corpus else None)
    seen = []

    def progress(stored: int) -> None:
        assert not connection.in_atomic_block
        if stored:
            seen.append((stored, Judgment.objects.count(), Campaign.objects.get().state))

    store_judgments(planned, progress=progress)
    assert seen == [(4, 4, "importing"), (2, 6, "importing")]
    assert Campaign.objects.get().state == "imported"
    assert Corpus.objects.get().state == "ready"


@pytest.mark.parametrize("reports", [0, 1, 6, 7, 8])
def test_storing_can_be_stopped_before_the_first_answer(
    reports: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the annotators, each of six judgments, the outputs and the items; the next is of answers."""
    monkeypatch.setattr(importing, "JUDGMENTS_PER_PIECE", 100)
    planned = plan(small_corpus())
    before = contents()
    told: list[int] = []

    def stop(stored: int) -> None:
        assert not Judgment.objects.exists()
        told.append(stored)
        if len(told) > reports:
            raise JobCancelledError

    with pytest.raises(JobCancelledError):
        store_judgments(planned, progress=stop)
    assert contents() == before


TABLES = (Annotator, Item, ItemOutput, Judgment, Revision, Rating)


@pytest.mark.parametrize(
    ("with_corpus", "table"),
    [(True, table) for table in TABLES] + [(False, table) for table in (System, Sentence, Output, *TABLES)],
)
@pytest.mark.parametrize("fault", [crash, press_ctrl_c])
def test_a_failure_in_the_middle_leaves_nothing(
    with_corpus: bool, table: type[Model], fault: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "JUDGMENTS_PER_PIECE", 2)
    planned = plan(small_corpus() if with_corpus else None)
    before = contents()
    fail_at(monkeypatch, table, 1 if table in (System, Annotator) else 2, fault)
    with pytest.raises((RuntimeError, KeyboardInterrupt)):
        store(planned)
    assert contents() == before


def test_counting_the_answers_can_be_stopped_after_each_annotator() -> None:
    planned = plan(small_corpus())
    has_items: list[bool] = []
    store_judgments(planned, progress=lambda stored: has_items.append(Item.objects.exists()))
    assert has_items.index(True) > len(planned.judgments) + len(planned.annotators)


def many(number: int) -> list[RankingRecord]:
    return [ranking("anna", n % 4, "Alder > Birch > Cedar > INPUT") for n in range(number)]


def queries_for(number: int) -> int:
    planned = plan(name=f"judged {number} times", rankings=many(number))
    with CaptureQueriesContext(connection) as queries:
        store(planned)
    return len(queries)


def test_queries_grow_by_the_piece_and_not_by_the_judgment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert queries_for(4) == queries_for(20)
    monkeypatch.setattr(importing, "JUDGMENTS_PER_PIECE", 4)
    one, two, three = queries_for(5), queries_for(9), queries_for(13)
    assert three - two == two - one > 0
