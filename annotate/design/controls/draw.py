"""Draws the errors of a control: seeded, and never an error that a correction contains."""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from annotate.design.controls.any_language import ANY_RULES, UNSPACED, AnySentence, looks
from annotate.design.controls.nouns import determiner_errors, number_errors, preposition_errors
from annotate.design.controls.sentence import Error, ErrorKind, TokenizedSentence
from annotate.design.controls.verbs import agreement_errors, verb_form_errors
from annotate.design.controls.writing import (
    punctuation_errors,
    slips,
    spelling_errors,
    stray_signs,
    word_order_errors,
)

Rule = Callable[[Any, int], Iterator[Error]]
"""Finds the errors at a place of a sentence."""

ENGLISH_RULES: tuple[Rule, ...] = (
    determiner_errors,
    preposition_errors,
    agreement_errors,
    verb_form_errors,
    number_errors,
    spelling_errors,
    word_order_errors,
    punctuation_errors,
)


ENGLISH_WEIGHTS = {
    ErrorKind.DETERMINER: 3,
    ErrorKind.PREPOSITION: 3,
    ErrorKind.AGREEMENT: 4,
    ErrorKind.VERB_FORM: 4,
    ErrorKind.NOUN_NUMBER: 3,
    ErrorKind.SPELLING: 2,
    ErrorKind.WORD_ORDER: 2,
    ErrorKind.PUNCTUATION: 1,
}
ANY_WEIGHTS = {
    ErrorKind.SPELLING: 4,
    ErrorKind.DOUBLED_WORD: 4,
    ErrorKind.MISSING_WORD: 2,
    ErrorKind.WORD_ORDER: 1,  # Word order is free in many languages.
}


@dataclass(frozen=True, slots=True)
class _Rules:
    """What errors are made in a language.

    Attributes:
        read: from a text to its tokens.
        usual: the rules.
        further: rules for sentences in which at most punctuation is left to change.
        weights: weight of each kind among those for which a sentence has room.
    """

    read: Callable[[str], Any]
    usual: tuple[Rule, ...]
    further: tuple[Rule, ...]
    weights: Mapping[ErrorKind, int]


ENGLISH = _Rules(TokenizedSentence, ENGLISH_RULES, (slips,), ENGLISH_WEIGHTS)
ANY_LANGUAGE = _Rules(AnySentence, ANY_RULES, (), ANY_WEIGHTS)

NEAR = 2
"""Characters around an error in a script without blanks that count as its surroundings."""

WORDS_FOR_TWO = 8
"""Fewest tokens of a sentence that may get two errors."""


class ControlError(ValueError):
    """A sentence in which no error can be made."""


@dataclass(frozen=True, slots=True)
class Control:
    """A source with errors inserted.

    Attributes:
        text: the source with the errors.
        errors: what was changed, in the order of the text; one or two.
    """

    text: str
    errors: tuple[Error, ...]


def make_control(source: str, outputs: Iterable[str] = (), *, seed: int, english: bool = True) -> Control:
    """Insert one or two errors into a sentence: plausible ones in English (Napoles et al. 2019, section 4.2).

    The same seed, sentence and outputs give the same control in any order of draws. An error that one of
    the outputs also contains, with the same words around it, is not made: if the source is already wrong
    there, a correction could be mistaken for an error. Nor is an error made where most corrections change the
    source, if there is another place: one error in place of another makes the sentence no worse. A sentence
    of 8 tokens or more gets two errors half of the time, of different kinds. Punctuation, which is easily
    overlooked, is changed only if nothing else can be.

    Args:
        source: the sentence; spaces around it are ignored.
        outputs: texts that the control must not equal: outputs of systems, and references.
        seed: same seed, same control.
        english: whether the sentence is English; in other languages, words or letters are swapped, or words
            are left out or doubled (`annotate.design.controls.any_language`), and the control looks different
            from the source and from all outputs.

    Raises:
        ControlError: the source is empty.
    """
    rules = ENGLISH if english else ANY_LANGUAGE
    source = source.strip()
    if not source:
        raise ControlError("an empty sentence cannot have an error: leave it out")
    given = {output.strip() for output in outputs}
    rng = np.random.default_rng([seed, *hashlib.sha256(source.encode()).digest()])
    possible = _possible(source, given, rules)
    two = len(rules.read(source)) >= WORDS_FOR_TWO and bool(rng.random() < 0.5)
    choices = _choices(source, possible, two, rng, rules.weights) if possible else ()
    seen = {looks(text) for text in (source, *given)}
    for errors in chain(choices, ((sign,) for sign in stray_signs(source))):
        text = with_errors(source, errors)
        if text != source and text not in given and (english or looks(text) not in seen):
            return Control(text, errors)
    raise AssertionError("stray signs never end")


