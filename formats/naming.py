"""Names of systems: an identifier for files, snapshots and scores, and a label for people."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from unicodedata import normalize

from formats import MAX_NAME_CHARS, SYSTEM_NAME, CorpusRecord
from formats.characters import name_fault

NOT_IN_IDENTIFIERS = re.compile(r"[^A-Za-z0-9._+-]+")


class SameIdentifierError(Exception):
    """Two systems would be one in every file and table; the message names them."""


@dataclass(frozen=True, slots=True)
class SystemNames:
    """A system's identifier, label and role.

    Attributes:
        name: its identifier, unique in the corpus.
        label: for people; empty where it is the identifier.
        role: one of `SystemRole`.
    """

    name: str
    label: str
    role: str

    @property
    def shown(self) -> str:
        """The name for people to read."""
        return self.label or self.name


def identifier_of(label: str, number: int) -> str:
    """The identifier of a system with this label; `number` makes one where no character of it can stay."""
    if is_identifier(label):
        return label
    plain = normalize("NFKD", label).encode("ascii", "ignore").decode()
    return NOT_IN_IDENTIFIERS.sub("-", plain).strip("-")[:MAX_NAME_CHARS] or f"system-{number}"


def is_identifier(text: str) -> bool:
    """Whether the text may identify a system in files and tables."""
    return bool(SYSTEM_NAME.fullmatch(text)) and len(text) <= MAX_NAME_CHARS


def identifiers_of(labels: Iterable[str]) -> dict[str, str]:
    """The identifiers of systems by their labels.

    Raises:
        SameIdentifierError: two labels come to one.
    """
    identifiers = {label: identifier_of(label, number) for number, label in enumerate(labels, start=1)}
    first: dict[str, str] = {}
    for label, name in identifiers.items():
        if (other := first.setdefault(name, label)) != label:
            raise SameIdentifierError(f"“{other}” and “{label}” have the same identifier, {name}.")
    return identifiers


def fault_of_label(label: str) -> str:
    """The error in a label, which must fit in one line; empty if it is valid."""
    if len(label) > MAX_NAME_CHARS:
        return f"A label has at most {MAX_NAME_CHARS} characters."
    fault = name_fault(label)
    return fault and f"The label {fault}."


def clashes(systems: Mapping[str, SystemNames]) -> list[tuple[str, str, str]]:
    """Systems that could be mistaken for an earlier one: key, *name* or *label*, and the message."""
    clashing = []
    names: dict[str, SystemNames] = {}
    labels: dict[str, SystemNames] = {}
    for key, system in systems.items():
        if other := names.get(system.name):
            said = f"“{other.shown}” and “{system.shown}” have the same identifier, {system.name}."
            clashing.append((key, "name", f"{said} Change one of them."))
        elif (other := labels.get(_folded(system.shown))) and (other.label or system.label):
            said = f"“{other.shown}” ({other.name}) is displayed with the same name. Change one label."
            clashing.append((key, "label", said))
        names.setdefault(system.name, system)
        labels.setdefault(_folded(system.shown), system)
    return clashing


def renamed(record: CorpusRecord, systems: Mapping[str, SystemNames]) -> CorpusRecord:
    """The corpus with its systems under their identifiers, given by what they are called in it."""
    names = {key: systems[key].name for key in record.systems}
    if all(key == name for key, name in names.items()):
        return record
    return replace(
        record,
        systems=tuple(names.values()),
        sentences=tuple(
            replace(sentence, outputs={names[key]: text for key, text in sentence.outputs.items()})
            for sentence in record.sentences
        ),
    )


def _folded(label: str) -> str:
    return " ".join(normalize("NFKC", label).casefold().split())
