"""Errors around nouns: determiners, prepositions, number."""

from collections.abc import Iterator

from annotate.design.controls import words
from annotate.design.controls.sentence import Error, ErrorKind, TokenizedSentence

VOWEL_SOUND_EXCEPTIONS = ("uni", "use", "usu", "eu", "one", "once", "hour", "hono", "heir")


def determiner_errors(sentence: TokenizedSentence, place: int) -> Iterator[Error]:
    """Articles left out, too many, or the wrong one; "this" and "these", "much" and "many"."""
    word, after = sentence.word(place), sentence.word(place + 1)
    kind = ErrorKind.DETERMINER
    if _lacks_article(sentence, place):
        yield sentence.insert(kind, place, "an" if word[0] in "aei" else "a")
    if not sentence.is_plain(place + 1):
        return
    many = words.singular(after) is not None
    if word in words.ARTICLES and (sentence.is_plain(place) or place == 0):
        yield from _article_errors(sentence, place)
    elif word == "this" and _is_content(after) and not many:
        yield sentence.replace(kind, place, "these")
    elif word in ("these", "those") and many:
        yield sentence.replace(kind, place, "this" if word == "these" else "that")
    elif word == "many" and after not in words.FUNCTION_WORDS:
        yield sentence.replace(kind, place, "much")
    elif word == "other" and many and sentence.word(place - 1) not in words.DETERMINERS:
        yield sentence.replace(kind, place, "another")


def _article_errors(sentence: TokenizedSentence, place: int) -> Iterator[Error]:
    word, before, after = sentence.word(place), sentence.word(place - 1), sentence.word(place + 1)
    if word == "the":
        if after in words.DEFINITE:
            yield sentence.drop(ErrorKind.DETERMINER, place)
        if words.singular(after) and _ends_noun(sentence, place + 2) and before not in ("all", "both"):
            yield sentence.replace(ErrorKind.DETERMINER, place, "a")
    elif after not in words.NEVER_PLURALISED:
        yield sentence.drop(ErrorKind.DETERMINER, place)
        if not after.startswith(VOWEL_SOUND_EXCEPTIONS):
            yield sentence.replace(ErrorKind.DETERMINER, place, "an" if word == "a" else "a")


def _lacks_article(sentence: TokenizedSentence, place: int) -> bool:
    """Whether a noun without plural stands here on its own."""
    return (
        sentence.word(place) in words.NEVER_WITH_AN_ARTICLE
        and sentence.word(place - 1) in words.PREPOSITIONS | words.FINITE - words.AUXILIARIES
        and _ends_noun(sentence, place + 1)
    )


def preposition_errors(sentence: TokenizedSentence, place: int) -> Iterator[Error]:
    """The wrong preposition, one too few, one too many."""
    word, before, after = sentence.word(place), sentence.word(place - 1), sentence.word(place + 1)
    kind = ErrorKind.PREPOSITION
    lasts = word == "for" and _is_duration(sentence, place + 1)
    if word in words.GOVERNED.get(before, ()) and not lasts:
        if after.isalpha() and after not in words.FUNCTION_WORDS - words.DETERMINERS:
            yield sentence.drop(kind, place)
    elif lasts or _is_exchangeable(sentence, place):
        for other in ("since", "during") if lasts else words.PREPOSITION_SWAPS.get(word, ()):
            yield sentence.replace(kind, place, other)
    if word == "of" and before.isalpha() and after in words.ARTICLES | words.POSSESSIVES:
        yield sentence.drop(kind, place)
    if word in words.UNGOVERNED and after in words.DETERMINERS | words.OBJECTS:
        for other in words.UNGOVERNED[word]:
            yield sentence.insert(kind, place + 1, other)


def number_errors(sentence: TokenizedSentence, place: int) -> Iterator[Error]:
    """A singular instead of a plural, a plural instead of a singular, or a plural that does not exist."""
    word, before, after = sentence.word(place), sentence.word(place - 1), sentence.word(place + 1)
    kind = ErrorKind.NOUN_NUMBER
    if not sentence.is_plain(place):
        return
    for wrong in words.IRREGULAR_NUMBER.get(word, ()):
        yield sentence.replace(kind, place, wrong)
    singular = words.singular(word)
    if singular and _must_be_plural(sentence, place):
        yield sentence.replace(kind, place, singular)
    if _is_content(word) and word not in words.NEVER_PLURALISED and not word.endswith("s"):
        after_one = before in words.ONE and _ends_noun(sentence, place + 1)
        the_subject = before in ("the", "this") and after in ("is", "was", "has")
        if after_one or the_subject:
            yield sentence.replace(kind, place, words.plural(word))


def _must_be_plural(sentence: TokenizedSentence, place: int) -> bool:
    before, after = sentence.word(place - 1), sentence.word(place + 1)
    one_of_the = (sentence.word(place - 3), sentence.word(place - 2), before) == ("one", "of", "the")
    counted = before in words.MANY and _ends_noun(sentence, place + 1)
    has_plural_verb = before not in words.SUBJECTS and after in ("are", "were", "have")
    return one_of_the or counted or has_plural_verb


def _is_content(word: str) -> bool:
    return len(word) > 2 and word not in words.FUNCTION_WORDS and word not in words.BY_THIRD


def _ends_noun(sentence: TokenizedSentence, place: int) -> bool:
    """Whether this word shows that the previous one ended a noun phrase."""
    word = sentence.word(place)
    return not word[:1].isalpha() or word in words.FUNCTION_WORDS - words.NOUN_LIKE


def _is_duration(sentence: TokenizedSentence, place: int) -> bool:
    counted = sentence.word(place) in words.COUNTS or sentence.word(place).isdigit()
    return counted and sentence.word(place + 1) in words.DURATIONS


def _is_exchangeable(sentence: TokenizedSentence, place: int) -> bool:
    """Whether another preposition is wrong here."""
    before = sentence.word(place - 1)
    wrong_after = words.SWAPPED_AFTER.get(sentence.word(place))
    fits = wrong_after is not None and before not in wrong_after
    return sentence.is_plain(place) and _has_object(sentence, place) and not fits


def _has_object(sentence: TokenizedSentence, place: int) -> bool:
    """Whether a preposition is followed by its object, and is not part of a name or set phrase."""
    word, after = sentence.word(place), sentence.word(place + 1)
    if all(sentence.is_capitalised(neighbour) for neighbour in (place - 1, place + 1)):
        return False
    if word == "to":
        return after in words.ARTICLES | words.POSSESSIVES | words.OBJECTS | {"this", "these", "those"}
    set_phrase = after in words.SET_PHRASES.get(word, ())
    return after[:1].isalnum() and after not in words.FUNCTION_WORDS - words.DETERMINERS and not set_phrase
