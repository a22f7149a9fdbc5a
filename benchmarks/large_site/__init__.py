"""Synthetic contents of a large site; `fill` stores them part by part."""

from benchmarks.large_site.fill import fill

__all__ = ["fill"]
