"""Corpora and metrics with a known outcome."""

from collections.abc import Mapping

from core.arrays import FloatArray
from metrics.base.evaluation_sets import Annotation, EvaluationSet, GoldEdit
from metrics.base.metric import MeanMetric, NoParameters, Reduce, mean_row
from metrics.meta_evaluation.maege import (
    LatticeCorpus,
    MaegeParameters,
    PairScorer,
    Texts,
    draw,
    lattice_corpus,
    seed_scores,
)
from metrics.meta_evaluation.maege.levels import SeedScores

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def corpus_of(*sizes: tuple[int, ...], length: int = 12) -> LatticeCorpus:
    """A sentence for each argument, with an annotator for each number, who makes so many edits.

    Edit e turns word e into "ok", so that a correction has as many of these as edits. Types are "even" and
    "odd".
    """
    words = [f"{letter}{letter}" for letter in LETTERS[:length]]
    edits = tuple(
        GoldEdit(place, place + 1, ("ok",), "odd" if place % 2 else "even") for place in range(length)
    )
    annotations = [
        tuple(Annotation(str(name), edits[:size]) for name, size in enumerate(of_sentence))
        for of_sentence in sizes
    ]
    sources = [" ".join([*words, str(number)]) for number in range(len(sizes))]
    return lattice_corpus(sources, annotations, None, annotators=1)


class OfText(MeanMetric[NoParameters]):
    """A metric that is a function of the output, and counts what it is asked."""

    name = "toy"
    needs = frozenset()

    def __init__(self, sign: float = 1.0) -> None:
        super().__init__()
        self.sign = sign
        self.asked: list[tuple[str, str]] = []

    def prepare(self, data: EvaluationSet) -> Reduce:
        def reduce(sentence: int, output: str) -> FloatArray:
            self.asked.append((data.sources[sentence], output))
            return mean_row(self.sign * output.split().count("ok"))

        return reduce

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        return {}


class OfOutput(OfText):
    """A toy metric that says that it does not read the source."""

    reads_source = False


def scores_of_seeds(
    metric: MeanMetric[NoParameters], corpus: LatticeCorpus, parameters: MaegeParameters
) -> list[SeedScores]:
    """The scores of each seed."""
    texts = Texts(corpus)
    scorer = PairScorer(metric, corpus, texts)
    return [
        seed_scores(scorer, corpus, draw(corpus, texts, seed, parameters.source), parameters)
        for seed in range(parameters.seed, parameters.seed + parameters.seeds)
    ]
