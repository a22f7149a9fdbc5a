"""Returns memory to the system: workers and web processes run for weeks."""

import ctypes
import gc
import os
import sys
from pathlib import Path

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")

# Numbers of glibc (malloc.h).
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8

LARGE_IN_REQUESTS, LARGE_IN_JOBS = 128 * 1024, 16 * 1024 * 1024
"""Bytes of a large block, whose memory is returned as soon as it is free. That takes time, so jobs, which
make and drop many arrays, keep smaller ones."""


def give_back() -> None:
    """Return freed memory to the operating system, if the C library keeps and can release it."""
    gc.collect()
    if arrow := sys.modules.get("pyarrow"):
        arrow.default_memory_pool().release_unused()
    trim()


def trim() -> None:
    """Return what the C library keeps of freed memory, which takes milliseconds; reference cycles stay."""
    if release := getattr(ctypes.CDLL(None), "malloc_trim", None):
        release(0)


def share_one_arena(large: int) -> None:
    """Let threads that start from now on allocate from one heap, and blocks of this many bytes outside of it.

    By default each thread has a heap of its own, which keeps what one large response needed, and the size
    of what counts as large grows with what is freed. Arrow, if it is loaded later, allocates there too.
    """
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    if set_option := getattr(ctypes.CDLL(None), "mallopt", None):
        set_option(_ARENA_MAX, 1)
        set_option(_MMAP_THRESHOLD, large)


def resident_bytes() -> int:
    """Memory that this process holds, as far as Linux tells; 0 elsewhere."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES
    except OSError:
        return 0
