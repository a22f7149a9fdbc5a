"""What is known of a machine that judges, in every format that judgments come in."""

import json
import re
from collections.abc import Mapping
from enum import StrEnum

from formats.text.characters import name_fault, text_fault

MAX_FAMILY_CHARS = 100
"""Of the family of a model, which machines and systems state."""

DESCRIBED_AS: Mapping[str, int] = {
    "model": 200,
    "version": 200,
    "family": MAX_FAMILY_CHARS,
    "prompt_sha256": 64,
    "temperature": 20,
    "date": 10,
    "run_by": 200,
}
"""The texts of a description with the most characters of each."""

SEED = "seed"
MAX_SEED = 2**53 - 1
"""The highest whole number that every reader of JSON keeps as it is."""

_SHA256 = re.compile("[0-9a-f]{64}")
_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")

Description = Mapping[str, object]
"""A machine's description: some of `DESCRIBED_AS` and `SEED`; the model is never missing."""


def known_as(machine: Description) -> str:
    """What it is in a few words: the model with its version."""
    return f"{machine['model']} {machine.get('version', '')}".strip()


class AnnotatorKind(StrEnum):
    """Who judges."""

    PERSON = "person"
    MACHINE = "machine"


def kind_fault(kind: str | None, machine: object) -> str | None:
    """Why these cannot be an annotator's kind, None for a person, and description; None if they can."""
    if kind not in (None, *AnnotatorKind):
        return f"unknown annotator_kind {kind!r}; known are {', '.join(AnnotatorKind)}"
    if kind == AnnotatorKind.MACHINE:
        return description_fault(machine)
    return None if machine is None else "a person has a value in the column machine"


def description_fault(machine: object) -> str | None:
    """Why this cannot be the description of a machine; None if it can."""
    if not isinstance(machine, Mapping) or not machine.get("model"):
        return "the column machine states no model"
    for name, value in machine.items():
        if name == SEED:
            if type(value) is not int or not 0 <= value <= MAX_SEED:
                return f"the machine's seed is not a whole number from 0 to {MAX_SEED}"
        elif name not in DESCRIBED_AS:
            return f"unknown key {name!r} of a machine; known are {', '.join((*DESCRIBED_AS, SEED))}"
        elif not isinstance(value, str) or not 0 < len(value) <= DESCRIBED_AS[name] or text_fault(value):
            return f"the machine's {name} is not a text of 1 to {DESCRIBED_AS[name]} characters"
    if fault := name_fault(str(machine.get("family", ""))):
        return f"the machine's family {fault}"
    if not _SHA256.fullmatch(str(machine.get("prompt_sha256", "0" * 64))):
        return "the machine's prompt_sha256 is not a SHA-256 digest in hexadecimal"
    if not _DATE.fullmatch(str(machine.get("date", "2000-01-01"))):
        return "the machine's date is not written YYYY-MM-DD"
    return None


def description_text(machine: Description) -> str:
    """The description as JSON, equal for equal descriptions."""
    return json.dumps(machine, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def kind_of(machine: Description | None) -> str | None:
    """The kind of an annotator as records have it: None for a person, who has no description."""
    return None if machine is None else AnnotatorKind.MACHINE.value
