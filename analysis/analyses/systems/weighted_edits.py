"""Weighted edits: precision of systems if people's verdicts weigh the edits that references lack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.from_judgments import FromAnswers
from analysis.analyses.resampling import (
    confidence_of_intervals,
    replicates_of_intervals,
    seed_of_everything,
    small_intervals,
)
from analysis.analyses.systems.beside_references import EditsBesideReferences
from core.columns import Count, Estimated, Number, System, Text
from core.names import Naming
from core.parameters import parameter
from core.progress import NoProgress, Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import counted, literal, percent, whole_percent
from figures.drawing import Chart
from figures.systems.weighted_precision import DrawnPair, pairs_figure
from formats.snapshot.vocabulary import AnswerKind
from metrics.references.weighted_edits import TypeWeight, WeightedSystem, weighted_edits
from ranking.judgments.edit_verdicts import COLUMNS, edit_verdicts

LEAST_RISE = 0.005
"""Rise of precision that the text mentions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedEditsParameters(FromAnswers):
    """Options. Attributes: see each parameter's help."""

    prior: int = parameter(
        10,
        label="Prior",
        help="Number of judged edits that the share of all types weighs in the weight of a type.",
        minimum=1,
        maximum=1000,
    )
    replicates: int = replicates_of_intervals(minimum=1, maximum=10_000)
    confidence: float = confidence_of_intervals()
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True)
class WeightedEditsResult:
    """Weights of edits, and systems with them.

    Attributes:
        signature: computation and inputs; equal signatures mean equal numbers.
        total: the edits outside the references, of all types together.
        types: by type, those with most judged edits first.
        systems: those with the highest weighted F0.5 first.
    """

    signature: str
    total: TypeWeight
    types: tuple[TypeWeight, ...]
    systems: tuple[WeightedSystem, ...]


def weigh_edits(
    inputs: EditsBesideReferences, parameters: WeightedEditsParameters, progress: Progress | None = None
) -> WeightedEditsResult:
    """Weigh the edits of systems, and score the systems with and without the weights.

    Raises:
        SnapshotError: as `ranking.judgments.edit_verdicts.edit_verdicts`.
    """
    progress = progress or NoProgress()
    progress.begin("Resampling sentences", total=parameters.replicates)
    found = weighted_edits(
        inputs.made,
        edit_verdicts(inputs.snapshot),
        prior=parameters.prior,
        replicates=parameters.replicates,
        confidence=parameters.confidence,
        seed=parameters.seed,
        progress=progress.advance,
    )
    signature = inputs.signature(stated("weighted-edits", parameters))
    if not found.total.judged:
        return WeightedEditsResult(signature, found.total, (), ())
    systems = sorted(found.systems, key=lambda each: -(each.weighted_f.value or 0.0))
    return WeightedEditsResult(signature, found.total, found.types, tuple(systems))


SYSTEMS = Table(
    rows=lambda computed: computed.result.systems,
    columns=(
        System("system", "System"),
        Estimated("precision", "Precision", is_shaded=True),
        Estimated("weighted_precision", "Weighted precision", is_shaded=True),
        Estimated("recall", "Recall", is_shaded=True),
        Estimated("f", "F0.5", is_shaded=True),
        Estimated("weighted_f", "Weighted F0.5", is_shaded=True),
        Count("edits", "Edits"),
        Count("covered", "In references"),
        Count("judged", "Judged outside"),
    ),
    caption="Systems by the references alone, and with people’s verdicts as weights",
    note=lambda computed, naming: (
        f"{small_intervals(computed, 'over sentences.')} Precision, recall and F0.5 are counted as ERRANT "
        "counts, on edits that were found as those that were judged."
    ),
)

TYPES = Table(
    rows=lambda computed: computed.result.types,
    columns=(
        Text("type", "Type"),
        Count("judged", "Judged edits"),
        Estimated(
            "share",
            "Accepted",
            ends=("low", "high"),
            ends_on_paper=("from", "to"),
            drawn="Accepted with interval",
        ),
        Number("weight", "Weight"),
        Count("unjudged", "Edits with this weight"),
    ),
    caption="Edits that the references lack, by type",
    note=lambda computed, naming: (
        f"The lines are Wilson’s {percent(computed.parameters.confidence)} intervals. Edits that were judged "
        "weigh the share of people who accepted them; the others have the weight of their type."
    ),
)


def headline(computed: Computed, naming: Naming) -> str:
    """How many edits outside the references people accept, and what that changes."""
    result: WeightedEditsResult = computed.result
    if result.total.share.value is None:
        return "No edit that the references lack has a verdict yet"
    share = whole_percent(result.total.share.value)
    said = f"People accept {share} of edits that the references lack"
    if len(result.systems) < 2:
        return said
    order = "changes" if _moved(result.systems) else "stays"
    lifts = [f"{_lift(each):.2f}" for each in sorted(result.systems, key=_lift)]
    by = lifts[0] if lifts[0] == lifts[-1] else f"{lifts[0]} to {lifts[-1]}"
    rises = f"precision rises by {by}, and " if float(lifts[-1]) >= LEAST_RISE else ""
    return f"{said}; with these and edits of any reference, {rises}the order of systems by F0.5 {order}"


