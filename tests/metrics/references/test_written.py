"""Corrections of sentences from what people wrote: joining, leaving out, identical corrections as one."""

import pytest

from formats.snapshot.vocabulary import CorrectionVerdict as Verdict
from metrics.references import (
    CorrectedSentence,
    DistinctCorrection,
    WrittenAnswer,
    corrected_sentences,
    distinct_corrections,
    edit_agreement,
    edits_between,
)

SOURCES = ("He walk .", "Because late .", "Yes", "zzz")


def answer(sentence: int, annotator: str, *texts: str, verdict: str | None = None) -> WrittenAnswer:
    return WrittenAnswer(sentence, annotator, texts, verdict)


def test_identical_corrections_are_one_with_their_frequency() -> None:
    answers = [
        answer(0, "a", "He walks ."),
        answer(0, "b", "He  walks\n.", "He walked ."),
        answer(0, "c", verdict=Verdict.NO_CORRECTION_NEEDED),
        answer(0, "d", "He walked .", "He walked ."),
    ]
    [sentence], _ = corrected_sentences(SOURCES, answers)
    assert distinct_corrections(sentence) == (
        DistinctCorrection("He walked .", ("b", "d")),
        DistinctCorrection("He walks .", ("a", "b")),
        DistinctCorrection("He walk .", ("c",)),
    )


def test_sentences_that_anyone_marks_for_merging_are_joined() -> None:
    answers = [
        answer(0, "a", "He walks", verdict=Verdict.MERGE_WITH_NEXT),
        answer(1, "a", "because he is late ."),
        answer(0, "b", verdict=Verdict.NO_CORRECTION_NEEDED),
        answer(1, "b", "Because of being late .", "Because he was late ."),
        answer(0, "c", "He walked ."),
        answer(2, "c", verdict=Verdict.NO_CORRECTION_NEEDED),
    ]
    joined, single = corrected_sentences(SOURCES, answers)[0]
    assert (joined.places, joined.source) == ((0, 1), "He walk . Because late .")
    assert joined.corrections == (
        ("a", "He walks because he is late ."),
        ("b", "He walk . Because of being late ."),
        ("b", "He walk . Because he was late ."),
    )
    assert (single.places, single.is_joined) == ((2,), False)


@pytest.mark.parametrize("documents", [("1", "2", "2", "2"), ("1",)])
def test_nothing_is_joined_beyond_the_document(documents: tuple[str, ...]) -> None:
    answers = [answer(0, "a", "He walks .", verdict=Verdict.MERGE_WITH_NEXT)]
    [sentence], _ = corrected_sentences(SOURCES[: len(documents)], answers, documents=documents)
    assert (sentence.places, sentence.corrections) == ((0,), (("a", "He walks ."),))


def test_a_sentence_is_left_out_if_everyone_says_that_it_cannot_be_corrected() -> None:
    answers = [
        answer(2, "a", verdict=Verdict.FRAGMENT),
        answer(2, "b", "Yes .", verdict=Verdict.CORRECTED),
        answer(3, "a", verdict=Verdict.NOT_ANNOTATABLE),
        answer(3, "b", verdict=Verdict.FRAGMENT),
    ]
    [sentence], [left_out] = corrected_sentences(SOURCES, answers)
    assert (sentence.places, sentence.corrections) == ((2,), (("b", "Yes ."),))
    assert (left_out.place, left_out.verdicts) == (3, {"fragment": 1, "not-annotatable": 1})


def test_agreement_counts_edits_shared_with_each_other_person_and_with_the_closest_one() -> None:
    corrections = (("a", "He walks !"), ("b", "He walks ."), ("c", "He walk ."), ("a", "ignored"))
    alone = CorrectedSentence((1,), "x", (("a", "y"),), {})
    people = edit_agreement(
        [CorrectedSentence((0,), "He walk .", corrections, {}), alone], edits_between(None)
    )
    by_name = {person.annotator: person for person in people}
    each, best = by_name["b"].each, by_name["b"].best
    # a's edit replaces both words by one edit, b's only the verb, c makes none.
    assert (each.tp, each.fp, each.fn) == (0, 2, 1)
    assert (best.tp, best.fp, best.fn, best.f) == (0, 1, 0, 0.0)
    assert (by_name["a"].sentences, by_name["c"].best.f) == (1, 0.0)
    same = CorrectedSentence((0,), "He walk .", (("a", "He walks ."), ("b", "He walks .")), {})
    assert [person.each.f for person in edit_agreement([same], edits_between(None))] == [1.0, 1.0]
