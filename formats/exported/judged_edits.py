"""Edits with their verdicts, as the details of ratings hold them (protocol `edits`)."""

from collections.abc import Mapping

from formats.records import MAX_TEXT_CHARS
from formats.snapshot.vocabulary import EditVerdict


def edits_fault(details: Mapping[str, object]) -> str | None:
    """Why these cannot be the details of an output whose edits were judged; None if they can.

    Replacements and types may be null, as where a release left out the texts.
    """
    edits = details.get("edits")
    if not isinstance(edits, list | tuple):
        return "there is no list of edits"
    faults = (
        (number, fault) for number, edit in enumerate(edits, start=1) if (fault := _fault_of_edit(edit))
    )
    return next((f"edit {number}: {fault}" for number, fault in faults), None)


def _fault_of_edit(edit: object) -> str | None:
    if not isinstance(edit, Mapping):
        return "it is not a JSON object"
    start, end = edit.get("start"), edit.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start <= end <= MAX_TEXT_CHARS:
        return f"start and end are not whole numbers from 0 to {MAX_TEXT_CHARS}, the start first"
    for name in ("replacement", "type"):
        if not isinstance(edit.get(name), str | None):
            return f"the {name} is not a text"
    if type(edit.get("question", 0)) is not int:
        return "the question is not a whole number"
    if edit.get("verdict") not in list(EditVerdict):
        return f"the verdict is not one of {', '.join(EditVerdict)}"
    return None
