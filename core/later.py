"""Libraries that take longer to import than all of Assay, imported when a function first uses them.

A web process that shows stored results needs none of them: it answers sooner after its start, and takes a
third of the memory. Modules take them from here (``from core.later import pd``), and leave annotations
unevaluated (``from __future__ import annotations``); the linter refuses other imports.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    from pyarrow import csv
    from scipy import optimize, sparse, special, stats
    from scipy.sparse import csgraph
else:

    class _Later:
        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, attribute: str) -> Any:
            value = getattr(import_module(self._name), attribute)
            setattr(self, attribute, value)
            return value

    alt, pd = _Later("altair"), _Later("pandas")
    pa, pc, pq = _Later("pyarrow"), _Later("pyarrow.compute"), _Later("pyarrow.parquet")
    csv = _Later("pyarrow.csv")
    optimize, sparse = _Later("scipy.optimize"), _Later("scipy.sparse")
    special, stats = _Later("scipy.special"), _Later("scipy.stats")
    csgraph = _Later("scipy.sparse.csgraph")

__all__ = [
    "alt",
    "csgraph",
    "csv",
    "optimize",
    "pa",
    "pc",
    "pd",
    "pq",
    "sparse",
    "special",
    "stats",
]
