"""GJG15's Table 5, and MAEGE's Table 1 on its judgments, from metric scores computed by Assay."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from analysis.reproduction import published_gjg15_metrics as published
from analysis.reproduction.cells import Cause, Table, known, rounded
from analysis.reproduction.gjg15_metrics import (
    BETAS,
    SYMBOLS,
    PrecisionRecall,
    ReleasedScores,
    correlations,
    human_scores,
    table_5,
)
from analysis.reproduction.metrics import ConllData, f_half
from core.later import pd
from metrics import EvaluationSet, Scored, metric_from_text, score
from metrics.validation import (
    HumanScore,
    MetricsAndPeople,
    people,
    scores_of_metric,
    sweep,
    system_agreement,
    system_scores,
)
from ranking import Coefficient, count_pairs

TABLES = ("5 by Assay", "figure 3 by Assay", "MAEGE 1")

REPLICATES = 200

INDEPENDENT = "drawn without its value; by an independent program, from the released scores"

M2_CAUSE = "GJG15 scored against other gold edits than the released ones"

NOTES = {
    "M2": M2_CAUSE,
    "I-WAcc": "cause not known: GJG15 may have mixed the references of several annotators; ours are whole",
    "BLEU": "cause not known: GJG15 does not say which tool, tokens and references it used",
    "METEOR": "Assay has no METEOR: the released scores",
}

MAEGE_TABLE_1 = {"gleu": ("GLEU", 0.51, 2), "m2": ("M2", 0.4, 1)}
"""For each metric its name, Spearman's rho on GJG15 in MAEGE's section 3, and its decimals."""

MAEGE_NOTES = {
    "gleu": "TrueSkill of these judgments, both references, on judged sentences only",
    "m2": "cause not known: with the edits that ERRANT extracts, which MAEGE takes, it is .687 as well",
}


def reproduce(snapshot: pd.DataFrame, data: ConllData, *, tables: Collection[str]) -> dict[str, Table]:
    """The named tables of `TABLES`, from the judgments and outputs of GJG15."""
    compute: Mapping[str, Callable[[pd.DataFrame, ConllData], Table]] = {
        "5 by Assay": table_5_by_assay,
        "figure 3 by Assay": figure_3_by_assay,
        "MAEGE 1": maege_1,
    }
    return {name: compute[name](snapshot, data) for name in TABLES if name in tables}


def table_5_by_assay(snapshot: pd.DataFrame, data: ConllData) -> Table:
    """16 cells such as "M2 F0.5 rho"; those of M2 that do not agree are known deviations."""
    human = human_scores(count_pairs(snapshot))
    released = table_5(human, data.released)
    computed = correlations(human, own_scores(data))
    cells = {}
    for name, cell in released.items():
        metric = name.split()[0]
        theirs = cell.ours if isinstance(cell.ours, float) else 0.0
        assert isinstance(cell.published, float)  # noqa: S101  # the table is of numbers
        agreed = rounded(cell.published, computed[name], 3, NOTES[metric])
        cause = Cause(M2_CAUSE, "from the released scores", theirs)
        is_known = metric == "M2" and not agreed.ok
        cells[name] = known(cell.published, computed[name], cause) if is_known else agreed
    return cells


def figure_3_by_assay(snapshot: pd.DataFrame, data: ConllData) -> Table:
    """The highest points of M2 over beta, with intervals over resampled sentences: 4 known deviations."""
    judged = people(snapshot, len(data.references.sources))
    outputs = {system: data.outputs[system] for system in judged.systems}
    scored = score(metric_from_text("m2"), data.gold["Combined"], outputs)
    both = MetricsAndPeople(judged, (scores_of_metric("m2", scored, judged.systems),))
    swept = sweep(
        both, HumanScore.EXPECTED_WINS, "m2", "beta", BETAS, whole_set=True, replicates=REPLICATES, seed=1
    )
    largest = max(
        abs(f_half(each.precision, each.recall) - (scored.corpus(system).value or 0.0))
        for system, each in data.released.edits["Combined"].items()
        if system in outputs
    )
    cause = Cause(M2_CAUSE, "largest difference of F0.5", largest)
    cells: Table = {}
    peaks = published.FIGURE_3_PEAKS["Combined"]
    for (symbol, coefficient), (figure, beta) in zip(SYMBOLS.items(), peaks, strict=True):
        best = swept.best[coefficient]
        high, at = best.correlation, f"{best.low:g} to {best.high:g}"
        between = f"{high.low:.3f} to {high.high:.3f}"
        cells[f"highest {symbol}"] = known(
            figure, high.value, cause, f"{INDEPENDENT}; {between}", printed=False
        )
        cells[f"highest {symbol} at beta"] = known(
            beta, best.value, cause, f"{INDEPENDENT}; in 95 % of resamples {at}", printed=False
        )
    return cells


def own_scores(data: ConllData) -> ReleasedScores:
    """The scores of Table 5 on the whole test set; METEOR uses the released scores."""

    def corpora(metric: str, gold: EvaluationSet) -> Scored:
        return score(metric_from_text(metric), gold, data.outputs)

    m2 = corpora("m2", data.gold["Combined"])
    return ReleasedScores(
        edits={
            "Combined": {
                system: PrecisionRecall(figures["precision"], figures["recall"])
                for system in data.outputs
                for figures in [m2.corpus(system).details]
            }
        },
        others={
            "I-WAcc": _values(corpora("imeasure", data.ieval)),
            "BLEU": _values(corpora("bleu", data.references)),
            "METEOR": data.released.others["METEOR"],
        },
    )


def maege_1(snapshot: pd.DataFrame, data: ConllData) -> Table:
    """Two cells, "GLEU rho" and "M2 rho": systems by TrueSkill, metrics on the judged sentences only.

    The available text of the paper has only two of the table's figures.
    """
    judged = people(snapshot, len(data.references.sources))
    gold = {"gleu": data.references, "m2": data.gold["Combined"]}
    metrics = tuple(
        scores_of_metric(name, score(metric_from_text(name), gold[name], data.outputs), judged.systems)
        for name in MAEGE_TABLE_1
    )
    both = MetricsAndPeople(judged, metrics)
    scores = system_scores(both, HumanScore.TRUESKILL, replicates=0)
    cells: Table = {}
    for agreed in system_agreement(both, scores):
        label, figure, digits = MAEGE_TABLE_1[agreed.metric]
        value = agreed.correlations[Coefficient.SPEARMAN].value
        cells[f"{label} rho"] = rounded(figure, value, digits, MAEGE_NOTES[agreed.metric])
    return cells


def _values(scored: Scored) -> dict[str, float]:
    values = {system: scored.corpus(system).value for system in scored.picks}
    return {system: value for system, value in values.items() if value is not None}
