"""A corpus whose edits are labelled, without a parser: the type of an edit follows from its first word."""

from collections.abc import Callable, Sequence

import pytest
from rapidfuzz.distance import Levenshtein

from annotate.corpora import labelling
from annotate.corpora.labelling import label_edits, plan_labelling
from annotate.models import Corpus, EditLabels
from metrics import GoldEdit, ParsedText
from tests.annotate.samples import no_progress

TYPES = {
    "goes": "R:VERB:SVA",
    "went": "R:VERB:TENSE",
    "have": "R:VERB:SVA",
    "cats": "R:NOUN:NUM",
    "likes": "R:VERB:SVA",
    "and": "R:CONJ",
}


class ToyPipeline:
    """Parses nothing."""

    def __init__(self, signature: str = "toy-1") -> None:
        self.signature = signature

    def parse(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> list[ParsedText]:
        if progress is not None:
            progress(len(texts))
        return []

    def parse_ahead(
        self,
        texts: Sequence[str],
        *,
        progress: Callable[[int], None] | None = None,
        processes: int | None = None,
    ) -> None:
        self.parse(texts, progress=progress)


class ToyExtraction:
    """Stands for ERRANT: one edit for each word that is replaced, and one for words inserted or deleted."""

    def __init__(self, parser: object) -> None:
        """Needs none."""

    def edits(self, source: str, text: str) -> tuple[GoldEdit, ...]:
        before, after = source.split(), text.split()
        found = []
        for code in Levenshtein.opcodes(before, after):
            new = after[code.dest_start : code.dest_end]
            if code.tag == "replace":
                places = zip(range(code.src_start, code.src_end), new, strict=True)
                found += [GoldEdit(at, at + 1, (word,), TYPES.get(word, "R:OTHER")) for at, word in places]
            elif code.tag != "equal":
                kind = "M:OTHER" if new else "U:OTHER"
                found.append(GoldEdit(code.src_start, code.src_end, (" ".join(new),), kind))
        return tuple(found)


def label(corpus: Corpus, pipeline: ToyPipeline | None = None) -> EditLabels:
    """Label the edits of the corpus as a job would."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(labelling, "Extraction", ToyExtraction)
        return label_edits(plan_labelling(corpus, pipeline or ToyPipeline()), progress=no_progress)
