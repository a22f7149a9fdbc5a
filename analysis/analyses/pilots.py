"""Pilots with several corrections of each sentence: the usable part, and parameters that analyses share."""

from collections import Counter
from typing import Any

from analysis.analyses.inputs import CorpusTexts
from metrics.parameters import ParameterError, parameter
from metrics.validation.coverage import AnsweredSentence, Normalisation, in_need_of_correction

FEW_ANSWERS = 10
"""Below which median number of references a distribution is hardly known."""


def normalisation_of_texts() -> Any:
    """How texts are compared."""
    return parameter(
        Normalisation.WORDS,
        label="Texts",
        help="How texts are compared.",
        labels={
            Normalisation.WORDS: "letters and digits, ignoring case",
            Normalisation.TOKENS: "token by token",
        },
    )


def share_unchanged() -> Any:
    """From which share of people that leave a sentence unchanged it needs no correction."""
    return parameter(
        0.44,
        label="Left unchanged by fewer than",
        help="Sentences that this share of people left unchanged need no correction and are left out.",
        minimum=0,
        maximum=1.01,
    )


def size_of_test_set(*, maximum: int) -> Any:
    """The number of sentences of a test set like the pilot."""
    return parameter(
        1312, label="Sentences", help="Size of the planned test set.", minimum=1, maximum=maximum
    )


def correct_sentences(*, maximum: int) -> Any:
    """How many of them need no correction."""
    return parameter(
        136,
        label="Of these correct",
        help="Sentences of the test set that need no correction.",
        minimum=0,
        maximum=maximum,
    )


def check_test_set(sentences: int, correct: int) -> None:
    """Raise `ParameterError` if no sentence of the test set needs correction."""
    if correct >= sentences:
        raise ParameterError(faults={"correct": "correct should be less than sentences"})


def usable_answers(
    texts: CorpusTexts, *, unchanged_below: float, normalisation: Normalisation
) -> tuple[tuple[AnsweredSentence, ...], dict[str, int]]:
    """Sentences with several answers that need correction, and how many others there are by reason.

    Raises:
        ParameterError: there is no such sentence.
    """
    answered = [
        AnsweredSentence(sentence.source, tuple(reference.text for reference in sentence.references))
        for sentence in texts.sentences
    ]
    several = [sentence for sentence in answered if len(sentence.answers) > 1]
    used = in_need_of_correction(several, unchanged_below=unchanged_below, normalisation=normalisation)
    if not used:
        raise ParameterError(
            "no sentence has two references that correct it: import a pilot with several corrections of "
            "each sentence"
        )
    left_out = Counter(
        {
            "fewer than two references": len(answered) - len(several),
            "an answer that often leaves them unchanged": len(several) - len(used),
        }
    )
    return used, dict(+left_out)
