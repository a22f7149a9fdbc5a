"""Languages: BCP 47 tags with their English names, from the Unicode CLDR."""

import re
from functools import cache

from babel import Locale, UnknownLocaleError
from babel.core import get_global

ENGLISH = "en"
"""The tag of the language of all pages that have no translation."""

UNDETERMINED = "und"
"""The tag of a language that nobody has stated."""

FROM_RIGHT = ("Arab", "Hebr", "Syrc", "Thaa", "Nkoo", "Adlm")
"""Scripts that are written from right to left."""

TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8})*", re.IGNORECASE)
_NOT_ONE_LANGUAGE = ("mul", "zxx", UNDETERMINED)


@cache
def languages() -> dict[str, str]:
    """The English names of languages by tag, sorted by name."""
    named = {tag.replace("_", "-"): name for tag, name in Locale("en").languages.items()}
    return {
        tag: named[tag] for tag in sorted(named, key=lambda tag: named[tag]) if tag not in _NOT_ONE_LANGUAGE
    }


def language_name(tag: str) -> str:
    """The English name of the language; with the tag if it is about more than the name says."""
    tag = canonical(tag)
    if tag == UNDETERMINED:
        return "not stated"
    main = tag.partition("-")[0]
    return languages().get(tag) or (f"{languages()[main]} ({tag})" if main in languages() else tag)


def canonical(tag: str) -> str:
    """The tag in its usual case: language small, script with a capital, region in capitals."""
    main, *parts = tag.split("-")
    return "-".join([main.lower(), *map(_cased, parts)]) if "x" not in map(str.lower, parts) else tag


def _cased(part: str) -> str:
    if len(part) == 4 and part.isalpha():
        return part.title()
    return part.upper() if len(part) == 2 and part.isalpha() else part.lower()


def script_of(tag: str) -> str:
    """The script in which the language is usually written, such as Latn or Arab; empty if it is not known."""
    try:
        locale = Locale.parse(tag, sep="-")
    except (ValueError, UnknownLocaleError):
        return ""
    usual = get_global("likely_subtags").get(locale.language, "__").split("_")
    return locale.script or usual[1]


def is_from_right(tag: str) -> bool:
    """Whether the language is written from right to left."""
    return script_of(tag) in FROM_RIGHT


def tag_of(text: str) -> str:
    """The tag that the text is, in its usual case, or that of the language that it names; empty if neither.

    Languages are named in English: English, german.
    """
    if TAG.fullmatch(text):
        return canonical(text)
    return _by_name().get(text.strip().casefold(), "")


@cache
def _by_name() -> dict[str, str]:
    return {name.casefold(): tag for tag, name in languages().items()}
