"""Every benchmark in turn: `python -m benchmarks`, or `make bench`."""

from benchmarks import highlighting, imports, sampling

for benchmark in (sampling, highlighting, imports):
    print(f"\n== {benchmark.__name__} ==")
    benchmark.main()
