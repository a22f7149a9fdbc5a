"""Effect of the control check: whether it detects careless crowd workers, and what excluding them gains.

60 workers score corrections with sliders; 6 of them click at random and 3 always give the same score. Each
judges at least 60 screens that hold source and control. Workers flagged by the rule
(`ranking.annotators.quality`) are left out, and the systems' mean scores are correlated (Pearson) with their
simulated true scores before and after. Differences between systems, controls and workers are as large as GMEG
reports (Napoles et al. 2019, Table 6).

The first crowd works in a real campaign; the others on simulated snapshots of the same kind.

Run as `python -m dev.benchmarks.simulated_crowd [--seeds 100]`, with `--json` for figures instead of a table.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from annotate.design.full_coverage import plan_coverage
from annotate.design.items import PlannedItem
from ranking import system_means
from ranking.annotators.quality import control_checks

SYSTEMS = {"A": 70, "B": 71, "C": 72, "D": 74, "E": 75, "F": 77}
"""The mean quality of a system's changed sentences; sources have 70 on average."""
ROLES = {"source": "source", "source+error": "control"}
UNCHANGED = 0.4
"""The share of sentences that a system leaves unchanged."""

SENTENCES, OUTPUTS_PER_SCREEN, JUDGES_PER_SCREEN = 400, 5, 8
RANDOM, CONSTANT, HONEST = 6, 3, 51
LEAST_SCREENS = 60

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker who scores with sliders.

    Attributes:
        name: name in the snapshot.
        kind: whether they judge, click at random, or always give the same score.
        strictness: points that an honest worker takes off every output; for a constant worker, the difference
            of their score from 50.
        noise: standard deviation of an honest worker's scores around the true quality.
    """

    name: str
    kind: Literal["honest", "random", "constant"]
    strictness: float
    noise: float

    def scores(self, qualities: Array, rng: np.random.Generator) -> list[int]:
        """The scores of the outputs of a screen, 0 to 100, given their qualities."""
        match self.kind:
            case "honest":
                given = qualities - self.strictness + rng.normal(scale=self.noise, size=len(qualities))
            case "random":
                given = rng.uniform(0, 100, size=len(qualities))
            case "constant":
                given = np.full(len(qualities), 50 - self.strictness)
        scores: list[int] = np.clip(given.round(), 0, 100).astype(int).tolist()
        return scores


@dataclass(frozen=True, slots=True)
class Corpus:
    """The judged corpus.

    Attributes:
        outputs: for each sentence, the systems of each distinct output.
        qualities: for each sentence, the quality of each of these outputs.
    """

    outputs: Sequence[Mapping[int, tuple[str, ...]]]
    qualities: Sequence[Array]

    def truth(self) -> dict[str, float]:
        """The mean quality of each system's outputs."""
        rated = [
            (name, quality)
            for outputs, qualities in zip(self.outputs, self.qualities, strict=True)
            for systems, quality in zip(outputs.values(), qualities.tolist(), strict=True)
            for name in systems
        ]
        frame = pd.DataFrame(rated, columns=["system", "quality"])
        return {str(name): float(mean) for name, mean in frame.groupby("system")["quality"].mean().items()}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Effect of the rule in one crowd.

    Attributes:
        flagged_bad: number of flagged careless workers.
        flagged_honest: number of flagged honest workers.
        correlation_before: Pearson's r of the systems' scores with the truth, for all workers.
        correlation_after: the same without flagged workers.
    """

    flagged_bad: int
    flagged_honest: int
    correlation_before: float
    correlation_after: float


def make_workers(rng: np.random.Generator) -> list[Worker]:
    """The crowd, in no particular order."""
    kinds: list[Literal["honest", "random", "constant"]] = ["honest"] * HONEST
    kinds += ["random"] * RANDOM
    kinds += ["constant"] * CONSTANT
    return [
        Worker(f"worker{place:02}", kinds[number], float(rng.normal(scale=8)), float(rng.uniform(8, 16)))
        for place, number in enumerate(rng.permutation(len(kinds)).tolist())
    ]


def make_corpus(rng: np.random.Generator) -> Corpus:
    """Sentences, each with its source, its control and the systems' outputs."""
    outputs, qualities = [], []
    for _ in range(SENTENCES):
        source = rng.normal(70, 10)
        changing = [name for name in SYSTEMS if rng.random() > UNCHANGED]
        unchanging = sorted({"source", *SYSTEMS} - set(changing))
        outputs.append(
            dict(enumerate([tuple(unchanging), ("source+error",), *((name,) for name in changing)]))
        )
        gains = [SYSTEMS[name] - 70 + rng.normal(scale=8) for name in changing]
        qualities.append(source + np.array([0, -rng.gamma(4, 5.5), *gains]))
    return Corpus(outputs, qualities)


