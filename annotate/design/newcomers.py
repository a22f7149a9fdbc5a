"""Screens of a follow-up campaign about newcomers: systems that joined the corpus after a campaign.

Where a newcomer writes what another system wrote, people have judged its output already. So the screens come
from the other sentences alone, and show what only newcomers wrote beside outputs of the other systems. Such a
campaign says nothing about the sentences that it leaves out: its judgments count together with those of the
campaigns that it follows, as if all had been drawn as one sample (`Together`).

A campaign e asks about two outputs of a sentence together r_e times on average for each of its judgments. n_e
judgments of each of several campaigns ask sum(n_e r_e) times, where n = sum(n_e) ordinary judgments of all
systems would ask n r times. The propensity of the two outputs is the ratio. It does not depend on the
campaign in which they were judged, and is above 0 for every pair of outputs that some campaign may show.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from annotate.design.follow_ups import FollowUp, PairsAsked, probability_shown, some_outputs, systematic_draws
from annotate.design.items import Outputs, PlannedItem
from annotate.design.sampling import SamplingError
from core.arrays import FloatArray


class Asking(Protocol):
    """How often a campaign asks about outputs together."""

    def rates(self, place: int, outputs: Sequence[int]) -> FloatArray:
        """Expected number of comparisons per judgment of each pair of these outputs, shape (k, k).

        Each output with itself is how often it is shown. Outputs that the campaign did not have get 0.
        """


class Ordinary:
    """Screens of outputs drawn uniformly, on sentences drawn by their shares."""

    def __init__(self, corpus: Sequence[Outputs], shares: FloatArray, outputs_per_screen: int) -> None:
        """`corpus` has the outputs of each sentence, of the campaign's systems; `shares` has shape (n,)."""
        self._corpus, self._shares, self._most = corpus, shares, outputs_per_screen

    def rates(self, place: int, outputs: Sequence[int]) -> FloatArray:
        """See `Asking.rates`."""
        of_sentence = self._corpus[place]
        size = len(of_sentence)
        shown = min(self._most, size)
        there = np.array([output in of_sentence for output in outputs])
        both = np.outer(there, there) * (probability_shown(2, shown, size) if size > 1 else 0.0)
        np.fill_diagonal(both, there * (shown / size if size else 0.0))
        return float(self._shares[place]) * both


class AboutPairs:
    """Screens of a follow-up about pairs of systems."""

    def __init__(
        self,
        corpus: Sequence[Outputs],
        follow_up: FollowUp,
        *,
        items: int,
        shares: FloatArray,
        outputs_per_screen: int,
    ) -> None:
        """The parameters are those of `plan_follow_up`."""
        self._ordinary = Ordinary(corpus, shares, outputs_per_screen)
        self._asked = PairsAsked(corpus, follow_up, shares, items, outputs_per_screen)

    def rates(self, place: int, outputs: Sequence[int]) -> FloatArray:
        """See `Asking.rates`."""
        usual = self._ordinary.rates(place, outputs)
        relative = np.zeros_like(usual)
        known = np.flatnonzero(usual.diagonal())
        if len(known):
            keys = [outputs[number] for number in known.tolist()]
            relative[np.ix_(known, known)] = self._asked.propensities(place, keys)
        return relative * usual


