"""Names of systems: an identifier for files, snapshots and scores, and a label for people."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from unicodedata import normalize

from formats import MAX_NAME_CHARS, SYSTEM_NAME, CorpusRecord
from formats.machines import MAX_FAMILY_CHARS
from formats.text.characters import name_fault

NOT_IN_IDENTIFIERS = re.compile(r"[^A-Za-z0-9._+-]+")


_RESERVED = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9])(\..*)?", re.IGNORECASE)
"""Windows makes no file of such a name."""


class SameIdentifierError(Exception):
    """Two systems would be one in every file and table; the message names them."""


@dataclass(frozen=True, slots=True)
class SystemNames:
    """A system's identifier, label, role and family.

    Attributes:
        name: its identifier, unique in the corpus.
        label: for people; empty where it is the identifier.
        role: one of `SystemRole`.
        family: of the model that made its outputs, such as GPT; empty where none is stated.
    """

    name: str
    label: str
    role: str
    family: str = ""

    @property
    def shown(self) -> str:
        """The name for people to read."""
        return self.label or self.name


def identifier_of(label: str, number: int) -> str:
    """The identifier of a system with this label; `number` makes one where the label alone gives none."""
    if is_identifier(label) and not fault_of_identifier(label):
        return label
    plain = normalize("NFKD", label).encode("ascii", "ignore").decode()
    name = NOT_IN_IDENTIFIERS.sub("-", plain).strip("-").rstrip(".")[:MAX_NAME_CHARS]
    if not name:
        return f"system-{number}"
    return f"system-{name}"[:MAX_NAME_CHARS].rstrip(".") if fault_of_identifier(name) else name


def is_identifier(text: str) -> bool:
    """Whether the text may identify a system in files and tables."""
    return bool(SYSTEM_NAME.fullmatch(text)) and len(text) <= MAX_NAME_CHARS


def fault_of_identifier(name: str) -> str:
    """Why no file can have the name of a new system on every computer; empty if one can."""
    if name.endswith("."):
        return f"The identifier {name} ends with a dot, which Windows drops from names of files."
    if _RESERVED.fullmatch(name):
        return f"The identifier {name} is reserved by Windows: no file can have this name."
    return ""


def as_on_disk(name: str) -> str:
    """A form of the name that is equal for names whose files differ only in case."""
    return name.casefold()


def identifiers_of(labels: Iterable[str]) -> dict[str, str]:
    """The identifiers of systems by their labels.

    Raises:
        SameIdentifierError: two labels come to one, or to two that differ only in case.
    """
    identifiers = {label: identifier_of(label, number) for number, label in enumerate(labels, start=1)}
    first: dict[str, str] = {}
    for label, name in identifiers.items():
        if (other := first.setdefault(as_on_disk(name), label)) != label:
            raise SameIdentifierError(_same(other, identifiers[other], label, name))
    return identifiers


def fault_of_label(label: str) -> str:
    """The error in a label, which must fit in one line; empty if it is valid."""
    if len(label) > MAX_NAME_CHARS:
        return f"A label has at most {MAX_NAME_CHARS} characters."
    fault = name_fault(label)
    return fault and f"The label {fault}."


def fault_of_family(family: str) -> str:
    """The error in a family of models, which must fit in one line; empty if it is valid."""
    if len(family) > MAX_FAMILY_CHARS:
        return f"A family has at most {MAX_FAMILY_CHARS} characters."
    fault = name_fault(family)
    return fault and f"The family {fault}."


def clashes(systems: Mapping[str, SystemNames]) -> list[tuple[str, str, str]]:
    """Systems that could be mistaken for an earlier one: key, *name* or *label*, and the message.

    Identifiers that differ only in case are one where files are named after systems.
    """
    clashing = []
    names: dict[str, SystemNames] = {}
    labels: dict[str, SystemNames] = {}
    for key, system in systems.items():
        if other := names.get(as_on_disk(system.name)):
            said = _same(other.shown, other.name, system.shown, system.name)
            clashing.append((key, "name", f"{said} Change one of them."))
        elif (other := labels.get(folded(system.shown))) and (other.label or system.label):
            said = f"“{other.shown}” ({other.name}) is displayed with the same name. Change one label."
            clashing.append((key, "label", said))
        names.setdefault(as_on_disk(system.name), system)
        labels.setdefault(folded(system.shown), system)
    return clashing


def folded(label: str) -> str:
    """A form of the label that is equal for labels that people read as the same."""
    return " ".join(normalize("NFKC", label).casefold().split())


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


def _same(one: str, its_name: str, other: str, name: str) -> str:
    if its_name == name:
        return f"“{one}” and “{other}” have the same identifier, {name}."
    return (
        f"The identifiers {its_name} and {name} differ only in case, so on some computers files with these "
        "names overwrite each other."
    )
