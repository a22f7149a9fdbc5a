"""Folds that are computed in threads."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from core.progress import Advance

R = TypeVar("R")


def computed_folds(
    of_fold: Callable[[int], R], folds: int, *, threads: int, progress: Advance | None
) -> Iterator[R]:
    """The results of `of_fold` for the numbers from 0, in order, for any number of threads.

    `progress` is called after each fold.
    """
    with ThreadPoolExecutor(threads) as pool:
        for result in pool.map(of_fold, range(folds)):
            yield result
            if progress is not None:
                progress(1)
