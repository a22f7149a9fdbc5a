"""Validity: which outputs annotators take for valid corrections, and how far they agree."""

from dataclasses import dataclass, replace
from operator import attrgetter

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.from_judgments import FromAnswers
from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.verdict_agreement import WITH_THE_OTHERS, agreement_table, of_annotators
from core.columns import Annotator, Count, Share, System
from core.names import Naming
from core.progress import NoProgress, Progress
from core.results import Computed
from core.tables import Table
from core.wording import counted, whole_percent
from formats.snapshot.vocabulary import AnswerKind
from ranking import (
    Alpha,
    Kappa,
    Level,
    VerdictCounts,
    agreement_over,
    krippendorff_alpha,
    verdict_units,
    verdicts_by_annotator,
    verdicts_by_system,
    verdicts_of_all,
)
from ranking.annotators.verdicts import COLUMNS


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidityParameters(FromAnswers):
    """Options of the counts. Attributes: see each parameter's help."""


@dataclass(frozen=True, slots=True)
class Validity:
    """Verdicts on outputs, and the agreement of annotators on them.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        total: all verdicts together.
        systems: the verdicts on the outputs of each system.
        annotators: the verdicts of each annotator.
        between: kappa between annotators, from all their comparisons together.
        repeated: kappa of annotators with themselves.
        with_rest: by annotator, kappa between them and all others together, in the order of `annotators`.
        alpha: Krippendorff's alpha, nominal; a unit is an output.
    """

    signature: str
    total: VerdictCounts
    systems: tuple[VerdictCounts, ...]
    annotators: tuple[VerdictCounts, ...]
    between: Kappa
    repeated: Kappa
    with_rest: tuple[Kappa, ...]
    alpha: Alpha


def validity(
    judgments: Judgments, parameters: ValidityParameters, progress: Progress | None = None
) -> Validity:
    """Count the verdicts, and compare the annotators by them; *cannot say* is a category of its own.

    Raises:
        SnapshotError: as `ranking.verdicts_on_outputs`.
    """
    (progress or NoProgress()).begin("Counting verdicts")
    snapshot = judgments.snapshot
    units = verdict_units(snapshot)
    agreed = agreement_over(units, unit="an output")
    annotators = verdicts_by_annotator(snapshot)
    return Validity(
        signature=judgments.signature(stated("validity", parameters)),
        total=verdicts_of_all(snapshot),
        systems=verdicts_by_system(snapshot),
        annotators=annotators,
        between=agreed.inter_pooled,
        repeated=agreed.intra_pooled,
        with_rest=tuple(agreed.rest[str(counts.of)] for counts in annotators),
        alpha=krippendorff_alpha(units.pair, units.annotator, units.outcome, Level.NOMINAL),
    )


VERDICTS = (
    Count("outputs", "Outputs"),
    Count("valid", "Yes"),
    Count("invalid", "No"),
    Count("cannot_say", "Cannot say"),
    Share("share", "Judged valid"),
)

SYSTEMS = Table(
    rows=lambda computed: computed.result.systems,
    columns=(System("system", "System", attrgetter("of")), *VERDICTS),
    caption="Verdicts on the outputs of each system",
    total=lambda computed: computed.result.total,
)


ANNOTATORS = Table(
    rows=of_annotators,
    columns=(
        Annotator("annotator", "Annotator", attrgetter("counts.of")),
        *(replace(column, value=attrgetter(f"counts.{column.name}")) for column in VERDICTS),
        WITH_THE_OTHERS,
    ),
    caption="Verdicts of each annotator",
)


AGREEMENT = agreement_table("Agreement of annotators")


def headline(computed: Computed, naming: Naming) -> str:
    """The share of outputs that were judged valid."""
    total = computed.result.total
    if total.share is None:
        return "No output has a verdict yet"
    verb = "was" if total.outputs == 1 else "were"
    return f"{whole_percent(total.share)} of {counted(total.outputs, 'output')} {verb} judged valid"


EXPLANATION = """
*Cannot say* is left out of the shares. A verdict on an output that several systems share counts for each of
them. κ compares the annotators of each output in pairs and pools all comparisons. Krippendorff’s α is
nominal, with outputs as units. For both, *cannot say* is a category of its own.
"""

VALIDITY = register(
    Analysis(
        name="validity",
        title="Validity",
        group=Group.SYSTEMS,
        question="Whose outputs are valid corrections?",
        help="Which outputs annotators judge to be valid corrections, and how far they agree.",
        parameters=ValidityParameters,
        result=Validity,
        inputs=Judgments,
        columns=COLUMNS,
        answers=AnswerKind.VERDICTS,
        compute=validity,
        tables={"systems": SYSTEMS, "annotators": ANNOTATORS, "agreement": AGREEMENT},
        headline=headline,
        explanation=EXPLANATION,
        nothing="There are no verdicts on outputs. Campaigns with the protocol Validity collect them.",
    )
)
