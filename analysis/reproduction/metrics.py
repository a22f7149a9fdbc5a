"""Metrics of the CoNLL-2014 systems, compared with the official tools and GJG15."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from analysis.reproduction import published_metrics as published
from analysis.reproduction.cells import Table, exact, rounded, within
from analysis.reproduction.gjg15_metrics import ReleasedScores
from analysis.reproduction.published_gjg15_metrics import CURVES
from metrics import CorpusScore, EvaluationSet, metric_from_text, score
from metrics.scoring import Progress

TABLES = ("M2", "M2 of GJG15", "GLEU", "I-measure", "BLEU of GJG15")

COUNTS = ("TP", "TN", "FP", "FN", "FPN")
OTHER_GOLD = 0.007
"""Allowed difference of M2 from GJG15's scores, which used gold edits other than the released ones."""

RELEASED = "released with GJG15"
OTHER_GOLD_NOTE = f"{RELEASED}, computed with other gold edits than the released ones"
OFFICIAL = "by the official tool"
INDEPENDENT = "by an independent program"

Corpora = Mapping[str, CorpusScore]


@dataclass(frozen=True, slots=True)
class ConllData:
    """The test set of CoNLL-2014 and the data that GJG15 released.

    Attributes:
        outputs: texts by system.
        gold: official gold edits, by curve of GJG15's Figure 3 ("Annotator 1", "Annotator 2", "Combined").
        references: both annotators' corrected texts.
        ieval: references of the I-measure tool.
        released: scores released with GJG15.
    """

    outputs: Mapping[str, Sequence[str]]
    gold: Mapping[str, EvaluationSet]
    references: EvaluationSet
    ieval: EvaluationSet
    released: ReleasedScores


def reproduce(data: ConllData, *, tables: Collection[str], progress: Progress) -> dict[str, Table]:
    """The named tables of `TABLES`; `progress` gets the number of scored outputs (see `outputs_scored`)."""
    compute: Mapping[str, Callable[[ConllData, Progress], Table]] = {
        "M2": m2,
        "M2 of GJG15": m2_of_gjg15,
        "GLEU": gleu,
        "I-measure": i_measure,
        "BLEU of GJG15": bleu_of_gjg15,
    }
    return {name: compute[name](data, progress) for name in TABLES if name in tables}


def outputs_scored(sentences: int) -> dict[str, int]:
    """The number of outputs that each table scores."""
    runs = dict.fromkeys(TABLES, 1) | {"M2 of GJG15": len(CURVES)}
    return {table: times * len(published.SYSTEMS) * sentences for table, times in runs.items()}


def m2(data: ConllData, progress: Progress) -> Table:
    """39 cells such as "AMU F0.5": equal to four digits."""
    corpora = _corpora("m2", data.gold["Combined"], data, progress)
    cells = {}
    for system, (precision, recall, f) in published.M2.items():
        corpus = corpora[system]
        cells[f"{system} P"] = rounded(precision, corpus.details["precision"], 4, OFFICIAL, printed=False)
        cells[f"{system} R"] = rounded(recall, corpus.details["recall"], 4, OFFICIAL, printed=False)
        cells[f"{system} F0.5"] = rounded(f, corpus.value, 4, OFFICIAL, printed=False)
    return cells


def m2_of_gjg15(data: ConllData, progress: Progress) -> Table:
    """39 cells such as "Annotator 1 AMU": within `OTHER_GOLD` for both annotators."""
    cells = {}
    for curve in CURVES:
        corpora = _corpora("m2", data.gold[curve], data, progress)
        for system in published.SYSTEMS:
            released = data.released.edits[curve][system]
            figure = f_half(released.precision, released.recall)
            ours = corpora[system].value
            cells[f"{curve} {system}"] = within(figure, ours, OTHER_GOLD, OTHER_GOLD_NOTE, printed=False)
    return cells


def gleu(data: ConllData, progress: Progress) -> Table:
    """12 cells: equal to six digits."""
    corpora = _corpora("gleu", data.references, data, progress)
    return {
        system: rounded(
            figure, corpora[system].value, 6, _source(system in published.OFFICIAL_GLEU), printed=False
        )
        for system, figure in published.GLEU.items()
    }


def i_measure(data: ConllData, progress: Progress) -> Table:
    """62 cells such as "AMU TP" and "AMU I": counts equal, I times 100 to two digits."""
    corpora = _corpora("imeasure", data.ieval, data, progress)
    cells: Table = {}
    for system, counts in published.I_MEASURE_COUNTS.items():
        details = corpora[system].details
        for name, count in zip(COUNTS, counts, strict=True):
            cells[f"{system} {name}"] = exact(
                int(count), int(details[f"{name} of correction"]), OFFICIAL, printed=False
            )
    for system, figure in published.I_MEASURE.items():
        value = corpora[system].value
        note = _source(system in published.I_MEASURE_COUNTS)
        cells[f"{system} I"] = rounded(figure, None if value is None else 100 * value, 2, note, printed=False)
    return cells


def bleu_of_gjg15(data: ConllData, progress: Progress) -> Table:
    """13 cells: which tool and references gave the released scores is not known."""
    corpora = _corpora("bleu", data.references, data, progress)
    note = f"{RELEASED}; which tool, tokens and references gave it is not known"
    cells: Table = {}
    for system in published.SYSTEMS:
        value = corpora[system].value
        ours = None if value is None else 100 * value
        cells[system] = rounded(data.released.others["BLEU"][system], ours, 2, note, printed=False)
    return cells


def f_half(precision: float, recall: float) -> float:
    """F0.5."""
    load = 0.25 * precision + recall
    return 1.25 * precision * recall / load if load else 0.0


def _corpora(metric: str, gold: EvaluationSet, data: ConllData, progress: Progress) -> Corpora:
    scored = score(metric_from_text(metric), gold, data.outputs, progress=progress)
    return {system: scored.corpus(system) for system in data.outputs}


def _source(official: bool) -> str:
    return OFFICIAL if official else INDEPENDENT
