"""Sampling probabilities by dynamic programming against enumerating all subsets of outputs.

Run as `python -m dev.benchmarks.sampling`, with `--json` for figures instead of a table.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from annotate.design.sampling import expected_coverage, sampling_probabilities
from dev.benchmarks.timing import seconds

MAX_OUTPUTS = 5
DISTINCT_OUTPUTS = (13, 16, 18)
SENTENCES, SYSTEMS, MANY_SYSTEMS = 1312, 13, 500


def coverage_of_all_subsets(shape: Sequence[int], max_outputs: int) -> Fraction:
    """Expected coverage from the size and the covered systems of each of the 2^U subsets."""
    subsets = [(0, 0)]
    for multiplicity in shape:
        subsets += [(size + 1, covered + multiplicity) for size, covered in subsets]
    counted = [covered for size, covered in subsets if size <= max_outputs <= covered]
    return Fraction(sum(counted), len(counted))


def made_up_corpus(sentences: int, systems: int, seed: int) -> list[list[int]]:
    """Shapes of sentences that differ in how often systems have the same output."""
    rng = np.random.default_rng(seed)
    corpus = []
    for _ in range(sentences):
        agreement = rng.random()
        outputs = [0]
        for system in range(1, systems):
            outputs.append(outputs[rng.integers(system)] if rng.random() < agreement else system)
        corpus.append(list(Counter(outputs).values()))
    return corpus


def measure_subsets(distinct_outputs: int) -> dict[str, float]:
    """Both methods on one shape, whose outputs come from 1, 2, 3, 1, 2, 3 ... systems."""
    shape = [1 + position % 3 for position in range(distinct_outputs)]
    assert expected_coverage(shape, MAX_OUTPUTS) == coverage_of_all_subsets(shape, MAX_OUTPUTS)
    programmed = seconds(lambda: expected_coverage(shape, MAX_OUTPUTS))
    enumerated = seconds(lambda: coverage_of_all_subsets(shape, MAX_OUTPUTS))
    return {
        "distinct_outputs": distinct_outputs,
        "programmed_seconds": programmed,
        "all_subsets_seconds": enumerated,
        "ratio": enumerated / programmed,
    }


def measure_corpus() -> dict[str, float]:
    """A corpus in one call, the same sentences one by one, and a sentence with hundreds of systems."""
    corpus = made_up_corpus(SENTENCES, SYSTEMS, seed=1)
    diverse = [1 + position % 30 for position in range(MANY_SYSTEMS)]
    return {
        "sentences": len(corpus),
        "distinct_shapes": len({tuple(sorted(shape)) for shape in corpus}),
        "one_call_seconds": seconds(lambda: sampling_probabilities(corpus, MAX_OUTPUTS)),
        "one_by_one_seconds": seconds(lambda: [expected_coverage(shape, MAX_OUTPUTS) for shape in corpus]),
        "many_outputs": len(diverse),
        "many_outputs_seconds": seconds(lambda: expected_coverage(diverse, MAX_OUTPUTS)),
    }


def print_table(subsets: list[dict[str, float]], corpus: dict[str, float]) -> None:
    """The figures in milliseconds."""
    print(f"{'distinct outputs':>16}  {'programmed, ms':>14}  {'all subsets, ms':>15}  {'ratio':>7}")
    for row in subsets:
        print(
            f"{row['distinct_outputs']:>16}  {row['programmed_seconds'] * 1e3:>14.3f}  "
            f"{row['all_subsets_seconds'] * 1e3:>15.3f}  {row['ratio']:>7.0f}"
        )
    print(
        f"\n{corpus['sentences']} sentences, {SYSTEMS} systems, {corpus['distinct_shapes']} distinct shapes: "
        f"{corpus['one_call_seconds'] * 1e3:.1f} ms in one call, "
        f"{corpus['one_by_one_seconds'] * 1e3:.1f} ms one by one\n"
        f"a sentence with {corpus['many_outputs']} distinct outputs: "
        f"{corpus['many_outputs_seconds'] * 1e3:.1f} ms"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.sampling",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print figures instead of a table")
    as_json = parser.parse_args().json
    subsets = [measure_subsets(outputs) for outputs in DISTINCT_OUTPUTS]
    corpus = measure_corpus()
    if as_json:
        print(json.dumps({"subsets": subsets, "corpus": corpus}, indent=2))
    else:
        print_table(subsets, corpus)


if __name__ == "__main__":
    main()
