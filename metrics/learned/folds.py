"""Folds that are computed in threads."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

from core.progress import Advance

R = TypeVar("R")

SECONDS = 0.5
"""Between two reports while a fold is computed."""


def computed_folds(
    of_fold: Callable[[int], R], folds: int, *, threads: int, progress: Advance | None
) -> Iterator[R]:
    """The results of `of_fold` for the numbers from 0, in order, for any number of threads.

    `progress` is called with 1 after each fold, and with 0 meanwhile; an exception that it raises is not kept
    waiting by folds that are being computed.
    """
    report = progress or (lambda _: None)
    pool = ThreadPoolExecutor(threads)
    try:
        for future in [pool.submit(of_fold, fold) for fold in range(folds)]:
            while not wait([future], SECONDS).done:
                report(0)
            yield future.result()
            report(1)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
