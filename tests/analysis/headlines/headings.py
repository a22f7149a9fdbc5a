"""What tests of headings share: the heading of a result, and rankings of systems."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analysis.analyses.base import analyses
from analysis.analyses.metrics.sensitivity.metric_windows import ACCURACY
from core.names import Naming
from core.results import Computed
from ranking import Method, Standing, Standings, Unit

Headings = Sequence[tuple[str, Any, str]]
"""The name of an analysis, what its result holds, and the heading."""

NAMING = Naming("", {"A": "Alder"}, {}, {})

MANY = [f"S{number}" for number in range(1, 41)]
"""Names of systems, metrics or annotators."""


def heading(name: str, result: Any, parameters: Any = None) -> str:
    """The heading of a result of an analysis, which holds no more than the heading reads."""
    analysis = analyses()[name]
    assert analysis.headline is not None
    computed = Computed(parameters, result, chosen={"figure": ACCURACY, "metric": "gleu"})
    return analysis.headline(computed, NAMING).replace("\N{NO-BREAK SPACE}", " ")


def for_each(headings: Headings) -> pytest.MarkDecorator:
    """Runs a test for each heading."""
    ids = [f"{name}: {said}" for name, _, said in headings]
    return pytest.mark.parametrize(("name", "result", "expected"), headings, ids=ids)


def ranked(*clusters: str, reason: str | None = None) -> Standings:
    """Systems in clusters, such as "A B"; each has a lower score than the one before.

    The rank range of a system is that of its cluster, or its own, such as in "A:1-2 B:2-3 C:2-3".
    """
    systems: list[Standing] = []
    for cluster, members in enumerate(map(str.split, clusters), start=1):
        best, worst = len(systems) + 1, len(systems) + len(members)
        for name, _, stated in (member.partition(":") for member in members):
            low, high = map(int, stated.split("-")) if stated else (best, worst)
            standing = Standing(name, 1 - len(systems) / 100, None, None, None, low, high, cluster, None)
            unranked = replace(standing, rank_low=None, rank_high=None, cluster=None)
            systems.append(unranked if reason else standing)
    return Standings(
        Method.EXPECTED_WINS, Unit.SENTENCE, 1000, 0.95, tuple(systems), (), np.empty((0, 0)), reason
    )
