"""Screens of a follow-up campaign: most show a pair of systems that is undecided, the others are ordinary.

Estimates are biased if some sentences are asked more often than others, so each item keeps its
*propensities*: for each pair of its outputs, how often the follow-up asks about both together, relative to
ordinary sampling. Comparisons weighted by their inverse estimate what ordinary sampling does.

With n items, of which n_0 are ordinary and n_u are for the undecided pair u, and a sentence that is drawn
with the share p in ordinary sampling, two of its K outputs are asked about together

    n_0 p q + sum over u of n_u p / P_u t_u

times on average. Here q is the probability that an ordinary screen of the sentence shows both, P_u the sum of
the shares of the sentences on which the outputs of u differ, of which this is one, and t_u the probability
that a screen with the outputs of u shows both. The propensity is this number divided by n p q, so p cancels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

import numpy as np

from annotate.design.items import Outputs, PlannedItem
from annotate.design.sampling import SamplingError, draw_outputs, sampling_probabilities
from core.arrays import FloatArray, IntArray
from core.later import optimize

FEWEST_ORDINARY_PERCENT = 5
"""The inverse of the smallest propensity is at most 100 / this."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The pairs that a follow-up asks about, and how often.

    Attributes:
        pairs: names of two systems each, every pair once.
        ordinary_percent: share of its screens that are drawn as usual, `FEWEST_ORDINARY_PERCENT` to 100.

    Raises `SamplingError` for no pairs, a pair of one system, and a share out of its range.
    """

    pairs: tuple[Pair, ...]
    ordinary_percent: int

    def __post_init__(self) -> None:
        if not self.pairs:
            raise SamplingError("a follow-up needs at least one pair of systems: choose one")
        if any(first == second for first, second in self.pairs):
            raise SamplingError("a pair needs two different systems")
        if not FEWEST_ORDINARY_PERCENT <= self.ordinary_percent <= 100:
            raise SamplingError(
                f"{self.ordinary_percent} % ordinary sampling is impossible: choose "
                f"{FEWEST_ORDINARY_PERCENT} to 100 %"
            )

    def screens(self, items: int) -> tuple[int, tuple[int, ...]]:
        """How many of the items are ordinary, and how many are for each pair, as evenly as possible."""
        ordinary = ceil(items * self.ordinary_percent / 100)
        each, more = divmod(items - ordinary, len(self.pairs))
        return ordinary, tuple(each + (place < more) for place in range(len(self.pairs)))


def ordinary_shares(
    corpus: Sequence[Outputs],
    *,
    outputs_per_screen: int,
    sampling: Literal["diverse", "uniform", "listed"],
    drawn: int | None,
    listed_sentences: Sequence[int],
) -> FloatArray:
    """How ordinary sampling spreads its screens over the sentences: their shares, which sum to 1.

    For *diverse* these are the probabilities of GJG15, section 4.1. If `drawn` sentences were drawn without
    replacement by them, the shares are those of successive sampling, which are less uneven: in proportion to
    1 - exp(-c p), with c such that they sum to `drawn` (Rosén 1972). The error is of the order 1 / `drawn`.

    Raises `SamplingError` as `annotate.design.items.draw_places` does.
    """
    match sampling:
        case "uniform":
            return np.full(len(corpus), 1 / len(corpus))
        case "listed":
            return np.bincount(listed_sentences, minlength=len(corpus)) / len(listed_sentences)
        case "diverse":
            shapes = [[len(systems) for systems in outputs.values()] for outputs in corpus]
            shares = np.array([float(one) for one in sampling_probabilities(shapes, outputs_per_screen)])
            return shares if drawn is None else _successive(shares, min(drawn, len(corpus)))


def _successive(shares: FloatArray, drawn: int) -> FloatArray:
    if drawn >= len(shares):
        return np.full(len(shares), 1 / len(shares))

    def excess(logarithm: float) -> float:
        return float(-np.expm1(-np.exp(logarithm) * shares).sum()) - drawn

    inclusion: FloatArray = -np.expm1(-np.exp(optimize.brentq(excess, -50.0, 50.0)) * shares)
    shared: FloatArray = inclusion / inclusion.sum()
    return shared


def plan_follow_up(
    corpus: Sequence[Outputs],
    follow_up: FollowUp,
    *,
    items: int,
    shares: FloatArray,
    outputs_per_screen: int,
    seed: int,
) -> tuple[PlannedItem, ...]:
    """Draw the items of a follow-up, in random order, with their propensities.

    A screen for a pair shows both of its outputs and others drawn uniformly. Its sentence is one on which the
    outputs of the pair differ, by the shares. All draws of sentences are systematic, so a sentence is drawn
    its expected number of times, rounded up or down, and expected numbers are exact.

    Args:
        corpus: the outputs of each sentence, of the campaign's systems alone.
        follow_up: the pairs, and the share of ordinary screens.
        items: how many to draw.
        shares: of the sentences in ordinary sampling, shape (n,) (`ordinary_shares`).
        outputs_per_screen: most outputs of a screen, at least 2.
        seed: same seed, same items.

    Raises:
        SamplingError: a screen of one output, a sentence without outputs, or a pair whose outputs never
            differ.
    """
    if outputs_per_screen < 2:
        raise SamplingError(f"a screen of {outputs_per_screen} outputs compares nothing: show at least 2")
    if any(share and not outputs for share, outputs in zip(shares, corpus, strict=True)):
        raise SamplingError("a sentence has no outputs to show: leave it out")
    rng = np.random.default_rng(seed)
    ordinary, for_pairs = follow_up.screens(items)
    asked = PairsAsked(corpus, follow_up, shares, items, outputs_per_screen)
    drawn = [
        (place, asked.ordinary_screen(place, rng))
        for place in systematic_draws(shares, ordinary, rng).tolist()
    ]
    for number, screens in enumerate(for_pairs):
        places = systematic_draws(asked.shares_of_pairs[number], screens, rng).tolist()
        drawn += [(place, asked.screen_for(number, place, rng)) for place in places]
    return tuple(
        PlannedItem(place, outputs, asked.propensities(place, outputs))
        for place, outputs in (drawn[number] for number in rng.permutation(len(drawn)).tolist())
    )


def systematic_draws(shares: FloatArray, number: int, rng: np.random.Generator) -> IntArray:
    """Draw a number of sentences: each `number` times its share, rounded up or down.

    Systematic sampling (Madow 1949) in random order; shape (number,).
    """
    order = rng.permutation(len(shares))
    ends = np.cumsum(shares[order])
    points = (rng.random() + np.arange(number)) / max(number, 1) * ends[-1]
    drawn: IntArray = order[np.searchsorted(ends, points, side="right").clip(max=len(shares) - 1)]
    return drawn


class PairsAsked:
    """How often a follow-up of a corpus asks what."""

    def __init__(
        self,
        corpus: Sequence[Outputs],
        follow_up: FollowUp,
        shares: FloatArray,
        items: int,
        outputs_per_screen: int,
    ) -> None:
        self._corpus = corpus
        self._most = outputs_per_screen
        ordinary, for_pairs = follow_up.screens(items)
        self._ordinary = ordinary / items
        self._outputs_of = [_outputs_of(corpus, pair) for pair in follow_up.pairs]
        self.shares_of_pairs: list[FloatArray] = []
        self._factors: list[float] = []
        for pair, outputs, screens in zip(follow_up.pairs, self._outputs_of, for_pairs, strict=True):
            differing = np.where([len(both) == 2 for both in outputs], shares, 0.0)
            if not differing.any():
                raise SamplingError(
                    f"the outputs of {pair[0]} and {pair[1]} differ on no sentence that can be drawn: "
                    "leave out this pair"
                )
            self.shares_of_pairs.append(differing / differing.sum())
            self._factors.append(screens / items / float(differing.sum()))

    def ordinary_screen(self, place: int, rng: np.random.Generator) -> tuple[int, ...]:
        """Outputs drawn uniformly."""
        return some_outputs(list(self._corpus[place]), self._most, rng)

    def screen_for(self, number: int, place: int, rng: np.random.Generator) -> tuple[int, ...]:
        """The two outputs of the pair of this number, and others drawn uniformly."""
        both = self._outputs_of[number][place]
        others = [key for key in self._corpus[place] if key not in both]
        return (*both, *some_outputs(others, self._most - 2, rng))

    def propensities(self, place: int, outputs: Sequence[int]) -> tuple[tuple[float, ...], ...]:
        """Propensities of each pair of these outputs of the sentence, each output with itself included."""
        size = len(self._corpus[place])
        shown = min(self._most, size)
        targeted = [
            (both, factor)
            for both, factor in zip(
                (of_pair[place] for of_pair in self._outputs_of), self._factors, strict=True
            )
            if len(both) == 2
        ]

        def relative(one: int, other: int) -> float:
            asked = {one, other}
            usually = probability_shown(len(asked), shown, size)
            return self._ordinary + sum(
                factor * probability_shown(len(asked.difference(both)), shown - 2, size - 2) / usually
                for both, factor in targeted
            )

        return tuple(tuple(relative(one, other) for other in outputs) for one in outputs)


def _outputs_of(corpus: Sequence[Outputs], pair: Pair) -> list[tuple[int, ...]]:
    """The outputs of the two systems for each sentence: two if they differ and neither is missing."""
    return [
        tuple(key for key, systems in outputs.items() if not set(pair).isdisjoint(systems))
        for outputs in corpus
    ]


def some_outputs(keys: Sequence[int], most: int, rng: np.random.Generator) -> tuple[int, ...]:
    """At most this many of the outputs, drawn uniformly; none of none."""
    if not keys:
        return ()
    return tuple(keys[place] for place in draw_outputs(len(keys), most, rng=rng).tolist())


def probability_shown(wanted: int, shown: int, size: int) -> float:
    """The probability that `wanted` given outputs are among `shown` drawn of `size`."""
    probability = 1.0
    for place in range(wanted):
        probability *= (shown - place) / (size - place)
    return probability


def gains(follow_up: FollowUp, *, systems: int, outputs_per_screen: int) -> tuple[float, ...]:
    """About how many ordinary judgments one of the follow-up is worth, for each pair.

    This is how often a screen shows a system of the pair, relative to ordinary sampling, if no two of the
    systems agree. It is cautious: screens that show both systems tell more about their difference.
    """
    shown = min(outputs_per_screen, systems)
    usually = shown / systems
    beside = (shown - 2) / (systems - 2) if systems > 2 else 0.0
    ordinary = follow_up.ordinary_percent / 100

    def share(system: str) -> float:
        for_pairs = [1.0 if system in pair else beside for pair in follow_up.pairs]
        return ordinary * usually + (1 - ordinary) * sum(for_pairs) / len(for_pairs)

    return tuple((share(first) + share(second)) / 2 / usually for first, second in follow_up.pairs)
