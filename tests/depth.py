"""Depth of the tests: a part in each run, everything with `DEEP_TESTS=1` (`make test-deep`)."""

import os

DEEP = os.environ.get("DEEP_TESTS") == "1"


def examples(number: int) -> int:
    """The number of random examples: all of them in a deep run, else a tenth, but at least three."""
    return number if DEEP else max(number // 10, 3)
