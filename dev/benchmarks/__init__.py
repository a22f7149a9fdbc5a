"""Benchmarks, which use one thread for linear algebra, as the servers do."""

import config  # noqa: F401  # Sets it, before NumPy is loaded.
