"""The items of a campaign: sentences drawn from its corpus, each with the outputs of one screen.

Pure and seeded; the drawing itself is `annotate.design.sampling`'s.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotate.design.sampling import (
    SamplingError,
    draw_listed,
    draw_outputs,
    draw_sentences,
    draw_uniform,
    sampling_probabilities,
)

Outputs = Mapping[int, tuple[str, ...]]
"""The distinct outputs of a sentence by their key, each with the sorted names of its systems.

Draws depend on their order, not on their keys.
"""


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """A screen.

    Attributes:
        sentence: place of its sentence in the corpus that was given.
        outputs: keys of the outputs that it shows, in no particular order.
        propensities: for each of the outputs, those with each of them (`annotate.design.follow_ups`); empty
            in ordinary sampling.
    """

    sentence: int
    outputs: tuple[int, ...]
    propensities: tuple[tuple[float, ...], ...] = ()


def draw_places(
    corpus: Sequence[Outputs],
    *,
    size: int,
    outputs_per_screen: int,
    sampling: Literal["diverse", "uniform", "listed"],
    with_replacement: bool,
    listed_sentences: Sequence[int],
    seed: int,
) -> list[int]:
    """Draw sentences: their places in the corpus, in the order drawn.

    Args:
        corpus: the outputs of each sentence, of the campaign's systems alone.
        size: how many to draw; a given list is taken as it is instead.
        outputs_per_screen: most outputs of a screen, for *diverse*: at least two.
        sampling: *diverse* by GJG15, section 4.1; *uniform*; or *listed*.
        with_replacement: whether a sentence may be drawn more than once.
        listed_sentences: positions, for *listed*.
        seed: same seed, same items.

    Raises:
        SamplingError: so many sentences cannot be drawn; the message says why.
    """
    drawn: NDArray[np.int64]
    match sampling:
        case "diverse":
            shapes = [[len(systems) for systems in outputs.values()] for outputs in corpus]
            probabilities = sampling_probabilities(shapes, outputs_per_screen)
            drawn = draw_sentences(probabilities, size, seed=seed, replace=with_replacement)
        case "uniform":
            drawn = draw_uniform(len(corpus), size, seed=seed, replace=with_replacement)
        case "listed":
            drawn = draw_listed(listed_sentences, len(corpus))
    places: list[int] = drawn.tolist()
    return places


def plan_screens(
    corpus: Sequence[Outputs], places: Sequence[int], *, outputs_per_screen: int, seed: int
) -> tuple[PlannedItem, ...]:
    """An item of each of the places, with outputs drawn uniformly; a sentence with few shows all of them.

    Raises:
        SamplingError: a sentence has no outputs, and the screen is to show some.
    """
    rng = np.random.default_rng(seed)
    return tuple(
        PlannedItem(place, _screen(list(corpus[place]), outputs_per_screen, rng)) for place in places
    )


def listed_outputs(corpus: Sequence[Outputs], keys: Sequence[int]) -> tuple[PlannedItem, ...]:
    """An item of each of the outputs, in this order.

    Args:
        corpus: the outputs of each sentence, of the campaign's systems alone.
        keys: of the outputs.

    Raises:
        SamplingError: no system of the campaign produced one of the outputs.
    """
    places = {key: place for place, outputs in enumerate(corpus) for key in outputs}
    if missing := [key for key in keys if key not in places]:
        raise SamplingError(
            f"{len(missing)} of the {len(keys)} listed outputs are of no system of this campaign. Tick the "
            "systems that produced them."
        )
    return tuple(PlannedItem(places[key], (key,)) for key in keys)


def _screen(keys: Sequence[int], most: int, rng: np.random.Generator) -> tuple[int, ...]:
    return tuple(keys[place] for place in draw_outputs(len(keys), most, rng=rng).tolist())
