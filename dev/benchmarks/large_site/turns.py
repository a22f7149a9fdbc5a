"""Assignment of items: the annotators answer in turns, each every other item."""

from typing import Any

from core.arrays import IntArray
from dev.benchmarks.large_site.size import Size

SCREENS_IN_A_BATCH = 100


def put_by(item: int) -> str:
    """Whether the item's last wanted judgment is held, dropped or free."""
    return {99: "held", 98: "dropped"}.get(item % 200, "free")


def is_skipped(turns: IntArray, size: Size) -> Any:
    return turns // size.annotators % 100 == 19


def is_surplus(turns: IntArray, size: Size) -> Any:
    return turns // size.annotators % 1000 == 5


def is_reported(turns: IntArray) -> Any:
    return turns % 1000 == 3


def item_of(turns: IntArray, size: Size) -> IntArray:
    """Number of the item; annotators with even numbers judge even items, the others odd items."""
    nth, annotator = turns // size.annotators, turns % size.annotators
    return (2 * nth + annotator) % size.items


def slot_of(turns: IntArray, size: Size) -> IntArray:
    """Key of the slot; an annotator's slots are consecutive, in the order of the items."""
    annotator = turns % size.annotators
    return annotator * (size.items // 2) + (item_of(turns, size) - annotator % 2) // 2 + 1
