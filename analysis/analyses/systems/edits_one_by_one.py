"""Edits one by one: how many edits of systems people accept, by system and type, and how far they agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from analysis.analyses.base import Analysis, Group, register, stated, with_controls
from analysis.analyses.from_judgments import FromAnswers
from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.resampling import (
    confidence_of_intervals,
    replicates_of_intervals,
    seed_of_everything,
    small_intervals,
)
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from analysis.analyses.verdict_agreement import WITH_THE_OTHERS, agreement_table, of_annotators
from core.columns import Annotator, Count, Estimated, Number, Share, Spread, System, Text
from core.names import Naming
from core.parameters import ParameterError
from core.progress import NoProgress, Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import briefly, counted, literal, whole_percent
from figures.drawing import Chart
from figures.panels import panels_figure
from figures.systems.ranking import ranking_figure, ranks_text
from formats.snapshot.vocabulary import AnswerKind
from ranking import (
    Alpha,
    Kappa,
    Level,
    ResamplingError,
    Standing,
    Standings,
    agreement_over,
    krippendorff_alpha,
)
from ranking.judgments.edit_verdicts import COLUMNS, edit_units, typed_verdicts
from ranking.uncertainty.edit_precision import (
    EditCounts,
    counted_edits,
    counts_of,
    precision_replicates,
    precision_standings,
)
from ranking.uncertainty.scalars import Interval

FEWEST_EDITS = 20
"""Edits of a type from which the figure shows its precision, and the text may name it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditsParameters(FromAnswers):
    """Options. Attributes: see each parameter's help."""

    controls: bool = with_controls()
    replicates: int = replicates_of_intervals(minimum=1)
    confidence: float = confidence_of_intervals()
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True)
class EditsOneByOne:
    """Verdicts on edits.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        total: all edits together.
        standings: systems by precision, with rank ranges and clusters; None without a verdict.
        systems: the counts of each system, in the order of the standings.
        types: the counts of each type with the interval of its precision, those with most edits first.
        annotators: the counts of each annotator.
        between: kappa between annotators, from all their comparisons together.
        repeated: kappa of annotators with themselves.
        with_rest: kappa of each annotator with all others together, in the order of `annotators`.
        alpha: Krippendorff's alpha, nominal; a unit is an edit, or edits that were judged together.
    """

    signature: str
    total: EditCounts
    standings: Standings | None
    systems: tuple[EditCounts, ...]
    types: tuple[EditCounts, ...]
    annotators: tuple[EditCounts, ...]
    between: Kappa
    repeated: Kappa
    with_rest: tuple[Kappa, ...]
    alpha: Alpha


def edits_one_by_one(
    judgments: Judgments, parameters: EditsParameters, progress: Progress | None = None
) -> EditsOneByOne:
    """Precision of systems and types by the verdicts of people, and agreement on these.

    Raises:
        SnapshotError: as `ranking.judgments.edit_verdicts.edit_verdicts`.
        ParameterError: there are too few replicates for the confidence.
    """
    progress = progress or NoProgress()
    progress.begin("Reading edits")
    rows = typed_verdicts(judgments.snapshot)
    progress.begin("Resampling sentences", total=2 * parameters.replicates if len(rows) else 0)
    try:
        standings = (
            precision_standings(
                rows,
                replicates=parameters.replicates,
                confidence=parameters.confidence,
                seed=parameters.seed,
                progress=progress.advance,
            )
            if len(rows)
            else None
        )
    except ResamplingError as error:
        raise ParameterError(faults={"replicates": str(error)}) from error
    by_system = counted_edits(rows, "systems")
    by_type = counted_edits(rows, "type")
    drawn = precision_replicates(
        rows, "type", replicates=parameters.replicates, seed=parameters.seed, progress=progress.advance
    )
    intervals = drawn.intervals(parameters.confidence)
    types = [_with_interval(counts, intervals[name]) for name, counts in by_type.items()]
    units = edit_units(rows)
    agreed = agreement_over(units, unit="an edit")
    annotators = tuple(counted_edits(rows, "annotator").values())
    return EditsOneByOne(
        signature=judgments.signature(stated("edits", parameters)),
        total=counts_of(rows),
        standings=standings,
        systems=tuple(by_system[row.system] for row in standings.systems) if standings else (),
        types=tuple(sorted(types, key=lambda counts: -counts.edits)),
        annotators=annotators,
        between=agreed.inter_pooled,
        repeated=agreed.intra_pooled,
        with_rest=tuple(agreed.rest[str(counts.of)] for counts in annotators),
        alpha=krippendorff_alpha(units.pair, units.annotator, units.outcome, Level.NOMINAL),
    )


