"""An attack on blindness: finds the plan of a campaign from the screens of one annotator.

The attacker has the code and guesses what the draws started from. The plan is found if the orders that follow
from a guess explain all screens at once: the unchanged source, which anybody recognises, always lies at the
same place of the stored order, or the outputs are stored by their digests.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import unescape
from itertools import accumulate, pairwise

import numpy as np

from annotate.design.assignment import plan_assignment, shown_order

usual_plan = partial(
    plan_assignment, annotators_per_item=2, shared_percent=20, repeat_percent=5, batch_size=20
)
"""The plan of the design that a campaign has unless something else is chosen."""

FIRST_BATCHES = 10
"""How many batches the attacker takes for the one that came first."""


@dataclass(frozen=True, slots=True)
class SeenScreen:
    """A screen as its page shows it.

    Attributes:
        source: the sentence.
        texts: of the outputs, in the order shown.
    """

    source: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """A start of all draws.

    Attributes:
        slots: the seed of the plan.
        order: gives the order of so many outputs of the item of this number.
    """

    slots: int
    order: Callable[[int, int], Sequence[int]]


@dataclass(frozen=True, slots=True)
class FoundPlan:
    """A plan that explains the screens.

    Attributes:
        size: number of items.
        items: number of the item of each screen.
        places: of the outputs of each screen in the stored order, in the order shown.
    """

    size: int
    items: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]


def seen_screen(page: str) -> SeenScreen:
    """Read the page of a screen whose edits are not marked."""
    [source] = re.findall(r'<p class="source"[^>]*>(.*?)</p>', page, re.DOTALL)
    outputs = re.findall(r'</legend>\s*<p lang="[^"]*" dir="auto">(.*?)</p>', page, re.DOTALL)
    return SeenScreen(unescape(source), tuple(map(unescape, outputs)))


def guessed_seed(seed: int, annotator: int) -> Guess:
    """All draws start from a number, as in campaigns without a secret; `annotator` is a key, by a cookie."""
    return Guess(seed, lambda outputs, item: shown_order(outputs, seed=[seed, item, annotator]))


def find_plans(screens: Sequence[SeenScreen], guess: Guess, sizes: Iterable[int]) -> Iterator[FoundPlan]:
    """The plans of these sizes that explain the screens, in the order in which they came.

    Repeats are left out; every item must have a screen and the same number of outputs.
    """
    screens = list({screen.source: screen for screen in screens}.values())
    for size in sizes:
        slots = usual_plan(size, seed=guess.slots).slots
        lengths = np.bincount([slot.batch for slot in slots])
        for begin in accumulate(lengths[: FIRST_BATCHES - 1].tolist(), initial=0):
            items = [slot.item for slot in slots[begin : begin + len(screens)]]
            if len(items) == len(screens) and (places := _places(screens, items, guess)):
                yield FoundPlan(size, tuple(items), places)


def _places(
    screens: Sequence[SeenScreen], items: Sequence[int], guess: Guess
) -> tuple[tuple[int, ...], ...] | None:
    """The places that the guess gives the outputs; None if these do not look like an order of storage."""
    found: list[tuple[int, ...]] = []
    sources: set[int] = set()
    is_by_digest = True
    for screen, item in zip(screens, items, strict=True):
        places = tuple(map(int, guess.order(len(screen.texts), item)))
        sources.add(places[screen.texts.index(screen.source)])
        stored = [text for _, text in sorted(zip(places, screen.texts, strict=True))]
        is_by_digest &= all(first < second for first, second in pairwise(map(_digest, stored)))
        if len(sources) > 1 and not is_by_digest:
            return None
        found.append(places)
    return tuple(found)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
