from dataclasses import replace
from pathlib import Path

import pytest

from formats import MAX_SYSTEMS, FormatError, JudgmentRecord, JudgmentsFile, RankingRecord, RatingRecord
from formats.digests import systems_digest, text_digest
from formats.snapshot.resolution import resolve
from tests.annotate.samples import RANKINGS, SENTENCES, judgments_file, ranking

PATH = Path("judgments.xml")
TEXTS = {position: record.outputs for position, record in enumerate(SENTENCES)}


def resolved(*rankings: RankingRecord, first_sentence: int | None = None) -> tuple[JudgmentRecord, ...]:
    return resolve(judgments_file(rankings), PATH, texts=TEXTS, first_sentence=first_sentence)


def alone(*rankings: RankingRecord) -> tuple[JudgmentRecord, ...]:
    return resolve(judgments_file(rankings), PATH)


def shown_one_by_one(*rankings: RankingRecord) -> tuple[JudgmentRecord, ...]:
    """The rankings as from WMT CSV, which knows no collapsed outputs and counts sentences from 1."""
    return resolve(JudgmentsFile(rankings, "wmt-csv", first_sentence=1), PATH, texts=TEXTS)


# --- Groups and texts -----------------------------------------------------------------------------


def test_a_group_that_agrees_with_the_texts_is_the_output_of_that_text() -> None:
    [judgment] = resolved(ranking("anna", 0, "Cedar > Alder Birch = INPUT"))
    assert judgment.current.ratings == (
        RatingRecord(text_digest("She went home ."), ("Cedar",), 1),
        RatingRecord(text_digest("She goes home ."), ("Alder", "Birch"), 2),
        RatingRecord(text_digest("She go home ."), ("INPUT",), 2),
    )


def test_an_empty_output_is_judged_like_any_other() -> None:
    [judgment] = resolved(ranking("anna", 1, "Alder > Cedar"))
    assert judgment.current.ratings[1].output == text_digest("")


def test_without_texts_an_output_is_known_by_its_systems() -> None:
    first, second = alone(ranking("anna", 5, "Alder Birch > Oak"), ranking("ben", 6, "Oak > Alder Birch"))
    assert first.sentence == 5
    assert (
        first.current.ratings[0].output
        == second.current.ratings[1].output
        == systems_digest(["Birch", "Alder"])
    )
    assert first.current.ratings[1].output == systems_digest(["Oak"]) != text_digest("Oak")


def test_a_group_may_leave_out_a_system_that_was_judged_nowhere() -> None:
    [judgment] = resolved(ranking("anna", 2, "Alder Birch Cedar"))
    assert judgment.current.ratings[0].systems == ("Alder", "Birch", "Cedar")


@pytest.mark.parametrize(
    ("rankings", "cause"),
    [
        (
            [ranking("anna", 0, "Alder Cedar > INPUT")],
            "the systems of the group Alder Cedar have different texts",
        ),
        (
            [ranking("anna", 0, "Alder > Cedar"), ranking("anna", 1, "Birch > Cedar")],
            "the group Alder leaves out Birch, whose text in the corpus is the same",
        ),
        (
            [ranking("anna", 0, "Cedar > Alder"), ranking("anna", 1, "Birch > Cedar")],
            "the group Alder leaves out Birch, whose text in the corpus is the same",
        ),
        ([ranking("anna", 0, "Alder > Birch > INPUT")], "two of the ranked groups have the same text"),
        (
            [ranking("anna", 0, "Oak > INPUT")],
            "the corpus has no output of system 'Oak' here; there are: Alder",
        ),
        ([ranking("anna", 4, "Alder > INPUT")], "sentence 4 is not in the corpus of 4 sentences"),
        ([ranking("anna", 4, "")], "sentence 4 is not in the corpus of 4 sentences"),
    ],
)
def test_judgments_that_contradict_the_texts_are_refused(rankings: list[RankingRecord], cause: str) -> None:
    rankings[0] = replace(rankings[0], line=17)
    with pytest.raises(FormatError) as refusal:
        resolved(*rankings)
    assert (refusal.value.path, refusal.value.line) == (PATH, 17)
    assert refusal.value.cause.startswith(cause)


