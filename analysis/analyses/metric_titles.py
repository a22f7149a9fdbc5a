"""How metrics are called on pages, in tables and figures."""

from collections.abc import Callable, Iterable
from operator import itemgetter

from core.columns import Column, Text
from core.names import Naming
from core.results import Choice, Computed
from core.tables import Table
from metrics import METRICS

UPLOADED = " (uploaded)"
"""The suffix of the name of uploaded scores."""


def title_of_metric(name: str) -> str:
    """The metric's label, with the parameters that are stated; other names stay what they are."""
    scored, separator, by = name.partition(", by ")
    metric, *stated = scored.split(":")
    if metric not in METRICS or scored.endswith(UPLOADED):
        return name
    label = METRICS[metric].label
    return f"{label} ({', '.join(stated)}){separator}{by}" if stated else f"{label}{separator}{by}"


METRIC = Choice("Metric", lambda computed: {name: title_of_metric(name) for name in computed.result.metrics})
"""The metric that a figure or a list shows, of a result with metrics by name."""


class MetricName(Column):
    """A metric by the name of its scores in files and terminals, by its title elsewhere."""

    def text(self, value: str, naming: Naming) -> str:
        """Its title."""
        return value if naming.by_key else title_of_metric(value)


def missing_table(rows: Callable[[Computed], Iterable[tuple[object, str]]], *further: Column) -> Table:
    """The table of metrics that something is missing of, with the reasons, for pages and terminals."""
    return Table(
        rows=rows,
        columns=(MetricName("", "Metric", itemgetter(0)), *further, Text("", "Reason", itemgetter(-1))),
        caption="Missing values",
        in_files=False,
    )
