"""The judgments that a campaign wants, and the order in which they are assigned. Pure and seeded.

A *slot* is one wanted judgment: an item and a repetition. A share of the items is judged by several
annotators, the others once. The slots lie in *batches*, each given to one annotator, so a batch never holds
an item twice; all batches are about equally long. A *planned repeat* is a slot outside the batches: it
belongs to the annotator who fills the slot that it repeats, at least `REPEAT_DISTANCE` screens later.
"""

from collections import Counter, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count, islice

import numpy as np
from numpy.typing import NDArray

REPEAT_DISTANCE = 10
"""Screens between an item and its planned repeat."""

LOOKED_AHEAD = 100
"""How many pieces are tried to find one that fits in a batch."""


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
    """A judgment that is wanted a second time from the same annotator.

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


@dataclass(frozen=True, slots=True)
class _Piece:
    """Items that go into one batch: a run, or a part of a long one.

    Attributes:
        repetition: of the judgments that are wanted.
        items: one after the other.
        screens: number of the items that have something to ask.
    """

    repetition: int
    items: tuple[int, ...]
    screens: int


def judgments_wanted(items: int, annotators_per_item: int, shared_percent: int) -> int:
    """Estimated number of judgments that a campaign with this many items wants, without repeats."""
    return items + items * shared_percent * (annotators_per_item - 1) // 100


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
    """The slots of a campaign with this many items.

    Args:
        items: how many items there are.
        annotators_per_item: how many different annotators judge a shared item; the others have one.
        shared_percent: share of the items that are shared, rounded to a whole number of runs.
        repeat_percent: share of the other items that the first annotator judges a second time.
        batch_size: most screens of a batch. All batches have about equally many, of one domain where these
            are separated, so that nobody is paid for one screen what others are paid for twenty.
        single: items with nothing to compare, which have no screen and are not repeated.
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
            raise ValueError(f"{name} is {value}, but must be {limits}.")
    rng = np.random.default_rng(seed)
    unasked = frozenset(single)
    if runs is None:
        runs = [[item] for item in range(items)]
    shared = _share(np.arange(len(runs)), shared_percent, rng)
    rounds = [np.arange(len(runs)), *[shared] * (annotators_per_item - 1)]
    pieces = [
        _Piece(repetition, tuple(part), sum(item not in unasked for item in part))
        for repetition, chosen in enumerate(rounds)
        for run in rng.permutation(chosen).tolist()
        for part in _parts(_shuffled(runs[run], rng), batch_size)
    ]
    batches = _levelled(pieces, batch_size)
    if domains is not None:
        by_domain: dict[str, list[_Piece]] = {}
        for piece in pieces:
            by_domain.setdefault(domains[piece.items[0]], []).append(piece)
        batches = [batch for of_domain in by_domain.values() for batch in _levelled(of_domain, batch_size)]
        # Domains are mixed, so that annotators do not all begin with the same one.
        mixed = [batches[number] for number in rng.permutation(len(batches)).tolist()]
        batches = sorted(mixed, key=lambda batch: batch[0].repetition)
    slots = [
        PlannedSlot(item, repetition, batch, position)
        for batch, held in enumerate(batches)
        for position, (repetition, item) in enumerate(
            (piece.repetition, item) for piece in held for item in piece.items
        )
    ]
    wanted = np.ones(items, dtype=int)
    for run in shared.tolist():
        wanted[list(runs[run])] = annotators_per_item
    repeats = [
        PlannedRepeat(item, int(wanted[item]))
        for item in sorted(
            _share(np.setdiff1d(np.arange(items), list(unasked)), repeat_percent, rng).tolist()
        )
    ]
    return AssignmentPlan(tuple(slots), tuple(repeats), batches=len(batches))


def shown_order(outputs: int, *, seed: int | Sequence[int]) -> list[int]:
    """The order in which an annotator sees the outputs of an item: the same whenever the page is opened.

    The seed is of this item and annotator.
    """
    order: list[int] = np.random.default_rng(seed).permutation(outputs).tolist()
    return order


