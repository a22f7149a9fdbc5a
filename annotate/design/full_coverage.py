"""Full coverage: every output of a sentence is judged, on as many screens as that takes. Pure and seeded.

Napoles et al. 2019 ("GMEG"), section 4.2: every sentence of every system is scored, duplicates collapsed.
Outputs that do not fit on one screen are divided among several. The check of annotators compares the source
with a control (source+error) on one screen, so these two may stand on several screens of a sentence, always
together.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from annotate.design.items import Outputs, PlannedItem
from annotate.design.sampling import SamplingError

LEAST_SCREEN = 3
"""Source, control and one correction; a screen of two could not always find a second output either.

Screens of one output compare nothing: every output has its own, and no pair is kept together.
"""


def plan_coverage(
    corpus: Sequence[Outputs],
    *,
    places: Sequence[int] | None = None,
    outputs_per_screen: int,
    source: str,
    control: str,
    checked_percent: int = 100,
    passes: int = 1,
    seed: int,
) -> tuple[PlannedItem, ...]:
    """Partition the outputs of each sentence into as few screens as possible, anew in each pass.

    Each output is on one screen of a pass; only source and control can be on several. The sizes of
    a sentence's screens differ by at most one, and none is below two unless the sentence has one output. A
    sentence's screens depend on the seed, its place and its own outputs alone.

    Args:
        corpus: the outputs of each sentence, of the campaign's systems alone.
        places: of the sentences to cover, all by default; a place that comes again is partitioned anew.
        outputs_per_screen: most outputs of a screen, at least `LEAST_SCREEN`; or 1.
        source: name of the system that is the unchanged source.
        control: name of the system that is the source with inserted errors.
        checked_percent: smallest share of a sentence's screens that show both source and control; above 0 at
            least one does, at 0 they are placed like other outputs. A sentence that lacks one of the two has
            none. It does not matter for screens of one output.
        passes: how many partitions of each sentence to draw, so that more pairs of outputs meet.
        seed: same seed, same items.

    Returns:
        Pass by pass, sentence by sentence.

    Raises:
        SamplingError: a sentence without outputs, or a number out of its range.
    """
    if outputs_per_screen < LEAST_SCREEN and outputs_per_screen != 1:
        raise SamplingError(
            f"a screen of {outputs_per_screen} outputs cannot hold source, control and a correction: "
            f"show at least {LEAST_SCREEN}, or 1 if outputs are judged one at a time"
        )
    if not 0 <= checked_percent <= 100:
        raise SamplingError(f"the share of checked screens is {checked_percent} %: choose 0 to 100")
    if passes < 1:
        raise SamplingError(f"{passes} passes cover nothing: ask for 1 or more")
    covered = range(len(corpus)) if places is None else places
    for place in covered:
        if not corpus[place]:
            raise SamplingError(f"sentence {place} has no outputs to show: leave it out")
    pairs_up = outputs_per_screen > 1 and checked_percent > 0
    times: Counter[int] = Counter()
    items: list[PlannedItem] = []
    for place in [*covered] * passes:
        screens = _screens(
            list(corpus[place]),
            checked_pair(corpus[place], source, control) if pairs_up else (),
            outputs_per_screen,
            checked_percent,
            np.random.default_rng([seed, times[place], place]),
        )
        items += (PlannedItem(place, screen) for screen in screens)
        times[place] += 1
    return tuple(items)


def checked_pair(outputs: Outputs, source: str, control: str) -> tuple[int, ...]:
    """The outputs of source and control; nothing unless they are two different ones."""
    keys = tuple(key for name in (source, control) for key, systems in outputs.items() if name in systems)
    return keys if len(set(keys)) == 2 else ()


def _screens(
    keys: Sequence[int], pair: Sequence[int], most: int, percent: int, rng: np.random.Generator
) -> list[tuple[int, ...]]:
    others = rng.permutation([key for key in keys if key not in pair])
    count = checked = 1
    while len(others) + len(pair) * checked > count * most:
        count += 1
        checked = -(-count * percent // 100)
    holds_pair = rng.permutation(np.arange(count) < checked) if pair else np.zeros(count, dtype=bool)
    places = _even_sizes(len(others) + len(pair) * checked, count, rng) - len(pair) * holds_pair
    return [
        (*(pair if checks else ()), *drawn.tolist())
        for checks, drawn in zip(holds_pair.tolist(), np.split(others, np.cumsum(places)[:-1]), strict=True)
    ]


def _even_sizes(total: int, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    sizes = np.full(count, total // count)
    sizes[: total % count] += 1
    return rng.permutation(sizes)
