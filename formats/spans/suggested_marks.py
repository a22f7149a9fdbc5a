"""What an annotator made of the marks that an output came with."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from formats.spans.marked_errors import ACCEPTED, ADDED, CHANGED, Mark, MarkedErrors


def without_statuses(marked: MarkedErrors) -> MarkedErrors:
    """The marks alone, as somebody sees them in the text."""
    spans, missing = (
        tuple(replace(mark, status="") for mark in each) for each in (marked.spans, marked.missing)
    )
    return MarkedErrors(spans, missing, characters=marked.characters)


def beside_suggested(marked: MarkedErrors, suggested: MarkedErrors) -> MarkedErrors:
    """These marks, each with its status, and the suggested ones that were taken away.

    A mark is accepted if one was suggested at its place, with its severity and type. Otherwise it is a
    changed one if it shares a character with a suggested one; where several could be meant, those that share
    most characters belong together. Missing content has no place, so any is the suggested one.
    """
    spans, removed = _compared(marked.spans, suggested.spans, _shared)
    missing, filled = _compared(marked.missing, suggested.missing, lambda *_: 1)
    number = len(suggested.spans) + len(suggested.missing)
    return MarkedErrors(spans, missing, (*removed, *filled), marked.characters, number)


def _compared(
    marks: Sequence[Mark], suggested: Sequence[Mark], shared: Callable[[Mark, Mark], int]
) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """The marks with their statuses, and the suggested ones that belong to none of them."""
    status: dict[int, str] = {}
    left = list(range(len(suggested)))
    for number, mark in enumerate(marks):
        same = next((each for each in left if replace(suggested[each], status="") == mark), None)
        if same is not None:
            status[number] = ACCEPTED
            left.remove(same)
    candidates = sorted(
        (-shared(mark, suggested[each]), number, each)
        for number, mark in enumerate(marks)
        for each in left
        if number not in status and shared(mark, suggested[each])
    )
    for _, number, each in candidates:
        if number not in status and each in left:
            status[number] = CHANGED
            left.remove(each)
    given = tuple(replace(mark, status=status.get(number, ADDED)) for number, mark in enumerate(marks))
    return given, tuple(suggested[each] for each in left)


def _shared(mark: Mark, suggested: Mark) -> int:
    """How many characters both cover."""
    starts, ends = (mark.start or 0, suggested.start or 0), (mark.end or 0, suggested.end or 0)
    return max(0, min(ends) - max(starts))
