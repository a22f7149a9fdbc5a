"""Metrics of the CoNLL-2014 systems, compared with the official tools and GJG15.

Published are M2 by the official scorer, version 3.2, with the gold edits of both annotators; GLEU by the tool
of 2016 with both annotators' corrections and 500 iterations; the I-measure by the released tool with its
option -nomix. Where such a tool was not run to the end, an independent program gave the figure.
"""

from collections.abc import Mapping

from analysis.reproduction.cells import OurFigures, Published, Table, compare, printed
from analysis.reproduction.paper import Paper
from analysis.reproduction.public_data.conll14 import CURVES, SENTENCES, SYSTEMS, Conll14
from metrics import CorpusScore, EvaluationSet, metric_from_text, score

COUNTS = ("TP", "TN", "FP", "FN", "FPN")

RELEASED = "released with GJG15"
OTHER_GOLD = f"{RELEASED}, computed with other gold edits than the released ones"
OTHER_BLEU = f"{RELEASED}; which tool, tokens and references gave it is not known"

WITH_OTHER_GOLD = 0.007
"""Allowed difference of M2 from GJG15's scores."""


def m2(data: Conll14) -> Table:
    """39 cells such as "AMU F0.5": equal to four digits."""
    ours: OurFigures = {}
    for system, corpus in _corpora("m2", data.gold["Combined"], data).items():
        details = corpus.details
        ours |= {f"{system} P": details["precision"], f"{system} R": details["recall"]}
        ours[f"{system} F0.5"] = corpus.value
    return compare(printed("metrics", "M2"), ours)


def m2_of_gjg15(data: Conll14) -> Table:
    """39 cells such as "Annotator 1 AMU": within `WITH_OTHER_GOLD` for both annotators."""
    cells = {}
    for curve in CURVES:
        corpora = _corpora("m2", data.gold[curve], data)
        for system in SYSTEMS:
            figure = Published(f_half(*data.released.edits[curve][system]), WITH_OTHER_GOLD, OTHER_GOLD)
            cells[f"{curve} {system}"] = figure.cell(corpora[system].value)
    return cells


def gleu(data: Conll14) -> Table:
    """12 cells: equal to six digits."""
    corpora = _corpora("gleu", data.references, data)
    return compare(printed("metrics", "GLEU"), {system: each.value for system, each in corpora.items()})


def i_measure(data: Conll14) -> Table:
    """62 cells such as "AMU TP" and "AMU I": counts equal, I times 100 to two digits."""
    ours: OurFigures = {}
    for system, corpus in _corpora("imeasure", data.ieval, data).items():
        ours |= {f"{system} {name}": int(corpus.details[f"{name} of correction"]) for name in COUNTS}
        ours[f"{system} I"] = _percent(corpus.value)
    return compare(printed("metrics", "I-measure"), ours)


def bleu_of_gjg15(data: Conll14) -> Table:
    """13 cells, equal to two digits."""
    released = data.released.others["BLEU"]
    corpora = _corpora("bleu", data.references, data)
    return {
        system: Published(released[system], 0.005, OTHER_BLEU).cell(_percent(corpora[system].value))
        for system in SYSTEMS
    }


def f_half(precision: float, recall: float) -> float:
    """F0.5."""
    load = 0.25 * precision + recall
    return 1.25 * precision * recall / load if load else 0.0


def _corpora(metric: str, gold: EvaluationSet, data: Conll14) -> Mapping[str, CorpusScore]:
    scored = score(metric_from_text(metric), gold, data.outputs, progress=data.progress)
    return {system: scored.corpus(system) for system in data.outputs}


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


TABLES = {
    "M2": m2,
    "M2 of GJG15": m2_of_gjg15,
    "GLEU": gleu,
    "I-measure": i_measure,
    "BLEU of GJG15": bleu_of_gjg15,
}

PAPER = Paper(
    data=Conll14,
    tables=TABLES,
    progress="Scoring outputs",
    steps={
        (table,): (len(CURVES) if table == "M2 of GJG15" else 1) * len(SYSTEMS) * SENTENCES
        for table in TABLES
    },
)
