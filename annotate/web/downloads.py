"""Long downloads that leave processor time for pages."""

from collections.abc import Iterable, Iterator
from time import sleep, thread_time

LONGEST_PAUSE = 0.1
"""Seconds."""


def giving_way(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces of a download, with a pause after each that is as long as this thread computed it.

    The threads of a web process share one interpreter; a thread that computes without a pause would delay all
    others. While it waits for the database or a core it delays nobody.
    """
    began = thread_time()
    for piece in pieces:
        pause = min(thread_time() - began, LONGEST_PAUSE)
        yield piece
        sleep(pause)
        began = thread_time()
