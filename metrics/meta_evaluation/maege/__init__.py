"""Validating metrics without people: MAEGE (Choshen and Abend 2018).

The subsets of a sentence's gold edits form a lattice of corrections in which every further edit is an
improvement. A metric is judged by how closely its scores follow that order, over corpora (section 5) and over
sentences (section 6), and by how it rewards each type of edit (section 7)::

    corpus = lattice_corpus(sources, annotations, references)
    texts = Texts(corpus)
    scorer = PairScorer(metric_from_text("gleu"), corpus, texts)
    parameters = MaegeParameters(seeds=3)
    seeds = [
        seed_scores(scorer, corpus, draw(corpus, texts, seed, parameters.source), parameters)
        for seed in range(parameters.seeds)
    ]
    print(verdict(seeds, corpus, corpus.kinds, parameters).tau)

Where the paper and its released code differ, there is a parameter, whose default follows the paper.
Figures that cannot be computed are None, with the reason in words; only arrays hold NaN.
"""

from metrics.meta_evaluation.maege.agreement_with_people import VerdictsCompared, compared_with_people
from metrics.meta_evaluation.maege.drawing import CORPORA, Draw, Texts, draw, expected_corrections
from metrics.meta_evaluation.maege.edit_types import edit_types
from metrics.meta_evaluation.maege.lattices import Lattice, LatticeCorpus, lattice_corpus
from metrics.meta_evaluation.maege.levels import SeedScores, seed_scores
from metrics.meta_evaluation.maege.options import (
    CorpusScore,
    MaegeParameters,
    Quality,
    Source,
    Ties,
    Types,
)
from metrics.meta_evaluation.maege.pair_scores import PairScorer, Work, has_texts_parsed
from metrics.meta_evaluation.maege.summary import MetricVerdict, SeedEstimate, TypeChange, verdict

__all__ = [
    "CORPORA",
    "CorpusScore",
    "Draw",
    "Lattice",
    "LatticeCorpus",
    "MaegeParameters",
    "MetricVerdict",
    "PairScorer",
    "Quality",
    "SeedEstimate",
    "SeedScores",
    "Source",
    "Texts",
    "Ties",
    "TypeChange",
    "Types",
    "VerdictsCompared",
    "Work",
    "compared_with_people",
    "draw",
    "edit_types",
    "expected_corrections",
    "has_texts_parsed",
    "lattice_corpus",
    "seed_scores",
    "verdict",
]