def deal(items: Sequence[PlannedItem], workers: int, rng: np.random.Generator) -> list[list[int]]:
    """The workers of each item: all different, with numbers of screens that differ by at most one."""
    load = np.zeros(workers, dtype=int)
    dealt = []
    for _ in items:
        chosen = np.lexsort((rng.random(workers), load))[:JUDGES_PER_SCREEN]
        load[chosen] += 1
        dealt.append(chosen.tolist())
    assert load.min() >= LEAST_SCREENS
    return dealt


def judge(corpus: Corpus, workers: Sequence[Worker], seed: int) -> pd.DataFrame:
    """The snapshot of the workers' answers to screens laid out as in a campaign."""
    rng = np.random.default_rng([seed, 1])
    items = plan_coverage(
        corpus.outputs,
        outputs_per_screen=OUTPUTS_PER_SCREEN,
        source="source",
        control="source+error",
        seed=seed,
    )
    rows = [
        (f"{number}/{worker}", workers[worker].name, item.sentence, f"{item.sentence}/{key}", systems, score)
        for number, (item, judges) in enumerate(zip(items, deal(items, len(workers), rng), strict=True))
        for worker in judges
        for key, systems, score in zip(
            item.outputs,
            [corpus.outputs[item.sentence][key] for key in item.outputs],
            workers[worker].scores(corpus.qualities[item.sentence][list(item.outputs)], rng),
            strict=True,
        )
    ]
    columns = ["judgment", "annotator", "sentence", "output", "systems", "score"]
    return pd.DataFrame(rows, columns=columns).assign(rank=None, position=None, active_ms=None)


def correlation(snapshot: pd.DataFrame, truth: Mapping[str, float]) -> float:
    """Pearson's r of the systems' scores, without roles, with the truth."""
    means = {mean.system: mean.score for mean in system_means(snapshot)}
    pairs = np.array([(means[name], truth[name]) for name in SYSTEMS])
    return float(np.corrcoef(pairs.T)[0, 1])


def evaluate(snapshot: pd.DataFrame, truth: Mapping[str, float], workers: Sequence[Worker]) -> Outcome:
    """Apply the rule to a snapshot, simulated or taken from a campaign in which the workers took part."""
    flagged = {name for name, check in control_checks(snapshot, ROLES).items() if check.flagged}
    careless = {worker.name for worker in workers if worker.kind != "honest"}
    return Outcome(
        flagged_bad=len(flagged & careless),
        flagged_honest=len(flagged - careless),
        correlation_before=correlation(snapshot, truth),
        correlation_after=correlation(snapshot[~snapshot["annotator"].isin(flagged)], truth),
    )


def simulate(seed: int) -> Outcome:
    """One crowd on one corpus."""
    rng = np.random.default_rng([seed, 0])
    workers, corpus = make_workers(rng), make_corpus(rng)
    return evaluate(judge(corpus, workers, seed), corpus.truth(), workers)


def through_services(seed: int) -> Outcome:
    """One crowd in a campaign, in a separate process with a new database."""
    program = (
        "import django, json; from dataclasses import asdict; django.setup(); "
        f"from dev.benchmarks.crowd_campaign import outcome; print(json.dumps(asdict(outcome({seed}))))"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "VAR_DIR": folder,
            "DATABASE_URL": f"sqlite:///{Path(folder) / 'benchmark.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        output = subprocess.run(  # noqa: S603  # what is run stands above
            [sys.executable, "-c", program], env=os.environ | environment, check=True, stdout=subprocess.PIPE
        )
    return Outcome(**json.loads(output.stdout))


def summary(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Means over the seeds, and their number."""
    means = pd.DataFrame([asdict(outcome) for outcome in outcomes]).mean()
    return {**{str(name): float(mean) for name, mean in means.items()}, "seeds": len(outcomes)}


def print_table(figures: Mapping[str, float]) -> None:
    """The means."""
    print(f"means over {figures['seeds']} seeds")
    print(f"careless workers flagged     {figures['flagged_bad']:.2f} of {RANDOM + CONSTANT}")
    print(f"honest workers flagged       {figures['flagged_honest']:.2f} of {HONEST}")
    print(f"r with the truth, all        {figures['correlation_before']:.4f}")
    print(f"r with the truth, filtered   {figures['correlation_after']:.4f}")


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.simulated_crowd",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seeds", type=int, default=100, help="how many crowds to simulate (100)")
    parser.add_argument("--json", action="store_true", help="print figures instead of a table")
    arguments = parser.parse_args()
    if arguments.seeds < 1:
        parser.error("--seeds must be at least 1")
    figures = summary([through_services(0), *(simulate(seed) for seed in range(1, arguments.seeds))])
    if arguments.json:
        print(json.dumps(figures, indent=2))
    else:
        print_table(figures)


if __name__ == "__main__":
    main()
