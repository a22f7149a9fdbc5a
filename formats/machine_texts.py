"""The description of a machine in files of rankings, which hold it as JSON."""

from formats.jsonl import strict_json
from formats.machines import Description, kind_fault
from formats.text.checks import Place


def checked_machine(kind: str, text: str, place: Place) -> Description | None:
    """The machine's description, or None for a person.

    Args:
        kind: of the annotator; empty for a person.
        text: the description as JSON; empty for a person.
        place: for messages.

    Raises:
        FormatError: the kind is unknown, or the description is not one.
    """
    machine = strict_json(text, place) if text else None
    if fault := kind_fault(kind or None, machine):
        raise place.fault(fault)
    return machine  # type: ignore[return-value]  # checked
