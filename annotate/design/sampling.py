"""Sampling of sentences to judge, and of their outputs to show on a screen.

Grundkiewicz, Junczys-Dowmunt and Gillian 2015 ("GJG15"), section 4.1. Systems that change little often
agree, so their outputs collapse. Drawing sentences uniformly would then spend many screens on few outputs
and many ties; the paper draws sentences with diverse outputs more often instead.

The *shape* of a sentence is the multiset of multiplicities of its distinct outputs: `(1, 2, 10)` says that
of 13 systems ten agree on one text, two on another, and one stands alone. It sums to the number N of
systems that have an output for the sentence. M is the largest number of outputs on one screen
(`max_outputs`; 5 in the paper).

Edge cases:

- Fewer than M distinct outputs: well defined. The formula counts the smaller subsets too, so that C may be
  below N although such a screen shows all outputs: (1, 12) has C = 25/2.
- One distinct output: C = N, which gives the smallest p' of all shapes of N systems, but above 0. The item
  carries nothing but ties.
- Exactly M systems: C = M and p' = 1 for any shape, so that all sentences are equally likely.
- Fewer than M systems: refused, since no choice of outputs covers M of them.
- M below 2: refused, since a screen with one output compares nothing. Such sentences are drawn uniformly.
- Sentences with different numbers of systems: each has its own N. p' compares absolute numbers of pairs, so
  that a sentence with fewer systems tends to be drawn more often.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import comb, fsum, isclose
from operator import index

import numpy as np
from numpy.typing import NDArray

from jobs.refusals import RefusedError


class SamplingError(RefusedError):
    """A sample that cannot be drawn, or a shape that has no probability; the message says what to do."""


def expected_coverage(shape: Sequence[int], max_outputs: int) -> Fraction:
    """The expected number C of systems covered by choosing at most `max_outputs` distinct outputs.

    C = sum(j c(j)) / sum(c(j)) for j from M to N, where c(j) is the number of subsets of at most M outputs
    that cover j systems (GJG15, section 4.1). Exact; the order of `shape` does not matter.

    Raises `SamplingError` for an empty shape, a multiplicity below 1, fewer than M systems, and M below 2.
    """
    return _coverage(_sorted_shape(shape, max_outputs), max_outputs)


def pseudo_probability(shape: Sequence[int], max_outputs: int) -> Fraction:
    """The ratio p' of the pairwise comparisons of M systems to those of C systems: M(M-1) / (C(C-1)).

    C is `expected_coverage`, not rounded (GJG15, section 4.1). p' is above 0 and at most 1, which it
    reaches where no two systems agree and where there are just M systems.

    Raises `SamplingError` as `expected_coverage` does.
    """
    return _ratio_of_pairs(_sorted_shape(shape, max_outputs), max_outputs)


def sampling_probabilities(shapes: Sequence[Sequence[int]], max_outputs: int) -> tuple[Fraction, ...]:
    """The probability of drawing each sentence of a corpus: p' over its sum (GJG15, section 4.1).

    Takes one shape a sentence and gives one probability a sentence, in the same order; they sum to exactly
    1. Shapes of the same multiplicities are computed once.

    Raises `SamplingError` for a corpus without sentences and, naming the sentence's 0-based position, for
    what `expected_coverage` refuses.
    """
    _check_max_outputs(max_outputs)
    _check_corpus(len(shapes))
    sorted_shapes = []
    for position, shape in enumerate(shapes):
        try:
            sorted_shapes.append(_sorted_shape(shape, max_outputs))
        except SamplingError as error:
            raise SamplingError(f"sentence {position}: {error}") from error
    frequencies = Counter(sorted_shapes)
    pseudo = {shape: _ratio_of_pairs(shape, max_outputs) for shape in frequencies}
    total = sum((frequency * pseudo[shape] for shape, frequency in frequencies.items()), Fraction())
    normalised = {shape: value / total for shape, value in pseudo.items()}
    return tuple(normalised[shape] for shape in sorted_shapes)


def draw_sentences(
    probabilities: Sequence[Fraction | float], size: int, *, seed: int, replace: bool
) -> NDArray[np.int64]:
    """Draw `size` sentences by their probabilities: positions in the order drawn, shape (size,).

    Without replacement the draws are successive: each is made among the sentences left, by their
    probabilities renormalised. Thus the chance of being in a large sample is less uneven than
    `probabilities`.

    Raises `SamplingError` where a probability is negative, they do not sum to 1 (within 1e-9), `size` is
    negative or, without replacement, exceeds the number of sentences with a probability above 0.
    """
    weights = np.array([float(probability) for probability in probabilities], dtype=np.float64)
    if (weights < 0).any():
        position = int(np.argmax(weights < 0))
        raise SamplingError(f"sentence {position} has a negative probability: set it to 0 or more")
    _check_corpus(len(weights))
    total = fsum(weights)
    if not isclose(total, 1, abs_tol=1e-9):
        raise SamplingError(f"the probabilities sum to {total:g} instead of 1: divide each by their sum")
    _check_size(size, int(np.count_nonzero(weights)), replace)
    return _generator(seed).choice(len(weights), size=size, replace=replace, p=weights)


def draw_uniform(n_sentences: int, size: int, *, seed: int, replace: bool) -> NDArray[np.int64]:
    """Draw `size` of `n_sentences` sentences, all alike: positions in the order drawn, shape (size,).

    Raises `SamplingError` where there are no sentences, `size` is negative or, without replacement, exceeds
    their number.
    """
    _check_corpus(n_sentences)
    _check_size(size, n_sentences, replace)
    return _generator(seed).choice(n_sentences, size=size, replace=replace)


def draw_listed(positions: Sequence[int], n_sentences: int) -> NDArray[np.int64]:
    """Take a given list of 0-based positions as the sample, shape (len(positions),).

    Order and duplicates are kept: a list repeats what somebody drew or planned, perhaps with replacement.

    Raises `SamplingError` for a position outside the corpus.
    """
    for place, position in enumerate(positions, start=1):
        if not 0 <= position < n_sentences:
            raise SamplingError(
                f"entry {place} of the list is {position}, but the corpus has {n_sentences} sentences, "
                f"counted from 0: correct or remove the entry"
            )
    return np.array([index(position) for position in positions], dtype=np.int64)


def draw_outputs(n_outputs: int, max_outputs: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw the distinct outputs of a screen: positions in random order, shape (min(n_outputs, M),).

    Every choice of `max_outputs` outputs is equally likely, however many systems stand behind an output; of
    fewer outputs all are taken. A screen with room for none takes none, even of a sentence without outputs.

    Raises `SamplingError` for a sentence without outputs where the screen has room for some, and M below 0.
    """
    if max_outputs < 0:
        raise SamplingError(f"a screen of {max_outputs} outputs is impossible: show 0 or more")
    if n_outputs < 1 and max_outputs:
        raise SamplingError("the sentence has no outputs to show: leave it out")
    return rng.choice(n_outputs, size=min(n_outputs, max_outputs), replace=False)


