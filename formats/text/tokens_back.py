"""Tokens of natural text: those of the sentence that it corrects where it is unchanged, elsewhere by rules.

The rules follow the Penn Treebank's tokenisation as far as `formats.text.natural` leaves out blanks. They set
marks apart at the ends of a word only, so what is written within one, such as "ago,when", stays whole.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, islice, pairwise

from rapidfuzz.distance import Levenshtein

from formats.text.natural import UNSPACED_SCRIPTS, TextRules, glued, natural

_OPENING = re.compile(r"``|''|[(\[{¿¡\"“„‘]|[$£€](?=\d)")
_CLOSING = re.compile(r"(?:\.{2,}|''|[,;:?!…)\]}،؛؟।\"“”]|(?<=\d)[%‰])\Z")
_ENGLISH_ENDS = re.compile(r"(?:(?<=\w)(?:n['’]t|['’](?:s|re|ve|ll|d|m))|['’])\Z", re.IGNORECASE)
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+")
_ABBREVIATIONS = frozenset(
    ("al", "approx", "co", "dept", "dr", "ed", "etc", "fig", "jr", "mr", "mrs", "ms", "prof", "st", "vs")
)
_UNSPACED = re.compile(f"[{UNSPACED_SCRIPTS}]")
_CHARACTERS = re.compile(f"[^\\W_{UNSPACED_SCRIPTS}]+|.", re.DOTALL)
_RUNS = re.compile(f"[{UNSPACED_SCRIPTS}]+|[^\\W_{UNSPACED_SCRIPTS}]+|.", re.DOTALL)

_Kept = tuple[int, int]
"""A token of the source that is kept: the number of its word, and its own within the word."""


def keeps_tokens(text: str, source: str, rules: TextRules) -> bool:
    """Whether the tokens of a text are found again from its natural text, beside a source that it corrects.

    They are not where natural text would hide something: tokens that the rules would set apart, or more than
    one blank between two.
    """
    tokens = text.split()
    return " ".join(tokens) == text and tokens_back(natural(tokens, rules), source.split(), rules) == tokens


def rules_on_screen(rules: TextRules | None, source: str, texts: Iterable[str] = ()) -> TextRules | None:
    """The rules by which a sentence and corrections of it can be shown together.

    None, as stored, where the natural text of one of them would not give its tokens back. All texts follow
    the same rules, so their spacing tells no output from another, and two outputs never look the same.
    """
    return rules if rules and all(keeps_tokens(text, source, rules) for text in (source, *texts)) else None


def tokens_back(text: str, source: Sequence[str], rules: TextRules) -> list[str]:
    """The tokens of natural text; together they have its characters without white space.

    Words of the natural text of `source`, its tokens, that stay are its tokens. In changed words, the tokens
    of the source that stay are kept, and the rules separate the rest.
    """
    before, after = _words(source, rules), text.split()
    tokens: list[str] = []
    steps = Levenshtein.opcodes(["".join(word) for word in before], after)
    for unchanged, run in groupby(steps, key=lambda step: step.tag == "equal"):
        parts = list(run)
        old = before[parts[0].src_start : parts[-1].src_end]
        if unchanged:
            tokens += [token for word in old for token in word]
            continue
        new = after[parts[0].dest_start : parts[-1].dest_end]
        kept = iter(_kept_characters(old, " ".join(new)))
        for place, word in enumerate(new, start=parts[0].dest_start):
            by_rule = _separated(word, source, rules, is_last=place == len(after) - 1)
            tokens += _cut(word, by_rule, list(islice(kept, len(word))), rules)
            next(kept, None)  # The blank after it.
    return tokens


def _words(tokens: Sequence[str], rules: TextRules) -> list[list[str]]:
    """The tokens of each word of their natural text."""
    words: list[list[str]] = []
    for token, is_glued in zip(tokens, glued(tokens, rules), strict=True):
        if is_glued:
            words[-1].append(token)
        else:
            words.append([token])
    return words


def _kept_characters(old: Sequence[Sequence[str]], text: str) -> list[_Kept | None]:
    """For each character of the text that stands for some words, the token of those that it is part of.

    A token is kept if it stays whole.
    """
    kept: list[_Kept | None] = [None] * len(text)
    spans = list(_spans(old))
    for step in Levenshtein.opcodes(" ".join("".join(word) for word in old), text):
        if step.tag == "equal":
            shift = step.dest_start - step.src_start
            for number, start, end in spans:
                if step.src_start <= start and end <= step.src_end:
                    kept[start + shift : end + shift] = [number] * (end - start)
    return kept


def _spans(words: Sequence[Sequence[str]]) -> Iterator[tuple[_Kept, int, int]]:
    """Each token with the places of its first character and after its last, the words joined by blanks."""
    start = 0
    for number, word in enumerate(words):
        for own, token in enumerate(word):
            yield (number, own), start, start + len(token)
            start += len(token)
        start += 1


def _cut(word: str, by_rule: Sequence[str], kept: Sequence[_Kept | None], rules: TextRules) -> Iterator[str]:
    """The word cut where kept tokens of the source end that were one word, and elsewhere by rule."""
    ends = set(accumulate(map(len, by_rule)))
    start = 0
    for end, (left, right) in enumerate(pairwise([*kept, None]), start=1):
        if end == len(word):
            is_end = True
        elif left and right and left[0] == right[0] and right[1] - left[1] in (0, 1):
            is_end = left != right
        else:
            is_end = end in ends or (rules == TextRules.UNSPACED and left != right)
        if is_end:
            yield word[start:end]
            start = end


def _separated(word: str, source: Sequence[str], rules: TextRules, *, is_last: bool) -> list[str]:
    """The tokens of a word by rule; `is_last` of a text, where a full stop ends an abbreviation, too."""
    if rules == TextRules.UNSPACED:
        has_words = any(len(token) > 1 and _UNSPACED.match(token) for token in source)
        return (_RUNS if has_words else _CHARACTERS).findall(word)
    start, end = 0, len(word)
    back: list[str] = []
    front: list[str] = []
    while start < end:
        if found := _OPENING.match(word, start, end):
            front.append(found[0])
            start = found.end()
        elif size := _closing_size(word[start:end], rules, ends_text=is_last and not back):
            back.append(word[end - size : end])
            end -= size
        else:
            back.append(word[start:end])
            break
    return front + back[::-1]


def _closing_size(word: str, rules: TextRules, *, ends_text: bool) -> int:
    """How many characters at the end of a word are a token of their own; 0 if none are."""
    found = _CLOSING.search(word) or (rules == TextRules.ENGLISH and _ENGLISH_ENDS.search(word))
    if found:
        opening = _BRACKETS.get(found[0])
        return 0 if opening and opening in word else len(found[0])
    if not word.endswith(".") or len(word) == 1:
        return 0
    is_abbreviation = _INITIALS.fullmatch(word) or word[:-1].lower() in _ABBREVIATIONS
    return 0 if is_abbreviation and not ends_text else 1
