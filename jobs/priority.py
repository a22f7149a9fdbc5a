"""Low priority for background work, so that pages stay fast."""

import os
from contextlib import suppress

NICENESS = 10
"""A process with this niceness gets a tenth of the time of one without, if they compete for a core."""


def give_way() -> None:
    """Lower the priority of this process for good, unless it is already that low."""
    with suppress(OSError):  # a sandbox may forbid it; then the work is as urgent as pages
        os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
