"""How metrics are called on pages, in tables and figures."""

from core.columns import Column
from core.names import Naming
from metrics import METRICS

UPLOADED = " (uploaded)"
"""What follows the name of uploaded scores."""


def title_of_metric(name: str) -> str:
    """The metric's label, with the parameters that are stated; other names stay what they are."""
    scored, separator, by = name.partition(", by ")
    metric, *stated = scored.split(":")
    if metric not in METRICS or scored.endswith(UPLOADED):
        return name
    label = METRICS[metric].label
    return f"{label} ({', '.join(stated)}){separator}{by}" if stated else f"{label}{separator}{by}"


class MetricName(Column):
    """A metric by the name of its scores in files and terminals, by its title elsewhere."""

    def text(self, value: str, naming: Naming) -> str:
        """Its title."""
        return value if naming.by_key else title_of_metric(value)
