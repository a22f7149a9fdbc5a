"""Inputs of analyses of judgments: those that count, alone or with texts, lengths, groups or scores."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from analysis.analyses.analysis_inputs import DIGITS_OF_DIGEST
from assay import __version__
from core.arrays import FloatArray, IntArray
from core.later import pd
from formats.digests import content_digest
from formats.snapshot.judgment_columns import LATER_SNAPSHOT_COLUMNS
from formats.snapshot.snapshots import DTYPES, content_hash, content_hash_of_parts, filled_columns, joined
from ranking import Basis, without_systems
from ranking.annotators.planted_errors import PlantedErrors
from ranking.judgments.scales import by_scale
from ranking.judgments.snapshot import of_sentences, system_names

NO_MACHINE = "No machine has judged here"

LET_ONE_JUDGE = (
    "Make one on the page of the campaign, and let it answer all items, also those that no person judges."
)

ANSWERED = ("sentence", "output", "systems", "rank", "score")
"""Columns of a machine's answers that enter their digest."""

OPINION = "opinion"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What an analysis leaves out, its domain and scale, and what machines have to do with what counts.

    Attributes:
        systems: names of systems, judged or not.
        annotators: names as in the snapshot.
        with_machines: whether judgments of machines count beside those of people.
        domain: the domain whose sentences alone count; empty if all do.
        scale: the scale whose points are the scores; empty for the scores as they are.
        with_opinions: whether annotators could see a machine's opinion after their answers.
    """

    systems: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    with_machines: bool = False
    domain: str = ""
    scale: str = ""
    with_opinions: bool = False

    def __str__(self) -> str:
        """The part of a signature that states this."""
        domain = f"|domain:{self.domain}" if self.domain else ""
        systems = "|without:" + "+".join(self.systems) if self.systems else ""
        excluded = f"|excluded-annotators:{len(self.annotators)}" if self.annotators else ""
        machines = "|with-machines" if self.with_machines else ""
        scale = f"|scale:{self.scale}" if self.scale else ""
        opinions = "|opinions" if self.with_opinions else ""
        return domain + scale + systems + excluded + machines + opinions

    def counted(self, snapshot: pd.DataFrame) -> pd.DataFrame:
        """The part of a snapshot that counts; the snapshot itself if nothing is left out.

        Its sentences are those of the domain already (`of_sentences`): it does not say what domain they have.
        """
        left_out = snapshot["annotator"].isin(self.annotators)
        kept = snapshot[~left_out] if left_out.any() else snapshot
        # Those of a bundle have no details: their scores are the points already.
        if self.scale and kept["rating_details"].notna().any():
            kept = by_scale(kept, self.scale)
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
    step: Callable[[], None] = lambda: None,
) -> Judgments:
    """The inputs of an analysis that reads these columns, as far as the snapshot has them.

    `step` is called after some rows; an exception that it raises ends the work.
    """
    left_out = left_out or LeftOut()
    counted = left_out.counted(snapshot)
    present = [column for column in columns if column in counted.columns]
    left_out = _stating_opinions(left_out, counted)
    return Judgments(counted[present], content_hash(counted, step), left_out, roles or {}, source)


def _stating_opinions(left_out: LeftOut, counted: pd.DataFrame) -> LeftOut:
    """The same, with whether some of the answers that count say something about opinions."""
    states = OPINION in counted.columns and bool(counted[OPINION].notna().any())
    return replace(left_out, with_opinions=states)


class KeptSnapshot(Protocol):
    """A snapshot that is never held as a whole."""

    def frame(self, columns: Collection[str], step: Callable[[], None]) -> pd.DataFrame:
        """Some of its columns; `step` is called before each."""

    def pieces(self) -> Iterator[pd.DataFrame]:
        """All of its columns, some rows at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class OfSentences:
    """The judgments of some sentences in a snapshot that is never held as a whole."""

    snapshot: KeptSnapshot
    sentences: Collection[int]

    def frame(self, columns: Collection[str], step: Callable[[], None]) -> pd.DataFrame:
        """Some of its columns; `step` is called before each."""
        kept = of_sentences(self.snapshot.frame({*columns, "sentence"}, step), self.sentences)
        return kept[[name for name in kept.columns if name in columns]]

    def pieces(self) -> Iterator[pd.DataFrame]:
        """All of its columns, some rows at a time."""
        return (of_sentences(piece, self.sentences) for piece in self.snapshot.pieces())


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

    Memory holds these columns and one piece; `step` is called for each column and piece, and between other
    steps.
    """
    read = {*columns, "annotator", "systems", *LATER_SNAPSHOT_COLUMNS}
    frame = joined(snapshot.frame(read, step) for snapshot in snapshots)
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
    left_out = _stating_opinions(left_out, counted)
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
    """Judgments, and what is known of the judged sentences, which the signature states.

    Attributes:
        words: number of words of each sentence; empty if the texts are not known.
        planted: errors of controls, where annotators mark errors; else empty.
    """

    words: Mapping[int, int]
    planted: PlantedErrors

    def signature(self, what: str) -> str:
        """Signature of a computation on these judgments by a version; equal signatures mean equal numbers."""
        # `slots` makes a new class, which `super()` without arguments does not know.
        known = "|words" * bool(self.words) + "|planted" * bool(self.planted)
        return super(MeasuredJudgments, self).signature(what + known)


def measured(
    judgments: Judgments, words: Mapping[int, int], planted: PlantedErrors | None = None
) -> MeasuredJudgments:
    """The judgments, of sentences with these numbers of words, and with these errors of controls."""
    return MeasuredJudgments(
        judgments.snapshot,
        judgments.digest,
        judgments.left_out,
        judgments.roles,
        judgments.source,
        words,
        planted or {},
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
class JudgmentsBesideMachine(Judgments):
    """Judgments of people, and apart from these the answers of a machine about the same systems.

    Attributes:
        answers: snapshot of the machine's answers that count, in the columns that the analysis reads.
        machine: its number in the campaign; 0 if no machine has judged.
        model: what it is, such as a model with its version; empty if there is none.
        digest_of_machine: SHA-256 of its answers, in hexadecimal; names of judgments do not enter it.
    """

    answers: pd.DataFrame
    machine: int
    model: str
    digest_of_machine: str

    @property
    def known_as(self) -> str:
        """The machine on pages, such as "Machine 1 (gpt-4o)"; empty if there is none."""
        return f"Machine {self.machine} ({self.model})" if self.machine else ""

    def compared(self, by: Basis) -> int:
        """The number of the machine's answers that compare outputs."""
        if not self.machine:
            return 0
        return int(self.answers.loc[self.answers[by.column].notna(), "judgment"].nunique())

    def signature(self, what: str) -> str:
        """Signature of a computation by a version, which names the machine and states its answers.

        That of judgments of people if no machine counts.
        """
        if not self.machine:
            return super(JudgmentsBesideMachine, self).signature(what)
        named = "".join(each if each.isalnum() or each in "-._" else "-" for each in self.model)
        machine = f"|with-machine:{self.machine}-{named}|answers:{self.digest_of_machine[:DIGITS_OF_DIGEST]}"
        # `slots` makes a new class, which `super()` without arguments does not know.
        return super(JudgmentsBesideMachine, self).signature(what + machine)


class WithMachineIfAsked(JudgmentsBesideMachine):
    """Judgments of people, and the answers of a machine if one is asked for; else its number is 0."""


def beside_machine(
    judgments: Judgments, answers: pd.DataFrame, columns: Sequence[str], *, machine: int, model: str
) -> JudgmentsBesideMachine:
    """The judgments, beside what a machine answered; the analysis reads these columns of its answers."""
    counted = judgments.left_out.counted(answers)
    present = [column for column in columns if column in counted.columns]
    digested = [column for column in ANSWERED if column in counted.columns]
    return JudgmentsBesideMachine(
        judgments.snapshot,
        judgments.digest,
        judgments.left_out,
        judgments.roles,
        judgments.source,
        counted[present],
        machine,
        model,
        content_hash(counted[digested]),
    )


def beside_none(judgments: Judgments) -> JudgmentsBesideMachine:
    """The judgments, beside no machine."""
    nothing = judgments.snapshot.iloc[:0]
    return beside_machine(judgments, nothing, list(nothing.columns), machine=0, model="")
