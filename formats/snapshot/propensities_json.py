"""Propensities of an item of a follow-up campaign, as JSON.

An object with a list for each output of the item, by its digest: how often the follow-up asks about it
together with each output of the item, itself included, in the order of the digests, relative to ordinary
sampling. They are symmetric, positive numbers.
"""

import json
from collections.abc import Mapping, Sequence

Propensities = Mapping[str, Sequence[float]]

LEAST, MOST = 1e-12, 1e12
"""Limits of a propensity: squares of weights far outside overflow, and comparisons would get lost."""

MAX_PROPENSITIES_CHARS = 10_000
"""Longest JSON of propensities. Nine outputs, the most of a screen, take 2,500."""


def propensities_text(propensities: Propensities) -> str:
    """Their canonical JSON."""
    return json.dumps(propensities, sort_keys=True, separators=(",", ":"))


def propensities_fault(propensities: object) -> str | None:
    """Why these cannot be the propensities of an item; None if they can."""
    if not isinstance(propensities, Mapping) or not propensities:
        return "propensities that are not an object with a list for each output"
    rows = [propensities[digest] for digest in sorted(propensities)]
    if not all(isinstance(row, list | tuple) and len(row) == len(rows) for row in rows):
        return "propensities that are not a list of one number for each output"
    for row in rows:
        for number in row:
            if isinstance(number, bool) or not isinstance(number, int | float):
                return "propensities that are not numbers"
            if not LEAST <= number <= MOST:
                return f"a propensity of {number}, where only {LEAST:g} to {MOST:g} is possible"
    if any(row[place] != rows[place][number] for number, row in enumerate(rows) for place in range(number)):
        return "propensities of two outputs that depend on their order"
    return None
