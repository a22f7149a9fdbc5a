"""Long downloads that leave processor time for pages."""

from collections.abc import Iterable, Iterator
from time import perf_counter, sleep

LONGEST_PAUSE = 0.1
"""Seconds."""


def giving_way(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces of a download, with a pause after each that is as long as the piece took to make.

    The threads of a web process share one interpreter; a thread that computes without a pause would delay all
    others.
    """
    began = perf_counter()
    for piece in pieces:
        pause = min(perf_counter() - began, LONGEST_PAUSE)
        yield piece
        sleep(pause)
        began = perf_counter()
