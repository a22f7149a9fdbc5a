"""Draws the errors of a control: seeded, and never an error that a correction contains."""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import chain

import numpy as np

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

Rule = Callable[[TokenizedSentence, int], Iterator[Error]]
RULES: tuple[Rule, ...] = (
    determiner_errors,
    preposition_errors,
    agreement_errors,
    verb_form_errors,
    number_errors,
    spelling_errors,
    word_order_errors,
    punctuation_errors,
)

WEIGHTS = {
    ErrorKind.DETERMINER: 3,
    ErrorKind.PREPOSITION: 3,
    ErrorKind.AGREEMENT: 4,
    ErrorKind.VERB_FORM: 4,
    ErrorKind.NOUN_NUMBER: 3,
    ErrorKind.SPELLING: 2,
    ErrorKind.WORD_ORDER: 2,
    ErrorKind.PUNCTUATION: 1,
}
"""Weight of each kind among those for which a sentence has room."""

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


def make_control(source: str, outputs: Iterable[str] = (), *, seed: int) -> Control:
    """Insert one or two plausible errors into an English sentence (Napoles et al. 2019, section 4.2).

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

    Raises:
        ControlError: the source is empty.
    """
    source = source.strip()
    if not source:
        raise ControlError("an empty sentence cannot have an error: leave it out")
    given = {output.strip() for output in outputs}
    rng = np.random.default_rng([seed, *hashlib.sha256(source.encode()).digest()])
    possible = _possible(source, given)
    two = len(TokenizedSentence(source)) >= WORDS_FOR_TWO and bool(rng.random() < 0.5)
    choices = _choices(source, possible, two, rng) if possible else ()
    for errors in chain(choices, ((sign,) for sign in stray_signs(source))):
        text = with_errors(source, errors)
        if text != source and text not in given:
            return Control(text, errors)
    raise AssertionError("stray signs never end")


def possible_errors(source: str) -> tuple[Error, ...]:
    """All errors that the rules can make in a sentence."""
    return _errors_by(source, RULES)


def with_errors(source: str, errors: Sequence[Error]) -> str:
    """The source with errors that do not overlap, stripped as outputs are."""
    text = source
    for error in sorted(errors, key=lambda error: error.start, reverse=True):
        text = text[: error.start] + error.replacement + text[error.end :]
    return text.strip()


def _errors_by(source: str, rules: Iterable[Rule]) -> tuple[Error, ...]:
    sentence = TokenizedSentence(source)
    places = range(len(sentence))
    errors = chain.from_iterable(rule(sentence, place) for rule in rules for place in places)
    return tuple(
        dict.fromkeys(error for error in errors if source[error.start : error.end] != error.replacement)
    )


def _possible(source: str, given: Set[str]) -> Sequence[Error]:
    """The errors to choose from; slips in short words and names only if at most punctuation is left."""
    corrections = given - {source}
    by_rules, slipped = (
        [error for error in errors if not _is_given(source, error, given)]
        for errors in (possible_errors(source), _errors_by(source, [slips]))
    )
    beside = [error for error in by_rules if _is_left_alone(source, error, corrections)]
    slipped_beside = [error for error in slipped if _is_left_alone(source, error, corrections)]
    choices = (beside, [*beside, *slipped_beside], by_rules, [*by_rules, *slipped])
    words = (errors for errors in choices if any(error.kind is not ErrorKind.PUNCTUATION for error in errors))
    return next(words, by_rules)


def _choices(
    source: str, possible: Sequence[Error], two: bool, rng: np.random.Generator
) -> Iterator[tuple[Error, ...]]:
    """Choices of errors: the wanted one first, then each possible error alone."""
    order = _by_weight(possible, rng)
    order.sort(key=lambda error: error.kind is ErrorKind.PUNCTUATION)
    if two:
        for second in _by_weight(possible, rng):
            if second.kind is not order[0].kind and _apart(source, order[0], second):
                yield tuple(sorted((order[0], second), key=lambda error: error.start))
                break
    for error in order:
        yield (error,)


def _by_weight(errors: Sequence[Error], rng: np.random.Generator) -> list[Error]:
    """Random order; the first one's kind is drawn by weight, however many errors each kind has."""
    kinds = Counter(error.kind for error in errors)
    weights = np.array([WEIGHTS[error.kind] / kinds[error.kind] for error in errors])
    order = rng.choice(len(errors), len(errors), replace=False, p=weights / weights.sum())
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
    """A piece of the text with the words before and after it, separated by spaces."""
    before = text.rfind(" ", 0, max(start - 1, 0)) + 1
    after = text.find(" ", end + 1)
    return f" {text[before : after if after >= 0 else len(text)]} "
