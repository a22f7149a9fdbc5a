"""Metrics against people on GJG15: ten metrics, 13 systems, 1,000 bootstraps of both sides, and the peer.

Each replicate scores judgments and metrics again, from prepared counts and statistics. The peer is a plain
implementation: it draws the judgments of each replicate as rows of the frame, counts their pairs, computes
ExpectedWins, scores each system's outputs by each metric, and correlates by SciPy; its time is extrapolated
from a few replicates. Both get the same draws, and their correlations must be equal. Then the tests between
metrics: PERM-BOTH of soft pairwise accuracy, timed for two metrics and extrapolated to all pairs, and of
acc*eq.

Times are CPU times. Run as `python -m dev.benchmarks.metrics_people --data DIR`, DIR holding `conll14/` and
`gjg15/`; `--json` prints figures instead of a table.
"""

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import pearsonr

from analysis.analyses.metrics.metric_scores import Evaluation, read_evaluation
from analysis.reproduction.public_data.conll14 import SYSTEMS
from formats.snapshot.snapshots import frame_of_file
from metrics import Scored, metric_from_text, score
from metrics.base.resampling import sentence_draws
from metrics.meta_evaluation import (
    HumanScore,
    MetricsAndPeople,
    calibrated_tests,
    people,
    scores_of_metric,
    soft_tests,
    system_agreement,
    system_scores,
)
from ranking import Coefficient, count_pairs, expected_wins, replicate_coefficients

METRICS = ("m2", "m2:beta=0.2", "gleu", "imeasure", "bleu", "ibleu", "green", "sari", "max-sari", "minld")
REPLICATES = 1000
TIMED_REPLICATES = 4
SEED = 1


def read_data(folder: Path) -> tuple[pd.DataFrame, Evaluation]:
    """The judgments, and the outputs of the systems with both annotators' references."""
    conll = folder / "conll14"
    evaluation = read_evaluation(
        conll / "outputs" / "INPUT",
        {system: conll / "outputs" / system for system in SYSTEMS},
        references={name: conll / "references" / f"{name}.txt" for name in ("NUCLEA", "NUCLEB")},
        m2=[conll / "official-2014.combined.m2"],
        lenient=False,
        checker=None,
    )
    return frame_of_file(folder / "gjg15" / "judgments.xml"), evaluation


def processor(function: Callable[[], object]) -> float:
    """CPU seconds of a single call."""
    start = time.process_time()
    function()
    return time.process_time() - start


def plain_correlations(
    snapshot: pd.DataFrame, scored: list[Scored], judged: np.ndarray, replicates: int
) -> list[list[float]]:
    """Pearson's r of each metric in some replicates: the peer."""
    by_sentence = dict(iter(snapshot.groupby("sentence", observed=True)))
    systems = sorted(SYSTEMS)
    correlations = []
    for draw in next(sentence_draws(len(judged), range(replicates), SEED)):
        drawn = []
        for copy, sentence in enumerate(judged[draw].tolist()):
            rows = by_sentence[sentence]
            drawn.append(rows.assign(judgment=[f"{copy} {name}" for name in rows["judgment"]]))
        ranked = expected_wins(count_pairs(pd.concat(drawn, ignore_index=True)))
        human = {each.system: each.score for each in ranked.scores}
        correlations.append(
            [
                float(
                    pearsonr(
                        [human[system] for system in systems],
                        [
                            each.metric.corpus_scores(each.rows, each.picks[system][judged[draw]][None])[0]
                            for system in systems
                        ],
                    ).statistic
                )
                for each in scored
            ]
        )
    return correlations


def measure(folder: Path) -> dict[str, float]:
    """Seconds by what was done, and the ratio."""
    snapshot, evaluation = read_data(folder)
    scored = [score(metric_from_text(name), evaluation.data, evaluation.outputs) for name in METRICS]
    judged = people(snapshot, len(evaluation.data.sources))
    data = MetricsAndPeople(
        judged,
        tuple(
            scores_of_metric(name, each, judged.systems) for name, each in zip(METRICS, scored, strict=True)
        ),
    )
    system_scores(data, HumanScore.EXPECTED_WINS, replicates=1)

    def ours() -> None:
        scores = system_scores(data, HumanScore.EXPECTED_WINS, replicates=REPLICATES, seed=SEED)
        system_agreement(data, scores, seed=SEED)

    plain: list[list[float]] = []
    sentences = judged.judged_sentences
    peer = processor(lambda: plain.extend(plain_correlations(snapshot, scored, sentences, TIMED_REPLICATES)))
    few = system_scores(data, HumanScore.EXPECTED_WINS, replicates=TIMED_REPLICATES, seed=SEED)
    for place, metric in enumerate(few.metric_replicates):
        values = replicate_coefficients(few.human_replicates, metric, Coefficient.PEARSON)
        assert np.allclose(values, [row[place] for row in plain]), METRICS[place]
    seconds = processor(ours)
    pairs = len(METRICS) * (len(METRICS) - 1) // 2
    two = MetricsAndPeople(judged, data.metrics[:2])
    return {
        "bootstrap": seconds,
        "peer": peer / TIMED_REPLICATES * REPLICATES,
        "ratio": peer / TIMED_REPLICATES * REPLICATES / seconds,
        "soft_tests": processor(lambda: soft_tests(two, few, permutations=REPLICATES, seed=SEED)) * pairs,
        "calibrated_tests": processor(lambda: calibrated_tests(data, permutations=REPLICATES, seed=SEED)),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.metrics_people",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("REFERENCE_DATA", "../shared/data"))
    parser.add_argument("--json", action="store_true", help="print figures instead of a table")
    arguments = parser.parse_args()
    if not (arguments.data / "gjg15").is_dir():
        print(f"No data in {arguments.data}; name its folder by --data.")
        return
    figures = measure(arguments.data)
    if arguments.json:
        print(json.dumps(figures, indent=2))
        return
    print(f"{len(METRICS)} metrics, {len(SYSTEMS)} systems, {REPLICATES:,} bootstraps of both sides")
    print(f"  from statistics            {figures['bootstrap']:8.2f} s")
    print(f"  plainly, extrapolated      {figures['peer']:8.2f} s, ratio {figures['ratio']:.3g}")
    print(f"PERM-BOTH of SPA, all pairs, extrapolated from one {figures['soft_tests']:.1f} s")
    print(f"PERM-BOTH of acc*eq, all pairs                     {figures['calibrated_tests']:.1f} s")


if __name__ == "__main__":
    main()
