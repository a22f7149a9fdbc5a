"""Offset of a process's clock, in a file that can be changed while the process runs.

The file holds seconds as JSON: `{"web": 3600}` for all web processes, `jobs` for job workers, or the id of
one process, which takes precedence.
"""

import json
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path


def set_ahead(path: Path, ahead: Mapping[str, int]) -> None:
    """Set these clocks ahead by this many seconds; all other clocks are right."""
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(ahead))
    draft.rename(path)


def seconds_ahead(path: Path, process: int, role: str) -> timedelta:
    """Offset of the clock of a process in this role."""
    if not path.exists():
        return timedelta(0)
    ahead = json.loads(path.read_text())
    return timedelta(seconds=ahead.get(str(process), ahead.get(role, 0)))
