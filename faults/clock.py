"""How far the clock of a process is ahead, in a file that can be changed while it runs.

The file holds seconds as JSON: `{"web": 3600}` for all web processes, `jobs` for job workers, or the number
of one process, which comes first.
"""

import json
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path


def set_ahead(path: Path, ahead: Mapping[str, int]) -> None:
    """Put these clocks ahead by so many seconds; all others go right."""
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(ahead))
    draft.rename(path)


def seconds_ahead(path: Path, process: int, role: str) -> timedelta:
    """How far ahead the clock is of a process in this role."""
    if not path.exists():
        return timedelta(0)
    ahead = json.loads(path.read_text())
    return timedelta(seconds=ahead.get(str(process), ahead.get(role, 0)))
