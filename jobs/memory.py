"""Returns memory to the system: workers and web processes run for weeks."""

import ctypes
import gc
import os
import sys
from pathlib import Path

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")

# Numbers of glibc (malloc.h).
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
_MMAP_THRESHOLD_BYTES = 128 * 1024


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


def share_one_arena() -> None:
    """Let all threads that start from now on allocate from one heap, and large blocks outside of it.

    By default each thread has a heap of its own, which keeps what one large response needed, and the size
    of what counts as large grows with what is freed.
    """
    if set_option := getattr(ctypes.CDLL(None), "mallopt", None):
        set_option(_ARENA_MAX, 1)
        set_option(_MMAP_THRESHOLD, _MMAP_THRESHOLD_BYTES)


def resident_bytes() -> int:
    """Memory that this process holds, as far as Linux tells; 0 elsewhere."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES
    except OSError:
        return 0
