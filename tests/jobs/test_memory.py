"""A worker returns memory after its largest job."""

import resource
from pathlib import Path

from jobs.memory import give_back

SMALL_ENOUGH_TO_STAY_IN_THE_HEAP = 64 * 1024
"""Bytes; the C library asks the system for larger blocks one by one, and returns each at once."""


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def test_memory_that_is_free_goes_back_to_the_system() -> None:
    give_back()  # So that the blocks are not placed in memory that is free already.
    before = resident_mb()
    blocks = [bytearray(SMALL_ENOUGH_TO_STAY_IN_THE_HEAP) for _ in range(3200)]
    last = bytearray(SMALL_ENOUGH_TO_STAY_IN_THE_HEAP)  # Holds the end of the heap, so that it cannot shrink.
    assert resident_mb() - before > 150
    del blocks
    give_back()
    assert resident_mb() - before < 50
    assert last
