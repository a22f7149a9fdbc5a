"""Synthetic contents of a large site; `fill` stores them part by part."""

from dev.benchmarks.large_site.fill import fill

__all__ = ["fill"]
