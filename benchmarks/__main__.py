"""Every benchmark in turn: `python -m benchmarks`, or `make bench`."""

from benchmarks import exports, highlighting, imports, ranking, sampling, simulated_crowd

for benchmark in (sampling, highlighting, imports, exports, ranking, simulated_crowd):
    print(f"\n== {benchmark.__name__} ==")
    benchmark.main()
