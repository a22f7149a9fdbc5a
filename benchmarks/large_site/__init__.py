"""What a large site holds, made up: `fill` stores it, part by part."""

from benchmarks.large_site.fill import fill

__all__ = ["fill"]
