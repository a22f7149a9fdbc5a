"""When corrections are the same, which sentences are discarded, and the corrections of the paper."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from metrics.meta_evaluation.coverage import (
    AnsweredSentence,
    CoverageError,
    Match,
    Normalisation,
    corrections,
    distributions,
    in_need_of_correction,
    variants_and_mass,
)

BATCHES = ("2612793", "2626033", "2634540")
WALK = AnsweredSentence(
    "He walk home .", ("He walks home.", "He  walks home .", "He walked home !", "He walk it home .")
)


@pytest.mark.parametrize(
    ("match", "normalisation", "numbers"),
    [
        (Match.EXACT, Normalisation.WORDS, [1, 1, 2]),
        (Match.EXACT, Normalisation.TOKENS, [1, 1, 1, 1]),
        (Match.INDEX, Normalisation.WORDS, [1, 3]),
        (Match.INDEX_AND_LENGTH, Normalisation.WORDS, [1, 3]),
    ],
)
def test_the_same_correction(match: Match, normalisation: Normalisation, numbers: list[int]) -> None:
    assert sorted(corrections(WALK, match, normalisation).values()) == numbers


def test_an_added_word_changes_no_word_of_the_source() -> None:
    sentence = AnsweredSentence("a b", ("a b", "a c b", "a c d b"))
    assert corrections(sentence, Match.INDEX, Normalisation.WORDS) == {frozenset(): 3}
    assert len(corrections(sentence, Match.INDEX_AND_LENGTH, Normalisation.WORDS)) == 3


def test_sentences_that_many_left_unchanged_are_discarded() -> None:
    half = AnsweredSentence("Fine .", ("fine", "Fine !", "Well .", "Good ."))
    assert in_need_of_correction([half, WALK]) == (WALK,)
    assert in_need_of_correction([half, WALK], unchanged_below=0.51) == (half, WALK)


def test_a_sentence_with_one_answer_is_named() -> None:
    with pytest.raises(CoverageError, match=r"sentence 2 \('Two .'\): there is one answer"):
        distributions([WALK, AnsweredSentence("Two .", ("Two!",))])


def test_table_1_from_the_collected_corrections(reference_data: Path) -> None:
    """The released answers, which are not quite those that the paper's table was made of."""
    answers = defaultdict(list)
    with (reference_data / "corrections" / "gec.tsv").open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["batch"] in BATCHES and row["status"] != "Rejected":
                answers[row["sentence"]].append(row["correction"])
    assert len(answers) == 52
    kept = in_need_of_correction([AnsweredSentence(key, tuple(given)) for key, given in answers.items()])
    assert len(kept) == 48
    numbers, masses = variants_and_mass(distributions(kept), (0, 0.001, 0.01, 0.1))
    assert numbers.tolist() == pytest.approx([1430.41, 59.73, 10.01, 1.44], abs=0.01)
    assert masses.tolist() == pytest.approx([1, 0.728, 0.582, 0.356], abs=0.001)
