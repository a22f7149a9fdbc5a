"""Counts of the changes by the annotators of an M2 file."""

from collections import Counter
from dataclasses import dataclass

from formats.m2 import M2File


@dataclass(frozen=True, slots=True)
class AnnotatorCounts:
    """The work of one annotator.

    Attributes:
        annotator: Who.
        sentences: Sentences that this annotator saw.
        changed: Those with at least one edit.
        insertions, deletions, replacements: Edits by what they do to the text: an empty span, an empty first
            correction, neither.
        kinds: Edits by error type, the most frequent first.
    """

    annotator: str
    sentences: int
    changed: int
    insertions: int
    deletions: int
    replacements: int
    kinds: dict[str, int]

    @property
    def edits(self) -> int:
        """All edits."""
        return self.insertions + self.deletions + self.replacements


@dataclass(frozen=True, slots=True)
class M2Counts:
    """The contents of an M2 file in numbers.

    Attributes:
        sentences, tokens: Of the source.
        annotators: One entry for each, in the file's order.
        fewest, most: Sums over sentences of the smallest and the largest number of edits by an annotator who
            saw the sentence. Choosing one annotator for each sentence gives a gold standard between these.
    """

    sentences: int
    tokens: int
    annotators: tuple[AnnotatorCounts, ...]
    fewest: int
    most: int


def count_edits(file: M2File) -> M2Counts:
    """Count sentences, edits and error types by annotator."""
    sizes = [[len(reference.edits or ()) for reference in sentence.references] for sentence in file.sentences]
    return M2Counts(
        len(file.sentences),
        sum(len(sentence.tokens) for sentence in file.sentences),
        tuple(_counts(annotator, file) for annotator in file.annotators),
        sum(min(row, default=0) for row in sizes),
        sum(max(row, default=0) for row in sizes),
    )


def _counts(annotator: str, file: M2File) -> AnnotatorCounts:
    work = [
        reference.edits or ()
        for sentence in file.sentences
        for reference in sentence.references
        if reference.annotator == annotator
    ]
    edits = [edit for edits in work for edit in edits]
    actions = Counter(
        "insertion" if edit.start == edit.end else "replacement" if edit.corrections[0] else "deletion"
        for edit in edits
    )
    return AnnotatorCounts(
        annotator,
        len(work),
        sum(bool(edits) for edits in work),
        actions["insertion"],
        actions["deletion"],
        actions["replacement"],
        dict(Counter(edit.kind for edit in edits).most_common()),
    )
