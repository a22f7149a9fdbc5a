"""The lattices of the paper."""

from pathlib import Path

from formats import read_m2
from metrics.base.evaluation_sets import Annotation, GoldEdit
from metrics.meta_evaluation.maege import LatticeCorpus, lattice_corpus

REFERENCES = (1, 2, 4, 5, 6, 8, 9, 10)


def conll_lattices(folder: Path) -> LatticeCorpus:
    """Both official annotators with alternatives; the eight others are the references."""
    conll = folder / "conll14"
    sentences = read_m2(conll / "official-2014.combined-withalt.m2").sentences
    texts = [
        (conll / "references" / "bryant-ng-2015" / f"BN{number}.txt").read_text().split("\n")
        for number in REFERENCES
    ]
    return lattice_corpus(
        [" ".join(sentence.tokens) for sentence in sentences],
        [
            [
                Annotation(
                    each.annotator,
                    tuple(
                        GoldEdit(edit.start, edit.end, edit.corrections, edit.kind)
                        for edit in each.edits or ()
                    ),
                )
                for each in sentence.references
            ]
            for sentence in sentences
        ],
        [[lines[number].strip() for lines in texts] for number in range(len(sentences))],
    )