def _share(items: NDArray[np.int64], percent: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return rng.permutation(items)[: round(len(items) * percent / 100)]


def _shuffled(run: Sequence[int], rng: np.random.Generator) -> list[int]:
    return rng.permutation(run).tolist() if len(run) > 1 else list(run)


def _parts(run: Sequence[int], batch_size: int) -> list[list[int]]:
    """The run, cut in even parts only if no batch can hold it."""
    if len(run) <= batch_size:
        return [list(run)]
    return [part.tolist() for part in np.array_split(np.array(run), -(-len(run) // batch_size))]


def _levelled(pieces: Sequence[_Piece], batch_size: int) -> list[list[_Piece]]:
    """Batches of whole pieces, as few as can be filled, and about equally many screens in each."""
    if not any(piece.screens for piece in pieces):
        pieces = [replace(piece, screens=len(piece.items)) for piece in pieces]
    fewest = max(_fewest_batches(pieces, batch_size), len({piece.repetition for piece in pieces}))
    for number in count(fewest):
        batches = _filled(pieces, batch_size, number)
        # One more batch than intended would hold the remainder, which may be small.
        if len(batches) <= number:
            break
    return batches


def _filled(pieces: Sequence[_Piece], batch_size: int, number: int) -> list[list[_Piece]]:
    """Batches of about equal length, in the intended number; the remainder goes into further ones.

    Pieces are taken in order. If one would make a batch too long, or has an item that is already in the
    batch, a later piece that fits is taken, if there is one.
    """
    total = sum(piece.screens for piece in pieces)
    pending = deque(pieces)
    batches: list[list[_Piece]] = []
    filled = 0
    while pending:
        end = total * min((len(batches) + 1) / number, 1)
        batch: list[_Piece] = []
        held: set[int] = set()
        screens = 0
        while pending:
            suits = partial(_suits, room=batch_size - screens, to_go=end - filled - screens)
            free = (place for place, piece in enumerate(pending) if held.isdisjoint(piece.items))
            if (first := next(free, None)) is not None:
                candidates = islice(chain([first], free), LOOKED_AHEAD)
                place = next((place for place in candidates if not batch or suits(pending[place])), None)
                if place is None:
                    break
                piece = pending[place]
                del pending[place]
            elif suits(pending[0]):
                piece = pending[0]
                earlier = next((other for other in reversed(batches) if _lacks(other, piece)), None)
                if not piece.screens and earlier is not None:
                    earlier.append(pending.popleft())
                    continue
                exchanged = _exchanged(piece, held, batches)
                if exchanged is None:
                    break
                pending.popleft()
                piece = exchanged
            else:
                break
            batch.append(piece)
            held.update(piece.items)
            screens += piece.screens
        batches.append(batch)
        filled += screens
    return batches


def _suits(piece: _Piece, *, room: int, to_go: float) -> bool:
    """Whether adding the piece brings a batch with this much room closer to its intended length."""
    return piece.screens <= room and abs(to_go - piece.screens) <= abs(to_go)


def _fewest_batches(pieces: Sequence[_Piece], batch_size: int) -> int:
    """Number of batches needed if the longest pieces are placed first, each where it fits best."""
    rooms: Counter[int] = Counter()
    for screens in sorted((piece.screens for piece in pieces), reverse=True):
        room = min((room for room in rooms if rooms[room] and room >= screens), default=None)
        if room is None:
            room = batch_size
        else:
            rooms[room] -= 1
        rooms[room - screens] += 1
    return rooms.total()


def _exchanged(piece: _Piece, held: set[int], batches: Sequence[list[_Piece]]) -> _Piece | None:
    """Put the piece into an earlier batch, and take one of equal size from there that is not `held`."""
    for batch in reversed(batches):
        if _lacks(batch, piece):
            for place, other in enumerate(batch):
                if other.screens == piece.screens and held.isdisjoint(other.items):
                    batch[place] = piece
                    return other
    return None


def _lacks(batch: Sequence[_Piece], piece: _Piece) -> bool:
    return all(set(piece.items).isdisjoint(other.items) for other in batch)
