"""Words of stored answers in the language of the page: they are stored in English."""

import re

from core.translations import gettext, translatable

VERDICTS = (
    translatable("yes"),
    translatable("no"),
    translatable("cannot say"),
    translatable("no correction needed"),
    translatable("corrected"),
    translatable("fragment"),
    translatable("not annotatable"),
    translatable("merge with next"),
)
MARKS = (
    *VERDICTS,
    translatable("accept"),
    translatable("reject"),
    translatable("cannot-say"),
    translatable("meaning changed"),
)
SEVERITIES = (translatable("minor"), translatable("major"))
MISSING = translatable("missing")
_WRITTEN = re.compile(f"([0-9]+ )?({'|'.join(MARKS)})")
_SPAN = re.compile(f"({'|'.join(SEVERITIES)}) (.+)")
_BETWEEN_MARKS = re.compile(", (?![^“]*”)")


def verdict_in_words(verdict: str) -> str:
    """A verdict as people read it: *cannot-say* as “cannot say”."""
    words = verdict.replace("-", " ")
    return gettext(words) if words in VERDICTS else words


def mark_in_words(mark: str) -> str:
    """The mark of an output, such as “40 meaning changed”. Names of scales and quoted words stay."""
    return ", ".join(map(_part_in_words, _BETWEEN_MARKS.split(mark)))


def note_in_words(note: str, reasons: tuple[str, ...]) -> str:
    """The note of a skip, which begins with one of these reasons, or is the annotator's alone."""
    reason, colon, rest = note.partition(": ")
    return f"{gettext(reason)}{colon}{rest}" if reason in reasons else note


def _part_in_words(part: str) -> str:
    if written := _WRITTEN.fullmatch(part):
        return f"{written[1] or ''}{gettext(written[2])}"
    if span := _SPAN.fullmatch(part):
        return f"{gettext(span[1])} {gettext(MISSING) if span[2] == MISSING else span[2]}"
    return part
