"""Metrics of installed packages, by entry points of the group `assay.metrics`.

A package names a subclass of `Metric`, or a function without arguments that returns some::

    [assay.metrics]
    length = "length_metric:LengthRatio"

A fault of one package is reported in words, and the others stay usable.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract
from threading import RLock
from typing import Any

from core.parameters import parameter_fields
from metrics.base.metric import AnyMetric, Metric, MetricError

GROUP = "assay.metrics"

OF_ASSAY = (EntryPoint("gec-metrics", "metrics.gec_metrics.metric:listed_metrics", GROUP),)
"""Metrics that are there if Assay is set up so."""

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MOST_NAME_CHARS = 50

_loading = RLock()


@dataclass(frozen=True, slots=True)
class FurtherMetrics:
    """The metrics that packages have registered.

    Attributes:
        metrics: by name.
        faults: why other metrics cannot be used, a sentence each that names the package.
    """

    metrics: Mapping[str, type[AnyMetric]]
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Registered:
    """A class with the entry point that has led to it."""

    metric: type[AnyMetric]
    entry: EntryPoint


class _UnusableError(Exception):
    """An entry point names no metric; the message says why."""


def further_metrics(shipped: Mapping[str, type[AnyMetric]]) -> FurtherMetrics:
    """The metrics of installed packages, loaded when this is first called.

    Args:
        shipped: the metrics of Assay, whose names are taken.
    """
    with _loading:
        return _loaded(frozenset(shipped))


def forget_further_metrics() -> None:
    """Have installed packages looked up again."""
    _loaded.cache_clear()


@lru_cache(maxsize=1)
def _loaded(taken: frozenset[str]) -> FurtherMetrics:
    registered: list[_Registered] = []
    faults: list[str] = []
    for entry in sorted(_entry_points(), key=lambda entry: (_package(entry), entry.name)):
        try:
            registered += [_Registered(metric, entry) for metric in _metrics_of(entry)]
        except _UnusableError as error:
            faults.append(f"The metric {entry.name!r} of {_package(entry)} cannot be used: {error}.")
    metrics = {}
    for each in registered:
        if others := _others_of_that_name(each, registered, taken):
            faults.append(
                f"The metric {each.metric.name!r} of {_package(each.entry)} cannot be used: {others} "
                "has a metric of that name."
            )
            continue
        if each.entry.dist is not None:
            each.metric.package = f"{each.entry.dist.name}-{each.entry.dist.version}"
        metrics[each.metric.name] = each.metric
    return FurtherMetrics(metrics, tuple(faults))


def _entry_points() -> Iterator[EntryPoint]:
    yield from OF_ASSAY
    yield from entry_points(group=GROUP)


def _package(entry: EntryPoint) -> str:
    return "Assay" if entry.dist is None else f"the package {entry.dist.name} {entry.dist.version}"


def _metrics_of(entry: EntryPoint) -> list[type[AnyMetric]]:
    """The metrics that an entry point names.

    Raises:
        _UnusableError: it cannot be imported, or is no metric.
    """
    # Code of other people may raise anything, and even try to end the program when it is imported.
    try:
        loaded = entry.load()
        classes = [loaded] if isinstance(loaded, type) else list(_returned(loaded))
    except _UnusableError:
        raise
    except MetricError as error:
        raise _UnusableError(str(error).removesuffix(".")) from error
    except (Exception, SystemExit) as error:
        raise _UnusableError(f"{entry.value} cannot be loaded ({_in_words(error)})") from error
    for each in classes:
        _check(each)
    return classes


def _returned(loaded: object) -> Iterable[Any]:
    if not callable(loaded):
        raise _UnusableError(f"{loaded!r} is neither a metric nor a function that returns metrics")
    metrics: Iterable[Any] = loaded()
    return metrics


def _check(cls: object) -> None:
    """Raise `_UnusableError` unless this is a whole metric."""
    if not (isinstance(cls, type) and issubclass(cls, Metric)):
        raise _UnusableError(f"{cls!r} is not a subclass of metrics.Metric")
    if isabstract(cls):
        lacking = ", ".join(sorted(cls.__abstractmethods__))
        raise _UnusableError(f"{cls.__name__} does not define {lacking}")
    for attribute in ("name", "label", "summary"):
        text = getattr(cls, attribute, None)
        if not isinstance(text, str) or not text:
            raise _UnusableError(f"{cls.__name__} has no {attribute}")
    if not NAME.fullmatch(cls.name) or len(cls.name) > MOST_NAME_CHARS:
        raise _UnusableError(
            f"the name {cls.name!r} is not made of lower-case letters, digits and single dashes, at most "
            f"{MOST_NAME_CHARS}"
        )
    try:
        parameter_fields(cls.Parameters)
        cls()
    except Exception as error:
        raise _UnusableError(f"its usual parameters do not work ({_in_words(error)})") from error


def _others_of_that_name(each: _Registered, registered: Iterable[_Registered], taken: frozenset[str]) -> str:
    """The packages that have another metric of this name, in words; empty where there are none."""
    same = {
        _package(other.entry)
        for other in registered
        if other is not each and other.metric.name == each.metric.name
    }
    return " and ".join((["Assay"] if each.metric.name in taken else []) + sorted(same - {"Assay"}))


def _in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
