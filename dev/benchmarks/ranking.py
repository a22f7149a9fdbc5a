"""Rankings with bootstraps against other implementations, on as many judgments as GJG15's.

The judgments are synthetic. Peers: ExpectedWins by resampling rows, each replicate one vectorised pass;
TrueSkill by the package `trueskill` in a plain loop, extrapolated from a part; Bradley-Terry by `evalica`.
Scores of resampled counts are expectations, whose time does not grow with the comparisons, as runs' does.
Then the time for ten times the judgments, and the peak memory of all.

Times of TrueSkill are CPU times of all its threads, divided by their number: what idle cores would take,
whatever else the machine does. Its own repetitions and the peer's take turns, for the same reason.

Run as `python -m dev.benchmarks.ranking`, with `--json` for figures instead of a table.
"""

import argparse
import json
import math
import random
import resource
from collections.abc import Callable
from functools import partial
from time import process_time

import evalica
import numpy as np
import pandas as pd
import trueskill

from dev.benchmarks.timing import seconds
from ranking import (
    GroupedPairs,
    Method,
    PairCounts,
    Unit,
    bradley_terry,
    cross_validate,
    expected_wins_replicates,
    group_pairs,
    mean_shares_won,
    rank_clusters,
    rank_ranges,
    trueskill_replicates,
    trueskill_runs,
    wmt_parameters,
)

JUDGMENTS, SYSTEMS, OUTPUTS = 2319, 13, 5
REPLICATES, FOLDS, RUNS_PER_FOLD = 1000, 100, 100
THREADS = 2
TIMED_UPDATES, TURNS = 2000, 3

Ratings = list[trueskill.Rating]
Row = dict[str, str | float]


def made_up_judgments(judgments: int, seed: int) -> pd.DataFrame:
    """Rankings of 10 or 11 systems, collapsed into five outputs, which makes 47 expanded pairs on average."""
    rng = np.random.default_rng(seed)
    names = np.array([f"system-{number:02}" for number in range(SYSTEMS)])
    rows = []
    for judgment in range(judgments):
        shown = rng.permutation(SYSTEMS)[: 10 + (rng.random() < 0.23)]
        cuts = np.sort(rng.choice(np.arange(1, len(shown)), OUTPUTS - 1, replace=False))
        for output, systems in enumerate(np.split(shown, cuts)):
            quality = systems.mean() / SYSTEMS + rng.normal(scale=2)
            rank = int(np.clip(3 + quality, 1, 5))
            who = (f"{judgment}", f"judge-{judgment % 8}", judgment % 663)
            rows.append((*who, f"{judgment}-{output}", tuple(sorted(names[systems])), rank))
    return pd.DataFrame(rows, columns=["judgment", "annotator", "sentence", "output", "systems", "rank"])


def expected_wins_of_rows(pairs: GroupedPairs) -> np.ndarray:
    """ExpectedWins of resampled rows: the peer."""
    rng = np.random.default_rng(1)
    size, number = len(pairs.systems), len(pairs.codes)
    scores = []
    for _ in range(REPLICATES):
        drawn = pairs.codes[rng.integers(number, size=number)]
        counts = np.bincount(drawn, minlength=2 * size * size)
        scores.append(mean_shares_won(counts[: size * size].reshape(size, size)))
    return np.array(scores)


def package_loop(pairs: GroupedPairs, next_pair: Callable[[Ratings], tuple[int, int]]) -> float:
    """Seconds for all updates of all replicates by the package, extrapolated from a part."""
    beta = wmt_parameters(len(pairs.codes)).beta
    environment = trueskill.TrueSkill(mu=0.0, sigma=0.5, beta=beta, tau=0.0, draw_probability=0.25)
    ratings = [environment.create_rating() for _ in pairs.systems]
    outcomes = random.Random(1).choices([(0, 0), (0, 1), (1, 0)], k=TIMED_UPDATES)  # noqa: S311

    def play() -> None:
        for ranks in outcomes:
            first, second = next_pair(ratings)
            [ratings[first]], [ratings[second]] = environment.rate(
                [(ratings[first],), (ratings[second],)], ranks=ranks
            )

    return once(play) / TIMED_UPDATES * len(pairs.codes) * REPLICATES


def any_pair(ratings: Ratings) -> tuple[int, int]:
    """Two random systems, as in a resampled row."""
    first, second = random.sample(range(len(ratings)), 2)
    return first, second


def chosen_pair(ratings: Ratings) -> tuple[int, int]:
    """The least certain system and one of similar skill, chosen as by WMT's script."""
    first = max(range(len(ratings)), key=lambda system: (ratings[system].sigma, system))
    others = [system for system in range(len(ratings)) if system != first]
    weights = [math.exp(-abs(ratings[first].mu - ratings[system].mu)) for system in others]
    return first, random.choices(others, weights)[0]  # noqa: S311


def once(function: Callable[[], object]) -> float:
    """CPU seconds of a single call, in all threads."""
    start = process_time()
    function()
    return process_time() - start


def on_idle_cores(function: Callable[[], object]) -> float:
    """Seconds of a single call whose threads have a core each."""
    return once(function) / THREADS


def best_in_turns(*measured: Callable[[], float]) -> list[float]:
    """The fewest seconds of each, measured in turns."""
    return [min(times) for times in zip(*([each() for each in measured] for _ in range(TURNS)), strict=True)]


def ratio(name: str, ours: float, theirs: float, peer: str) -> Row:
    """A row of figures."""
    return {"what": name, "seconds": ours, "peer": peer, "peer_seconds": theirs, "ratio": theirs / ours}


def longer(name: str, short: float, long: float) -> Row:
    """A row of figures that compares two times."""
    return {"what": name, "seconds": short, "longer_seconds": long, "ratio": long / short}


