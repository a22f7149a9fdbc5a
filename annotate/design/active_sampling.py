"""Screens of a follow-up about the sentences where people's answers change a ranking most, given a machine.

Sentences that the machine judged are drawn in proportion to these changes, mixed with uniform sampling so
that no sentence is rare; screens show outputs drawn uniformly, as usual. The propensity of all outputs of a
sentence is how often it is drawn, relative to uniform sampling of the sentences that the machine judged.
"""

from collections.abc import Sequence

import numpy as np

from annotate.design.follow_ups import FEWEST_ORDINARY_PERCENT, some_outputs, systematic_draws
from annotate.design.items import Outputs, PlannedItem
from annotate.design.sampling import SamplingError
from core.arrays import FloatArray


def active_propensities(changes: Sequence[float | None], ordinary_percent: int) -> FloatArray:
    """How often each sentence is drawn, relative to uniform sampling; shape (n,), 0 where there is no change.

    Args:
        changes: of each sentence, 0 or more; None for sentences that the machine did not judge.
        ordinary_percent: the share of uniform sampling, `FEWEST_ORDINARY_PERCENT` to 100, which is the least
            propensity.

    Raises:
        SamplingError: the share is out of its range, or the machine judged nothing.
    """
    if not FEWEST_ORDINARY_PERCENT <= ordinary_percent <= 100:
        raise SamplingError(
            f"{ordinary_percent} % ordinary sampling is impossible: choose {FEWEST_ORDINARY_PERCENT} to 100 %"
        )
    known = np.array([change is not None for change in changes], dtype=np.bool_)
    values = np.array([change or 0.0 for change in changes], dtype=np.float64)
    if not known.any():
        raise SamplingError("the machine judged no sentence that can be drawn: let it judge first")
    mean = float(values[known].mean())
    relative = values / mean if mean else np.ones(len(values))
    ordinary = ordinary_percent / 100
    return np.where(known, ordinary + (1 - ordinary) * relative, 0.0)


def plan_active(
    corpus: Sequence[Outputs],
    changes: Sequence[float | None],
    ordinary_percent: int,
    *,
    items: int,
    outputs_per_screen: int,
    seed: int,
) -> tuple[PlannedItem, ...]:
    """Draw the items of a follow-up, in random order, with their propensities.

    Draws of sentences are systematic, so a sentence is drawn its expected number of times, rounded up or
    down.

    Args:
        corpus: the outputs of each sentence, of the campaign's systems alone.
        changes: how much people's answers about each sentence would change the ranking
            (`active_propensities`).
        ordinary_percent: the share of uniform sampling.
        items: how many to draw.
        outputs_per_screen: most outputs of a screen, at least 2.
        seed: same seed, same items.

    Raises:
        SamplingError: a screen of one output, a sentence without outputs, or as `active_propensities` does.
    """
    if outputs_per_screen < 2:
        raise SamplingError(f"a screen of {outputs_per_screen} outputs compares nothing: show at least 2")
    propensities = active_propensities(changes, ordinary_percent)
    if any(drawn and not outputs for drawn, outputs in zip(propensities, corpus, strict=True)):
        raise SamplingError("a sentence has no outputs to show: leave it out")
    rng = np.random.default_rng(seed)
    places = rng.permutation(systematic_draws(propensities / propensities.sum(), items, rng))
    planned = []
    for place in places.tolist():
        outputs = some_outputs(list(corpus[place]), outputs_per_screen, rng)
        of_sentence = (float(propensities[place]),) * len(outputs)
        planned.append(PlannedItem(place, outputs, (of_sentence,) * len(outputs)))
    return tuple(planned)
