"""The tables of SEEDA in which people judged whole sentences, computed from its judgments.

Kobayashi, Mita and Komachi 2024, "Revisiting Meta-evaluation for Grammatical Error Correction", TACL 12.
Metrics are compared with people on four sets of systems. Figures are held against the released scores of the
systems, and against those that independent programs computed from the released data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from analysis.analyses.systems.ranking import THREADS
from analysis.reproduction.cells import OurFigures, Ours, Published, Table, beside, compare, printed
from analysis.reproduction.paper import Paper
from analysis.reproduction.public_data.seeda_data import SETS, SYSTEMS, Seeda
from core.arrays import FloatArray
from metrics import metric_from_text, score
from metrics.meta_evaluation import in_human_order, system_windows
from ranking import (
    Coefficient,
    Kappa,
    agreement,
    annotator_counts,
    correlation,
    count_pairs,
    expected_wins,
    trueskill_runs,
)

RUNS = 300
"""Runs of TrueSkill, whose mean is a score."""

SEED = 2024
WINDOW = 4

SYMBOLS = {"r": Coefficient.PEARSON, "rho": Coefficient.SPEARMAN}

TOLERANCES = {"EW": 0.0015, "TS": 0.003}
"""The released scores are means over the authors' own draws; a run of TrueSkill varies by .018."""


class Scores(NamedTuple):
    """Scores of the judged outputs by a metric.

    Attributes:
        systems: shape (S,), in the order of `SYSTEMS`.
        sentences: shape (n, S).
    """

    systems: FloatArray
    sentences: FloatArray


def agreement_of_people(data: Seeda) -> Table:
    """Kappa of all annotators and of each pair of them, and the numbers of pairs that they judged."""
    kappas = agreement(data.snapshot)
    total = annotator_counts(data.snapshot).total
    ours: OurFigures = {
        "inter": kappas.inter.value,
        "intra": kappas.intra.value,
        "pairs": total.unexpanded,
        "ties": total.unexpanded_ties,
        "expanded pairs": total.expanded,
        "expanded ties": total.expanded_ties,
    }
    for first in (1, 2, 3):
        for second in range(first, 4):
            ours |= _kappa(f"{first}-{second}", kappas.between(f"annotator{first}", f"annotator{second}"))
    return compare(printed("seeda", "agreement"), ours)


def rankings(data: Seeda) -> Table:
    """ExpectedWins and TrueSkill of each system beside the released scores: 30 cells such as "EW T5"."""
    counts = count_pairs(data.snapshot)
    runs = trueskill_runs(counts, range(RUNS), SEED, threads=THREADS, progress=data.progress)
    ours = {
        f"TS {system}": Ours(float(mean))
        for system, mean in zip(counts.systems, runs.mean(axis=0), strict=True)
    }
    ours |= {f"EW {each.system}": Ours(each.score) for each in expected_wins(counts).scores}
    released = {
        f"{method} {system}": Published(float(figure), TOLERANCES[method], source="as released")
        for method, figures in data.human.items()
        for system, figure in zip(SYSTEMS, figures, strict=True)
    }
    return compare(released, ours)


def systems(data: Seeda) -> Table:
    """Correlations of metrics with people over the systems of each set: "edits base EW r" and so on."""
    ours: dict[str, Ours] = {}
    for metric, scores in _metrics(data):
        for name, chosen in _sets():
            for method, human in data.human.items():
                ours |= {
                    f"{metric} {name} {method} {symbol}": Ours(
                        correlation(scores.systems[chosen], human[chosen], coefficient).value,
                        f"{len(chosen)} systems",
                    )
                    for symbol, coefficient in SYMBOLS.items()
                }
    return beside(printed("seeda", "systems"), ours)


def sentences(data: Seeda) -> Table:
    """Accuracy of metrics over the pairs that people ordered, by what a tie of the metric counts as.

    As half; as an error; or as the alphabetically later system winning, the rule of SEEDA's script and of
    gec-metrics, by which renaming a system changes the accuracy of a metric.
    """
    judged = data.judged.judged
    ours: dict[str, Ours] = {}
    for metric, scores in _metrics(data):
        ahead = np.sign(
            scores.sentences[judged.sentence, judged.first] - scores.sentences[judged.sentence, judged.second]
        )
        for name, chosen in _sets():
            decided = (judged.outcome != 0) & np.isin(judged.first, chosen) & np.isin(judged.second, chosen)
            outcome, sign = judged.outcome[decided], ahead[decided]
            agree, ties = np.count_nonzero(sign == outcome), np.count_nonzero(sign == 0)
            later = np.count_nonzero((sign == 0) & (outcome < 0))
            number = len(outcome)
            note = f"{number:,} pairs, {ties:,} ties"
            for rule, right in (("half", agree + ties / 2), ("errors", agree), ("seeda", agree + later)):
                ours[f"{metric} {name} {rule}"] = Ours(right / number, note)
    return beside(printed("seeda", "sentences"), ours)


def windows(data: Seeda) -> Table:
    """Correlations in each window of four neighbours of the base systems, such as "characters EW r 1-4"."""
    base = np.array([place for place, system in enumerate(SYSTEMS) if system in SETS["base"]])
    ours: dict[str, Ours] = {}
    for metric, scores in _metrics(data):
        for method, human in data.human.items():
            names = [SYSTEMS[place] for place in base]
            order = [names[place] for place in in_human_order(names, human[base])]
            for window in system_windows(order, WINDOW):
                places = [SYSTEMS.index(system) for system in window.systems]
                for symbol, coefficient in SYMBOLS.items():
                    value = correlation(scores.systems[places], human[places], coefficient).value
                    name = f"{metric} {method} {symbol} {window.first}-{window.last}"
                    ours[name] = Ours(value, ", ".join(window.systems))
    return beside(printed("seeda", "windows"), ours)


def _sets() -> Iterator[tuple[str, list[int]]]:
    for name, members in SETS.items():
        yield name, [place for place, system in enumerate(SYSTEMS) if system in members]


def _kappa(name: str, kappa: Kappa) -> OurFigures:
    return {name: kappa.value, f"{name} comparisons": kappa.n}


def _metrics(data: Seeda) -> Iterator[tuple[str, Scores]]:
    """GLEU as in gec-metrics, and two counts that no metric should fall behind."""
    scored = score(metric_from_text("gleu-gec-metrics"), data.judged_references, data.judged_outputs)
    yield (
        "GLEU",
        Scores(
            np.array([scored.corpus(system).value for system in SYSTEMS]),
            np.array([scored.sentences(system) for system in SYSTEMS]).T,
        ),
    )
    yield "characters", _counted(data, lambda source, output: len(output))
    yield "edits", _counted(data, token_edits)


def token_edits(source: str, output: str) -> int:
    """Levenshtein's distance over tokens."""
    from rapidfuzz.distance import Levenshtein

    return int(Levenshtein.distance(source.split(), output.split()))


def _counted(data: Seeda, count: Callable[[str, str], int]) -> Scores:
    outputs = data.judged_outputs
    counts = np.array(
        [
            [count(source, output) for source, output in zip(outputs["INPUT"], outputs[system], strict=True)]
            for system in SYSTEMS
        ],
        dtype=np.float64,
    ).T
    return Scores(counts.sum(axis=0), counts)


PAPER = Paper(
    data=Seeda,
    tables={
        "agreement": agreement_of_people,
        "rankings": rankings,
        "systems": systems,
        "sentences": sentences,
        "windows": windows,
    },
    progress="TrueSkill",
    steps={("rankings",): RUNS},
)
