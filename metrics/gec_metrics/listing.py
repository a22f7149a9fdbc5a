"""The metrics of gec-metrics that are offered: asked of the interpreter once, and kept in a file.

Loading gec-metrics takes seconds, and pages and commands that name metrics cannot wait for it.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from metrics.gec_metrics.interpreter import GecMetricsError, Interpreter, Wait

LIST_AGAIN = "Run `manage.py gec_metrics`, then restart Assay"


@dataclass(frozen=True, slots=True)
class Setup:
    """How gec-metrics is run.

    Attributes:
        python: path of the interpreter.
        list_file: where the list of its metrics is kept.
        seconds: how long to wait for an answer.
    """

    python: str
    list_file: Path
    seconds: float = 600.0


@dataclass(frozen=True, slots=True)
class ListedMetric:
    """A metric of gec-metrics.

    Attributes:
        id: what gec-metrics calls it, such as "impara".
        label: the name of its class, such as "IMPARA".
        references: whether it compares with references.
        options: fields of its configuration that differ from their defaults.
    """

    id: str
    label: str
    references: bool
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MetricList:
    """The metrics that an interpreter offers.

    Attributes:
        python: path of the interpreter.
        version: of gec-metrics.
        metrics: in the order of gec-metrics.
    """

    python: str
    version: str
    metrics: tuple[ListedMetric, ...]


def reported(interpreter: Interpreter, python: str, wait: Wait) -> MetricList:
    """The versions and metrics that a newly started interpreter reports.

    Raises:
        GecMetricsError: as `Interpreter.first`, or it says something else.
    """
    told = interpreter.first(wait)
    try:
        metrics = tuple(
            ListedMetric(str(each["id"]), str(each["label"]), bool(each["references"]))
            for each in told["metrics"]
        )
        return MetricList(python, str(told["version"]), metrics)
    except (KeyError, TypeError) as error:
        raise GecMetricsError(f"{python} does not answer like gec-metrics: no {error}.") from error


def make_list(
    setup: Setup, wanted: Collection[str], options: Mapping[str, Mapping[str, object]]
) -> MetricList:
    """Ask the interpreter for its metrics, and keep the list.

    Args:
        setup: which interpreter, and where to keep the list.
        wanted: ids of the metrics to offer; all if empty.
        options: by id, fields of the metric's configuration.

    Raises:
        GecMetricsError: the interpreter does not answer, or has no metric of such an id.
    """
    interpreter = Interpreter(setup.python, setup.seconds)
    try:
        everything = reported(interpreter, setup.python, lambda: None)
    finally:
        interpreter.close()
    there = [each.id for each in everything.metrics]
    if unknown := sorted({*wanted, *options}.difference(there)):
        raise GecMetricsError(
            f"gec-metrics {everything.version} has no metric {', '.join(unknown)}; "
            f"metrics are: {', '.join(there)}."
        )
    metrics = tuple(
        ListedMetric(each.id, each.label, each.references, dict(options.get(each.id, {})))
        for each in everything.metrics
        if each.id in wanted or not wanted
    )
    made = MetricList(setup.python, everything.version, metrics)
    unfinished = setup.list_file.with_suffix(".new")
    unfinished.write_text(json.dumps(asdict(made), indent=1))
    unfinished.replace(setup.list_file)
    return made


def read_list(setup: Setup) -> MetricList:
    """The list that `make_list` has kept.

    Raises:
        GecMetricsError: there is none, or it is of another interpreter.
    """
    try:
        stored = json.loads(setup.list_file.read_text())
        metrics = tuple(ListedMetric(**each) for each in stored["metrics"])
        kept = MetricList(stored["python"], stored["version"], metrics)
    except FileNotFoundError as error:
        raise GecMetricsError(
            f"GEC_METRICS_PYTHON is set, but its metrics are not listed yet. {LIST_AGAIN}."
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise GecMetricsError(f"{setup.list_file} cannot be read. {LIST_AGAIN}.") from error
    if kept.python != setup.python:
        raise GecMetricsError(f"GEC_METRICS_PYTHON has changed since its metrics were listed. {LIST_AGAIN}.")
    return kept