def _with_interval(counts: EditCounts, interval: Interval) -> EditCounts:
    reason = counts.reason or interval.reason
    return replace(counts, low=interval.low, high=interval.high, reason=reason)


@dataclass(frozen=True, slots=True)
class OfSystem:
    """A system's place by precision, and its counts."""

    standing: Standing
    counts: EditCounts


def _systems(computed: Computed) -> list[OfSystem]:
    result: EditsOneByOne = computed.result
    places: Sequence[Standing] = result.standings.systems if result.standings else ()
    return [OfSystem(*row) for row in zip(places, result.systems, strict=True)]


def _per_output(counts: EditCounts) -> float | None:
    return counts.edits / counts.outputs if counts.outputs else None


VERDICTS = (
    Count("edits", "Edits"),
    Count("accepted", "Accepted"),
    Count("rejected", "Rejected"),
    Count("cannot_say", "Cannot say"),
)

SYSTEMS = Table(
    rows=_systems,
    columns=(
        System("system", "System", attrgetter("counts.of")),
        Estimated(
            "precision",
            "Precision",
            lambda row: Spread(
                row.standing.score, row.standing.score_low, row.standing.score_high, row.standing.reason
            ),
            ends=("low", "high"),
            ends_on_paper=("from", "to"),
            drawn="Precision with interval",
        ),
        Text("", "Ranks", lambda row: ranks_text(row.standing) or None, on_paper=False),
        Count("first_rank", "First rank", attrgetter("standing.rank_low"), on_page=False),
        Count("last_rank", "Last rank", attrgetter("standing.rank_high"), on_page=False),
        Count("cluster", "Cluster", attrgetter("standing.cluster")),
        *(replace(column, value=attrgetter(f"counts.{column.name}")) for column in VERDICTS),
        Count("outputs", "Changed outputs", attrgetter("counts.outputs")),
        Number("per_output", "Edits an output", lambda row: _per_output(row.counts), digits=2),
    ),
    caption="Precision of each system’s edits, as people see it",
    note=lambda computed, naming: small_intervals(computed, "over sentences."),
)

TYPES = Table(
    rows=lambda computed: computed.result.types,
    columns=(
        Text("type", "Type", attrgetter("of")),
        Estimated(
            "precision",
            "Precision",
            lambda row: Spread(row.precision, row.low, row.high, row.reason),
            ends=("low", "high"),
            ends_on_paper=("from", "to"),
            drawn="Precision with interval",
        ),
        *VERDICTS,
    ),
    caption="Precision of edits by type",
    note="Types are ERRANT’s or those of M2; edits without any count by what they do. A precision of "
    f"fewer than {FEWEST_EDITS} edits says little.",
)


ANNOTATORS = Table(
    rows=of_annotators,
    columns=(
        Annotator("annotator", "Annotator", attrgetter("counts.of")),
        *(replace(column, value=attrgetter(f"counts.{column.name}")) for column in VERDICTS),
        Share("share", "Accepted edits", attrgetter("counts.precision")),
        WITH_THE_OTHERS,
    ),
    caption="Verdicts of each annotator",
)


AGREEMENT = agreement_table("Agreement of annotators on edits")


def headline(computed: Computed, naming: Naming) -> str:
    """The most precise systems, or the share of accepted edits if no system is told apart."""
    result: EditsOneByOne = computed.result
    if result.total.precision is None:
        return "No edit has a verdict yet"
    places: Sequence[Standing] = result.standings.systems if result.standings else ()
    ranked = [row for row in places if row.cluster and naming.roles.get(row.system) not in NO_SYSTEMS]
    first = [row for row in ranked if row.cluster == ranked[0].cluster]
    if len(first) < len(ranked):
        names = briefly([naming.label(row.system) for row in first])
        if len(first) == 1:
            return f"{names} makes the most precise edits: people accept {whole_percent(first[0].score)}"
        best = naming.label(first[0].system)
        accepted = f"people accept {whole_percent(first[0].score)} of those by {best}"
        return f"{names} make the most precise edits: {accepted}"
    verb = "is" if result.total.edits == 1 else "are"
    return f"{whole_percent(result.total.precision)} of {counted(result.total.edits, 'edit')} {verb} accepted"


