"""Keeps Numba's machine code between runs, because compiling takes half a minute in a new checkout."""

import hashlib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("metrics", "ranking")
"""Those that hold compiled functions."""


def folder_of_machine_code(root: Path = ROOT, home: Path | None = None) -> Path:
    """A folder in the user's cache, another one for each state of the packages.

    Numba notices a change in the file of a function, but none in those of the functions that it calls.
    """
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return (home or Path.home()) / ".cache" / "assay-tests" / digest.hexdigest()[:16]
