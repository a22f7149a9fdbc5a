"""Texts in spreadsheet cells, guarded against being run as formulas.

An apostrophe goes before every text that begins like a formula, and so that it can be taken off again, before
every text that begins with an apostrophe. A lone apostrophe is the empty text; an empty cell is no text.
(OWASP, "CSV Injection".)
"""

MARK = "'"
_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", MARK)


def guarded(text: str | None) -> str:
    """The cell for a text, or for none."""
    if text is None:
        return ""
    return f"{MARK}{text}" if not text or text.startswith(_BEGINNINGS) else text


def unguarded(cell: str) -> str | None:
    """The text of a cell; `unguarded(guarded(text)) == text` for every text and for None."""
    return cell.removeprefix(MARK) if cell else None
