"""Figures 1 and 5 of MAEGE, and GLEU's mean difference between the corrections of a chain (section 6)."""

from collections import defaultdict
from statistics import fmean, stdev

import numpy as np

from analysis.analyses.corpus_inputs import LatticeTexts, gold_edits
from analysis.analyses.metrics.maege.lattices import lattices_of
from analysis.reproduction.cells import OurFigures, Ours, Published, Table, compare, printed, unpublished
from analysis.reproduction.public_data.maege_data import DEVIATIONS, ONE_DRAW, REFERENCES, SEEDS, Maege
from core.arrays import FloatArray
from formats import read_m2
from metrics import Annotation, metric_from_text
from metrics.meta_evaluation.maege import Draw, LatticeCorpus, PairScorer, Source, Texts, Work, draw
from metrics.mixed_references import number_of_mixed_references

DIFFERENCE = -0.00025
"""Of GLEU between the corrections of comparable pairs, printed in section 6."""

OUTLIERS = 4
"""Sentences with most errors, which Figure 5 leaves out."""

LARGEST = 5
"""Sentences whose references outnumber those of all others together."""


def figure_1(data: Maege) -> Table:
    """How many references the edits of eight annotators make if overlapping edits are alternatives."""
    folder = data.folder / "conll14" / "references" / "bryant-ng-2015"
    files = [read_m2(folder / f"{name.replace('BN', 'A')}.m2", lenient=True).sentences for name in REFERENCES]
    numbers = sorted(
        number_of_mixed_references(
            [
                Annotation(name, gold_edits(reference) if reference else ())
                for name, each in zip(REFERENCES, of_sentence, strict=True)
                for reference in each.references[:1] or (None,)
            ]
        )
        for of_sentence in zip(*files, strict=True)
    )
    ours: OurFigures = {
        "median": int(np.median(np.array(numbers, dtype=np.float64))),
        "mean": Ours(fmean(numbers), shows=fmean(numbers[:-LARGEST])),
    }
    return compare(printed("maege", "figure 1"), ours)


def figure_5(data: Maege) -> Table:
    """GLEU of originals by number of errors, means over seeds, and GLEU along chains."""
    corpus = lattices_of(data.texts, None)
    of_seeds = _gleu_of_chains(data.texts, corpus)
    worse, better = corpus.comparable
    differences = [float(np.mean(scores[better] - scores[worse])) for scores in of_seeds]
    tops = np.cumsum(corpus.sizes + 1)
    originals = np.mean([scores[tops - corpus.sizes - 1] for scores in of_seeds], axis=0)
    by_errors: defaultdict[int, list[float]] = defaultdict(list)
    outliers = _sentences_with_most_errors(corpus)
    for lattice, size, score in zip(corpus.lattices, corpus.sizes.tolist(), originals.tolist(), strict=True):
        if lattice.sentence not in outliers:
            by_errors[size].append(score)
    means = {errors: fmean(by_errors[errors]) for errors in sorted(by_errors)}
    r = float(np.corrcoef(list(means), list(means.values()))[0, 1])
    cells = {
        f"mean GLEU by errors, {errors}": unpublished(
            mean, f"the paper draws it, without its value; originals: {len(by_errors[errors])}"
        )
        for errors, mean in means.items()
    }
    sign = Ours(r, sign="-" if r < 0 else "+")
    spread = DEVIATIONS * stdev(differences)
    difference = Published(
        DIFFERENCE, spread, reason=ONE_DRAW, note=f"sd {stdev(differences):.5f} over {SEEDS} seeds"
    )
    return (
        compare(printed("maege", "figure 5"), {"r of mean GLEU and errors": sign})
        | {"mean difference in chains": difference.cell(fmean(differences))}
        | cells
    )


def _gleu_of_chains(texts: LatticeTexts, corpus: LatticeCorpus) -> list[FloatArray]:
    """The score of each correction of each chain, shape (C,), for each seed; sources are those of chains."""
    numbered = Texts(corpus)
    scorer = PairScorer(metric_from_text("gleu"), corpus, numbered)
    of_seeds = []
    for seed in range(SEEDS):
        drawn: Draw = draw(corpus, numbered, seed, Source.CORPORA)
        scorer.add(drawn.chain_sources, drawn.chains, Work())
        of_seeds.append(scorer.sentence_scores(drawn.chain_sources, drawn.chains))
    return of_seeds


def _sentences_with_most_errors(corpus: LatticeCorpus) -> set[int]:
    most: defaultdict[int, int] = defaultdict(int)
    for lattice, size in zip(corpus.lattices, corpus.sizes.tolist(), strict=True):
        most[lattice.sentence] = max(most[lattice.sentence], size)
    return set(sorted(most, key=lambda sentence: -most[sentence])[:OUTLIERS])
