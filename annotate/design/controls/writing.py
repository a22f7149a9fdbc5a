"""Errors of writing: spelling, word order, punctuation."""

import re
from collections.abc import Iterator

from annotate.design.controls import words
from annotate.design.controls.sentence import Error, ErrorKind, TokenizedSentence

LONG_WORD, SHORT_WORD = 6, 4
"""Minimum number of letters of words that are misspelled by preference, and as a fallback."""

ENDINGS = (
    ("ance", "ence"),
    ("ence", "ance"),
    ("able", "ible"),
    ("ible", "able"),
    ("ful", "full"),
    ("tion", "sion"),
)
SOUNDS = (("ie", "ei"), ("ei", "ie"), ("ph", "f"), ("gh", "g"), ("wh", "w"), ("ous", "us"))
DOUBLE = re.compile(r"([bcdfglmnprst])\1")
WEAK_VOWEL = re.compile(r"(?<=..[b-df-hj-np-tv-z])[aeio](?=[lmnrt][aeiou])")


def spelling_errors(sentence: TokenizedSentence, place: int) -> Iterator[Error]:
    """Words that are often confused or misspelled, and slips of long words."""
    word, text = sentence.word(place), sentence.tokens[place].text
    if text[1:] != text[1:].lower():
        return
    confusions = words.CONFUSIONS.get(word, ())
    for wrong in confusions:
        yield sentence.replace(ErrorKind.SPELLING, place, wrong)
    if not confusions and len(word) >= LONG_WORD and sentence.is_plain(place):
        yield from slips(sentence, place)


def slips(sentence: TokenizedSentence, place: int) -> Iterator[Error]:
    """Misspellings of any word, also of short ones and names."""
    word = sentence.word(place)
    if word.isalpha() and word.isascii() and len(word) >= SHORT_WORD:
        for wrong in _misspellings(word):
            yield sentence.replace(ErrorKind.SPELLING, place, wrong)


def word_order_errors(sentence: TokenizedSentence, place: int) -> Iterator[Error]:
    """Two neighbours swapped in a way typical of learners."""
    if place + 2 < len(sentence) and (
        _is_adverb_of_verb(sentence, place)
        or _is_adjective_of_noun(sentence, place)
        or _is_subject_or_auxiliary(sentence, place)
    ):
        yield sentence.swap(ErrorKind.WORD_ORDER, place)


def punctuation_errors(sentence: TokenizedSentence, place: int) -> Iterator[Error]:
    """Commas too many or too few, lost apostrophes, no sign at the end."""
    word, before, after = sentence.word(place), sentence.word(place - 1), sentence.word(place + 1)
    token = sentence.tokens[place]
    introduces = before in words.INTRODUCTIONS or after in ("but", "which", "so")
    ends = place == len(sentence) - 1 and word in (".", "?")
    if before[-1:].isalnum() and (ends or (word == "," and introduces)):
        yield Error(ErrorKind.PUNCTUATION, sentence.tokens[place - 1].end, token.end, "")
    elif word in words.SUBORDINATORS and after.isalpha() and (word != "that" or before in words.SAYING):
        yield sentence.insert_comma(ErrorKind.PUNCTUATION, place)
    elif "'" in word and len(word) > 1:
        detached = place and word[0] in "n'"
        start = sentence.tokens[place - 1].end if detached else token.start
        yield Error(ErrorKind.PUNCTUATION, start, token.end, re.sub("['’]", "", token.text))


def stray_signs(text: str) -> Iterator[Error]:
    """Signs that do not belong at the ends of words: one, then two, then three of them, without end."""
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    count = 1
    while True:
        for sign in (",", ";", ":"):
            for end in ends:
                yield Error(ErrorKind.PUNCTUATION, end, end, f" {sign}" * count)
        count += 1


def _is_adverb_of_verb(sentence: TokenizedSentence, place: int) -> bool:
    return (
        sentence.word(place) in words.ADVERBS
        and sentence.word(place + 1) in words.FINITE - words.AUXILIARIES
        and sentence.word(place + 2) in words.DETERMINERS | words.SUBJECTS | words.OBJECTS
        and sentence.word(place - 1) not in words.AUXILIARIES
    )


def _is_adjective_of_noun(sentence: TokenizedSentence, place: int) -> bool:
    before, behind = sentence.word(place - 1), sentence.word(place + 2)
    return (
        sentence.word(place) in words.ADJECTIVES
        and sentence.is_plain(place + 1)
        and sentence.word(place + 1) not in words.FUNCTION_WORDS | words.ADJECTIVES
        and (not before.isalpha() or before in words.FUNCTION_WORDS | words.FINITE)
        and (not behind[:1].isalpha() or behind in words.FUNCTION_WORDS)
    )


def _is_subject_or_auxiliary(sentence: TokenizedSentence, place: int) -> bool:
    """A statement's subject or a question's auxiliary, or that of a "not", whose order can be turned."""
    word, before, after = sentence.word(place), sentence.word(place - 1), sentence.word(place + 1)
    if not sentence.word(place + 2).isalpha():
        return False
    if word in words.SUBJECTS:
        joined = sentence.word(place - 2) in words.SUBJECTS  # "he or she"
        clause = before in words.CONJUNCTIONS - {"who", "which", "that"} and not joined
        return clause and after.isalpha() and after in words.MODALS | {"am", "is", "are", "was", "were"}
    question = before in words.QUESTION_WORDS and after in words.SUBJECTS
    negation = word not in words.DO and before.isalpha() and after == "not"
    return word in words.AUXILIARIES and (question or negation)


def _misspellings(word: str) -> Iterator[str]:
    """Learners' misspellings, by sound; if the word has none, typing errors."""
    misspellings = [word.removesuffix(ending) + other for ending, other in ENDINGS if word.endswith(ending)]
    misspellings += [
        word[0] + word[1:].replace(right, wrong, 1) for right, wrong in SOUNDS if right in word[1:]
    ]
    misspellings += [word[: match.start()] + word[match.start() + 1 :] for match in DOUBLE.finditer(word)]
    misspellings += [word[: match.start()] + word[match.end() :] for match in WEAK_VOWEL.finditer(word)]
    if not misspellings:
        middle = len(word) // 2
        misspellings.append(word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :])
    yield from (wrong for wrong in misspellings if wrong != word)
