"""How far people who correct the same sentences make the same edits.

Bryant and Ng 2015, "How Far are We from Fully Automatic High Quality Grammatical Error Correction?",
section 4: each annotator is compared with each other one, and with all others together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from metrics.base.evaluation_sets import GoldEdit
from metrics.references.edits import Edits
from metrics.references.written import CorrectedSentence

BETA = 0.5

Key = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class EditAgreement:
    """Counts of edits that agree, and what follows.

    Attributes:
        tp: edits that the other has too.
        fp: edits that the other lacks.
        fn: edits of the other that are lacking.
    """

    tp: int
    fp: int
    fn: int

    @property
    def precision(self) -> float:
        """1 if nothing was edited in vain."""
        return self.tp / (self.tp + self.fp) if self.fp else 1.0

    @property
    def recall(self) -> float:
        """1 if nothing is lacking."""
        return self.tp / (self.tp + self.fn) if self.fn else 1.0

    @property
    def f(self) -> float:
        """F0.5."""
        load = BETA**2 * self.precision + self.recall
        return (1 + BETA**2) * self.precision * self.recall / load if load else 0.0

    def __add__(self, other: "EditAgreement") -> "EditAgreement":
        return EditAgreement(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)


NOTHING = EditAgreement(0, 0, 0)


@dataclass(frozen=True, slots=True)
class PersonAgreement:
    """The agreement of one annotator with the others.

    Attributes:
        annotator: who.
        sentences: number of sentences that someone else corrected too.
        each: the edits against those of each other annotator, summed over these.
        best: the edits against the annotator with whom each sentence agrees best, by F0.5 of the sentence.
    """

    annotator: str
    sentences: int
    each: EditAgreement
    best: EditAgreement


def edit_agreement(sentences: Iterable[CorrectedSentence], edits: Edits) -> tuple[PersonAgreement, ...]:
    """Compare the edits of each person with those of the others, in order of annotators.

    Only the first version of each person counts. Two edits agree if they replace the same words of the source
    by the same words. People whose sentences nobody else corrected are left out.
    """
    each: dict[str, EditAgreement] = {}
    best: dict[str, EditAgreement] = {}
    numbers: dict[str, int] = {}
    for sentence in sentences:
        first: dict[str, str] = {}
        for annotator, text in sentence.corrections:
            first.setdefault(annotator, text)
        keys = {text: _keys(edits(sentence.source, text)) for text in set(first.values())}
        compared = {
            (text, other): _compared(keys[text], keys[other]) for text in keys for other in keys
        }  # few texts are distinct
        for annotator, text in first.items():
            others = [compared[text, other] for name, other in first.items() if name != annotator]
            if not others:
                continue
            numbers[annotator] = numbers.get(annotator, 0) + 1
            each[annotator] = sum(others, each.get(annotator, NOTHING))
            best[annotator] = best.get(annotator, NOTHING) + _closest(others)
    return tuple(PersonAgreement(name, numbers[name], each[name], best[name]) for name in sorted(numbers))


def _keys(edits: Sequence[GoldEdit]) -> frozenset[Key]:
    return frozenset((edit.start, edit.end, edit.corrections[0]) for edit in edits)


def _compared(edits: frozenset[Key], other: frozenset[Key]) -> EditAgreement:
    shared = len(edits & other)
    return EditAgreement(shared, len(edits) - shared, len(other) - shared)


def _closest(others: Sequence[EditAgreement]) -> EditAgreement:
    return max(others, key=lambda agreement: (agreement.f, agreement.tp, -agreement.fp - agreement.fn))
