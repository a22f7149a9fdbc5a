"""Which items a campaign consists of: sentences drawn from its corpus, each with the outputs of one screen.

Pure and seeded; the drawing itself is `annotate.sampling`'s.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotate.sampling import draw_listed, draw_outputs, draw_sentences, draw_uniform, sampling_probabilities

Outputs = Mapping[int, tuple[str, ...]]
"""The distinct outputs of a sentence by their key, each with the sorted names of its systems."""


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """A screen.

    Attributes:
        sentence: place of its sentence in the corpus that was given.
        outputs: keys of the outputs that it shows, in no particular order.
    """

    sentence: int
    outputs: tuple[int, ...]


def plan_items(
    corpus: Sequence[Outputs],
    *,
    items: int,
    outputs_per_screen: int,
    sampling: Literal["diverse", "uniform", "listed"],
    with_replacement: bool,
    listed_sentences: Sequence[int],
    seed: int,
) -> tuple[PlannedItem, ...]:
    """Draw the items of a campaign: sentences first, then the outputs of each screen, uniformly.

    Args:
        corpus: the outputs of each sentence, of the campaign's systems alone.
        items: how many to draw; a given list makes one item of each of its sentences instead.
        outputs_per_screen: most outputs of a screen; a sentence with fewer shows all of them.
        sampling: *diverse* by GJG15, section 4.1; *uniform*; or *listed*.
        with_replacement: whether a sentence may be drawn more than once.
        listed_sentences: positions, for *listed*.
        seed: same seed, same items.

    Raises:
        SamplingError: so many sentences cannot be drawn; the message says why.
    """
    rng = np.random.default_rng(seed)
    drawn: NDArray[np.int64]
    match sampling:
        case "diverse":
            shapes = [[len(systems) for systems in outputs.values()] for outputs in corpus]
            probabilities = sampling_probabilities(shapes, outputs_per_screen)
            drawn = draw_sentences(probabilities, items, seed=seed, replace=with_replacement)
        case "uniform":
            drawn = draw_uniform(len(corpus), items, seed=seed, replace=with_replacement)
        case "listed":
            drawn = draw_listed(listed_sentences, len(corpus))
    return tuple(
        PlannedItem(sentence, _screen(list(corpus[sentence]), outputs_per_screen, rng))
        for sentence in drawn.tolist()
    )


def _screen(keys: Sequence[int], most: int, rng: np.random.Generator) -> tuple[int, ...]:
    return tuple(keys[place] for place in draw_outputs(len(keys), most, rng=rng).tolist())
