"""Folds that are computed in threads: in order, and left as soon as the caller wants to."""

from threading import Event

import pytest

from metrics.learned.folds import computed_folds


@pytest.mark.parametrize("threads", [1, 3])
def test_results_are_in_order(threads: int) -> None:
    told: list[int] = []
    squares = computed_folds(lambda fold: fold**2, 5, threads=threads, progress=told.append)
    assert list(squares) == [0, 1, 4, 9, 16]
    assert sum(told) == 5


def test_nobody_waits_for_a_fold_once_progress_says_to_stop() -> None:
    """The first fold goes on until the test ends; the others never begin."""
    over, begun = Event(), []

    def of_fold(fold: int) -> None:
        begun.append(fold)
        over.wait(60)

    def stop(folds: int) -> None:
        raise InterruptedError

    try:
        with pytest.raises(InterruptedError):
            list(computed_folds(of_fold, 3, threads=1, progress=stop))
        assert not over.is_set()
        assert begun == [0]
    finally:
        over.set()
