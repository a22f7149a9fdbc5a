"""Validity: which outputs judges take for valid corrections, and how far they agree."""

from dataclasses import dataclass

from analysis.analyses.base import Analysis, Table, register, stated, with_excluded
from analysis.analyses.inputs import Judgments
from core.progress import NoProgress, Progress
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
from ranking.verdicts import COLUMNS


@dataclass(frozen=True, slots=True)
class ValidityParameters:
    """Options of the counts. Attributes: see each parameter's help."""

    excluded: bool = with_excluded()


@dataclass(frozen=True, slots=True)
class Validity:
    """Verdicts on outputs, and the agreement of judges on them.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        total: all verdicts together.
        systems: the verdicts on the outputs of each system.
        annotators: the verdicts of each annotator.
        between: kappa between judges, from all their comparisons together.
        repeated: kappa of judges with themselves.
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
    """Count the verdicts, and compare the judges by them; *cannot say* is a category of its own.

    Raises:
        SnapshotError: as `ranking.verdicts_on_outputs`.
    """
    (progress or NoProgress()).begin("Counting verdicts")
    snapshot = judgments.snapshot
    units = verdict_units(snapshot)
    agreed = agreement_over(units)
    annotators = verdicts_by_annotator(snapshot)
    return Validity(
        signature=judgments.signature(stated("validity", parameters)),
        total=verdicts_of_all(snapshot),
        systems=verdicts_by_system(snapshot),
        annotators=annotators,
        between=agreed.inter_pooled,
        repeated=agreed.intra_pooled,
        with_rest=tuple(agreed.rest[str(counts.of)] for counts in annotators),
        alpha=krippendorff_alpha(units.pair, units.judge, units.outcome, Level.NOMINAL),
    )


def _tables(result: Validity) -> tuple[Table, ...]:
    heads = ("", "Outputs", "Yes", "No", "Cannot say", "Judged valid")
    kappas = {"between judges": result.between, "of judges with themselves": result.repeated}
    return (
        Table("Systems", heads, tuple(map(_row, (*result.systems, result.total)))),
        Table("Annotators", heads, tuple(map(_row, result.annotators))),
        Table(
            "Agreement",
            ("", "", "n", ""),
            (
                *((f"κ {name}", kappa.value, kappa.n, kappa.reason) for name, kappa in kappas.items()),
                ("Krippendorff's α, nominal", result.alpha.value, result.alpha.n, result.alpha.reason),
            ),
        ),
    )


def _row(counts: VerdictCounts) -> tuple[str | float | None, ...]:
    of = counts.of or "All"
    return (of, counts.outputs, counts.valid, counts.invalid, counts.cannot_say, counts.share)


VALIDITY = register(
    Analysis(
        name="validity",
        title="Validity",
        help="Which outputs annotators judge to be valid corrections, and how far they agree.",
        parameters=ValidityParameters,
        result=Validity,
        inputs=Judgments,
        columns=COLUMNS,
        compute=validity,
        tables=_tables,
    )
)
