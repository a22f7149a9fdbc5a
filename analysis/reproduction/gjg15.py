"""The tables of GJG15 (Grundkiewicz, Junczys-Dowmunt and Gillian 2015, "Human Evaluation of Grammatical Error
Correction Systems", EMNLP), computed from its judgments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import astuple
from fractions import Fraction

from analysis.reproduction.cells import OurFigures, Ours, Table, compare, printed
from analysis.reproduction.gjg15_judges import table_6, table_7
from analysis.reproduction.gjg15_metrics import drawn_figure_3, figure_3, table_3a, table_5
from analysis.reproduction.gjg15_own_scores import figure_3_by_assay, maege_1, table_5_by_assay
from analysis.reproduction.gjg15_rankings import (
    REPLICATES,
    RESAMPLED_BY_PAIR,
    table_3b,
    table_3c,
    table_4,
)
from analysis.reproduction.paper import Paper
from analysis.reproduction.public_data.gjg15_data import JUDGES, Gjg15, annotator
from annotate.design.sampling import expected_coverage, pseudo_probability, sampling_probabilities
from ranking import Kappa, Unit, agreement, annotator_counts, group_pairs, head_to_head

FEWEST_COMPARISONS = 50
"""Minimum number of comparisons; with fewer, Table 2b prints *."""

SCREEN = 5
"""M of section 4.1: the maximum number of outputs that a judge saw together."""

COLUMNS = ("rankings", "unexpanded pairs", "unexpanded ties", "expanded pairs", "expanded ties")
"""The columns of Table 1, in the order of `ranking.annotators.annotator_counts.Tally`."""


def table_1(data: Gjg15) -> Table:
    """Rankings, pairs and ties of each judge: 45 cells such as "Judge 1 expanded ties"."""
    counts = annotator_counts(data.snapshot)
    tallies = {judge: counts.judges.get(annotator(judge)) for judge in JUDGES}
    rows = {f"Judge {judge}": tally for judge, tally in tallies.items() if tally}
    return compare(
        printed("gjg15", "1"),
        {
            f"{name} {column}": number
            for name, tally in (rows | {"Total": counts.total}).items()
            for column, number in zip(COLUMNS, astuple(tally), strict=True)
        },
    )


def table_2(data: Gjg15) -> Table:
    """Kappa: "inter" and "intra" of all judges, and 36 cells such as "1-2" (two judges) and "1-1" (one)."""
    judges = agreement(data.snapshot, min_comparisons=FEWEST_COMPARISONS)
    ours: OurFigures = {
        "inter": Ours(judges.inter.value, _mean_note(judges.inter_pooled)),
        "intra": Ours(judges.intra.value, _mean_note(judges.intra_pooled)),
    }
    for first in JUDGES:
        for second in range(first, len(JUDGES) + 1):
            kappa = judges.between(annotator(first), annotator(second))
            star = "*" if kappa.n < FEWEST_COMPARISONS else None
            ours[f"{first}-{second}"] = Ours(kappa.value, f"{kappa.n} comparisons", star)
    return compare(printed("gjg15", "2"), ours)


def table_3d(data: Gjg15) -> Table:
    """How often the column's system beat the row's, and the sign test's mark, such as "AMU/RAC value"."""
    ours: OurFigures = {}
    for (column, row), each in head_to_head(group_pairs(data.snapshot, Unit.PAIR)).comparisons.items():
        ours |= {f"{row}/{column} value": each.share, f"{row}/{column} mark": each.mark}
    return compare(printed("gjg15", "3d"), ours)


def sampling(data: Gjg15) -> Table:
    """Section 4.1: 40 cells; only the mean number of distinct outputs is printed in the paper.

    The others follow exactly from its formula and data. Shapes are such as "1^4,9", 1^4 being four outputs of
    one system each.
    """
    shapes = data.shapes
    distinct = [len(shape) for shape in shapes]
    probabilities = sampling_probabilities(shapes, SCREEN)
    smallest, largest = min(probabilities), max(probabilities)
    published = printed("gjg15", "sampling")
    ours: OurFigures = {
        "mean distinct outputs": sum(distinct) / len(distinct),
        "sum of p'": float(sum((pseudo_probability(shape, SCREEN) for shape in shapes), Fraction())),
        "smallest p": float(smallest),
        "largest p": float(largest),
        "largest p / smallest p": _exactly(largest / smallest),
    }
    ours |= _histogram(Counter(distinct))
    for name in published:
        shape, is_shape, what = name.removeprefix("(").partition(") ")
        if is_shape:
            formula = expected_coverage if what == "C" else pseudo_probability
            ours[name] = _exactly(formula(_multiplicities(shape), SCREEN))
    return compare(published, ours)


def _mean_note(pooled: Kappa) -> str:
    alternative = f"pooled: {pooled.value:.4f}" if pooled.value is not None else pooled.reason
    return (
        f"mean of the kappas with at least {FEWEST_COMPARISONS} comparisons, weighted by them; {alternative}"
    )


def _histogram(sentences: Mapping[int, int]) -> dict[str, int]:
    return {f"sentences with distinct outputs = {number}": sentences[number] for number in range(1, 14)}


def _multiplicities(shape: str) -> tuple[int, ...]:
    """The multiplicities of a shape: "1^4,9" is (1, 1, 1, 1, 9)."""
    parts = (part.partition("^") for part in shape.split(","))
    return tuple(int(size) for size, _, repeats in parts for _ in range(int(repeats or 1)))


def _exactly(ours: Fraction) -> Ours:
    return Ours(float(ours), str(ours))


PAPER = Paper(
    data=Gjg15,
    tables={
        "1": table_1,
        "2": table_2,
        "3a": table_3a,
        "3b": table_3b,
        "3c": table_3c,
        "3d": table_3d,
        "4": table_4,
        "5": table_5,
        "6": table_6,
        "7": table_7,
        "figure 3": figure_3,
        "sampling": sampling,
        "5 by Assay": table_5_by_assay,
        "figure 3 by Assay": figure_3_by_assay,
        "MAEGE 1": maege_1,
    },
    progress="Resampling",
    steps={(table,): replicates for table, replicates in REPLICATES.items()},
    draw=drawn_figure_3,
    remarks=dict.fromkeys(REPLICATES, RESAMPLED_BY_PAIR),
)
