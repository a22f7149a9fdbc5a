"""Digests that identify outputs of a sentence, and the contents of imports."""

import hashlib
import json
from collections.abc import Iterable


def text_digest(text: str) -> str:
    """SHA-256 of the text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def systems_digest(systems: Iterable[str]) -> str:
    """The digest of an output whose text is unknown; no text has it, since texts hold no NUL."""
    return text_digest("\0" + " ".join(sorted(systems)))


def content_digest(parts: Iterable[object]) -> str:
    """SHA-256 of the parts as JSON, in hexadecimal; the order of dictionaries does not count."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(json.dumps(part, sort_keys=True).encode())
    return digest.hexdigest()
