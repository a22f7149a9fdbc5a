"""Pilots with several corrections of each sentence: the usable part, and parameters that analyses share."""

from analysis.analyses.corpus_inputs import CorpusTexts
from core.parameters import ParameterError, parameter
from core.wording import counted, percent
from metrics.meta_evaluation.coverage import AnsweredSentence, Normalisation, in_need_of_correction

FEWEST_ANSWERS = 2
MOST_LISTED = 10

CONLL_2014 = 1312, 136
"""Sentences of its test set, and those of them that Choshen and Abend (2018) take to be correct."""

FEW_ANSWERS = 10
"""Below which median number of references a distribution is hardly known."""


def normalisation_of_texts() -> Normalisation:
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


def share_unchanged() -> float:
    """The parameter for the share of people who leave a sentence unchanged that needs no correction."""
    return parameter(
        0.44,
        label="Left unchanged by fewer than",
        help="Sentences that this share of people left unchanged need no correction and are left out.",
        minimum=0,
        maximum=1.01,
    )


def largest_number_of_references(*, maximum: int, more: str = "") -> int:
    """The last point of the curve over numbers of references; `more` is added to its help."""
    return parameter(
        20,
        label="References up to",
        help=f"Maximum number of references on the curve. {more}".strip(),
        minimum=1,
        maximum=maximum,
    )


def size_of_test_set(*, maximum: int) -> int:
    """The number of sentences of a test set like the pilot."""
    return parameter(
        CONLL_2014[0], label="Sentences", help="Size of the planned test set.", minimum=1, maximum=maximum
    )


def correct_sentences(*, maximum: int) -> int:
    """How many of them need no correction."""
    return parameter(
        CONLL_2014[1],
        label="Of these correct",
        help="Sentences of the test set that need no correction.",
        minimum=0,
        maximum=maximum,
    )


def check_test_set(sentences: int, correct: int) -> None:
    """Raise `ParameterError` if no sentence of the test set needs correction."""
    if correct >= sentences:
        raise ParameterError(faults={"correct": "correct should be less than sentences"})


MANY_UNCHANGED = "that many people left unchanged"

LeftOutSentences = dict[str, tuple[int, ...]]
"""Positions of sentences in the corpus, from 0, by the reason why they are left out."""


def usable_answers(
    texts: CorpusTexts, *, unchanged_below: float, normalisation: Normalisation
) -> tuple[dict[int, AnsweredSentence], LeftOutSentences]:
    """Sentences with several answers that need correction, by position; and the others, by reason.

    Raises:
        ParameterError: there is no such sentence.
    """
    answered = [
        AnsweredSentence(sentence.source, tuple(reference.text for reference in sentence.references))
        for sentence in texts.sentences
    ]
    used: dict[int, AnsweredSentence] = {}
    few, unchanged = [], []
    for position, sentence in enumerate(answered):
        if len(sentence.answers) < FEWEST_ANSWERS:
            few.append(position)
        elif in_need_of_correction([sentence], unchanged_below=unchanged_below, normalisation=normalisation):
            used[position] = sentence
        else:
            unchanged.append(position)
    if not used:
        raise ParameterError(
            "no sentence has two references that correct it: import a pilot with several corrections of "
            "each sentence"
        )
    left_out = {
        "with one reference or none": tuple(few),
        MANY_UNCHANGED: tuple(unchanged),
    }
    return used, {reason: positions for reason, positions in left_out.items() if positions}


def reason_in_words(reason: str, unchanged_below: float, normalisation: Normalisation) -> str:
    """Why sentences are left out, with the meaning of "many people" and of "unchanged"."""
    if reason != MANY_UNCHANGED:
        return reason
    enough = " (one of two is enough)" if 0 < unchanged_below <= 1 / 2 else ""
    except_for = ", except for case and punctuation" if normalisation == Normalisation.WORDS else ""
    return f"that {percent(unchanged_below)} or more of their annotators{enough} left unchanged{except_for}"


def left_out_in_words(
    left_out: LeftOutSentences, unchanged_below: float, normalisation: Normalisation
) -> list[str]:
    """Number and list of sentences left out, for each reason."""
    return [
        f"{counted(len(positions), 'sentence')} {reason_in_words(reason, unchanged_below, normalisation)} "
        f"({_listed(positions)})"
        for reason, positions in left_out.items()
    ]


def planned_in_words(sentences: int, correct: int) -> str:
    """That the numbers of the planned test set are settings, and whose numbers they are by default."""
    if (sentences, correct) != CONLL_2014:
        return "Both numbers are settings."
    return (
        f"Both numbers are settings: by default those of CoNLL-2014, {correct:,} of whose sentences have no "
        "line of any annotator. Other pages count such sentences as without reference; the planned test set "
        "takes them to be correct."
    )


def _listed(positions: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, positions[:MOST_LISTED]))
    more = len(positions) - MOST_LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown
