"""All metrics by name, and metrics as they are written on a command line."""

from collections.abc import Iterator, Mapping
from typing import Any

from core.parameters import ParameterError, parameters_from_text
from metrics.base.metric import Metric
from metrics.bleu import Bleu
from metrics.chrf import Chrf
from metrics.cleme import Cleme
from metrics.cleme2 import Cleme2
from metrics.entry_points import further_metrics
from metrics.errant import Errant
from metrics.exact_match import ExactMatch
from metrics.gleu import CharGleu, Gleu
from metrics.grammaticality import Grammaticality
from metrics.green import Green
from metrics.ibleu import IBleu
from metrics.imeasure import IMeasure
from metrics.index_match import IndexMatch
from metrics.levenshtein import LdSource, MinLd
from metrics.m2 import M2
from metrics.sari import MaxSari, Sari

SHIPPED: Mapping[str, type[Metric[Any]]] = {
    each.name: each
    for each in (
        Bleu,
        CharGleu,
        Chrf,
        Cleme,
        Cleme2,
        Errant,
        ExactMatch,
        Gleu,
        Grammaticality,
        Green,
        IBleu,
        IMeasure,
        IndexMatch,
        LdSource,
        M2,
        MaxSari,
        MinLd,
        Sari,
    )
}  # fmt: skip


LEARNED = "learned"
"""`learned:FILE` is the metric of a saved model."""


class _Metrics(Mapping[str, type[Metric[Any]]]):
    """The metrics that are shipped, those of installed packages, and learned ones.

    Packages are loaded when one of their metrics is first needed.
    """

    def __getitem__(self, name: str) -> type[Metric[Any]]:
        if name in SHIPPED:
            return SHIPPED[name]
        further = further_metrics(SHIPPED).metrics
        return further[name] if name in further else _learned()[name]

    def __iter__(self) -> Iterator[str]:
        yield from SHIPPED
        further = further_metrics(SHIPPED).metrics
        yield from further
        yield from (name for name in _learned() if name not in further)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _learned() -> Mapping[str, type[Metric[Any]]]:
    from metrics.learned.shelf import offered

    return offered()


METRICS: Mapping[str, type[Metric[Any]]] = _Metrics()


class UnknownMetricError(ValueError):
    """There is no metric of that name; the message lists those there are."""


def faults_of_packages() -> tuple[str, ...]:
    """Why metrics of installed packages and learned ones cannot be used, a sentence each."""
    from metrics.learned.shelf import faults

    return (*further_metrics(SHIPPED).faults, *faults())


def metric_class(name: str) -> type[Metric[Any]]:
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


def metric_from_text(text: str) -> Metric[Any]:
    """A metric with parameters as written on a command line: NAME[:PARAMETER=VALUE]..., such as "m2:beta=1".

    A saved model is written `learned:FILE`.

    Raises:
        UnknownMetricError: there is no metric of that name.
        ParameterError: a parameter is not written so, unknown, given twice, or cannot take its value; or the
            file holds no learned metric.
    """
    if text.partition(":")[0] == LEARNED:
        from metrics.learned.metric import metric_of_file

        return metric_of_file(text.partition(":")[2])
    name, *settings = text.split(":")
    cls = metric_class(name)
    values: dict[str, str] = {}
    for setting in settings:
        parameter, equals, value = setting.partition("=")
        if not equals:
            raise ParameterError(f"{name}: write PARAMETER=VALUE, not {setting!r}")
        if parameter in values:
            raise ParameterError(f"{name}: {parameter} is given twice")
        values[parameter] = value
    try:
        return cls(parameters_from_text(cls.Parameters, values))
    except ParameterError as error:
        raise ParameterError(f"{name}: {error}") from None
