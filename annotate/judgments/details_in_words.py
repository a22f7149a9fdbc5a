"""Details of ratings as people read them: edits and marked errors by their words."""

import json
from collections.abc import Iterator, Mapping

Entry = Mapping[str, object]

MARKS = ("spans", "missing", "removed")


def details_in_words(
    details: Mapping[str, object], source: str | None, output: str | None
) -> Iterator[tuple[str, str]]:
    """Each name with its value in words; what is of another form than expected stays JSON.

    Args:
        details: of a rating.
        source: the sentence, in which edits have their places; None if it is not known.
        output: the text, in which marks have theirs; None if it is not known.
    """
    for name, value in details.items():
        listed = (
            value if isinstance(value, list) and all(isinstance(each, Mapping) for each in value) else None
        )
        if name == "edits" and listed:
            yield name, "; ".join(_edit(each, source) for each in listed)
        elif name in MARKS and listed:
            yield name, "; ".join(_mark(each, output) for each in listed)
        else:
            yield name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _edit(edit: Entry, source: str | None) -> str:
    """Such as “go” → “goes” (R:VERB:SVA): accepted."""
    instead, place = edit.get("replacement") or "", _words(edit, source)
    if edit.get("start") == edit.get("end"):
        change = f"insert “{instead}” at {edit.get('start')}"
    else:
        change = f"{place} → “{instead}”" if instead else f"delete {place}"
    kind = f" ({edit['type']})" if edit.get("type") else ""
    return f"{change}{kind}: {edit.get('verdict', '')}"


def _mark(mark: Entry, output: str | None) -> str:
    """Such as minor “go” (Verb form), accepted."""
    place = "missing" if mark.get("start") is None else _words(mark, output)
    kind = f" ({mark['type']})" if mark.get("type") else ""
    status = f", {mark['status']}" if mark.get("status") else ""
    return f"{mark.get('severity', '')} {place}{kind}{status}"


def _words(entry: Entry, text: str | None) -> str:
    start, end = entry.get("start"), entry.get("end")
    if text is None or not isinstance(start, int) or not isinstance(end, int):
        return f"{start}–{end}"
    return f"“{text[start:end]}”"
