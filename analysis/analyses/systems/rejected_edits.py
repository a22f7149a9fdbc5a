"""Rejected edits: those that annotators rejected most often, with their words, which are never published."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from analysis.analyses.base import Analysis, Group, register, stated, with_controls
from analysis.analyses.from_judgments import FromAnswers
from analysis.analyses.judgment_inputs import Judgments
from core.columns import Count, Text
from core.later import pd
from core.names import Naming
from core.progress import NoProgress, Progress
from core.results import Computed, Section
from core.tables import Table
from formats.snapshot.vocabulary import AnswerKind
from ranking.judgments.edit_verdicts import COLUMNS, typed_verdicts

MOST_LISTED = 30
"""Rejected edits that the page lists."""

PLACE = ("sentence", "start", "end", "replacement")
"""Columns in which equal edits of several outputs are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedEditsParameters(FromAnswers):
    """Options. Attributes: see each parameter's help."""

    controls: bool = with_controls()


@dataclass(frozen=True, slots=True)
class RejectedEdit:
    """An edit that somebody rejected.

    Attributes:
        sentence: its number in the corpus, from 0.
        systems: whose output has it.
        start: first code point of the sentence that it replaces.
        end: code point after the last.
        replacement: what stands there instead; empty for a deletion.
        type: of the edit, or one of `ranking.judgments.edit_verdicts.OPERATIONS`.
        accepted: number of verdicts *accepted*.
        rejected: number of verdicts *rejected*.
    """

    sentence: int
    systems: str
    start: int
    end: int
    replacement: str
    type: str
    accepted: int
    rejected: int


@dataclass(frozen=True, slots=True)
class RejectedEdits:
    """The edits that were rejected, equal ones of several outputs as one.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        edits: number of different edits that were judged.
        rejected: how many of these somebody rejected.
        listed: the edits that were rejected most often, at most `MOST_LISTED`.
    """

    signature: str
    edits: int
    rejected: int
    listed: tuple[RejectedEdit, ...]


def rejected_edits(
    judgments: Judgments, parameters: RejectedEditsParameters, progress: Progress | None = None
) -> RejectedEdits:
    """List edits with a verdict *rejected*: those with most first, then those with fewest *accepted*.

    Raises:
        SnapshotError: as `ranking.judgments.edit_verdicts.edit_verdicts`.
    """
    progress = progress or NoProgress()
    progress.begin("Reading edits")
    rows = typed_verdicts(judgments.snapshot)
    of_edits = rows.groupby(list(PLACE), sort=True, as_index=False).agg(
        systems=("systems", lambda given: ", ".join(sorted({name for names in given for name in names}))),
        type=("type", "first"),
        rejected=("outcome", lambda given: int((given == -1).sum())),
        accepted=("outcome", lambda given: int((given == 1).sum())),
    )
    rejected = of_edits[of_edits["rejected"] > 0]
    return RejectedEdits(
        signature=judgments.signature(stated("rejected-edits", parameters)),
        edits=len(of_edits),
        rejected=len(rejected),
        listed=tuple(_listed(rejected)),
    )


def _listed(rejected: "pd.DataFrame") -> Iterator[RejectedEdit]:
    first = rejected.sort_values(["rejected", "accepted"], ascending=[False, True], kind="stable")
    first = first.head(MOST_LISTED)
    for values in zip(*(first[each.name].tolist() for each in fields(RejectedEdit)), strict=True):
        yield RejectedEdit(*values)


REJECTED = Table(
    rows=lambda computed: computed.result.listed,
    columns=(
        Count("sentence", "Sentence", lambda row: row.sentence + 1),
        Count("start", "From"),
        Count("end", "To"),
        Text("replacement", "Replacement", lambda row: row.replacement or "(deleted)"),
        Text("type", "Type"),
        Text("systems", "Systems"),
        Count("rejected", "Rejected"),
        Count("accepted", "Accepted"),
    ),
    caption="Edits that were rejected most often",
    note=f"At most {MOST_LISTED}. Spans are in code points of the sentence, which counts from 1 here.",
)


def headline(computed: Computed, naming: Naming) -> str:
    """How many edits somebody rejected."""
    result: RejectedEdits = computed.result
    if not result.edits:
        return "No edit has a verdict yet"
    if result.edits == 1:
        return f"{'Somebody' if result.rejected else 'Nobody'} rejected the only edit"
    if not result.rejected:
        return f"Nobody rejected any of {result.edits:,} edits"
    return f"Somebody rejected {result.rejected:,} of {result.edits:,} edits"


EXPLANATION = """
Edits are equal if they replace the same characters of a sentence by the same text, and equal edits of several
outputs are one here. Those that most annotators rejected come first, then those that fewest accepted. The
page has the words of edits, so it is not published; the precision of systems and types is.
"""

REJECTED_EDITS = register(
    Analysis(
        name="rejected-edits",
        title="Rejected edits",
        group=Group.SYSTEMS,
        question="Which edits do people reject?",
        defined_in="ranking.md#edits-one-by-one",
        help="The edits that annotators rejected most often, with their words.",
        parameters=RejectedEditsParameters,
        result=RejectedEdits,
        inputs=Judgments,
        columns=COLUMNS,
        answers=AnswerKind.EDITS,
        compute=rejected_edits,
        tables={"rejected": REJECTED},
        sections=(Section(title="In numbers", tables=("rejected",), is_folded=True),),
        template="analysis/rejected_edits.html",
        headline=headline,
        explanation=EXPLANATION,
        tabs="edits",
        tab="Rejected edits",
        label="Rejected edits",
        place=3,
        nothing="There are no rejected edits. Campaigns with the protocol Edits collect verdicts.",
        fields=("domain", "controls", "excluded"),
    )
)
