"""Edits for edit-based metrics: given in M2 files, or extracted from texts by ERRANT or by their form."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from sys import intern

from core.parameters import parameter
from metrics.base.evaluation_sets import (
    Annotation,
    EditedText,
    EditRules,
    EvaluationSet,
    GoldEdit,
    InputError,
    Need,
)
from metrics.base.metric import NotScored, number_of_references
from metrics.edits.edit_extraction import Extraction
from metrics.edits.errant_edits import errant_signature
from metrics.edits.errant_types import DETECTED_ONLY, TYPES

MARKS = {DETECTED_ONLY, "Um"}
"""Types of edits that mark an error and do not correct it; "Um" (unclear) is one of CoNLL-2014."""

UNCHANGED = (Annotation("", ()),)

GOLD_CHOICES = ("auto", "given", "extracted")

NO_PARSER = (
    "an output without edits has to be parsed: pass a parser (metrics.english_pipeline), "
    "or outputs with their edits (EditedText)"
)


def gold_parameter() -> str:
    """The parameter for the source of the references' edits."""
    made: str = parameter(
        "auto",
        label="Gold edits",
        help="Edits of the references: given, extracted from their texts (by ERRANT for English), "
        "or auto (given if their types are ERRANT's).",
        choices=GOLD_CHOICES,
    )
    return made


def gold_is_given(data: EvaluationSet, choice: str) -> bool:
    """Whether the edits of references are taken as given.

    Raises:
        InputError: given edits are requested, and there are none.
    """
    if choice == "given" and data.annotations is None:
        raise InputError("gold edits should be taken as given, but there are none")
    if choice != "auto" or data.annotations is None:
        return choice == "given"
    kinds = {edit.kind for each in data.annotations for annotation in each for edit in annotation.edits}
    return kinds <= set(TYPES)


def signature_parts(data: EvaluationSet, choice: str) -> dict[str, str]:
    """How edits were extracted, and the number of references."""
    given = gold_is_given(data, choice)
    extracted = "given" if data.edit_rules is None else data.edit_rules.signature
    return {
        "gold": "given" if given else "extracted",
        "refs": number_of_references(frozenset({Need.GOLD_EDITS, Need.REFERENCES}), data),
        "edits": extracted if data.parser is None else errant_signature(),
        "pipeline": "none" if data.parser is None else data.parser.signature,
    }


@dataclass(frozen=True, slots=True)
class Correction:
    """A reference or an output: its edits, and its words.

    Attributes:
        edits: in the order of the source.
        words: words of the corrected text.
    """

    edits: tuple[GoldEdit, ...]
    words: tuple[str, ...]


class EditSource:
    """Edits of references and outputs of an evaluation set.

    Args:
        data: with references or gold edits, or both; gold edits come first.
        choice: one of `GOLD_CHOICES`.

    Raises:
        InputError: there are neither references nor gold edits, or the requested ones are missing.
    """

    def __init__(self, data: EvaluationSet, choice: str) -> None:
        if data.annotations is None and data.references is None:
            raise InputError("metrics of edits need references or gold edits")
        self._data = data
        self._given = gold_is_given(data, choice)
        self._references: dict[int, list[Correction] | NotScored] = {}
        self._extraction: Extraction | EditRules | None = (
            data.edit_rules if data.parser is None else Extraction(data.parser)
        )

    def references(self, sentence: int) -> list[Correction] | NotScored:
        """The references of a sentence. Without annotators, one unchanged reference."""
        if sentence not in self._references:
            self._references[sentence] = self._corrections(sentence)
        return self._references[sentence]

    def lacks_references(self, sentence: int) -> bool:
        """Whether no annotator has edited or confirmed the sentence, so that it is assumed to be right."""
        annotations = self._data.annotations
        present = self._data.references if annotations is None else annotations
        return present is not None and not present[sentence]

    def parse(self, outputs: Sequence[tuple[int, str]]) -> None:
        """Parse what is needed for the edits of these outputs and of their references together.

        Each output comes with its sentence.
        """
        if self._data.parser is None:
            return
        texts: dict[str, None] = {}
        for sentence, output in outputs:
            corrections = [] if isinstance(output, EditedText) else [output]
            if sentence not in self._references and not self._given:
                corrections += _reference_texts(self._data, sentence)
            texts |= _with_source(self._data.sources[sentence], corrections)
        self._data.parser.parse(list(texts))

    def output(self, sentence: int, text: str) -> Correction | NotScored:
        """The edits of an output.

        Raises:
            InputError: the output must be parsed, and there is no parser.
        """
        if isinstance(text, EditedText):
            return Correction(text.edits, tuple(text.split()))
        return self._extracted(sentence, text)

    def _corrections(self, sentence: int) -> list[Correction] | NotScored:
        words = [*map(intern, self._data.sources[sentence].split())]
        if self._given and self._data.annotations is not None:
            present = self._data.annotations[sentence] or UNCHANGED
            return [Correction(each.edits, corrected_words(words, each.edits)) for each in present]
        corrections = []
        for text in _reference_texts(self._data, sentence):
            correction = self._extracted(sentence, text)
            if isinstance(correction, NotScored):
                return NotScored(f"{correction.reason} (source and reference)")
            corrections.append(correction)
        return corrections or NotScored("the sentence has no reference")

    def _extracted(self, sentence: int, text: str) -> Correction | NotScored:
        source = self._data.sources[sentence]
        words = tuple(map(intern, text.split()))
        if words == tuple(source.split()):
            return Correction((), words)
        if self._extraction is None:
            raise InputError(NO_PARSER)
        edits = self._extraction.edits(source, text)
        return edits if isinstance(edits, NotScored) else Correction(edits, words)


def texts_to_parse(data: EvaluationSet, outputs: Iterable[Sequence[str]], choice: str) -> dict[str, None]:
    """All texts whose edits must be extracted, with their sources, each once.

    Args:
        data: n sentences.
        outputs: n texts for each system.
        choice: one of `GOLD_CHOICES`.
    """
    given = gold_is_given(data, choice)
    outputs = list(outputs)
    texts: dict[str, None] = {}
    for sentence, source in enumerate(data.sources):
        corrections = [] if given else _reference_texts(data, sentence)
        corrections += [each[sentence] for each in outputs if not isinstance(each[sentence], EditedText)]
        texts |= _with_source(source, corrections)
    return texts


def _with_source(source: str, corrections: Sequence[str]) -> dict[str, None]:
    """The corrections that change the source, after the source; nothing if none does."""
    changed = [text for text in corrections if text.split() != source.split()]
    return dict.fromkeys([source, *changed]) if changed else {}


def corrected_words(words: Sequence[str], edits: Sequence[GoldEdit]) -> tuple[str, ...]:
    """The words after the first correction of each edit."""
    corrected: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda each: (each.start, each.end)):
        corrected += words[position : edit.start]
        corrected += edit.corrections[0].split()
        position = max(position, edit.end)
    return (*corrected, *words[position:])


def _reference_texts(data: EvaluationSet, sentence: int) -> list[str]:
    """The texts of the references, without edits that only mark an error, which ERRANT ignores."""
    if data.annotations is None:
        return list((data.references or ())[sentence])
    words = data.sources[sentence].split()
    return [
        " ".join(corrected_words(words, [edit for edit in each.edits if edit.kind not in MARKS]))
        for each in data.annotations[sentence] or UNCHANGED
    ]