def possible_errors(source: str) -> tuple[Error, ...]:
    """All errors that the rules can make in an English sentence."""
    return _errors_by(source, ENGLISH.read, ENGLISH.usual)


def with_errors(source: str, errors: Sequence[Error]) -> str:
    """The source with errors that do not overlap, stripped as outputs are."""
    text = source
    for error in sorted(errors, key=lambda error: error.start, reverse=True):
        text = text[: error.start] + error.replacement + text[error.end :]
    return text.strip()


def _errors_by(source: str, read: Callable[[str], Any], rules: Iterable[Rule]) -> tuple[Error, ...]:
    sentence = read(source)
    places = range(len(sentence))
    errors = chain.from_iterable(rule(sentence, place) for rule in rules for place in places)
    return tuple(
        dict.fromkeys(error for error in errors if source[error.start : error.end] != error.replacement)
    )


def _possible(source: str, given: Set[str], rules: _Rules) -> Sequence[Error]:
    """The errors to choose from; those of further rules only if at most punctuation is left."""
    corrections = given - {source}
    by_rules, slipped = (
        [error for error in errors if not _is_given(source, error, given)]
        for errors in (_errors_by(source, rules.read, each) for each in (rules.usual, rules.further))
    )
    beside = [error for error in by_rules if _is_left_alone(source, error, corrections)]
    slipped_beside = [error for error in slipped if _is_left_alone(source, error, corrections)]
    choices = (beside, [*beside, *slipped_beside], by_rules, [*by_rules, *slipped])
    words = (errors for errors in choices if any(error.kind is not ErrorKind.PUNCTUATION for error in errors))
    return next(words, by_rules)


def _choices(
    source: str,
    possible: Sequence[Error],
    two: bool,
    rng: np.random.Generator,
    weights: Mapping[ErrorKind, int],
) -> Iterator[tuple[Error, ...]]:
    """Choices of errors: the wanted one first, then each possible error alone."""
    order = _by_weight(possible, rng, weights)
    order.sort(key=lambda error: error.kind is ErrorKind.PUNCTUATION)
    if two:
        for second in _by_weight(possible, rng, weights):
            if second.kind is not order[0].kind and _apart(source, order[0], second):
                yield tuple(sorted((order[0], second), key=lambda error: error.start))
                break
    for error in order:
        yield (error,)


def _by_weight(
    errors: Sequence[Error], rng: np.random.Generator, weights: Mapping[ErrorKind, int]
) -> list[Error]:
    """Random order; the first one's kind is drawn by weight, however many errors each kind has."""
    kinds = Counter(error.kind for error in errors)
    shares = np.array([weights[error.kind] / kinds[error.kind] for error in errors])
    order = rng.choice(len(errors), len(errors), replace=False, p=shares / shares.sum())
    return [errors[place] for place in order]


def _apart(source: str, one: Error, other: Error) -> bool:
    """Whether there is at least one word between two errors."""
    first, second = sorted((one, other), key=lambda error: error.start)
    return first.end < second.start and bool(source[first.end : second.start].strip())


def _is_given(source: str, error: Error, outputs: Collection[str]) -> bool:
    """Whether an output contains the error with the words before and after it, and the source does not."""
    window = _surrounded(with_errors(source, [error]), error.start, error.start + len(error.replacement))
    return window not in f" {source} " and any(window in f" {output} " for output in outputs)


def _is_left_alone(source: str, error: Error, corrections: Collection[str]) -> bool:
    """Whether at least half of the corrections keep the text that the error would change."""
    window = _surrounded(source, error.start, error.end)
    return 2 * sum(window in f" {correction} " for correction in corrections) >= len(corrections)


def _surrounded(text: str, start: int, end: int) -> str:
    """A piece of the text with the words before and after it, separated by spaces.

    Where no space is near, as in scripts without them, it has a few characters before and after it.
    """
    if UNSPACED.search(text, max(start - 1, 0), end + 1):
        return text[max(start - NEAR, 0) : end + NEAR]
    before = text.rfind(" ", 0, max(start - 1, 0)) + 1
    after = text.find(" ", end + 1)
    return f" {text[before : after if after >= 0 else len(text)]} "
