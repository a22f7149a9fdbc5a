"""Returns memory to the system after large steps and jobs, because a worker runs for weeks."""

import ctypes
import gc
import sys


def give_back() -> None:
    """Return freed memory to the operating system, if the C library keeps and can release it."""
    gc.collect()
    if arrow := sys.modules.get("pyarrow"):
        arrow.default_memory_pool().release_unused()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
