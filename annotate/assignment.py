"""Which judgments a campaign wants, and in which order they are given out. Pure and seeded.

A *slot* is one wanted judgment: an item and a repetition. A share of the items is judged by several
annotators, the others once. The slots lie in *batches*, each given to one annotator, so a batch never holds
an item twice. A *planned repeat* is a slot of no batch: it belongs to whoever fills the slot that it repeats,
at least `REPEAT_DISTANCE` screens later.
"""

from collections.abc import Collection, Iterator, Sequence
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


def judgments_wanted(items: int, annotators_per_item: int, shared_percent: int) -> int:
    """About how many judgments a campaign of so many items wants, repeats aside, before any is drawn."""
    return items * (1 + shared_percent * (annotators_per_item - 1) // 100)


def plan_assignment(
    items: int,
    *,
    annotators_per_item: int,
    shared_percent: int,
    repeat_percent: int,
    batch_size: int,
    single: Collection[int] = (),
    runs: Sequence[Sequence[int]] | None = None,
    domains: Sequence[str] | None = None,
    seed: int,
) -> AssignmentPlan:
    """The slots of a campaign of so many items.

    Args:
        items: how many items there are.
        annotators_per_item: how many different annotators judge a shared item; the others have one.
        shared_percent: share of the items that are shared, rounded to a whole number of runs.
        repeat_percent: share of the other items that whoever judges them first judges once more.
        batch_size: most slots of a batch.
        single: items with nothing to compare, which are not repeated.
        runs: items that are shared together and given to one annotator one after the other, in one batch
            unless they are more than it holds. Each item is on its own by default.
        domains: of each item, where a batch is to hold one domain only; that of a run is its first item's.
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
    if runs is None:
        runs = [[item] for item in range(items)]
    shared = _share(np.arange(len(runs)), shared_percent, rng)
    rounds = [np.arange(len(runs)), *[shared] * (annotators_per_item - 1)]
    batches: list[tuple[int, list[int]]] = []
    for repetition, chosen in enumerate(rounds):
        in_order = [_shuffled(runs[run], rng) for run in rng.permutation(chosen).tolist()]
        cut = list(_cut(in_order, domains, batch_size))
        # Domains come mixed, so that not all annotators begin with the same one.
        order = range(len(cut)) if domains is None else rng.permutation(len(cut)).tolist()
        batches += ((repetition, cut[number]) for number in order)
    slots = [
        PlannedSlot(item, repetition, batch, position)
        for batch, (repetition, held) in enumerate(batches)
        for position, item in enumerate(held)
    ]
    wanted = np.ones(items, dtype=int)
    for run in shared.tolist():
        wanted[list(runs[run])] = annotators_per_item
    repeats = [
        PlannedRepeat(item, int(wanted[item]))
        for item in sorted(_share(np.setdiff1d(np.arange(items), list(single)), repeat_percent, rng).tolist())
    ]
    return AssignmentPlan(tuple(slots), tuple(repeats), batches=len(batches))


def shown_order(outputs: int, *, seed: int, item: int, annotator: int) -> list[int]:
    """The order in which an annotator sees the outputs of an item: the same whenever the page is opened."""
    order: list[int] = np.random.default_rng([seed, item, annotator]).permutation(outputs).tolist()
    return order


def _share(items: NDArray[np.int64], percent: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return rng.permutation(items)[: round(len(items) * percent / 100)]


def _shuffled(run: Sequence[int], rng: np.random.Generator) -> list[int]:
    return rng.permutation(run).tolist() if len(run) > 1 else list(run)


def _cut(
    runs: Sequence[Sequence[int]], domains: Sequence[str] | None, batch_size: int
) -> Iterator[list[int]]:
    """Batches of whole runs as they come, each of one domain; only a run that fits in none is cut."""
    filling: dict[str, list[int]] = {}
    for run in runs:
        domain = domains[run[0]] if domains is not None else ""
        batch = filling.get(domain, [])
        if len(batch) + len(run) > batch_size and batch:
            yield batch
            batch = []
        batch.extend(run)
        while len(batch) > batch_size:
            yield batch[:batch_size]
            batch = batch[batch_size:]
        filling[domain] = batch
    yield from filter(None, filling.values())
