"""References that grow: outputs of systems that no reference contains, and those of them judged valid.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and
Text Simplification": a valid correction that no reference contains counts as an error.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from metrics.base.evaluation_sets import Annotation, EvaluationSet
from metrics.references.edits import Edits

UNCHANGED = Annotation("", ())


@dataclass(frozen=True, slots=True)
class UncoveredOutput:
    """An output that no reference contains.

    Attributes:
        sentence: place of the sentence, counted from 0.
        text: the output.
        systems: sorted names of the systems that produced it, at least one.
    """

    sentence: int
    text: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GrownReference:
    """A reference that came from systems.

    Attributes:
        sentence: place of the sentence, counted from 0.
        name: as the annotator of the reference; distinct within the sentence.
        text: the corrected sentence.
        systems: sorted names of the systems that produced it.
    """

    sentence: int
    name: str
    text: str
    systems: tuple[str, ...]


def in_words(text: str) -> tuple[str, ...]:
    """The tokens of a correction; corrections with the same tokens are the same."""
    return tuple(text.split())


def covered_by(references: Sequence[Collection[str]]) -> tuple[frozenset[tuple[str, ...]], ...]:
    """The corrections that the references of each of n sentences contain."""
    return tuple(frozenset(map(in_words, texts)) for texts in references)


def uncovered_outputs(
    references: Sequence[Collection[str]], systems: Mapping[str, Sequence[str | None]]
) -> tuple[UncoveredOutput, ...]:
    """The distinct outputs that no reference contains, those of most systems first, then by sentence.

    Args:
        references: the texts of the references of each of n sentences.
        systems: by name, the n outputs; None for a sentence without one.
    """
    covered = covered_by(references)
    found: dict[tuple[int, tuple[str, ...]], tuple[str, list[str]]] = {}
    for name in sorted(systems):
        for place, text in enumerate(systems[name]):
            if text is not None and (words := in_words(text)) not in covered[place]:
                found.setdefault((place, words), (text, []))[1].append(name)
    outputs = [UncoveredOutput(place, text, tuple(names)) for (place, _), (text, names) in found.items()]
    return tuple(sorted(outputs, key=lambda output: (-len(output.systems), output.sentence, output.text)))


def with_references(data: EvaluationSet, grown: Iterable[GrownReference], edits: Edits) -> EvaluationSet:
    """The evaluation set with further references, as texts and as edits where it has those.

    A set without any references gets both. A sentence without gold edits counts as left unchanged by one
    annotator (`metrics.m2`), who stays beside the further references.
    """
    grown = list(grown)
    sentences = range(len(data.sources))
    texts = [list(data.references[place]) if data.references else [] for place in sentences]
    annotators = [list(data.annotations[place]) if data.annotations else [] for place in sentences]
    for each in grown:
        texts[each.sentence].append(each.text)
        found = edits(data.sources[each.sentence], each.text)
        if data.annotations is not None and not annotators[each.sentence]:
            annotators[each.sentence].append(UNCHANGED)
        annotators[each.sentence].append(Annotation(each.name, found))
    none_yet = data.references is None and data.annotations is None
    has_texts = data.references is not None or none_yet
    has_edits = data.annotations is not None or none_yet
    return replace(
        data,
        references=tuple(map(tuple, texts)) if has_texts else None,
        annotations=tuple(map(tuple, annotators)) if has_edits else None,
    )