def test_more_systems_than_any_test_set_has_are_refused() -> None:
    crowd = " > ".join(f"S{number}" for number in range(MAX_SYSTEMS + 1))
    with pytest.raises(FormatError, match="501 systems, at most 500 are allowed"):
        alone(ranking("anna", 0, crowd))


# --- The number of the first sentence -------------------------------------------------------------


def test_the_file_may_count_its_sentences_from_another_number() -> None:
    [judgment] = resolved(ranking("anna", 101, "Alder > INPUT"), first_sentence=100)
    assert judgment.sentence == 1


@pytest.mark.parametrize("sentence", [0, 5])
def test_a_wrong_number_of_the_first_sentence_is_suspected(sentence: int) -> None:
    with pytest.raises(FormatError, match=r"does the file count its sentences from another number"):
        resolved(ranking("anna", sentence, "Alder > INPUT"), first_sentence=1)


# --- Systems that were shown one by one -----------------------------------------------------------


def test_systems_of_one_text_and_one_rank_are_taken_together() -> None:
    [judgment] = shown_one_by_one(ranking("anna", 1, "Birch = Cedar = Alder > INPUT"))
    assert [(rating.systems, rating.rank) for rating in judgment.current.ratings] == [
        (("Alder", "Birch"), 1),
        (("Cedar",), 1),
        (("INPUT",), 2),
    ]


def test_a_system_that_was_not_shown_is_not_added() -> None:
    [judgment] = shown_one_by_one(ranking("anna", 1, "Birch > INPUT"))
    assert [rating.systems for rating in judgment.current.ratings] == [("Birch",), ("INPUT",)]


def test_systems_of_one_text_and_different_ranks_are_refused() -> None:
    with pytest.raises(
        FormatError, match="Alder and Birch have the same text in the corpus but different ranks"
    ):
        shown_one_by_one(ranking("anna", 1, "Alder > Cedar > Birch"))


def test_two_systems_of_one_text_leave_nothing_to_compare() -> None:
    [judgment] = shown_one_by_one(ranking("anna", 3, "Alder = Birch"))
    assert judgment.state == "auto"


# --- States, items, repetitions -------------------------------------------------------------------


@pytest.mark.parametrize("texts", [TEXTS, None])
def test_the_state_follows_from_the_number_of_outputs(texts: dict[int, dict[str, str]] | None) -> None:
    states = [judgment.state for judgment in resolve(judgments_file(RANKINGS), PATH, texts=texts)]
    assert states == ["complete", "complete", "complete", "skipped", "auto", "complete"]


def test_the_same_outputs_in_another_order_are_the_same_item() -> None:
    first, second = resolved(ranking("anna", 0, "Cedar > INPUT"), ranking("ben", 0, "INPUT > Cedar"))
    assert (first.item, second.item) == (0, 0)
    assert (first.repetition, second.repetition) == (0, 1)


def test_a_repeated_judgment_of_one_judge_is_a_repetition_too() -> None:
    judgments = resolved(*[ranking("anna", 0, "Cedar > INPUT")] * 3)
    assert [judgment.repetition for judgment in judgments] == [0, 1, 2]


def test_other_outputs_or_another_sentence_are_another_item() -> None:
    judgments = alone(
        ranking("anna", 0, "Cedar > INPUT"),
        ranking("anna", 1, "Cedar > INPUT"),
        ranking("anna", 0, "Cedar > INPUT > Alder"),
        ranking("anna", 0, "Cedar > Alder INPUT"),
        ranking("anna", 0, ""),
    )
    assert [judgment.item for judgment in judgments] == [0, 1, 2, 3, 4]
    assert {judgment.repetition for judgment in judgments} == {0}


def test_an_output_that_stood_for_fewer_systems_is_another_item() -> None:
    full, partial = shown_one_by_one(
        ranking("anna", 1, "Alder = Birch > Cedar"), ranking("anna", 1, "Alder > Cedar")
    )
    assert full.current.ratings[0].output == partial.current.ratings[0].output
    assert full.item != partial.item


def test_times_are_kept_where_they_are_known() -> None:
    judgments = resolved(
        ranking("anna", 0, "Cedar > INPUT", duration_ms=1), ranking("anna", 0, "", duration_ms=None)
    )
    assert [judgment.current.active_ms for judgment in judgments] == [1, None]
