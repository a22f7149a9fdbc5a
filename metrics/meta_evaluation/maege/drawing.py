"""Draws of one seed: a chain through each lattice, corpora of rising quality, and sources."""

from dataclasses import dataclass

import numpy as np

from core.arrays import IntArray
from core.later import stats
from metrics.meta_evaluation.maege.lattices import LatticeCorpus
from metrics.meta_evaluation.maege.options import Source

CORPORA = 11
"""Corpora by the expected number of corrections M = 0, 1, ..., 10."""

VARIANCE = 0.9
"""Variance of the number of corrections (section 5)."""

CHAINS, OUTPUTS, CHAIN_SOURCES, CORPUS_SOURCES = range(4)
"""Streams of random numbers of one seed: changing one option does not change the other draws."""


class Texts:
    """Numbers the distinct texts of each sentence in order of first appearance."""

    def __init__(self, corpus: LatticeCorpus) -> None:
        self._corpus = corpus
        self._numbers: dict[tuple[int, str], int] = {}
        self._of_subsets: dict[tuple[int, int], int] = {}
        self.sentences: list[int] = []
        self.texts: list[str] = []

    def original(self, sentence: int) -> int:
        """The number of a sentence as it was written."""
        return self._number(sentence, self._corpus.sources[sentence])

    def correction(self, lattice: int, applied: int) -> int:
        """The number of the text to which a subset of the edits leads (see `Lattice.text`)."""
        key = lattice, applied
        if key not in self._of_subsets:
            its = self._corpus.lattices[lattice]
            self._of_subsets[key] = self._number(its.sentence, its.text(applied))
        return self._of_subsets[key]

    def _number(self, sentence: int, text: str) -> int:
        number = self._numbers.setdefault((sentence, text), len(self.texts))
        if number == len(self.texts):
            self.sentences.append(sentence)
            self.texts.append(text)
        return number


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """The draw of one seed from S sentences with L lattices and E edits; chains hold C = E + L corrections.

    Texts are given by their number in `Texts`.

    Attributes:
        chains: shape (C,), the corrections of each chain, from the original to the top.
        chain_sources: shape (C,), the source used for each.
        steps: shape (E,), the edit that each correction except the originals adds, numbered as in
            `LatticeCorpus.edit_sentences`.
        corpora: shape (11, S), the sentences of each corpus.
        corrections: shape (11, S), how many edits each has applied.
        sources: shape (S,), the source used for each sentence, in all corpora.
    """

    chains: IntArray
    chain_sources: IntArray
    steps: IntArray
    corpora: IntArray
    corrections: IntArray
    sources: IntArray


def draw(corpus: LatticeCorpus, texts: Texts, seed: int, source: Source) -> Draw:
    """Draw chains (section 6), corpora (section 5) and sources.

    The choice of source does not affect chains and corpora.

    Args:
        corpus: the lattices.
        texts: numbers the texts; new ones are added.
        seed: a seed.
        source: which correction serves as the source.
    """
    chains, steps = _chains(corpus, texts, _generator(seed, CHAINS))
    corpora, corrections = _corpora(corpus, texts, _generator(seed, OUTPUTS))
    return Draw(
        chains=chains,
        chain_sources=_chain_sources(corpus, chains, source, _generator(seed, CHAIN_SOURCES)),
        steps=steps,
        corpora=corpora,
        corrections=corrections,
        sources=_corpus_sources(corpus, texts, corpora, source, _generator(seed, CORPUS_SOURCES)),
    )


def binomial(mean: int) -> tuple[int, float]:
    """Number of trials and probability of a binomial with this mean and the variance 0.9.

    The number of trials is truncated to a whole number, as NumPy does in the released code, which lowers most
    means: 2 becomes 1.65.
    """
    return int(mean**2 / (mean - VARIANCE)), (mean - VARIANCE) / mean


def expected_corrections(corpus: LatticeCorpus) -> tuple[float, ...]:
    """The mean number of corrections of each corpus, with truncated trials and never more than all edits."""

    weights = np.repeat(1 / np.diff(corpus.first_lattices), np.diff(corpus.first_lattices))
    means = [0.0]
    for mean in range(1, CORPORA):
        trials, probability = binomial(mean)
        outcomes = np.arange(trials + 1)
        clipped = np.minimum(outcomes, corpus.sizes[:, None]) @ stats.binom.pmf(outcomes, trials, probability)
        means.append(float(clipped @ weights / weights.sum()))
    return tuple(means)


def _generator(seed: int, stream: int) -> np.random.Generator:
    return np.random.default_rng([seed, stream])


def _chains(corpus: LatticeCorpus, texts: Texts, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    numbers: list[int] = []
    steps: list[int] = []
    first = 0
    for lattice, size in enumerate(corpus.sizes.tolist()):
        applied = 0
        numbers.append(texts.correction(lattice, applied))
        for edit in rng.permutation(size).tolist():
            applied |= 1 << edit
            numbers.append(texts.correction(lattice, applied))
            steps.append(first + edit)
        first += size
    return np.array(numbers, dtype=np.int64), np.array(steps, dtype=np.int64)


def _corpora(corpus: LatticeCorpus, texts: Texts, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    sentences = len(corpus.sources)
    numbers = np.empty((CORPORA, sentences), dtype=np.int64)
    corrections = np.zeros((CORPORA, sentences), dtype=np.int64)
    numbers[0] = [texts.original(sentence) for sentence in range(sentences)]
    for mean in range(1, CORPORA):
        lattices = rng.integers(corpus.first_lattices[:-1], corpus.first_lattices[1:])
        corrections[mean] = np.minimum(rng.binomial(*binomial(mean), size=sentences), corpus.sizes[lattices])
        for sentence, (lattice, wanted) in enumerate(
            zip(lattices.tolist(), corrections[mean].tolist(), strict=True)
        ):
            edits = rng.permutation(int(corpus.sizes[lattice]))[:wanted].tolist()
            numbers[mean, sentence] = texts.correction(lattice, sum(1 << edit for edit in edits))
    return numbers, corrections


def _chain_sources(
    corpus: LatticeCorpus, chains: IntArray, source: Source, rng: np.random.Generator
) -> IntArray:
    """An element of each chain, or its original, for each correction of the chain."""
    starts = np.cumsum(corpus.sizes + 1) - corpus.sizes - 1
    places = rng.integers(0, corpus.sizes + 1)
    if source is Source.ORIGINAL:
        places = np.zeros_like(places)
    chosen: IntArray = np.repeat(chains[starts + places], corpus.sizes + 1)
    return chosen


def _corpus_sources(
    corpus: LatticeCorpus, texts: Texts, corpora: IntArray, source: Source, rng: np.random.Generator
) -> IntArray:
    sentences = len(corpus.sources)
    if source is Source.ORIGINAL:
        originals: IntArray = corpora[0]
        return originals
    if source is Source.CORPORA:
        chosen: IntArray = corpora[rng.integers(0, CORPORA, size=sentences), np.arange(sentences)]
        return chosen
    lattices = rng.integers(corpus.first_lattices[:-1], corpus.first_lattices[1:])
    numbers = []
    for lattice in lattices.tolist():
        applied = np.flatnonzero(rng.random(int(corpus.sizes[lattice])) < 0.5).tolist()
        numbers.append(texts.correction(lattice, sum(1 << edit for edit in applied)))
    return np.array(numbers, dtype=np.int64)
