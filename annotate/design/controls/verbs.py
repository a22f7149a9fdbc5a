"""Errors around verbs: agreement and form."""

from collections.abc import Iterator

from annotate.design.controls import words
from annotate.design.controls.sentence import Error, ErrorKind, TokenizedSentence

OTHER_NUMBER = {
    "is": "are",
    "are": "is",
    "was": "were",
    "were": "was",
    "has": "have",
    "isn't": "aren't",
    "aren't": "isn't",
    "wasn't": "weren't",
    "weren't": "wasn't",
    "hasn't": "haven't",
    "doesn't": "don't",
}
PLURAL_SUBJECTS = words.SUBJECTS_PLURAL | {"people", "children", "these", "those", "i", "who"}


def agreement_errors(sentence: TokenizedSentence, place: int) -> Iterator[Error]:
    """A verb whose number is not its subject's."""
    word, before, after = sentence.word(place), sentence.word(place - 1), sentence.word(place + 1)
    kind = ErrorKind.AGREEMENT
    if word in OTHER_NUMBER:
        asks = not before.isalpha() and after not in words.DETERMINERS | words.SUBJECTS | {"there"}
        hypothetical = word == "were" and {"if", "wish"} & {before, sentence.word(place - 2)}
        if not asks and not hypothetical and before != "to":
            yield sentence.replace(kind, place, OTHER_NUMBER[word])
    elif word == "does" and (after in words.NOT or after in words.SUBJECTS_SINGULAR):
        yield sentence.replace(kind, place, "do")
    elif _has_plural_subject(sentence, place):
        if word == "don't":
            yield sentence.replace(kind, place, "doesn't")
        elif word in words.BY_BASE and (word != "do" or after in words.NOT) and _is_verb(sentence, place):
            yield sentence.replace(kind, place, words.BY_BASE[word].third)
    elif _has_singular_subject(sentence, place):
        yield sentence.replace(kind, place, words.BY_THIRD[word].base)


def verb_form_errors(sentence: TokenizedSentence, place: int) -> Iterator[Error]:
    """The wrong form after a modal, an auxiliary, "to" or a preposition, or for the past."""
    word = sentence.word(place)
    if not sentence.is_plain(place):
        return
    governor, gap = _governor(sentence, place)
    for new in _wrong_forms(sentence, place, governor):
        yield sentence.replace(ErrorKind.VERB_FORM, place, new)
    if governor == "to" and gap == 1 and word in words.BY_BASE and word not in words.NOUN_TOO:
        if sentence.word(place - 2) in words.TAKES_INFINITIVE:
            yield sentence.drop(ErrorKind.VERB_FORM, place - 1)
    elif governor in words.MODALS and word in words.BY_BASE:
        yield sentence.insert(ErrorKind.VERB_FORM, place, "to")


def _wrong_forms(sentence: TokenizedSentence, place: int, governor: str) -> Iterator[str]:
    word, before = sentence.word(place), sentence.word(place - 1)
    if verb := words.BY_BASE.get(word):
        yield from _instead_of_base(sentence, place, governor, verb)
    elif verb := words.BY_GERUND.get(word):
        if governor in words.BE or before in ("of", "for", "by", "without", "before", "after"):
            yield verb.base
    elif verb := words.BY_PARTICIPLE.get(word):
        irregular = verb.past != verb.participle
        if governor in words.HAVE or (governor in words.BE and not irregular):
            yield verb.base
        if governor in words.HAVE | words.BE and irregular:
            yield verb.past
    if (verb := words.BY_PAST.get(word)) and before in words.SUBJECTS and word not in words.AUXILIARIES:
        yield verb.gerund
        if verb.participle != verb.past:
            yield verb.participle


def _instead_of_base(
    sentence: TokenizedSentence, place: int, governor: str, verb: words.Verb
) -> Iterator[str]:
    before = sentence.word(place - 1)
    if governor in words.MODALS:
        yield from (verb.gerund, verb.third)
    elif governor == "to":
        yield verb.past
        if sentence.word(place - 2) not in words.GERUND_AFTER_TO:
            yield verb.gerund
    elif governor in words.DO and before in words.NOT:
        yield from (verb.past, verb.gerund)
    elif before in words.SUBJECTS_PLURAL | {"i"} and verb.base not in ("have", "do"):
        yield verb.gerund


def _governor(sentence: TokenizedSentence, place: int) -> tuple[str, int]:
    """The auxiliary, or "to", before a verb, over adverbs and "not", and how far away it is."""
    for gap in (1, 2, 3):
        word = sentence.word(place - gap)
        if word in words.AUXILIARIES or word == "to":
            return word, gap
        if word not in words.BEFORE_VERBS:
            break
    return "", 0


def _has_plural_subject(sentence: TokenizedSentence, place: int) -> bool:
    before = sentence.word(place - 1)
    if sentence.word(place - 2) in words.DO | words.MODALS | words.BE:
        return False
    return before in PLURAL_SUBJECTS or (
        words.singular(before) is not None
        and before not in words.BY_THIRD
        and sentence.word(place) not in words.NOUN_TOO
    )


def _has_singular_subject(sentence: TokenizedSentence, place: int) -> bool:
    """Whether a verb in the third person has a singular subject.

    This is certain after a pronoun, and likely for a verb form that cannot be a noun.
    """
    before, verb = sentence.word(place - 1), words.BY_THIRD.get(sentence.word(place))
    if verb is None or verb.base in ("have", "do"):
        return False
    unlikely = words.DETERMINERS | words.PREPOSITIONS | words.ADJECTIVES
    return before in words.SUBJECTS_SINGULAR or (
        verb.base not in words.NOUN_TOO and before.isalpha() and before not in unlikely
    )


def _is_verb(sentence: TokenizedSentence, place: int) -> bool:
    """Whether what looks like the base form is a verb here, judging by the word before it."""
    return sentence.word(place) not in words.NOUN_TOO or sentence.word(place - 1) in words.SUBJECTS