class AboutNewcomers:
    """Screens with outputs that only newcomers wrote, beside randomly drawn outputs of other systems.

    At least one output of other systems is shown; of more new outputs than fit beside it, some are drawn.
    """

    def __init__(
        self,
        corpus: Sequence[Outputs],
        newcomers: Collection[str],
        shares: FloatArray,
        outputs_per_screen: int,
    ) -> None:
        """`corpus` has the outputs of each sentence, newcomers' included; `shares` are of ordinary sampling.

        Raises:
            SamplingError: a screen of one output, no newcomers, or none that ever differs from other systems.
        """
        if outputs_per_screen < 2:
            raise SamplingError(f"a screen of {outputs_per_screen} outputs compares nothing: show at least 2")
        names = set(newcomers)
        self._new = [
            tuple(key for key, systems in outputs.items() if names.issuperset(systems)) for outputs in corpus
        ]
        self._old = [
            tuple(key for key, systems in outputs.items() if not names.issuperset(systems))
            for outputs in corpus
        ]
        self._most = outputs_per_screen
        asked = np.array([bool(new and old) for new, old in zip(self._new, self._old, strict=True)])
        differing = np.where(asked, shares, 0.0)
        if not differing.any():
            raise SamplingError(
                f"{' and '.join(sorted(names)) or 'no system'} wrote nothing that other systems did not "
                "write: there is nothing to ask"
            )
        self.shares: FloatArray = differing / differing.sum()

    def screen(self, place: int, rng: np.random.Generator) -> tuple[int, ...]:
        """The outputs of a screen of this sentence."""
        new, old = self._shown(place)
        return (*some_outputs(self._new[place], new, rng), *some_outputs(self._old[place], old, rng))

    def rates(self, place: int, outputs: Sequence[int]) -> FloatArray:
        """See `Asking.rates`."""
        rates = np.zeros((len(outputs), len(outputs)))
        if not self.shares[place]:
            return rates
        groups = tuple(zip((self._new[place], self._old[place]), self._shown(place), strict=True))
        of = [next((place for place, (keys, _) in enumerate(groups) if key in keys), None) for key in outputs]
        for row, one in enumerate(of):
            for column, other in enumerate(of):
                if one is None or other is None:
                    continue
                wanted = [0, 0]
                wanted[one] += 1
                wanted[other] += row != column
                rates[row, column] = np.prod(
                    [
                        probability_shown(number, shown, len(keys))
                        for number, (keys, shown) in zip(wanted, groups, strict=True)
                        if number
                    ]
                )
        return float(self.shares[place]) * rates

    def _shown(self, place: int) -> tuple[int, int]:
        """How many new and how many old outputs a screen of the sentence shows."""
        new = min(len(self._new[place]), self._most - 1)
        return new, min(len(self._old[place]), self._most - new)


@dataclass(frozen=True, slots=True)
class Together:
    """Several campaigns whose judgments count as one sample.

    Attributes:
        campaigns: how each asks, and its number of judgments.
        ordinary: how an ordinary campaign of all their systems asks.
    """

    campaigns: Sequence[tuple[Asking, int]]
    ordinary: Ordinary

    def propensities(self, place: int, outputs: Sequence[int]) -> FloatArray:
        """Propensities of the pairs of these outputs, shape (k, k); 0 for pairs that no screen shows."""
        judgments = sum(number for _, number in self.campaigns)
        asked = np.sum([number * asking.rates(place, outputs) for asking, number in self.campaigns], axis=0)
        usual = judgments * self.ordinary.rates(place, outputs)
        propensities: FloatArray = np.divide(asked, usual, out=np.zeros_like(usual), where=usual > 0)
        return propensities


def plan_newcomers(
    corpus: Sequence[Outputs],
    newcomers: Collection[str],
    *,
    items: int,
    shares: FloatArray,
    outputs_per_screen: int,
    seed: int,
) -> tuple[PlannedItem, ...]:
    """Draw the items of a follow-up about newcomers, in random order, with their propensities.

    A sentence is drawn its expected number of times, rounded up or down. The propensities are of this
    campaign alone; sentences without new outputs are never asked about.

    Args:
        corpus: the outputs of each sentence, of the campaign's systems alone.
        newcomers: names of systems.
        items: how many to draw.
        shares: of the sentences in ordinary sampling, shape (n,).
        outputs_per_screen: most outputs of a screen, at least 2.
        seed: same seed, same items.

    Raises:
        SamplingError: as for `AboutNewcomers`.
    """
    rng = np.random.default_rng(seed)
    asking = AboutNewcomers(corpus, newcomers, shares, outputs_per_screen)
    alone = Together([(asking, 1)], Ordinary(corpus, shares, outputs_per_screen))
    planned = []
    for place in systematic_draws(asking.shares, items, rng).tolist():
        outputs = asking.screen(place, rng)
        propensities = tuple(map(tuple, alone.propensities(place, outputs).tolist()))
        planned.append(PlannedItem(place, outputs, propensities))
    return tuple(planned[number] for number in rng.permutation(items).tolist())