def lead(computed: Computed, naming: Naming) -> str:
    """Agreement, and the types that are accepted most and least often."""
    result: EditsOneByOne = computed.result
    said = []
    if result.between.value is not None:
        said.append(f"Annotators agree on edits with κ = {result.between.value:.2f}.")
    known = [each for each in result.types if each.edits >= FEWEST_EDITS and each.precision is not None]
    if len(known) > 1:
        best, worst = max(known, key=attrgetter("precision")), min(known, key=attrgetter("precision"))
        if whole_percent(best.precision) != whole_percent(worst.precision):
            said.append(
                f"Of types with {FEWEST_EDITS} edits or more, {literal(str(best.of))} is accepted most often "
                f"({whole_percent(best.precision)}) and {literal(str(worst.of))} least often "
                f"({whole_percent(worst.precision)})."
            )
    return " ".join(said)


def draw_systems(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Systems by precision, as on the page of the ranking."""
    standings: Standings = computed.result.standings
    named = [replace(row, system=naming.label(row.system)) for row in standings.systems]
    return ranking_figure(
        replace(standings, systems=tuple(named)),
        title=f"{naming.title}: edits",
        score_name="share of accepted edits",
        layout=layout,
    )


def draw_types(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Types with enough edits, the most frequent first; all of them if none has enough."""
    known = [each for each in computed.result.types if each.precision is not None]
    drawn = [each for each in known if each.edits >= FEWEST_EDITS] or known
    rows = [(str(each.of), each.precision or 0.0, each.low, each.high) for each in drawn]
    return panels_figure(
        {"types": rows},
        [name for name, *_ in rows],
        title=f"{naming.title}: types of edits",
        axis="share of accepted edits",
        layout=layout,
    )


def methods(parameters: EditsParameters, result: EditsOneByOne) -> list[str]:
    """What was asked and computed, in sentences for a paper."""
    total = result.total
    sentences = [
        "Annotators judged the edits of each output one by one: they accepted an edit, rejected it, or could "
        f"not say. There are {total.verdicts:,} verdicts on "
        f"{total.edits:,} edits in {total.outputs:,} outputs by {len(result.annotators)} annotators.",
        "The precision of a system, or of a type of edits, is the mean over its edits of the share of "
        "annotators who accepted the edit among those who accepted or rejected it; an edit of several "
        f"systems counts for each. Intervals at {100 * parameters.confidence:g} % confidence, ranks and "
        f"clusters are from {parameters.replicates:,} resamples of sentences (seed {parameters.seed}).",
    ]
    if result.between.value is not None and result.alpha.value is not None:
        sentences.append(
            "Agreement, with edits that were judged together as one verdict and “cannot say” as a category: "
            f"kappa between annotators {result.between.value:.3f}, pooled over their comparisons; nominal "
            f"alpha {result.alpha.value:.3f}."
        )
    return sentences


EXPLANATION = """
The precision of a system is the mean over its edits of the share of annotators who accepted the edit, among
those who accepted or rejected it; *cannot say* is left out. An edit of an output that several systems share
counts for each. Edits that were judged together count one by one here, and as one verdict in κ and α, in
which *cannot say* is a category of its own. Intervals, rank ranges and clusters resample sentences.

Precision alone favours systems that change little: see the number of edits beside it. Outputs that change
nothing have no edits and are not judged. A *control*, the source with errors inserted, makes wrong edits
only. *Rejected edits* lists those that were rejected most often, with their words.
"""

EDITS = register(
    Analysis(
        name="edits",
        title="Edits one by one",
        group=Group.SYSTEMS,
        question="How many edits of systems do people accept?",
        defined_in="ranking.md#edits-one-by-one",
        help="Precision of systems and types of edits as people see it, with clusters, and agreement.",
        parameters=EditsParameters,
        result=EditsOneByOne,
        inputs=Judgments,
        columns=(*COLUMNS, "rank", "score"),
        answers=AnswerKind.EDITS,
        compute=edits_one_by_one,
        tables={
            "systems": SYSTEMS,
            "types": TYPES,
            "annotators": ANNOTATORS,
            "agreement": AGREEMENT,
        },
        figures={
            "systems": Figure(
                caption="Precision of each system’s edits",
                draw=draw_systems,
                of_table="systems",
                has_content=lambda computed: computed.result.total.precision is not None,
            ),
            "types": Figure(
                caption="Precision of edits by type",
                draw=draw_types,
                of_table="types",
                has_content=lambda computed: computed.result.total.precision is not None,
            ),
        },
        headline=headline,
        lead=lead,
        methods=methods,
        sections=(
            Section(title="By type", tables=("types",)),
            Section(title="Agreement", tables=("agreement", "annotators")),
        ),
        explanation=EXPLANATION,
        template="analysis/edits_one_by_one.html",
        tabs="edits",
        tab="Precision",
        label="Edits one by one",
        place=1,
        nothing="There are no verdicts on edits. Campaigns with the protocol Edits collect them.",
        fields=("confidence", "domain", "controls", "excluded"),
    )
)
