"""The tables of MAEGE (Choshen and Abend 2018), with the options of its released code.

These are iBLEU as a sum, BLEU of sentences by the orders that output and all references have, the mean of
sentence scores as the score of a corpus, sentences of random corpora as sources, and quality by characters.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.analyses import published_maege as published
from analysis.analyses.inputs import LatticeTexts, corpus_texts
from analysis.analyses.maege import MAEGE, MaegeVerdict, part_sizes
from analysis.reproduction.cells import Cell, Table, exact, not_comparable, unpublished, within
from analysis.runs.computing import computed
from annotate.storage.english import english_pipeline
from formats import read_m2_with_references
from metrics.validation.maege import CorpusScore, MaegeParameters, Quality, SeedEstimate, Source

COUNTS, BY_TYPE, ORIGINAL = "counts", "3: types", "4: original as source"
TABLES = (COUNTS, "2", BY_TYPE, ORIGINAL)

SEEDS = 10

WRITTEN = {
    "bleu": "bleu:orders=shortest",
    "ibleu": "ibleu:sign=plus:orders=shortest",
    "gleu": "gleu",
    "minld": "minld",
    "max-sari": "max-sari",
    "sari": "sari",
    "ld-source": "ld-source",
    "m2": "m2:ignore-whitespace-casing=yes",
    "grammaticality": "grammaticality",
}
"""Metrics of Table 2 with the options of the released code."""

AS_RELEASED = MaegeParameters(
    metric=", ".join(WRITTEN.values()),
    seeds=SEEDS,
    source=Source.CORPORA,
    quality=Quality.CHARACTERS,
    corpus_score=CorpusScore.MEAN,
)

WITH_ORIGINAL = replace(
    AS_RELEASED,
    metric=", ".join(WRITTEN[name] for name in WRITTEN if name not in ("m2", "grammaticality")),
    source=Source.ORIGINAL,
)

DEVIATIONS = 2
"""The paper has one draw, which agrees within so many standard deviations of the mean over seeds."""

ONE_DRAW = f"the paper has one draw, here {DEVIATIONS} standard deviations over seeds"

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
"""By metric and coefficient, what is known about a figure that differs."""

OTHER_CHECKER = "Harper, which finds few errors; the paper has LanguageTool (--checker of `analyse maege`)"
IN_WORDS = "the paper says so in words"
INDEPENDENT = "by an independent program"
TWO_SEEDS = "it drew two seeds"
NOT_AT_HAND = "the figures of this table are not at hand"

REFERENCES = ("BN1", "BN2", "BN4", "BN5", "BN6", "BN8", "BN9", "BN10")

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class _SingleBar:
    """Progress of a run shown on the single bar of a reproduction.

    Attributes:
        advance: called with the number of parts.
    """

    advance: Progress

    def begin(self, step: str, *, total: int = 0) -> None:
        """Do nothing: the bar has begun."""


def reproduce_from(
    folder: Path, *, tables: Collection[str], progress: Progress, seeds: int = SEEDS
) -> dict[str, Table]:
    """The named tables of `TABLES`, from a folder that holds `conll14/`.

    Raises:
        FormatError: a file is missing or is not what it should be.
        ParameterError: a metric cannot be computed, for example without Harper.
    """
    texts = read_texts(folder)
    made: dict[str, Table] = {}
    released = [table for table in (COUNTS, "2", BY_TYPE) if table in tables]
    if released:
        # One run gives all three, and tells what each would.
        told = sum(table in STEPS for table in released) or 1
        result = _result(texts, replace(AS_RELEASED, seeds=seeds), lambda units: progress(told * units))
        makers = {COUNTS: counts, "2": table_2, BY_TYPE: table_3}
        made |= {table: makers[table](result) for table in released}
    if ORIGINAL in tables:
        made[ORIGINAL] = table_4(_result(texts, replace(WITH_ORIGINAL, seeds=seeds), progress))
    return {table: made[table] for table in TABLES if table in made}


def read_texts(folder: Path) -> LatticeTexts:
    """Both official annotators with the participants' alternatives, and the eight other annotators' texts.

    Raises:
        FormatError: a file is missing or is not what it should be.
    """
    conll = folder / "conll14"
    references = {name: conll / "references" / "bryant-ng-2015" / f"{name}.txt" for name in REFERENCES}
    sentences = read_m2_with_references(conll / "official-2014.combined-withalt.m2", references)
    texts = corpus_texts(sentences, parser=english_pipeline())
    return LatticeTexts(texts.sentences, texts.digest, texts.parser)


STEPS = {
    "2": sum(part_sizes(AS_RELEASED)),
    BY_TYPE: sum(part_sizes(AS_RELEASED)),
    ORIGINAL: sum(part_sizes(WITH_ORIGINAL)),
}
"""How much each table tells its progress in all."""


def counts(result: MaegeVerdict) -> Table:
    """4 cells; the paper prints the number of corrections."""
    note = "the paper says 1,312 chains, which cannot have 7,936 corrections"
    return {
        "corrections": exact(published.CORRECTIONS, result.corrections),
        "sentences": exact(published.SENTENCES, result.sentences, INDEPENDENT, printed=False),
        "chains": exact(published.LATTICES, result.lattices, note, printed=False),
        "comparable pairs": exact(published.PAIRS, result.pairs, INDEPENDENT, printed=False),
    }


def table_2(result: MaegeVerdict) -> Table:
    """27 cells such as "BLEU r": mean over seeds, with the standard deviation as a note."""
    cells: Table = {}
    for name, row in published.TABLE_2.items():
        verdict = result.metrics[WRITTEN[name]]
        cells[f"{row.label} ρ"] = _draw(name, "ρ", row.spearman, verdict.spearman)
        cells[f"{row.label} r"] = _draw(name, "r", row.pearson, verdict.pearson)
        cells[f"{row.label} τ"] = _draw(name, "τ", row.tau, verdict.tau)
    return cells


def table_3(result: MaegeVerdict) -> Table:
    """13 cells: how many types each metric penalises, and whether most metrics penalise some types."""
    cells: Table = {}
    of = f"of {len(result.types)} types; {NOT_AT_HAND}"
    for name, row in published.TABLE_2.items():
        changes = result.metrics[WRITTEN[name]].changes.values()
        number = sum(change.value is not None and change.value < 0 for change in changes)
        cells[f"{row.label} penalises"] = unpublished(number, of)
    for kind, said in published.TYPES.items():
        changes_of = [metric.changes[kind] for metric in result.metrics.values()]
        number = sum(change.value is not None and change.value < 0 for change in changes_of)
        mostly = "penalised" if 2 * number > len(changes_of) else "rewarded"
        sure = sum((each.low or 0.0) > 0 or (each.high or 0.0) < 0 for each in changes_of)
        note = (
            f"penalised by {number} of {len(changes_of)} metrics; with {changes_of[0].edits} edits the "
            f"intervals of {sure} exclude 0; {IN_WORDS}"
        )
        cells[f"{kind} is mostly"] = exact(said, mostly, note, printed=False)
    return cells


def table_4(result: MaegeVerdict) -> Table:
    """Signs that the paper states, and figures of an independent program."""
    cells: Table = {}
    for name in ("sari", "max-sari"):
        verdict, label = result.metrics[WRITTEN[name]], published.TABLE_2[name].label
        cells[f"{label} ρ sign"] = exact("+", _sign(verdict.spearman), IN_WORDS, printed=False)
        cells[f"{label} τ sign"] = exact("+", _sign(verdict.tau), IN_WORDS, printed=False)
    for name, figure in published.ORIGINAL_SPEARMAN.items():
        cells[f"{published.TABLE_2[name].label} ρ"] = _independent(
            figure, result.metrics[WRITTEN[name]].spearman, 0.1
        )
    for name, figure in published.ORIGINAL_TAU.items():
        cells[f"{published.TABLE_2[name].label} τ"] = _independent(
            figure, result.metrics[WRITTEN[name]].tau, 0.05
        )
    return cells


def _result(texts: LatticeTexts, parameters: MaegeParameters, progress: Progress) -> MaegeVerdict:
    made: Any = computed(MAEGE, texts, parameters, _SingleBar(progress), {})
    result: MaegeVerdict = made
    return result


def _draw(name: str, symbol: str, figure: float, estimate: SeedEstimate) -> Cell:
    """Whether the paper's single draw is an ordinary one."""
    if name == "grammaticality":
        return not_comparable(figure, estimate.value, f"{_note(estimate)}; {OTHER_CHECKER}")
    cell = within(figure, estimate.value, DEVIATIONS * (estimate.sd or 0.0), _note(estimate), reason=ONE_DRAW)
    known = DIFFERENCES.get(f"{name} {symbol}")
    return cell if cell.ok or known is None else replace(cell, note=f"{cell.note}; {known}")


def _independent(figure: float, estimate: SeedEstimate, tolerance: float) -> Cell:
    note = f"{_note(estimate)}; {INDEPENDENT}"
    return within(figure, estimate.value, tolerance, note, reason=TWO_SEEDS, printed=False)


def _note(estimate: SeedEstimate) -> str:
    if estimate.sd is None:
        return estimate.reason or ""
    return f"sd {estimate.sd:.3f} over {estimate.seeds} seeds"


def _sign(estimate: SeedEstimate) -> str | None:
    return None if estimate.value is None else "+" if estimate.value > 0 else "-"
