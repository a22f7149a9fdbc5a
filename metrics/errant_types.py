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

CATEGORIES = (
    "ADJ",
    "ADJ:FORM",
    "ADV",
    "CONJ",
    "CONTR",
    "DET",
    "MORPH",
    "NOUN",
    "NOUN:INFL",
    "NOUN:NUM",
    "NOUN:POSS",
    "ORTH",
    "OTHER",
    "PART",
    "PREP",
    "PRON",
    "PUNCT",
    "SPELL",
    "VERB",
    "VERB:FORM",
    "VERB:INFL",
    "VERB:SVA",
    "VERB:TENSE",
    "WO",
)
"""The 24 categories; all of them occur as replacements."""

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
"""Stands for types of another scheme, such as "Wci" of CoNLL-2014."""

PLACES: Mapping[str, int] = {kind: place for place, kind in enumerate((*TYPES, OTHER_SCHEME))}
"""Places of the types in statistics."""


def place_of(kind: str) -> int:
    """The place of a type in statistics."""
    return PLACES.get(kind, PLACES[OTHER_SCHEME])


def operation(kind: str) -> str:
    """ "M" (missing), "R" (replaced) or "U" (unnecessary); "UNK" is its own."""
    return kind if kind in (DETECTED_ONLY, OTHER_SCHEME) else kind[0]


def category(kind: str) -> str:
    """Such as "NOUN:NUM"; "UNK" is its own."""
    return kind if kind in (DETECTED_ONLY, OTHER_SCHEME) else kind[2:]
