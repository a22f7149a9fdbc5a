"""A paper whose tables are computed from its public data."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from analysis.reproduction.cells import Table
from core.progress import Advance
from figures.drawing import Chart


@dataclass(eq=False)
class PaperData:
    """The public data of a paper. Properties read what a table needs, once.

    Attributes:
        folder: holds the data of all papers.
        progress: called with the number of steps finished.
    """

    folder: Path
    progress: Advance = field(default=lambda steps: None)


Data = TypeVar("Data", bound=PaperData)


@dataclass(frozen=True, slots=True)
class Paper(Generic[Data]):
    """A paper whose tables can be computed.

    Attributes:
        data: the class of its data.
        tables: what computes each table, by name.
        progress: name of the progress bar.
        steps: total progress of each computation that reports progress, by the tables that need it.
        draw: draws the paper's figures, by name; None if it has none.
        splits: parts of the data that may be in folders of their own, attributes of the data.
        remarks: by table, how its computation differs from Assay's defaults.
    """

    data: type[Data]
    tables: Mapping[str, Callable[[Data], Table]]
    progress: str
    steps: Mapping[tuple[str, ...], int]
    draw: Callable[[Data], Mapping[str, Chart]] | None = None
    splits: Sequence[str] = ()
    remarks: Mapping[str, str] = field(default_factory=dict)

    def reproduce(self, data: Data, tables: Collection[str]) -> dict[str, Table]:
        """The named tables."""
        return {name: compute(data) for name, compute in self.tables.items() if name in tables}