def lead(computed: Computed, naming: Naming) -> str:
    """What was judged, the largest rise of precision, and the systems that change places."""
    result: WeightedEditsResult = computed.result
    if not result.systems:
        return ""
    outside = counted(result.total.judged, "different edit")
    said = [f"People accepted or rejected {outside} that no reference has."]
    most = max(result.systems, key=_lift)
    if _lift(most) >= LEAST_RISE:
        before, after = most.precision.value or 0.0, most.weighted_precision.value or 0.0
        name = literal(naming.label(most.system))
        said.append(f"The precision of {name} rises from {before:.2f} to {after:.2f}.")
    if moved := _moved(result.systems):
        places = ", ".join(
            f"{literal(naming.label(system))} from {before} to {after}" for system, before, after in moved
        )
        said.append(f"Places by F0.5 change: {places}.")
    return " ".join(said)


def _lift(system: WeightedSystem) -> float:
    return (system.weighted_precision.value or 0.0) - (system.precision.value or 0.0)


def _moved(systems: Sequence[WeightedSystem]) -> list[tuple[str, int, int]]:
    """The systems that weights move, with their places before and after by F0.5."""
    before, after = (_places(systems, name) for name in ("f.value", "weighted_f.value"))
    return [(name, before[name], place) for name, place in after.items() if before[name] != place]


def _places(systems: Sequence[WeightedSystem], figure: str) -> dict[str, int]:
    """The place of each system, the first first; equal values share a place."""
    values = {each.system: attrgetter(figure)(each) or 0.0 for each in systems}
    ordered = sorted(values, key=lambda name: -values[name])
    return {name: 1 + sum(value > values[name] for value in values.values()) for name in ordered}


def draw_systems(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """The precision of each system by the references, and with weights."""
    systems: Sequence[WeightedSystem] = computed.result.systems
    labels = naming.distinct_labels(each.system for each in systems)
    rows = [
        DrawnPair(labels[each.system], each.precision.value or 0.0, each.weighted_precision.value or 0.0)
        for each in systems
    ]
    return pairs_figure(
        rows,
        title=f"{naming.title}: weighted edits",
        axis="precision: ○ by the references, ● with people’s verdicts as weights",
        layout=layout,
    )


def methods(parameters: WeightedEditsParameters, result: WeightedEditsResult) -> list[str]:
    """What was asked and computed, in sentences for a paper."""
    share = result.total.share.value
    return [
        "Annotators judged edits of outputs one by one. An edit weighs 1 if a reference has it; otherwise "
        "the share of the verdicts that accept it among those that accept or reject it; and without one, "
        f"(a + {parameters.prior} p) / (n + {parameters.prior}), where n edits of its type outside the "
        "references were judged, a is the sum of their shares, and p the share of all types.",
        f"{result.total.judged:,} different edits outside the references were judged"
        + (f", and p is {share:.3f}." if share is not None else "."),
        "Weighted precision is the mean weight of a system’s edits; recall is that of the references, of "
        "which ERRANT chooses one for each sentence. Intervals at "
        f"{100 * parameters.confidence:g} % confidence are from {parameters.replicates:,} resamples of "
        f"sentences (seed {parameters.seed}), each with weights of its own.",
    ]


EXPLANATION = """
Precision by references counts each edit that they lack as wrong, although people accept many of these. So an
edit weighs 1 if a reference has it; otherwise the share of people who accepted it, among those who accepted
or rejected it; and if nobody did either, the share of its type, *(a + m p) / (n + m)*: *n* edits of the type
outside the references were judged, *a* is the sum of their shares, *p* the share of all types together, and
*m* the *prior*. A type with few judged edits thus has about the share of all types. Weighted precision is the
mean weight of a system’s edits.

Recall is that of the references: nobody judged what a system did not change. ERRANT chooses one reference for
each sentence; an edit weighs 1 if any reference has it. Edits are those that the campaign asked about, of
ERRANT or by alignment of words, and found in the same way in all outputs and references of the corpus.
References that were outputs of systems, and sentences without references, are left out.
"""

WEIGHTED_EDITS = register(
    Analysis(
        name="weighted-edits",
        title="Weighted edits",
        group=Group.SYSTEMS,
        question="How precise are systems if people judge what references lack?",
        defined_in="ranking.md#weighted-edits",
        help="Precision and F0.5 of systems if people's verdicts weigh the edits that references lack.",
        parameters=WeightedEditsParameters,
        result=WeightedEditsResult,
        inputs=EditsBesideReferences,
        columns=COLUMNS,
        answers=AnswerKind.EDITS,
        compute=weigh_edits,
        tables={"systems": SYSTEMS, "types": TYPES},
        figures={
            "systems": Figure(
                caption="Precision of each system without and with weights",
                draw=draw_systems,
                has_content=lambda computed: bool(computed.result.systems),
                of_table="systems",
            )
        },
        headline=headline,
        lead=lead,
        methods=methods,
        sections=(Section(title="By type", tables=("types",)),),
        explanation=EXPLANATION,
        at_once=False,
        tabs="edits",
        tab="Weighted",
        label="Weighted edits",
        place=2,
        nothing="There are no verdicts on edits that the references lack.",
        fields=("prior", "confidence", "domain", "excluded"),
    )
)
