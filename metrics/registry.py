"""All metrics by name, and metrics as they are written on a command line."""

from collections.abc import Iterable, Iterator, Mapping

from metrics.base.metric import AnyMetric
from metrics.entry_points import further_metrics
from metrics.untrained import SHIPPED, UNTRAINED, UnknownMetricError, configured

LEARNED = "learned"
"""`learned:FILE` is the metric of a saved model."""


class _Metrics(Mapping[str, type[AnyMetric]]):
    """Metrics that need no training, then learned ones."""

    def __getitem__(self, name: str) -> type[AnyMetric]:
        return UNTRAINED[name] if name in UNTRAINED else _learned()[name]

    def __iter__(self) -> Iterator[str]:
        yield from UNTRAINED
        yield from (name for name in _learned() if name not in UNTRAINED)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _learned() -> Mapping[str, type[AnyMetric]]:
    from metrics.learned.shelf import offered

    return offered()


METRICS: Mapping[str, type[AnyMetric]] = _Metrics()


def faults_of_packages() -> tuple[str, ...]:
    """Why metrics of installed packages and learned ones cannot be used, a sentence each."""
    from metrics.learned.shelf import faults

    return (*further_metrics(SHIPPED).faults, *faults())


_REPORTED_MOST = ("m2", "errant", "gleu")


def in_usual_order(names: Iterable[str]) -> list[str]:
    """Names of scores, such as "m2:beta=1": first of the metrics that most papers report, others as given."""
    places = {name: place for place, name in enumerate(_REPORTED_MOST)}
    return sorted(names, key=lambda name: places.get(name.partition(":")[0], len(places)))


def metric_class(name: str) -> type[AnyMetric]:
    """The metric of a name, such as "m2".

    Raises:
        UnknownMetricError: there is none.
    """
    if name not in METRICS:
        faults = "".join(f". {fault.removesuffix('.')}" for fault in faults_of_packages())
        raise UnknownMetricError(
            f"there is no metric {name!r}; metrics are: {', '.join(sorted(METRICS))}{faults}"
        )
    return METRICS[name]


def metric_from_text(text: str) -> AnyMetric:
    """A metric with parameters as written on a command line: NAME[:PARAMETER=VALUE]..., such as "m2:beta=1".

    A saved model is written `learned:FILE`.

    Raises:
        UnknownMetricError: there is no metric of that name.
        ParameterError: see `configured`; or the file holds no learned metric.
    """
    name, *settings = text.split(":")
    if name == LEARNED:
        from metrics.learned.metric import metric_of_file

        return metric_of_file(text.partition(":")[2])
    return configured(metric_class(name), settings)
