"""What the coverage paper draws: Figure 1, and GLEU of a perfect corrector in Figure 4."""

from statistics import fmean

import numpy as np

from analysis.reproduction.cells import OurFigures, Table, compare, printed, unpublished
from analysis.reproduction.public_data.coverage_data import F_REFERENCES, Coverage, counted
from metrics import Scored, metric_from_text, score
from metrics.gleu import gleu as gleu_of_statistics
from metrics.meta_evaluation.coverage.sampled import PERFECT, corpus_estimate

DRAWN = "the paper draws it, without its value"


def figure_1(data: Coverage) -> Table:
    """F0.5 of the systems of CoNLL-2014 against both annotators, with intervals over sentences."""
    cells: Table = {}
    scored = score(metric_from_text("m2"), data.gold, data.outputs, progress=data.progress)
    for system in data.outputs:
        estimate = corpus_estimate(scored, system)
        between = estimate.reason or f"95% interval {estimate.low:.4f} to {estimate.high:.4f}"
        cells[system] = unpublished(estimate.value, f"{DRAWN}; {between}")
    return cells


def gleu(data: Coverage) -> Table:
    """Mean GLEU of the sentences of the released perfect corrector's outputs, and its lead over F0.5.

    A sentence's GLEU is the mean over its references, so that further references do not raise it; the highest
    of them is beside it.
    """
    cells: Table = {}
    above = []
    metric = metric_from_text("gleu")
    for references in F_REFERENCES:
        test_set, output = data.perfect(references)
        scored = score(metric, test_set, {PERFECT: output}, progress=data.progress)
        value = fmean(scored.sentences(PERFECT))
        highest = _highest(scored)
        f_half = data.scored_perfect(references).corpus(PERFECT).value
        above.append(value - (f_half or 0.0))
        note = f"{DRAWN}; {highest:.3f} by the highest reference; F0.5 is {f_half:.3f}"
        cells[counted(references)] = unpublished(value, note)
    ours: OurFigures = {"GLEU over F0.5, mean": fmean(above)}
    return cells | compare(printed("coverage", "GLEU"), ours)


def _highest(scored: Scored) -> float:
    """The mean over sentences of the highest score against a single reference."""
    rows = scored.rows.values[scored.picks[PERFECT]]
    return float(gleu_of_statistics(np.where(rows == 0, 1.0, rows)).max(axis=1).mean())
