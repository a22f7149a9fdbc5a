"""METEOR: recall-oriented F of words that match exactly or by their stems, with a penalty for disorder."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from itertools import pairwise

import numpy as np

from core.arrays import FloatArray
from core.parameters import parameter
from metrics.base.evaluation_sets import EvaluationSet, required_references
from metrics.base.metric import AdditiveMetric, NotScored, Reduce

STEMMER = "english"
"""The algorithm of Snowball, by M. Porter."""

Pair = tuple[int, int]
"""Places of two words that match, in the output and in the reference."""


@dataclass(frozen=True, slots=True)
class MeteorParameters:
    """Options of METEOR; the defaults are those of Lavie and Agarwal 2007 as NLTK has them."""

    stem: bool = parameter(
        True, label="Stems match", help="Whether words match whose English stems are the same."
    )
    alpha: float = parameter(
        0.9, label="Alpha", help="Weight of recall against precision.", minimum=0, maximum=1
    )
    beta: float = parameter(
        3.0, label="Beta", help="Exponent of the share of chunks in the penalty.", minimum=0, maximum=20
    )
    gamma: float = parameter(0.5, label="Gamma", help="Largest penalty for disorder.", minimum=0, maximum=1)


class Meteor(AdditiveMetric[MeteorParameters]):
    """(1 - penalty) times the weighted harmonic mean of precision and recall of words, ignoring case.

    Banerjee and Lavie 2005, Lavie and Agarwal 2007: words are matched in stages, first equal ones, then those
    with equal stems; a chunk is a run of matches in the same order in both texts, and the penalty is gamma
    times (chunks / matches) to the power of beta. The reference with the highest score counts. A corpus has
    the score of its sums. Synonyms and paraphrases, which later versions match too, need data that are not
    here.
    """

    name = "meteor"
    label = "METEOR"
    summary = "F of words that equal those of the best reference, or have their stems, less for disorder."
    reads_source = False
    Parameters = MeteorParameters

    @property
    def is_for_english(self) -> bool:
        """Its stems are English; without them it is for any language."""
        return self.parameters.stem

    def prepare(self, data: EvaluationSet) -> Reduce:
        """Rows of shape (4,) for the best reference: matches, tokens of output and reference, chunks."""
        references = [[_words(text) for text in texts] for texts in required_references(data)]
        stages: list[Callable[[str], str]] = [str, _stemmer()] if self.parameters.stem else [str]

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if not references[sentence]:
                return NotScored("the sentence has no reference")
            words = _words(output)
            rows = np.array([_statistics(words, each, stages) for each in references[sentence]], np.float64)
            best: FloatArray = rows[np.argmax(self.score_sums(rows))]
            return best

        return reduce

    def score_sums(self, sums: FloatArray) -> FloatArray:
        """0 without matches."""
        settings = self.parameters
        matches, written, wanted, chunks = np.moveaxis(np.where(sums[..., :1] > 0, sums, 1.0), -1, 0)
        precision, recall = matches / written, matches / wanted
        mean = precision * recall / (settings.alpha * precision + (1 - settings.alpha) * recall)
        penalty = settings.gamma * (chunks / matches) ** settings.beta
        return np.where(sums[..., 0] > 0, (1 - penalty) * mean, 0.0)

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """What matches, and the version of the stemmer."""
        if not self.parameters.stem:
            return {"modules": "exact"}
        return {"modules": "exact,stem", "snowball": version("snowballstemmer")}


def _words(text: str) -> list[str]:
    return text.lower().split()


def _stemmer() -> Callable[[str], str]:
    from snowballstemmer import stemmer

    snowball = stemmer(STEMMER)

    def stem(word: str) -> str:
        stemmed: str = snowball.stemWord(word)
        return stemmed

    return cache(stem)


def _statistics(
    words: Sequence[str], reference: Sequence[str], stages: Sequence[Callable[[str], str]]
) -> tuple[int, int, int, int]:
    """Matches, tokens of both texts, and chunks."""
    pairs = sorted(matched(words, reference, stages))
    follow = sum(second == (first[0] + 1, first[1] + 1) for first, second in pairwise(pairs))
    return len(pairs), len(words), len(reference), len(pairs) - follow


def matched(
    words: Sequence[str], reference: Sequence[str], stages: Sequence[Callable[[str], str]]
) -> list[Pair]:
    """The words that match, each at most once.

    In each stage, words that are left are read from the last to the first, and each takes the last equal one
    of the reference that is free, as in NLTK. If a word is repeated, this need not give the fewest chunks.

    Args:
        words: of the output.
        reference: its words.
        stages: what has to be equal of two words, stage by stage.
    """
    pairs: list[Pair] = []
    left, free = list(range(len(words))), list(range(len(reference)))
    for key in stages:
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place in free:
            places[key(reference[place])].append(place)
        found = {place: others.pop() for place in reversed(left) if (others := places[key(words[place])])}
        pairs += found.items()
        taken = set(found.values())
        left = [place for place in left if place not in found]
        free = [place for place in free if place not in taken]
    return pairs
