"""`celery -A tests.jobs.held_worker worker`: a worker that stands still within a step of its job.

It stops where it reports progress within the step that `HOLD_AT` names, having done so `HOLD_AFTER` times, or
on entering the step where `HOLD_ON_ENTRY` is set; it creates the file `HOLD_FILE` and goes on when somebody
deletes it. `ZIP_PIECE` is the number of bytes that a piece of a published zip has.
"""

import os
from pathlib import Path
from time import sleep
from typing import Any

from celery.signals import worker_init

from config.celery import app

__all__ = ["app"]

STEP = os.environ["HOLD_AT"]
AFTER = int(os.environ.get("HOLD_AFTER", "0"))
ON_ENTRY = "HOLD_ON_ENTRY" in os.environ
FILE = Path(os.environ["HOLD_FILE"])


@worker_init.connect
def hold_at_the_step(**_: Any) -> None:
    """Let each running job pass by `hold`."""
    # Only now Django knows its models.
    import tests.analysis.toys  # noqa: F401  # Their runs are jobs as well.
    from analysis.publishing import storing
    from jobs.running import REPORT_EVERY_SECONDS, RunningJob

    storing.PIECE = int(os.environ.get("ZIP_PIECE", storing.PIECE))
    begin, advance = RunningJob.begin, RunningJob.advance
    current = ""

    def begin_and_hold(self: RunningJob, step: str, *, total: int = 0) -> None:
        nonlocal current
        current = step
        begin(self, step, total=total)
        if ON_ENTRY:
            hold(current)

    def advance_and_hold(self: RunningJob, parts: int) -> None:
        hold(current)
        # So that it looks for requests to stop, however short the wait was.
        self._reported_at -= REPORT_EVERY_SECONDS
        advance(self, parts)

    RunningJob.begin = begin_and_hold  # type: ignore[method-assign]
    RunningJob.advance = advance_and_hold  # type: ignore[method-assign]


def hold(step: str) -> None:
    """Wait here, once, if this is the step and enough was reported in it."""
    global STEP, AFTER
    if step != STEP:
        return
    AFTER -= 1
    if AFTER >= 0:
        return
    STEP = ""
    FILE.touch()
    while FILE.exists():
        sleep(0.01)
