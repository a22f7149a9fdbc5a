"""CoNLL-2014 and other published data as inputs of metrics."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from formats.m2 import read_m2
from formats.records import Reference
from metrics import Annotation, EditedText, EvaluationSet, GoldEdit

SYSTEMS = ("AMU", "CAMB", "CUUI", "IITB", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU", "UFC", "UMC", "INPUT")


@cache
def lines(path: Path) -> list[str]:
    """The lines of a file; an empty one is an empty output."""
    return [line.rstrip("\r") for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def edits_of(reference: Reference) -> tuple[GoldEdit, ...]:
    """The edits of a reference of an M2 file."""
    return tuple(
        GoldEdit(edit.start, edit.end, edit.corrections, edit.kind) for edit in reference.edits or ()
    )


@cache
def edited_texts(path: Path) -> list[EditedText]:
    """The corrected texts of an M2 file of one annotator, with their edits."""
    references = [sentence.references[0] for sentence in read_m2(path).sentences]
    return [EditedText(reference.text, edits_of(reference)) for reference in references]


@cache
def gold_edits(path: Path) -> EvaluationSet:
    """An M2 file."""
    sentences = read_m2(path, lenient=True).sentences
    return EvaluationSet(
        sources=tuple(" ".join(sentence.tokens) for sentence in sentences),
        annotations=tuple(
            tuple(
                Annotation(
                    reference.annotator,
                    edits_of(reference),
                )
                for reference in sentence.references
            )
            for sentence in sentences
        ),
    )


@dataclass(frozen=True, slots=True)
class CoNLL14:
    """The test set of the CoNLL-2014 shared task."""

    folder: Path

    @property
    def gold(self) -> EvaluationSet:
        """Both official annotators' edits."""
        return gold_edits(self.folder / "official-2014.combined.m2")

    def outputs(self, system: str) -> list[str]:
        """One output a sentence."""
        return lines(self.folder / "outputs" / system)

    def references(self, *names: str) -> EvaluationSet:
        """The sources with corrected texts, such as "NUCLEA" and "NUCLEB"."""
        texts = [lines(self.folder / "references" / f"{name}.txt") for name in names]
        return EvaluationSet(tuple(self.outputs("INPUT")), tuple(zip(*texts, strict=True)))
