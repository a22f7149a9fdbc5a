"""What a file says about its content by its name."""

from pathlib import Path

ENDINGS = frozenset({".txt", ".text", ".tok", ".out", ".sys", ".hyp", ".m2"})
"""Endings that tell the kind of a file and nothing of who wrote its sentences."""


def named_after(path: Path | str) -> str:
    """The name of whoever wrote the sentences of a file: the file's, without an ending such as `.txt`.

    Any other ending is part of the name: `dev.ref0` and `dev.ref1` are two annotators, `GPT-4.1` a system.
    """
    path = Path(path)
    return path.stem if path.suffix.lower() in ENDINGS else path.name
