"""What pages say of outputs that no reference contains, and of scores before and after the valid ones become
references."""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.references.collected import GrowingReferences
from analysis.analyses.references.growing_references import (
    CoveredSystem,
    GrownParameters,
    GrownResult,
    Prediction,
    grown_references,
)
from core.columns import Count, Estimated, Number, System, Text
from core.names import Naming
from core.results import Computed, Section
from core.tables import Table
from core.wording import counted, literal, percent, some_of, whole_percent
from metrics.meta_evaluation import Estimate
from metrics.references import GrownScores, SystemChange


def _systems(computed: Computed) -> tuple[SystemChange, ...]:
    scores: GrownScores | None = computed.result.scores
    return scores.systems if scores else ()


def headline(computed: Computed, naming: Naming) -> str:
    """How scores and ranks have changed; before references grow, how many outputs they contain."""
    systems, grown = _systems(computed), computed.result.grown
    if not systems:
        return _of_outputs(computed)
    said = "1 output became a reference" if grown == 1 else f"{grown:,} outputs became references"
    gains = [each.gain.value for each in systems if each.gain.value is not None]
    if not gains:
        return said
    ends = dict.fromkeys(f"{gain:+z.3f}" for gain in (min(gains), max(gains)))
    clear = sum(each.gain.low is not None and each.gain.low > 0 for each in systems)
    moved = sum(each.rank_after != each.rank_before for each in systems)
    ranks = f"{some_of(moved, len(systems), 'system', does='changes rank', do='change ranks')}"
    return f"{said}: F changed by {' to '.join(ends)}, clearly up for {clear} of {len(systems)}; {ranks}"


def _of_outputs(computed: Computed) -> str:
    """How many changes of systems references contain."""
    covered: Sequence[CoveredSystem] = computed.result.covered
    if not covered:
        return "No output has become a reference yet"
    contained = whole_percent(_all_outputs(covered).share.value or 0.0)
    return f"References contain {contained} of the outputs that change their sentence"


def _all_outputs(covered: Sequence[CoveredSystem]) -> CoveredSystem:
    """The outputs of all systems together."""
    changed = sum(each.changed for each in covered)
    contained = sum((each.share.value or 0.0) * each.changed for each in covered)
    return CoveredSystem("", changed, Estimate(contained / changed, None, None, None))


def lead(computed: Computed, naming: Naming) -> str:
    """A warning about whom such references favour, or advice how to get some; and systems not scored."""
    result: GrownResult = computed.result
    about = (
        "**References that were outputs of systems favour these systems.** Systems that are not among them "
        "are at a disadvantage: their valid corrections may still be missing. *Without its own* leaves out "
        "the references that the scored system itself produced."
        if result.scores
        else "An output that no reference contains counts as wrong even if it is valid. No output has become "
        "a reference yet: [ask people which outputs are valid](../../references/), and make references of "
        "the valid ones; this page then says how scores and ranks change."
    )
    left_out = ", ".join(literal(naming.label(system)) for system in result.left_out)
    return f"{about}\n\n{f'Not scored, because outputs are missing: {left_out}.' if left_out else ''}"


def ranks(computed: Computed, naming: Naming) -> str:
    """Which systems have another rank, with all references and without their own."""
    systems = _systems(computed)
    if not systems:
        return ""

    def moved(rank: str) -> str:
        return ", ".join(
            f"{literal(naming.label(each.system))} from rank {each.rank_before} to {getattr(each, rank)}"
            for each in systems
            if getattr(each, rank) != each.rank_before
        )

    nobody = "no system changed its rank"
    return (
        f"- All references: {moved('rank_after') or nobody}.\n"
        f"- Each without its own references: {moved('rank_without_own') or nobody}."
    )


def predicted(computed: Computed, naming: Naming) -> str:
    """A sentence about the share of sentences on which a perfect corrector would match a reference."""
    prediction: Prediction | None = computed.result.prediction
    if prediction is None:
        return ""
    if prediction.reason is not None:
        return f"No prediction: {prediction.reason}."
    sentences = counted(prediction.sentences, "sentence")
    return (
        f"A perfect corrector would match a reference on {_share(prediction.before)} of the sentences "
        f"before, and on {_share(prediction.after)} with as many references as there are now, if these were "
        f"corrections by people. Estimated from {sentences} that people corrected twice or more; few "
        "corrections of each say little about those that nobody gave."
    )


def _share(estimate: Estimate) -> str:
    interval = "" if estimate.low is None else f" ({estimate.low:.3f} to {estimate.high:.3f})"
    return f"{estimate.value:.3f}{interval}"


