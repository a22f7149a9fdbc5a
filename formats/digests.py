"""Digests that identify outputs of a sentence, and the contents of imports."""

import hashlib
import json
from collections.abc import Iterable, Iterator


def text_digest(text: str) -> str:
    """SHA-256 of the text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def systems_digest(systems: Iterable[str]) -> str:
    """The digest of an output whose text is unknown; no text has it, since texts hold no NUL."""
    return text_digest("\0" + " ".join(sorted(systems)))


def content_digest(parts: Iterable[object]) -> str:
    """SHA-256 of the parts as JSON, in hexadecimal; the order of dictionaries does not count.

    Memory holds the JSON of one value of a dictionary at a time.
    """
    digest = hashlib.sha256()
    for part in parts:
        for piece in _pieces(part):
            digest.update(piece.encode())
    return digest.hexdigest()


def _pieces(part: object) -> Iterator[str]:
    """The JSON of a part."""
    if not isinstance(part, dict):
        yield json.dumps(part, sort_keys=True)
        return
    opening = "{"
    for key in sorted(part):
        yield opening + json.dumps({key: part[key]}, sort_keys=True)[1:-1]
        opening = ", "
    yield "}" if part else "{}"
