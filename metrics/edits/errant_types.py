"""The error types of ERRANT (Bryant et al. 2017): an operation and a category, such as "R:NOUN:NUM"."""

from collections.abc import Mapping

ONE_SIDED = (
    "ADJ",
    "ADV",
    "CONJ",
    "CONTR",
    "DET",
    "NOUN",
    "NOUN:POSS",
    "OTHER",
    "PART",
    "PREP",
    "PRON",
    "PUNCT",
    "VERB",
    "VERB:FORM",
    "VERB:TENSE",
)
"""Categories of words that are missing or unnecessary."""

CATEGORIES: Mapping[str, str] = {
    "ADJ": "adjective",
    "ADJ:FORM": "adjective form",
    "ADV": "adverb",
    "CONJ": "conjunction",
    "CONTR": "contraction",
    "DET": "determiner",
    "MORPH": "part of speech",
    "NOUN": "noun",
    "NOUN:INFL": "noun inflection",
    "NOUN:NUM": "noun number",
    "NOUN:POSS": "possessive",
    "ORTH": "case or spacing",
    "OTHER": "words of other kinds",
    "PART": "particle",
    "PREP": "preposition",
    "PRON": "pronoun",
    "PUNCT": "punctuation",
    "SPELL": "spelling",
    "VERB": "verb",
    "VERB:FORM": "verb form",
    "VERB:INFL": "verb inflection",
    "VERB:SVA": "subject-verb agreement",
    "VERB:TENSE": "verb tense",
    "WO": "word order",
}
"""The 24 categories with what they stand for; all of them occur as replacements."""

OPERATIONS: Mapping[str, str] = {"M": "missing", "R": "replaced", "U": "unnecessary"}
"""Meaning of the first letter of a type."""

FORMS = {
    "ADJ:FORM",
    "MORPH",
    "NOUN:INFL",
    "NOUN:NUM",
    "NOUN:POSS",
    "ORTH",
    "SPELL",
    "VERB:FORM",
    "VERB:INFL",
    "VERB:SVA",
    "VERB:TENSE",
    "WO",
}
"""Categories whose replacements change the form or order of words, not the words."""

DETECTED_ONLY = "UNK"
"""The type of an edit that marks an error and leaves it as it stands."""

TYPES = (
    *(f"M:{category}" for category in ONE_SIDED),
    *(f"R:{category}" for category in CATEGORIES),
    *(f"U:{category}" for category in ONE_SIDED),
    DETECTED_ONLY,
)
"""All 55 types."""

OTHER_SCHEME = "other"
"""Replaces types of another scheme, such as "Wci" of CoNLL-2014."""

PLACES: Mapping[str, int] = {kind: place for place, kind in enumerate((*TYPES, OTHER_SCHEME))}
"""Indices of the types in statistics."""


def place_of(kind: str) -> int:
    """The index of a type in statistics."""
    return PLACES.get(kind, PLACES[OTHER_SCHEME])


def operation(kind: str) -> str:
    """ "M" (missing), "R" (replaced), "U" (unnecessary) or "UNK"."""
    return kind if kind in (DETECTED_ONLY, OTHER_SCHEME) else kind[0]


def category(kind: str) -> str:
    """The type without its operation, for example "NOUN:NUM"; "UNK" for itself."""
    return kind if kind in (DETECTED_ONLY, OTHER_SCHEME) else kind[2:]


def in_words(kind: str) -> str:
    """A type in words, such as "replaced preposition" for "R:PREP"; "" for a type that is not ERRANT's."""
    if kind == DETECTED_ONLY:
        return "error marked only"
    if kind not in PLACES or kind == OTHER_SCHEME:
        return ""
    name = category(kind)
    changed = operation(kind) == "R" and name in FORMS
    return f"{'changed' if changed else OPERATIONS[operation(kind)]} {CATEGORIES[name]}"
