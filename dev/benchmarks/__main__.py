"""Every benchmark in turn: `python -m dev.benchmarks`, or `make bench`."""

from dev.benchmarks import (
    exports,
    highlighting,
    hybrids,
    imports,
    metrics,
    metrics_people,
    ranking,
    sampling,
    simulated_crowd,
)

for benchmark in (
    sampling,
    highlighting,
    imports,
    exports,
    ranking,
    simulated_crowd,
    metrics_people,
    hybrids,
    metrics,
):
    print(f"\n== {benchmark.__name__} ==")
    benchmark.main()
