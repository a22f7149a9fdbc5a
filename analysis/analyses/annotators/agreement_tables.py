"""Tables of agreement, and its figure."""

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from analysis.analyses.annotators.agreement_result import Judging, coefficients, reliability
from analysis.analyses.systems.ranking_tables import MOST_IN_A_MATRIX
from core.columns import AnnotatorPair, Column, Count, Estimated, Number, NumberedAnnotator, Text
from core.names import Naming
from core.results import Computed, Figure, Layout
from core.tables import Table
from figures.annotators.agreement import agreement_figure
from figures.drawing import Chart
from ranking import Kappa, Tally

COEFFICIENTS = Table(
    rows=lambda computed: [*coefficients(computed.result), *reliability(computed.result)],
    columns=(
        Text("figure", "figure", heading="Figure"),
        Estimated(
            "value",
            "value",
            lambda row: row,
            heading="Value",
            ends=("low", "high"),
            ends_on_paper=("from", "to"),
        ),
        Count("n", "n"),
        Text("remark", value=attrgetter("reason")),
    ),
    caption="Agreement",
    comment="Agreement",
)
"""The figures of agreement, and for scores those of reliability."""

PAIRS = Table(
    rows=lambda computed: computed.result.agreement.pairs,
    columns=(
        AnnotatorPair(
            "annotator", "annotator", lambda row: (row.first, row.second), other="with", heading="Annotators"
        ),
        Number(
            "kappa", "kappa", attrgetter("kappa.value"), heading="κ", note=lambda row: row.kappa.reason or ""
        ),
        Count("n", "n", attrgetter("kappa.n"), heading="Comparisons"),
        Text("remark", value=attrgetter("kappa.reason")),
    ),
    order=lambda row, naming: sorted(map(naming.place, (row.first, row.second))),
    caption="Agreement of annotators",
    comment="Agreement of annotators",
)
"""Kappa of each pair of annotators with common judgments, and of those with repeats with themselves."""


class OfAnnotator(NamedTuple):
    """An annotator, or all together.

    Attributes:
        key: of the annotator; empty for all.
        tally: what they judged.
        rest: their agreement with all others together; None for all.
    """

    key: str
    tally: Tally
    rest: Kappa | None


def _annotators(computed: Computed) -> list[OfAnnotator]:
    judging: Judging = computed.result
    return [
        OfAnnotator(key, tally, judging.agreement.rest[key]) for key, tally in judging.judges.judges.items()
    ]


def _counts(computed: Computed) -> Sequence[Column]:
    return (
        NumberedAnnotator("annotator", "annotator", attrgetter("key"), heading="Annotator"),
        Count(
            "screens",
            "screens",
            attrgetter("tally.rankings"),
            heading="Screens" if computed.result.is_scored else "Rankings",
        ),
        Count(
            "pairs_of_outputs", "pairs of outputs", attrgetter("tally.unexpanded"), heading="Pairs of outputs"
        ),
        Count(
            "ties_of_outputs", "ties of outputs", attrgetter("tally.unexpanded_ties"), heading="of them ties"
        ),
        Count(
            "pairs_of_systems", "pairs of systems", attrgetter("tally.expanded"), heading="Pairs of systems"
        ),
        Count(
            "ties_of_systems", "ties of systems", attrgetter("tally.expanded_ties"), heading="of them ties"
        ),
        Number(
            "kappa_with_others",
            "kappa with others",
            lambda row: row.rest and row.rest.value,
            heading="κ with the others",
            note=lambda row: (row.rest and row.rest.reason) or "",
        ),
    )


ANNOTATORS = Table(
    rows=_annotators,
    columns=_counts,
    order=lambda row, naming: naming.place(row.key),
    total=lambda computed: OfAnnotator("", computed.result.judges.total, None),
    caption="Counts per annotator",
    comment="Counts per annotator",
)
"""How much each annotator judged, and their agreement with all others."""


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Kappa of each pair of annotators, by number."""
    annotators = sorted(computed.result.agreement.judges, key=naming.place)
    return agreement_figure(
        computed.result.agreement,
        labels={key: naming.annotator(key) for key in annotators},
        title=f"{naming.title}: agreement of annotators (κ)",
    )


FIGURE = Figure(
    caption="Agreement of each pair of annotators",
    draw=draw,
    has_content=lambda computed: len(computed.result.agreement.judges) <= MOST_IN_A_MATRIX,
)
