"""GJG15's Table 5, and MAEGE's Table 1 on its judgments, from metric scores computed by Assay."""

from analysis.reproduction.cells import OurFigures, Ours, Table, compare, printed
from analysis.reproduction.gjg15_metrics import BETAS, SYMBOLS, correlations
from analysis.reproduction.metrics import f_half
from analysis.reproduction.public_data.conll14 import Conll14, PrecisionRecall, SystemScores
from analysis.reproduction.public_data.gjg15_data import Gjg15
from metrics import EvaluationSet, Scored, metric_from_text, score
from metrics.meta_evaluation import (
    HumanScore,
    MetricsAndPeople,
    people,
    scores_of_metric,
    sweep,
    system_agreement,
    system_scores,
)
from ranking import Coefficient

REPLICATES = 200

METEOR = "meteor:alpha=0.85:beta=0.2:gamma=0.6"
"""With the weights of METEOR 1.3 for rankings (Denkowski and Lavie 2011), which GJG15 cites."""


def table_5_by_assay(data: Gjg15) -> Table:
    """16 cells such as "M2 F0.5 rho"; those of M2 and METEOR that do not agree are known deviations."""
    released = correlations(data.human, data.released)
    computed = correlations(data.human, _own_scores(data))
    ours = {name: Ours(figure, shows=released[name]) for name, figure in computed.items()}
    return compare(printed("gjg15", "5", "5 by Assay"), ours)


def figure_3_by_assay(data: Gjg15) -> Table:
    """The highest points of M2 over beta, with intervals over resampled sentences: 4 known deviations."""
    judged = people(data.snapshot, len(data.references.sources))
    outputs = {system: data.outputs[system] for system in judged.systems}
    scored = score(metric_from_text("m2"), data.gold["Combined"], outputs)
    both = MetricsAndPeople(judged, (scores_of_metric("m2", scored, judged.systems),))
    swept = sweep(
        both, HumanScore.EXPECTED_WINS, "m2", "beta", BETAS, whole_set=True, replicates=REPLICATES, seed=1
    )
    largest = max(
        abs(f_half(*each) - (scored.corpus(system).value or 0.0))
        for system, each in data.released.edits["Combined"].items()
        if system in outputs
    )
    ours: OurFigures = {}
    for symbol, coefficient in SYMBOLS.items():
        best = swept.best[coefficient]
        high, at = best.correlation, f"in 95 % of resamples {best.low:g} to {best.high:g}"
        between = f"{high.low:.3f} to {high.high:.3f}"
        ours[f"highest {symbol}"] = Ours(high.value, between, shows=largest)
        ours[f"highest {symbol} at beta"] = Ours(best.value, at, shows=largest)
    return compare(printed("gjg15", "figure 3 by Assay"), ours)


def maege_1(data: Gjg15) -> Table:
    """Two cells, "GLEU rho" and "M2 rho": systems by TrueSkill, metrics on the judged sentences only.

    The available text of the paper has only two of the table's figures.
    """
    judged = people(data.snapshot, len(data.references.sources))
    gold = {"GLEU": data.references, "M2": data.gold["Combined"]}
    metrics = tuple(
        scores_of_metric(name, _scored(name.lower(), references, data), judged.systems)
        for name, references in gold.items()
    )
    both = MetricsAndPeople(judged, metrics)
    agreed = system_agreement(both, system_scores(both, HumanScore.TRUESKILL, replicates=0))
    ours = {f"{each.metric} rho": each.correlations[Coefficient.SPEARMAN].value for each in agreed}
    return compare(printed("gjg15", "MAEGE 1"), ours)


def _own_scores(data: Conll14) -> SystemScores:
    """The scores of Table 5 on the whole test set."""
    m2 = _scored("m2", data.gold["Combined"], data)
    details = {system: m2.corpus(system).details for system in data.outputs}
    return SystemScores(
        edits={
            "Combined": {
                system: PrecisionRecall(each["precision"], each["recall"]) for system, each in details.items()
            }
        },
        others={
            "I-WAcc": _values(_scored("imeasure", data.ieval, data)),
            "BLEU": _values(_scored("bleu", data.references, data)),
            "METEOR": _values(_scored(METEOR, data.references, data)),
        },
    )


def _scored(metric: str, gold: EvaluationSet, data: Conll14) -> Scored:
    return score(metric_from_text(metric), gold, data.outputs)


def _values(scored: Scored) -> dict[str, float]:
    values = {system: scored.corpus(system).value for system in scored.picks}
    return {system: value for system, value in values.items() if value is not None}