def _coverage(shape: tuple[int, ...], max_outputs: int) -> Fraction:
    # Equal multiplicities are added together, by the number of ways to choose among them.
    ways = {(0, 0): 1}
    for multiplicity, frequency in Counter(shape).items():
        grown: defaultdict[tuple[int, int], int] = defaultdict(int)
        for (chosen, covered), count in ways.items():
            for more in range(min(frequency, max_outputs - chosen) + 1):
                grown[chosen + more, covered + more * multiplicity] += count * comb(frequency, more)
        ways = grown
    counted = [(covered, count) for (_, covered), count in ways.items() if covered >= max_outputs]
    return Fraction(sum(covered * count for covered, count in counted), sum(count for _, count in counted))


def _ratio_of_pairs(shape: tuple[int, ...], max_outputs: int) -> Fraction:
    coverage = _coverage(shape, max_outputs)
    return max_outputs * (max_outputs - 1) / (coverage * (coverage - 1))


def _sorted_shape(shape: Sequence[int], max_outputs: int) -> tuple[int, ...]:
    _check_max_outputs(max_outputs)
    # NumPy's integers would overflow where Python's stay exact.
    multiplicities = tuple(sorted(index(multiplicity) for multiplicity in shape))
    if not multiplicities:
        raise SamplingError("the shape is empty: leave out sentences without outputs")
    if multiplicities[0] < 1:
        raise SamplingError(
            f"a multiplicity is {multiplicities[0]}: count only outputs that systems produced"
        )
    systems = sum(multiplicities)
    if systems < max_outputs:
        raise SamplingError(
            f"{systems} systems are fewer than the {max_outputs} outputs of a screen: "
            f"show fewer outputs at a time or leave the sentence out"
        )
    return multiplicities


def _check_max_outputs(max_outputs: int) -> None:
    if max_outputs < 2:
        raise SamplingError(f"a screen of {max_outputs} outputs compares nothing: show at least 2")


def _check_corpus(n_sentences: int) -> None:
    if n_sentences < 1:
        raise SamplingError("there are no sentences to draw from: import some first")


def _check_size(size: int, available: int, replace: bool) -> None:
    if size < 0:
        raise SamplingError(f"a sample of {size} sentences is impossible: ask for 0 or more")
    if size > available and not replace:
        raise SamplingError(
            f"{size} sentences asked for, but only {available} can be drawn: "
            f"ask for fewer or draw with replacement"
        )


def _generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))
