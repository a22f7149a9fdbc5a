"""A file lock that is waited for with a limit. The kernel has none, but ends the waiting at a signal.

Waiting in a helper thread would cost two changes of threads for each turn, a tenth of the turns per second.
"""

import ctypes
import errno
import fcntl
import os
import signal
import threading
from time import monotonic, sleep

SIGNAL = signal.SIGRTMIN
LOOK_EVERY_SECONDS = 0.1

_libc = ctypes.CDLL(None, use_errno=True)
_deadlines: dict[int, float] = {}
"""Deadlines of the waiting threads, in time of the monotonic clock."""

_watching = threading.Lock()
_watching_process = 0


def allow_limits() -> None:
    """Make limits possible in this process and its forks. Only the main thread may call this."""
    signal.signal(SIGNAL, lambda number, frame: None)


def lock_within(file: int, seconds: float) -> bool:
    """Wait for the exclusive lock on an open file for this long. Returns whether we have it."""
    me, deadline = threading.get_ident(), monotonic() + seconds
    _watch()
    _deadlines[me] = deadline
    try:
        while _libc.flock(file, fcntl.LOCK_EX):
            if (error := ctypes.get_errno()) != errno.EINTR:
                raise OSError(error, os.strerror(error))
            if monotonic() >= deadline:
                return False
    finally:
        del _deadlines[me]
    return True


def _watch() -> None:
    """Start the thread that sends the signals, once in each process: forks have none."""
    global _watching_process
    if _watching_process != os.getpid():
        with _watching:
            if _watching_process != os.getpid():
                _watching_process = os.getpid()
                _deadlines.clear()
                threading.Thread(target=_interrupt_those_over_time, daemon=True).start()


def _interrupt_those_over_time() -> None:
    while True:
        sleep(LOOK_EVERY_SECONDS)
        now = monotonic()
        for thread, deadline in list(_deadlines.items()):
            # A thread that has just returned ignores it.
            if now >= deadline and thread in _deadlines:
                signal.pthread_kill(thread, SIGNAL)
