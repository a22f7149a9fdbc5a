"""Inputs of analyses: the judgments of a campaign, the texts of a corpus, or its correctors.

Each kind of inputs is a class with a digest of its content, which appears in the signatures of results.
`analysis.runs.sources` reads the inputs of each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Protocol, TypeVar

from assay import __version__
from core.arrays import FloatArray, IntArray
from core.later import pd
from core.parameters import ParameterError
from formats import Reference, SentenceRecord
from formats.digests import content_digest
from formats.snapshot.judgment_columns import LATER_SNAPSHOT_COLUMNS
from formats.snapshot.snapshots import DTYPES, content_hash, content_hash_of_parts, filled_columns, joined
from metrics import Annotation, Checker, EvaluationSet, GoldEdit, Parser
from ranking import without_systems
from ranking.judgments.snapshot import system_names

DIGITS_OF_DIGEST = 16
"""Number of digits of a content hash in signatures."""

COMPETITORS = ("", "system")
"""Roles of systems that correct; source, references and controls do not."""

NO_PEOPLE = "the corpus has no references to compare with: import it with corrected texts or M2 files"
NO_SYSTEMS = "the corpus has no systems: import it with their outputs"


class Inputs(Protocol):
    """Inputs of an analysis."""

    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal; independent of where the content comes from."""

    def signature(self, what: str) -> str:
        """Signature of a computation on these inputs by a version; equal signatures mean equal numbers."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Names of what an analysis leaves out.

    Attributes:
        systems: names of systems, judged or not.
        annotators: names as in the snapshot.
    """

    systems: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The part of a signature that states this."""
        systems = "|without:" + "+".join(self.systems) if self.systems else ""
        excluded = len(self.annotators)
        return systems + (f"|excluded-annotators:{excluded}" if excluded else "")

    def counted(self, snapshot: pd.DataFrame) -> pd.DataFrame:
        """The part of a snapshot that counts; the snapshot itself if nothing is left out."""
        left_out = snapshot["annotator"].isin(self.annotators)
        kept = snapshot[~left_out] if left_out.any() else snapshot
        judged = set(system_names(kept)).intersection(self.systems)
        return without_systems(kept, judged) if judged else kept


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """The inputs of an analysis of judgments.

    Attributes:
        snapshot: the judgments that count, in the columns that the analysis reads.
        digest: SHA-256 of the same judgments in all columns, in hexadecimal.
        left_out: what was left out.
        roles: role of each system by name; empty if roles are not known.
        source: the system that leaves each sentence unchanged; None if it is not known.
    """

    snapshot: pd.DataFrame
    digest: str
    left_out: LeftOut
    roles: Mapping[str, str]
    source: str | None

    def signature(self, what: str) -> str:
        """Signature of a computation on these judgments by a version; equal signatures mean equal numbers."""
        return f"{what}{self.left_out}|snapshot:{self.digest[:DIGITS_OF_DIGEST]}|assay:{__version__}"


def judgments(
    snapshot: pd.DataFrame,
    columns: Sequence[str],
    *,
    left_out: LeftOut | None = None,
    roles: Mapping[str, str] | None = None,
    source: str | None = None,
) -> Judgments:
    """The inputs of an analysis that reads these columns, as far as the snapshot has them."""
    left_out = left_out or LeftOut()
    counted = left_out.counted(snapshot)
    present = [column for column in columns if column in counted.columns]
    return Judgments(counted[present], content_hash(counted), left_out, roles or {}, source)


class KeptSnapshot(Protocol):
    """A snapshot that is never held as a whole."""

    def frame(self, columns: Collection[str]) -> pd.DataFrame:
        """Some of its columns."""

    def pieces(self) -> Iterator[pd.DataFrame]:
        """All of its columns, some rows at a time."""


def judgments_in_pieces(
    snapshots: Sequence[KeptSnapshot],
    columns: Sequence[str],
    *,
    left_out: LeftOut,
    roles: Mapping[str, str],
    source: str | None,
    step: Callable[[], None],
) -> Judgments:
    """The inputs of an analysis that reads these columns, equal to `judgments` of the joined snapshots.

    Memory holds these columns and one piece; `step` is called after each piece and between other steps.
    """
    read = {*columns, "annotator", "systems", *LATER_SNAPSHOT_COLUMNS}
    frame = joined(snapshot.frame(read) for snapshot in snapshots)
    step()
    counted = left_out.counted(frame)
    del frame
    step()
    empty = {*LATER_SNAPSHOT_COLUMNS}.difference(filled_columns(counted))

    def pieces() -> Iterator[pd.DataFrame]:
        for snapshot in snapshots:
            for piece in snapshot.pieces():
                yield left_out.counted(piece)
                step()

    digest = content_hash_of_parts([name for name in DTYPES if name not in empty], counted.index, pieces())
    return Judgments(counted[list(columns)], digest, left_out, roles, source)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedTexts(Judgments):
    """Judgments with the texts that were judged.

    They do not enter the digest: outputs are identified by the digests of their texts, and sources do not
    change.

    Attributes:
        texts: a row for each judged output, with `sentence` and `output` as in the snapshot, `source` and
            `text`; empty if texts are not known.
        style: properties of outputs, by sentence and output, if these are known instead of texts.
    """

    texts: pd.DataFrame
    style: pd.DataFrame | None = None


def with_texts(
    judgments: Judgments, texts: pd.DataFrame, *, style: pd.DataFrame | None = None
) -> JudgedTexts:
    """The judgments with these texts, or with the style of outputs in place of texts."""
    return JudgedTexts(
        judgments.snapshot,
        judgments.digest,
        judgments.left_out,
        judgments.roles,
        judgments.source,
        texts,
        style,
    )


@dataclass(frozen=True, slots=True, eq=False)
class GroupedJudgments(Judgments):
    """Judgments, and the groups in which the judged sentences stand; both enter the digest.

    Attributes:
        groups: the group of each judged sentence that has one.
    """

    groups: Mapping[int, str]


class DocumentJudgments(GroupedJudgments):
    """Judgments with the documents in which the judged sentences stand."""


class DomainJudgments(GroupedJudgments):
    """Judgments with the domains of the judged sentences."""


Grouped = TypeVar("Grouped", bound=GroupedJudgments)


def in_groups(kind: type[Grouped], judgments: Judgments, groups: Mapping[int, str]) -> Grouped:
    """The judgments, of sentences in these documents or domains."""
    judged = sorted(set(judgments.snapshot["sentence"].tolist()).intersection(groups))
    placed = {sentence: groups[sentence] for sentence in judged}
    return kind(
        judgments.snapshot,
        content_digest([judgments.digest, *(f"{sentence} {name}" for sentence, name in placed.items())]),
        judgments.left_out,
        judgments.roles,
        judgments.source,
        placed,
    )


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredJudgments(Judgments):
    """Judgments, and how long the judged sentences are, which the signature states.

    Attributes:
        words: number of words of each sentence; empty if the texts are not known.
    """

    words: Mapping[int, int]

    def signature(self, what: str) -> str:
        """Signature of a computation on these judgments by a version; equal signatures mean equal numbers."""
        # `slots` makes a new class, which `super()` without arguments does not know.
        return super(MeasuredJudgments, self).signature(f"{what}|words" if self.words else what)


def measured(judgments: Judgments, words: Mapping[int, int]) -> MeasuredJudgments:
    """The judgments, of sentences with these numbers of words."""
    return MeasuredJudgments(
        judgments.snapshot, judgments.digest, judgments.left_out, judgments.roles, judgments.source, words
    )


@dataclass(frozen=True, slots=True, eq=False)
class ScoresOfTwo:
    """Scores of two systems by one metric.

    Attributes:
        metric: name of the scores.
        signature: that repeats them; empty for uploaded ones.
        first: score of the first system; None if there is none.
        second: that of the second.
        sentences: shape (n,), the sentences in which both have a score, ascending.
        leads: shape (n,), by how much the first scores higher in each of them.
    """

    metric: str
    signature: str
    first: float | None
    second: float | None
    sentences: IntArray
    leads: FloatArray

    @property
    def digest(self) -> str:
        """SHA-256 of all of this, in hexadecimal."""
        arrays = self.sentences.tobytes().hex(), self.leads.tobytes().hex()
        return content_digest([self.metric, self.signature, self.first, self.second, *arrays])


@dataclass(frozen=True, slots=True, eq=False)
class JudgmentsBesideScores(Judgments):
    """Judgments, and the scores of the judged systems as far as there are any.

    The scores do not enter the digest, because an analysis reads those of two systems alone.

    Attributes:
        scores: reads what each metric says of two systems; nothing where outputs have no scores.
    """

    scores: Callable[[str, str], Sequence[ScoresOfTwo]]


def beside_scores(
    judgments: Judgments, scores: Callable[[str, str], Sequence[ScoresOfTwo]]
) -> JudgmentsBesideScores:
    """The judgments, with what reads the scores."""
    return JudgmentsBesideScores(
        judgments.snapshot,
        judgments.digest,
        judgments.left_out,
        judgments.roles,
        judgments.source,
        scores,
    )


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
        """The annotators of each sentence, in the order of its references; empty if sentences differ."""
        names = {tuple(reference.annotator for reference in each.references) for each in self.sentences}
        return names.pop() if len(names) == 1 else ()

    @property
    def evaluation(self) -> EvaluationSet:
        """Sources with the texts of the references, and with gold edits if all references have edits."""
        references = [reference for sentence in self.sentences for reference in sentence.references]
        has_edits = bool(references) and all(reference.edits is not None for reference in references)
        return EvaluationSet(
            sources=tuple(sentence.source for sentence in self.sentences),
            references=tuple(tuple(each.text for each in sentence.references) for sentence in self.sentences)
            if references
            else None,
            annotations=tuple(annotators_with_edits(sentence) for sentence in self.sentences)
            if has_edits
            else None,
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


def corpus_texts(sentences: Sequence[SentenceRecord], *, parser: Parser | None) -> CorpusTexts:
    """The inputs of an analysis of these sentences; references are sorted by annotator."""
    ordered = tuple(_without_outputs(sentence) for sentence in sentences)
    digest = content_digest((each.source, [astuple(one) for one in each.references]) for each in ordered)
    return CorpusTexts(ordered, digest, parser)


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
