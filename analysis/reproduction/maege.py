"""The tables of MAEGE (Choshen and Abend 2018), with the options of its released code.

These are iBLEU as a sum, BLEU of sentences by the orders that output and all references have, the mean of
sentence scores as the score of a corpus, sentences of random corpora as sources, and quality by characters.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.analyses.inputs import LatticeTexts, corpus_texts
from analysis.analyses.maege import MAEGE, MaegeVerdict, part_sizes
from analysis.reproduction import published_maege as published
from analysis.reproduction.cells import EPSILON, Cell, Table, exact
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

PEARSON = {"bleu": 0.02, "ibleu": 0.02, "minld": 0.02, "gleu": 0.02, "sari": 0.06, "max-sari": 0.06}
TAU = {"bleu": 0.03, "ibleu": 0.03, "minld": 0.03} | dict.fromkeys(
    ("gleu", "sari", "max-sari", "ld-source"), 0.09
)
"""Tolerances: how far the figure of one draw of the paper may lie from the mean over seeds."""

DEVIATIONS = 2
"""Standard deviations over seeds within which the paper's draw lies where no tolerance is fixed: r of LD S→O,
which depends on the sources that are drawn (sd .05), and ρ of these metrics."""
SPEARMAN = ("bleu", "gleu", "minld", "max-sari")

ANOTHER_SIGN = "the sign is another one; with the original as source (Table 4) it is positive"
NOT_MATCHED = {
    "m2": "not matched: the released code sorts the sources before it extracts gold edits, so that M2 sees "
    "sources of other sentences; source=original and m2:beta change it",
    "grammaticality": "Harper, which finds few errors; the paper has LanguageTool (--checker of `analyse "
    "maege`); ties=discordant changes τ",
}
ONE_DRAW = "the paper has a single draw"
INDEPENDENT = "by an independent program"
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
        "sentences": exact(published.SENTENCES, result.sentences, printed=False),
        "chains": exact(published.LATTICES, result.lattices, note, printed=False),
        "comparable pairs": exact(published.PAIRS, result.pairs, printed=False),
    }


def table_2(result: MaegeVerdict) -> Table:
    """27 cells such as "BLEU r": mean over seeds, with the standard deviation as a note."""
    cells: Table = {}
    for name, row in published.TABLE_2.items():
        verdict = result.metrics[WRITTEN[name]]
        cells[f"{row.label} ρ"] = _draw_of_corpora(name, row.spearman, verdict.spearman)
        cells[f"{row.label} r"] = _near(name, row.pearson, verdict.pearson, PEARSON)
        cells[f"{row.label} τ"] = _near(name, row.tau, verdict.tau, TAU)
    return cells


def table_3(result: MaegeVerdict) -> Table:
    """13 cells: how many types each metric penalises, and how many metrics penalise some types."""
    cells: Table = {}
    of = f"of {len(result.types)} types; {NOT_AT_HAND}"
    for name, row in published.TABLE_2.items():
        changes = result.metrics[WRITTEN[name]].changes.values()
        number = sum(change.value is not None and change.value < 0 for change in changes)
        cells[f"{row.label} penalises"] = Cell(None, number, 0.0, None, of)
    for kind, said in published.TYPES.items():
        changes_of = [metric.changes[kind] for metric in result.metrics.values()]
        number = sum(change.value is not None and change.value < 0 for change in changes_of)
        note = f"of {len(changes_of)} metrics, {changes_of[0].edits} edits; the paper: mostly {said}"
        cells[f"{kind} is penalised by"] = Cell(None, number, 0.0, None, note)
    return cells


def table_4(result: MaegeVerdict) -> Table:
    """Signs that the paper states, and figures of an independent program."""
    cells: Table = {}
    for name in ("sari", "max-sari"):
        verdict, label = result.metrics[WRITTEN[name]], published.TABLE_2[name].label
        cells[f"{label} ρ sign"] = exact("+", _sign(verdict.spearman))
        cells[f"{label} τ sign"] = exact("+", _sign(verdict.tau))
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


def _near(name: str, figure: float, estimate: SeedEstimate, tolerances: Mapping[str, float]) -> Cell:
    note = _note(estimate)
    if name in NOT_MATCHED or estimate.value is None:
        return Cell(figure, estimate.value, 0.0, None, f"{note}; {NOT_MATCHED.get(name, '')}")
    if name not in tolerances:
        return _within_deviations(figure, estimate)
    tolerance = tolerances[name]
    if figure * estimate.value < 0 and tolerances is TAU:
        return Cell(figure, estimate.value, tolerance, None, f"{note}; {ANOTHER_SIGN}")
    ok = abs(figure - estimate.value) <= tolerance + EPSILON
    return Cell(figure, estimate.value, tolerance, ok, f"{note}, ±{tolerance:g}")


def _draw_of_corpora(name: str, figure: float, estimate: SeedEstimate) -> Cell:
    if name not in SPEARMAN:
        note = f"{_note(estimate)}; {NOT_MATCHED.get(name, ONE_DRAW)}"
        return Cell(figure, estimate.value, 0.0, None, note)
    return _within_deviations(figure, estimate)


def _within_deviations(figure: float, estimate: SeedEstimate) -> Cell:
    """Whether the paper's single draw is an ordinary one."""
    if estimate.value is None or estimate.sd is None:
        return Cell(figure, estimate.value, 0.0, None, f"{_note(estimate)}; {ONE_DRAW}")
    tolerance = DEVIATIONS * estimate.sd
    ok = abs(figure - estimate.value) <= tolerance
    return Cell(figure, estimate.value, tolerance, ok, f"{_note(estimate)}, ±{DEVIATIONS} sd")


def _independent(figure: float, estimate: SeedEstimate, tolerance: float) -> Cell:
    ok = estimate.value is not None and abs(figure - estimate.value) <= tolerance + EPSILON
    return Cell(figure, estimate.value, tolerance, ok, f"{_note(estimate)}; {INDEPENDENT}", printed=False)


def _note(estimate: SeedEstimate) -> str:
    if estimate.sd is None:
        return estimate.reason or ""
    return f"sd {estimate.sd:.3f} over {estimate.seeds} seeds"


def _sign(estimate: SeedEstimate) -> str | None:
    return None if estimate.value is None else "+" if estimate.value > 0 else "-"