KINDS = {"before": "before", "after": "after", "without_own": "without its own"}
"""The sets of references that systems are scored with, by attribute of a `SystemChange`."""


def _of_kind(row: SystemChange, kind: str, figure: str) -> Any:
    return getattr(getattr(row, kind), figure)


def _value_of_kind(row: SystemChange, kind: str, figure: str) -> float | None:
    value: float | None = _of_kind(row, kind, figure).value
    return value


SYSTEMS = Table(
    rows=_systems,
    columns=(
        System("system", "System"),
        Count("", "Its outputs among them", attrgetter("own"), on_paper=False),
        *(
            column
            for kind, words in KINDS.items()
            for column in (
                Estimated(
                    f"f_{kind}",
                    f"F {words}",
                    partial(_of_kind, kind=kind, figure="f"),
                    ends=(f"f_low_{kind}", f"f_high_{kind}"),
                    is_shaded=True,
                ),
                Number(f"precision_{kind}", value=partial(_value_of_kind, kind=kind, figure="precision")),
                Number(f"recall_{kind}", value=partial(_value_of_kind, kind=kind, figure="recall")),
                *(
                    Number(f"{figure}_{kind}", value=partial(_of_kind, kind=kind, figure=figure))
                    for figure in ("tp", "fp", "fn")
                ),
            )
        ),
        Estimated("gain", "Gain", is_shaded=True, on_paper=False),
        Count("rank_before", "Rank before"),
        Count("rank_after", "after", heading="Rank after"),
        Count("rank_without_own", "without its own", heading="Rank without its own"),
        Count("own_references", value=attrgetter("own")),
    ),
    caption="F and ranks of systems before and after",
    note=lambda computed, naming: (
        f"The lines are {percent(computed.parameters.confidence)} intervals over resampled sentences, the "
        "same before and after. The files hold the figures of the next table, too."
    ),
)

PRECISION = Table(
    rows=_systems,
    columns=(
        System("", "System", attrgetter("system")),
        *(
            Estimated("", f"{letter} {words}", partial(_of_kind, kind=kind, figure=figure), is_shaded=True)
            for letter, figure in (("P", "precision"), ("R", "recall"))
            for kind, words in KINDS.items()
        ),
        *(
            Number("", f"False positives {words}", partial(_of_kind, kind=kind, figure="fp"), digits=1)
            for kind, words in KINDS.items()
        ),
    ),
    caption="Precision, recall and false positives of systems before and after",
    in_files=False,
)

COVERED = Table(
    rows=lambda computed: computed.result.covered,
    columns=(
        System("system", "System"),
        Estimated("share", "In a reference", drawn="Share that a reference contains", percent_digits=1),
        Count("changed", "Sentences changed"),
    ),
    caption="Outputs that references contain",
    total=lambda computed: _all_outputs(computed.result.covered),
    note=lambda computed, naming: (
        "Of sentences with references, and without outputs that leave the sentence as it is. A reference "
        "contains an output if all tokens are equal. The lines are "
        f"{percent(computed.parameters.confidence)} intervals over resampled sentences."
    ),
)

COUNTS = Table(
    rows=lambda computed: [
        ("References before", computed.result.references),
        ("Outputs that became references", computed.result.grown),
        ("Outputs that no reference contains", computed.result.uncovered),
    ],
    columns=(Text("", "Texts", itemgetter(0)), Count("", "Number", itemgetter(1))),
    caption="Number of references",
    in_files=False,
)

EXPLANATION = """
A reference contains an output if their tokens are equal. Outputs that more people judge valid than invalid
become further references of their sentence. Before: the references that people gave. A sentence without gold
edits still counts as left unchanged by one annotator. For each sentence, P, R and F use the reference that
suits the system best, as the metric does, so a further reference changes P and R only where it suits a system
better.
"""

GROWN_REFERENCES = register(
    Analysis(
        name="grown-references",
        title="Growing references",
        group=Group.REFERENCES,
        question="What changes when valid outputs become references?",
        defined_in="references.md",
        help="Outputs that no reference contains, and scores of systems before and after the valid ones "
        "become references.",
        parameters=GrownParameters,
        result=GrownResult,
        inputs=GrowingReferences,
        compute=grown_references,
        tables={
            "counts": COUNTS,
            "grown-references": SYSTEMS,
            "precision": PRECISION,
            "covered": COVERED,
        },
        headline=headline,
        lead=lead,
        sections=(
            Section(title="Changes of rank", note=ranks),
            Section(title="Coverage predicted from corrections", note=predicted),
            Section(title="Number of references", tables=("counts",), is_folded=True),
        ),
        explanation=EXPLANATION,
        template="analysis/grown_references.html",
        at_once=False,
    )
)
