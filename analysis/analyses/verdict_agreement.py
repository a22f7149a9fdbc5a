"""Tables of how far annotators agree on verdicts, of results with annotators, kappas and an alpha."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any

from core.columns import Count, Number, Text
from core.results import Computed
from core.tables import Table
from ranking import Alpha, Kappa


@dataclass(frozen=True, slots=True)
class OfAnnotator:
    """The counts of an annotator's verdicts, and their agreement with all others together."""

    counts: Any
    kappa: Kappa


def of_annotators(computed: Computed) -> Iterator[OfAnnotator]:
    """A row for each annotator of the result."""
    return map(OfAnnotator, computed.result.annotators, computed.result.with_rest)


WITH_THE_OTHERS = Number(
    "kappa",
    "κ with the others",
    attrgetter("kappa.value"),
    digits=2,
    note=lambda row: row.kappa.reason or f"{row.kappa.n:,} comparisons",
)


def agreement_table(caption: str) -> Table:
    """Kappa between annotators, of annotators with themselves, and alpha, with what was compared."""
    return Table(
        rows=_agreement,
        columns=(
            Text("measure", "Measure", itemgetter(0)),
            Number(
                "value", "Value", lambda row: row[1].value, digits=2, note=lambda row: row[1].reason or ""
            ),
            Count("n", "Comparisons", itemgetter(2)),
        ),
        caption=caption,
    )


def _agreement(computed: Computed) -> Iterator[tuple[str, Kappa | Alpha, int]]:
    """Question, coefficient, number of comparisons or units."""
    result = computed.result
    if result.annotators:
        yield "κ between annotators", result.between, result.between.n
        yield "κ of annotators with themselves", result.repeated, result.repeated.n
        yield "Krippendorff’s α, nominal", result.alpha, result.alpha.units
