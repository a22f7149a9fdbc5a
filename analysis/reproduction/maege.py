"""The tables of MAEGE (Choshen and Abend 2018), with the options of its released code.

These are iBLEU as a sum, BLEU of sentences by the orders that output and all references have, the mean of
sentence scores as the score of a corpus, sentences of random corpora as sources, and quality by characters.
"""

from collections.abc import Iterable

from analysis.analyses.metrics.maege.published import TABLE_2
from analysis.analyses.metrics.maege.verdict import part_sizes
from analysis.reproduction import maege_figures
from analysis.reproduction.cells import (
    Cell,
    OurFigures,
    Ours,
    Published,
    Table,
    compare,
    printed,
    unpublished,
)
from analysis.reproduction.paper import Paper
from analysis.reproduction.public_data.maege_data import (
    AS_RELEASED,
    DEVIATIONS,
    ONE_DRAW,
    WITH_ORIGINAL,
    WRITTEN,
    Maege,
)
from metrics.meta_evaluation.maege import SeedEstimate, TypeChange

COUNTS, BY_TYPE, ORIGINAL = "counts", "3: types", "4: original as source"

IBLEU_AND_SARI = "no definition that was tried has such a mean"
BY_THE_SOURCE = "the sign depends on the source: with the original (Table 4) it is positive"
OTHER_SOURCES = (
    "the released code sorts the sources before it extracts gold edits, so that M2 sees sources of other "
    "sentences; source=original and m2:beta change it"
)
DIFFERENCES = {
    "ibleu ρ": IBLEU_AND_SARI,
    "sari ρ": f"{IBLEU_AND_SARI}; {BY_THE_SOURCE}",
    "sari τ": BY_THE_SOURCE,
    "max-sari τ": BY_THE_SOURCE,
    "ld-source ρ": "it moves with the sources that are drawn more than any other metric",
    "m2 ρ": OTHER_SOURCES,
    "m2 r": OTHER_SOURCES,
    "m2 τ": OTHER_SOURCES,
}
"""Known causes of figures that differ, by metric and coefficient."""

OTHER_CHECKER = "Harper, which finds few errors; the paper has LanguageTool (--checker of `analyse maege`)"
NOT_AT_HAND = "the figures of this table are not at hand"


def counts(data: Maege) -> Table:
    """4 cells; the paper prints the number of corrections."""
    result = data.as_released
    ours = {
        "corrections": result.corrections,
        "sentences": result.sentences,
        "chains": result.lattices,
        "comparable pairs": result.pairs,
    }
    return compare(printed("maege", COUNTS), ours)


def table_2(data: Maege) -> Table:
    """27 cells such as "BLEU r": mean over seeds, with the standard deviation as a note."""
    cells: Table = {}
    for name, row in TABLE_2.items():
        verdict = data.as_released.metrics[WRITTEN[name]]
        cells[f"{row.label} ρ"] = _draw(name, "ρ", row.spearman, verdict.spearman)
        cells[f"{row.label} r"] = _draw(name, "r", row.pearson, verdict.pearson)
        cells[f"{row.label} τ"] = _draw(name, "τ", row.tau, verdict.tau)
    return cells


def table_3(data: Maege) -> Table:
    """13 cells: how many types each metric penalises, and whether most metrics penalise some types."""
    result = data.as_released
    cells: Table = {}
    of = f"of {len(result.types)} types; {NOT_AT_HAND}"
    for name, row in TABLE_2.items():
        changes = result.metrics[WRITTEN[name]].changes.values()
        cells[f"{row.label} penalises"] = unpublished(_penalised(changes), of)
    published = printed("maege", BY_TYPE)
    ours: OurFigures = {}
    for name in published:
        of_kind = [metric.changes[name.split()[0]] for metric in result.metrics.values()]
        number = _penalised(of_kind)
        sure = sum((each.low or 0.0) > 0 or (each.high or 0.0) < 0 for each in of_kind)
        note = (
            f"penalised by {number} of {len(of_kind)} metrics; with {of_kind[0].edits} edits the "
            f"intervals of {sure} exclude 0"
        )
        ours[name] = Ours("penalised" if 2 * number > len(of_kind) else "rewarded", note)
    return cells | compare(published, ours)


def table_4(data: Maege) -> Table:
    """Signs that the paper states, and figures of an independent program."""
    ours: OurFigures = {}
    for name, row in TABLE_2.items():
        if verdict := data.with_original.metrics.get(WRITTEN[name]):
            for symbol, estimate in (("ρ", verdict.spearman), ("τ", verdict.tau)):
                ours[f"{row.label} {symbol}"] = Ours(estimate.value, _note(estimate))
                ours[f"{row.label} {symbol} sign"] = _sign(estimate)
    return compare(printed("maege", ORIGINAL), ours)


def _penalised(changes: Iterable[TypeChange]) -> int:
    return sum(change.value is not None and change.value < 0 for change in changes)


def _draw(name: str, symbol: str, figure: float, estimate: SeedEstimate) -> Cell:
    """Whether the paper's single draw is an ordinary one."""
    note = _note(estimate)
    if name == "grammaticality":
        return Published(figure).cell(Ours(estimate.value, cannot=f"{note}; {OTHER_CHECKER}"))
    published = Published(figure, DEVIATIONS * (estimate.sd or 0.0), reason=ONE_DRAW)
    known = "" if published.agrees(estimate.value) else DIFFERENCES.get(f"{name} {symbol}", "")
    return published.cell(Ours(estimate.value, "; ".join(filter(None, (note, known)))))


def _note(estimate: SeedEstimate) -> str:
    if estimate.sd is None:
        return estimate.reason or ""
    return f"sd {estimate.sd:.3f} over {estimate.seeds} seeds"


def _sign(estimate: SeedEstimate) -> str | None:
    return None if estimate.value is None else "+" if estimate.value > 0 else "-"


PAPER = Paper(
    data=Maege,
    tables={
        COUNTS: counts,
        "2": table_2,
        BY_TYPE: table_3,
        ORIGINAL: table_4,
        "figure 1": maege_figures.figure_1,
        "figure 5": maege_figures.figure_5,
    },
    progress="Scoring corrections",
    steps={
        (COUNTS, "2", BY_TYPE): sum(part_sizes(AS_RELEASED)),
        (ORIGINAL,): sum(part_sizes(WITH_ORIGINAL)),
    },
)
