"""Giving memory back when a job is over: a worker lives for weeks, and its largest job is soon over."""

import ctypes
import gc
import sys


def give_back() -> None:
    """Hand what is free to the operating system, where its C library keeps freed memory and can let it go."""
    gc.collect()
    if arrow := sys.modules.get("pyarrow"):
        arrow.default_memory_pool().release_unused()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
