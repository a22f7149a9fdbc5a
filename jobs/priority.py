"""Long work beside the server gives way to the people who wait for a page."""

import os
from contextlib import suppress

NICENESS = 10
"""A process with it gets a tenth of the time of one without, where both want the same core."""


def give_way() -> None:
    """Lower the priority of this process for good, unless it is as low already."""
    with suppress(OSError):  # a sandbox may forbid it; then the work is as urgent as pages
        os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