def measure_methods(snapshot: pd.DataFrame) -> list[Row]:
    """Each method with 1,000 replicates against its peer."""
    pairs = group_pairs(snapshot, Unit.PAIR)
    counts, everything = pairs.counts, range(REPLICATES)
    trueskill_runs(counts, range(1), 1)
    one_thread, two = (trueskill_replicates(pairs, range(40), 1, threads=threads) for threads in (1, 2))
    assert np.array_equal(one_thread, two)

    ours = seconds(lambda: clustered(expected_wins_replicates(pairs, everything, 1)))
    theirs = seconds(lambda: clustered(expected_wins_of_rows(pairs)))
    bootstrap, of_rows, procedure, of_choices = best_in_turns(
        lambda: on_idle_cores(lambda: trueskill_replicates(pairs, everything, 1, threads=THREADS)),
        lambda: package_loop(pairs, any_pair),
        lambda: on_idle_cores(lambda: trueskill_runs(counts, everything, 1, threads=THREADS)),
        lambda: package_loop(pairs, chosen_pair),
    )
    first, second, winners = rows_for_evalica(pairs)
    evalica_seconds = seconds(lambda: evalica.bradley_terry(first, second, winners))
    return [
        ratio("ExpectedWins, ranges and clusters", ours, theirs, "resampled rows"),
        ratio("TrueSkill, resampled counts", bootstrap, of_rows, "package, a part"),
        ratio("TrueSkill, WMT's procedure", procedure, of_choices, "package, a part"),
        ratio("Bradley-Terry, one fit", seconds(lambda: fit(pairs)), evalica_seconds, "evalica"),
    ]


def clustered(scores: np.ndarray) -> np.ndarray:
    """The clusters of replicates."""
    return rank_clusters(*rank_ranges(scores))


def measure_grid(snapshot: pd.DataFrame) -> Row:
    """GJG15's Table 4, both methods, against one bootstrap by TrueSkill."""
    pairs = group_pairs(snapshot, Unit.PAIR)
    bootstrap = partial(trueskill_runs, pairs.counts, range(REPLICATES), 1, threads=THREADS)
    before = on_idle_cores(bootstrap)
    grid = on_idle_cores(
        lambda: [
            cross_validate(snapshot, method, folds=FOLDS, replicates=RUNS_PER_FOLD, threads=THREADS)
            for method in (Method.EXPECTED_WINS, Method.TRUESKILL)
        ]
    )
    one = (before + on_idle_cores(bootstrap)) / 2
    return longer("TrueSkill once; GJG15's Table 4", one, grid)


def fit(pairs: GroupedPairs) -> object:
    """Bradley-Terry from rows, the input of `evalica`."""
    counts: PairCounts = pairs.counts
    return bradley_terry(counts)


def rows_for_evalica(pairs: GroupedPairs) -> tuple[list[str], list[str], list[evalica.Winner]]:
    """First systems, second systems, and winners."""
    rows, seconds_ = np.divmod(pairs.codes, len(pairs.systems))
    names = np.array(pairs.systems)
    winners = np.where(rows >= len(names), evalica.Winner.Draw, evalica.Winner.X)
    return names[rows % len(names)].tolist(), names[seconds_].tolist(), winners.tolist()


def measure_growth(snapshot: pd.DataFrame, larger: pd.DataFrame) -> list[Row]:
    """Seconds for a bootstrap, starting from the snapshot, and for ten times the judgments."""

    def bootstrap(frame: pd.DataFrame, unit: Unit) -> object:
        return clustered(expected_wins_replicates(group_pairs(frame, unit), range(REPLICATES), 1))

    def play(frame: pd.DataFrame) -> object:
        pairs = group_pairs(frame, Unit.PAIR)
        return trueskill_runs(pairs.counts, range(REPLICATES // 10), 1, threads=THREADS)

    tasks: dict[str, Callable[[pd.DataFrame], object]] = {
        "ExpectedWins by pair": lambda frame: bootstrap(frame, Unit.PAIR),
        "ExpectedWins by sentence": lambda frame: bootstrap(frame, Unit.SENTENCE),
        "TrueSkill by pair, 100 runs": play,
    }
    rows: list[Row] = []
    for name, task in tasks.items():
        small, large = once(partial(task, snapshot)), once(partial(task, larger))
        rows.append(longer(f"{name}; tenfold", small, large))
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.ranking",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print figures instead of a table")
    as_json = parser.parse_args().json
    snapshot = made_up_judgments(JUDGMENTS, seed=1)
    methods = measure_methods(snapshot)
    growth = [
        measure_grid(snapshot),
        *measure_growth(snapshot, made_up_judgments(10 * JUDGMENTS, seed=2)),
    ]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if as_json:
        print(json.dumps({"methods": methods, "growth": growth, "peak_mib": memory}, indent=2))
        return
    print(f"{len(group_pairs(snapshot, Unit.PAIR).codes):,} expanded pairs, {REPLICATES:,} replicates\n")
    for row in methods:
        print(
            f"{row['what']:<34}  {row['seconds']:>8.3f} s  {row['peer']:<27}  "
            f"{row['peer_seconds']:>10.3f} s  ratio {row['ratio']:.4g}"
        )
    print("\nhow much longer the second takes than the first; tenfold: ten times the judgments")
    for row in growth:
        print(
            f"{row['what']:<43}  {row['seconds']:>8.3f} s  {row['longer_seconds']:>8.3f} s  "
            f"ratio {row['ratio']:.3g}"
        )
    print(f"\nat most {memory:.0f} MiB of memory")


if __name__ == "__main__":
    main()
