"""The tables of GJG15 (Grundkiewicz et al. 2015), computed from its judgments and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from analysis.reproduction import published_gjg15 as published
from analysis.reproduction.cells import Cell, Table, Verdict, exact, rounded
from analysis.reproduction.gjg15_judges import annotator, table_6, table_7
from analysis.reproduction.gjg15_metrics import ReleasedScores, figure_3, human_scores, table_5
from analysis.reproduction.gjg15_rankings import table_3b, table_3c, table_4
from annotate.design.sampling import expected_coverage, pseudo_probability, sampling_probabilities
from core.later import pd
from ranking import Kappa, Unit, agreement, count_pairs, group_pairs, head_to_head, judge_counts
from ranking.resampling import Progress

NOT_PRINTED = "not printed; computed independently"

TABLES = ("1", "2", "3b", "3c", "3d", "4", "5", "6", "7", "figure 3", "sampling")


def reproduce(
    snapshot: pd.DataFrame,
    shapes: Sequence[Sequence[int]],
    metrics: ReleasedScores,
    *,
    tables: Collection[str],
    progress: Progress,
) -> dict[str, Table]:
    """The tables named in `tables`, a subset of `TABLES`, as cells by name.

    `snapshot` holds the paper's judgments, judge n being the annotator "annotator0n"; `shapes` the
    multiplicities of the distinct outputs of each of its sentences, over all 13 systems (see
    `annotate.design.sampling`); `metrics` the published scores of automatic metrics. `progress` gets the
    number of finished bootstrap replicates, of `REPLICATES` per table.

    Raises `ranking.SnapshotError` for a frame that is not a snapshot, `ranking.ResamplingError` for too few
    judgments, and `SamplingError` for shapes without a probability. Other judgments or shapes than the
    paper's give cells that are not ok.
    """
    counts = count_pairs(snapshot)
    human = human_scores(counts)
    compute: Mapping[str, Callable[[], Table]] = {
        "1": lambda: table_1(snapshot),
        "2": lambda: table_2(snapshot),
        "3b": lambda: table_3b(snapshot, progress),
        "3c": lambda: table_3c(snapshot, progress),
        "3d": lambda: table_3d(snapshot),
        "4": lambda: table_4(snapshot, progress),
        "5": lambda: table_5(human, metrics),
        "6": lambda: table_6(snapshot),
        "7": lambda: table_7(snapshot),
        "figure 3": lambda: figure_3(human, metrics),
        "sampling": lambda: sampling(shapes),
    }
    return {name: compute[name]() for name in TABLES if name in tables}


def table_1(snapshot: pd.DataFrame) -> Table:
    """Rankings, pairs and ties of each judge: 45 cells such as "Judge 1 expanded ties"."""
    counts = judge_counts(snapshot)
    rows = {
        f"Judge {judge}": (figures, counts.judges.get(annotator(judge)))
        for judge, figures in published.TABLE_1.items()
    } | {"Total": (published.TABLE_1_TOTAL, counts.total)}
    fields = ("rankings", "unexpanded", "unexpanded_ties", "expanded", "expanded_ties")
    return {
        f"{name} {column}": exact(figure, getattr(tally, field, None))
        for name, (figures, tally) in rows.items()
        for column, field, figure in zip(published.TABLE_1_COLUMNS, fields, figures, strict=True)
    }


def table_2(snapshot: pd.DataFrame) -> Table:
    """Kappa: "inter" and "intra" of all judges, and 36 cells such as "1-2" (two judges) and "1-1" (one)."""
    judges = agreement(snapshot, min_comparisons=published.FEWEST_COMPARISONS)
    cells = {
        "inter": rounded(published.TABLE_2A["inter"], judges.inter.value, 2, _mean_note(judges.inter_pooled)),
        "intra": rounded(published.TABLE_2A["intra"], judges.intra.value, 2, _mean_note(judges.intra_pooled)),
    }
    for (first, second), figure in published.TABLE_2B.items():
        kappa = judges.between(annotator(first), annotator(second))
        cells[f"{first}-{second}"] = _kappa_cell(figure, kappa)
    return cells


def table_3d(snapshot: pd.DataFrame) -> Table:
    """Head-to-head: 156 values and 156 marks by row and column, such as "AMU/RAC value"."""
    comparisons = head_to_head(group_pairs(snapshot, Unit.PAIR)).comparisons
    cells = {}
    for (row, column), (share, mark) in published.TABLE_3D.items():
        ours = comparisons.get((column, row))
        cells[f"{row}/{column} value"] = rounded(share, ours.share if ours else None, 2)
        cells[f"{row}/{column} mark"] = exact(mark, ours.mark if ours else None)
    return cells


def sampling(shapes: Sequence[Sequence[int]]) -> Table:
    """Section 4.1: 40 cells; only the mean number of distinct outputs is printed in the paper."""
    distinct_outputs = [len(shape) for shape in shapes]
    mean = sum(distinct_outputs) / len(distinct_outputs) if distinct_outputs else None
    return {
        "mean distinct outputs": rounded(published.MEAN_DISTINCT_OUTPUTS, mean, 1),
        **_histogram(Counter(distinct_outputs)),
        **_probabilities(shapes),
        **_coverages(),
    }


def _mean_note(pooled: Kappa) -> str:
    alternative = f"pooled: {pooled.value:.4f}" if pooled.value is not None else pooled.reason
    return (
        f"mean of the kappas with at least {published.FEWEST_COMPARISONS} comparisons, weighted by them; "
        f"{alternative}"
    )


def _kappa_cell(figure: float | str, kappa: Kappa) -> Cell:
    comparisons = f"{kappa.n} comparisons"
    if isinstance(figure, float):
        return rounded(figure, kappa.value, 2, comparisons)
    note = f"{comparisons}: the paper prints * for fewer than {published.FEWEST_COMPARISONS}"
    is_starred = kappa.n < published.FEWEST_COMPARISONS
    return Cell(figure, kappa.value, 0.0, Verdict.AGREES if is_starred else Verdict.DIFFERS, note)


def _histogram(sentences: Mapping[int, int]) -> Table:
    note = "drawn in Figure 1 of the paper without its value: counted independently"
    return {
        f"sentences with distinct outputs = {outputs}": exact(figure, sentences[outputs], note, printed=False)
        for outputs, figure in enumerate(published.SENTENCES_BY_DISTINCT_OUTPUTS, start=1)
    }


def _probabilities(shapes: Sequence[Sequence[int]]) -> Table:
    probabilities = sampling_probabilities(shapes, published.SCREEN)
    smallest, largest = min(probabilities), max(probabilities)
    unprinted = partial(rounded, note=NOT_PRINTED, printed=False)
    total = sum((pseudo_probability(shape, published.SCREEN) for shape in shapes), Fraction())
    return {
        "sum of p'": unprinted(published.SUM_OF_PSEUDO_PROBABILITIES, float(total), 12),
        "smallest p": unprinted(published.SMALLEST_PROBABILITY, float(smallest), 8),
        "largest p": unprinted(published.LARGEST_PROBABILITY, float(largest), 8),
        "largest p / smallest p": _fraction(published.LARGEST_OVER_SMALLEST_PROBABILITY, largest / smallest),
    }


def _coverages() -> Table:
    cells = {}
    for shape, (coverage, pseudo) in published.COVERAGES.items():
        sizes = published.multiplicities(shape)
        cells[f"({shape}) C"] = _fraction(coverage, expected_coverage(sizes, published.SCREEN))
        cells[f"({shape}) p'"] = _fraction(pseudo, pseudo_probability(sizes, published.SCREEN))
    return cells


def _fraction(figure: Fraction, ours: Fraction) -> Cell:
    cell = exact(str(figure), str(ours), NOT_PRINTED, printed=False)
    return replace(cell, published=float(figure), ours=float(ours), note=f"exactly {ours}; {cell.note}")
