"""Names of annotators and systems from file names."""

from pathlib import Path

ENDINGS = frozenset({".txt", ".text", ".tok", ".out", ".sys", ".hyp", ".m2", ".md"})
"""Extensions that are not part of a system's or annotator's name."""


def named_after(path: Path | str) -> str:
    """The name of the system or annotator of a file: the file's, without an extension such as `.txt`.

    Any other ending is part of the name: `dev.ref0` and `dev.ref1` are two annotators, `GPT-4.1` a system.
    """
    path = Path(path)
    return path.stem if path.suffix.lower() in ENDINGS else path.name
