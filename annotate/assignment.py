"""Which judgments a campaign wants, and in which order they are given out. Pure and seeded.

A *slot* is one wanted judgment: an item and a repetition. A share of the items is judged by several
annotators, the others once. The slots lie in *batches*, each given to one annotator, so a batch never holds
an item twice. A *planned repeat* is a slot of no batch: it belongs to whoever fills the slot that it repeats,
at least `REPEAT_DISTANCE` screens later.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

REPEAT_DISTANCE = 10
"""Screens between an item and its planned repeat."""


@dataclass(frozen=True, slots=True)
class PlannedSlot:
    """A judgment that is wanted.

    Attributes:
        item: number of the item.
        repetition: number of the judgment among those of the item, from 0.
        batch: number of the batch.
        position: place in the batch, from 0.
    """

    item: int
    repetition: int
    batch: int
    position: int


@dataclass(frozen=True, slots=True)
class PlannedRepeat:
    """A judgment that is wanted once more, from the same annotator.

    Attributes:
        item: number of the item.
        repetition: number of the judgment among those of the item, after all others; it repeats the first.
    """

    item: int
    repetition: int


@dataclass(frozen=True, slots=True)
class AssignmentPlan:
    """All slots of a campaign.

    Attributes:
        slots: by batch and position.
        repeats: by item.
        batches: number of batches.
    """

    slots: tuple[PlannedSlot, ...]
    repeats: tuple[PlannedRepeat, ...]
    batches: int


def plan_assignment(
    items: int,
    *,
    annotators_per_item: int,
    shared_percent: int,
    repeat_percent: int,
    batch_size: int,
    single: Collection[int] = (),
    seed: int,
) -> AssignmentPlan:
    """The slots of a campaign of so many items.

    Args:
        items: how many items there are.
        annotators_per_item: how many different annotators judge a shared item; the others have one.
        shared_percent: share of the items that are shared, rounded to a whole number of items.
        repeat_percent: share of the other items that whoever judges them first judges once more.
        batch_size: most slots of a batch.
        single: items with nothing to compare, which are not repeated.
        seed: same seed, same plan.

    Raises:
        ValueError: a number is out of its range.
    """
    for name, value, least, most in (
        ("items", items, 0, None),
        ("annotators_per_item", annotators_per_item, 1, None),
        ("shared_percent", shared_percent, 0, 100),
        ("repeat_percent", repeat_percent, 0, 100),
        ("batch_size", batch_size, 1, None),
    ):
        if value < least or (most is not None and value > most):
            limits = f"at least {least}" if most is None else f"{least} to {most}"
            raise ValueError(f"{name} is {value}, and must be {limits}.")
    rng = np.random.default_rng(seed)
    shared = _share(np.arange(items), shared_percent, rng)
    rounds = [rng.permutation(items)] + [rng.permutation(shared) for _ in range(annotators_per_item - 1)]
    slots = _in_batches(rounds, batch_size)
    wanted = np.ones(items, dtype=int)
    wanted[shared] = annotators_per_item
    repeats = [
        PlannedRepeat(item, int(wanted[item]))
        for item in sorted(_share(np.setdiff1d(np.arange(items), list(single)), repeat_percent, rng).tolist())
    ]
    return AssignmentPlan(tuple(slots), tuple(repeats), batches=slots[-1].batch + 1 if slots else 0)


def shown_order(outputs: int, *, seed: int, item: int, annotator: int) -> list[int]:
    """The order in which an annotator sees the outputs of an item: the same whenever the page is opened."""
    order: list[int] = np.random.default_rng([seed, item, annotator]).permutation(outputs).tolist()
    return order


def _share(items: NDArray[np.int64], percent: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return rng.permutation(items)[: round(len(items) * percent / 100)]


def _in_batches(rounds: Sequence[NDArray[np.int64]], batch_size: int) -> list[PlannedSlot]:
    """Each round of items cut into batches of its own, so that no batch holds an item twice."""
    slots = []
    first_batch = 0
    for repetition, items in enumerate(rounds):
        for place, item in enumerate(items.tolist()):
            batch, position = divmod(place, batch_size)
            slots.append(PlannedSlot(item, repetition, first_batch + batch, position))
        first_batch += -(-len(items) // batch_size)
    return slots
