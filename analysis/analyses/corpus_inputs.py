"""Inputs of analyses of a corpus: its texts, or its correctors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace

from analysis.analyses.analysis_inputs import DIGITS_OF_DIGEST
from assay import __version__
from core.parameters import ParameterError
from formats import Reference, SentenceRecord
from formats.digests import content_digest
from metrics import Annotation, Checker, EvaluationSet, GoldEdit, Parser

COMPETITORS = ("", "system")
"""Roles of systems that correct; source, references and controls do not."""

NO_PEOPLE = "the corpus has no references to compare with: import it with corrected texts or M2 files"
NO_SYSTEMS = "the corpus has no systems: import it with their outputs"


@dataclass(frozen=True, slots=True, eq=False)
class CorpusTexts:
    """The inputs of an analysis of a corpus: its sentences with their references.

    Attributes:
        sentences: in order, without outputs of systems; references sorted by annotator.
        digest: SHA-256 of sources, references and their edits, in hexadecimal.
        parser: an English pipeline, loaded on first use; None if the texts are not English.
    """

    sentences: tuple[SentenceRecord, ...]
    digest: str
    parser: Parser | None

    def signature(self, what: str) -> str:
        """Signature of a computation on these texts by a version; equal signatures mean equal numbers."""
        return f"{what}|corpus:{self.digest[:DIGITS_OF_DIGEST]}|assay:{__version__}"

    @property
    def annotators(self) -> tuple[str, ...]:
        """All who wrote references, in the order in which the references of a sentence stand."""
        return tuple(sorted({each.annotator for sentence in self.sentences for each in sentence.references}))

    def evaluation(self, step: Callable[[], None]) -> EvaluationSet:
        """Sources with the texts of the references, and with gold edits if all references have edits.

        `step` is called before the edits of each sentence; an exception that it raises ends the work.
        """

        def edits(sentence: SentenceRecord) -> tuple[Annotation, ...]:
            step()
            return annotators_with_edits(sentence)

        references = [reference for sentence in self.sentences for reference in sentence.references]
        has_edits = bool(references) and all(reference.edits is not None for reference in references)
        return EvaluationSet(
            sources=tuple(sentence.source for sentence in self.sentences),
            references=tuple(tuple(each.text for each in sentence.references) for sentence in self.sentences)
            if references
            else None,
            annotations=tuple(map(edits, self.sentences)) if has_edits else None,
        )


@dataclass(frozen=True, slots=True, eq=False)
class LatticeTexts(CorpusTexts):
    """Texts of a corpus, and a grammar checker, from which lattices of corrections are built.

    Attributes:
        checker: a grammar checker that was handed in; None for the usual one.
    """

    checker: Checker | None = None

    @property
    def lattice_parts(self) -> tuple[list[tuple[Annotation, ...]], list[tuple[str, ...]] | None]:
        """The annotators of each sentence who marked their edits, and the texts of the other references.

        If no reference is a text alone, there are no texts to compare with but those of the annotators.
        """
        texts = [
            tuple(each.text for each in sentence.references if each.edits is None)
            for sentence in self.sentences
        ]
        return [annotators_with_edits(sentence) for sentence in self.sentences], texts if any(texts) else None


def corpus_texts(
    sentences: Sequence[SentenceRecord], *, parser: Parser | None, step: Callable[[], None] = lambda: None
) -> CorpusTexts:
    """The inputs of an analysis of these sentences; references are sorted by annotator.

    `step` is called before each sentence; an exception that it raises ends the work.
    """
    ordered = tuple(_without_outputs(sentence) for sentence in sentences)

    def content(sentence: SentenceRecord) -> tuple[object, ...]:
        step()
        return sentence.source, [astuple(each) for each in sentence.references]

    return CorpusTexts(ordered, content_digest(map(content, ordered)), parser)


def annotators_with_edits(sentence: SentenceRecord) -> tuple[Annotation, ...]:
    """The annotators of a sentence who marked their edits."""
    return tuple(
        Annotation(reference.annotator, gold_edits(reference))
        for reference in sentence.references
        if reference.edits is not None
    )


def gold_edits(reference: Reference) -> tuple[GoldEdit, ...]:
    """The edits of a reference; empty if they are not marked."""
    return tuple(
        GoldEdit(edit.start, edit.end, edit.corrections, edit.kind) for edit in reference.edits or ()
    )


@dataclass(frozen=True, slots=True, eq=False)
class CorpusCorrections:
    """The inputs of an analysis of all correctors of a corpus: its systems, and its references.

    Attributes:
        sources: the n sentences as written.
        systems: by name, the n outputs of each system; None for a sentence without one.
        roles: role of each system by name; empty if roles are not known.
        people: by annotator, the n corrected texts; None for a sentence that the annotator did not correct.
        digest: SHA-256 of all texts, in hexadecimal.
        parser: an English pipeline, loaded on first use; None if the texts are not English.
    """

    sources: tuple[str, ...]
    systems: Mapping[str, tuple[str | None, ...]]
    roles: Mapping[str, str]
    people: Mapping[str, tuple[str | None, ...]]
    digest: str
    parser: Parser | None

    def competing(self) -> dict[str, tuple[str | None, ...]]:
        """The outputs of systems that correct, which the source, references and controls do not.

        Raises:
            ParameterError: there are none, or no people to compare them with.
        """
        systems = {
            name: outputs for name, outputs in self.systems.items() if self.roles.get(name, "") in COMPETITORS
        }
        if not self.people:
            raise ParameterError(NO_PEOPLE)
        if not systems:
            raise ParameterError(NO_SYSTEMS)
        return systems

    def signature(self, what: str) -> str:
        """Signature of a computation on these texts by a version; equal signatures mean equal numbers."""
        return f"{what}|texts:{self.digest[:DIGITS_OF_DIGEST]}|assay:{__version__}"


def corpus_corrections(
    sentences: Sequence[SentenceRecord], *, roles: Mapping[str, str], parser: Parser | None
) -> CorpusCorrections:
    """The correctors of sentences, by name."""
    systems = sorted({name for sentence in sentences for name in sentence.outputs})
    references = [{each.annotator: each.text for each in sentence.references} for sentence in sentences]
    annotators = sorted({name for texts in references for name in texts})
    corrections = CorpusCorrections(
        sources=tuple(sentence.source for sentence in sentences),
        systems={name: tuple(sentence.outputs.get(name) for sentence in sentences) for name in systems},
        roles={name: role for name, role in roles.items() if name in systems},
        people={name: tuple(texts.get(name) for texts in references) for name in annotators},
        digest="",
        parser=parser,
    )
    content = [corrections.sources, corrections.systems, corrections.roles, corrections.people]
    return replace(corrections, digest=content_digest(content))


def _without_outputs(sentence: SentenceRecord) -> SentenceRecord:
    references = tuple(sorted(sentence.references, key=lambda reference: reference.annotator))
    return SentenceRecord(sentence.source, {}, references, sentence.document, sentence.domain)
