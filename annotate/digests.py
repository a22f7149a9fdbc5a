"""How an output is told from the other outputs of its sentence."""

import hashlib
from collections.abc import Iterable


def text_digest(text: str) -> str:
    """SHA-256 of the text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def systems_digest(systems: Iterable[str]) -> str:
    """The digest of an output whose text is unknown; no text has it, since texts hold no NUL."""
    return text_digest("\0" + " ".join(sorted(systems)))
