"""Metrics of installed packages: what is registered, and messages about what is refused."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from metrics import (
    METRICS,
    EvaluationSet,
    UnknownMetricError,
    bootstrap_intervals,
    faults_of_packages,
    metric_class,
    metric_from_text,
    score,
)
from tests.metrics.packages import Packages, packages

__all__ = ["packages"]

METRIC = """
from metrics.base.metric import MeanMetric, mean_row

class Length(MeanMetric):
    name = {name!r}
    label = "Length"
    summary = "Tokens of the output."
    needs = frozenset()

    def prepare(self, data):
        return lambda sentence, output: mean_row(len(output.split()))
"""


def metric_called(name: str) -> str:
    return METRIC.format(name=name)


def test_the_example_of_the_documentation_scores(packages: Packages) -> None:
    packages.install_example()
    metric = metric_from_text("length-ratio")
    assert not faults_of_packages()
    assert "length-ratio" in METRICS
    assert len(METRICS) == len(list(METRICS))
    data = EvaluationSet(("a b", "a b c d", "a b c d"))
    scored = score(metric, data, {"x": ["a", "a b c d", "a b"], "y": ["a b", "a b c d", "a b c d"]})
    assert scored.corpus("x").value == pytest.approx(2 / 3)
    assert scored.signature.startswith("length-ratio|tok:given|package:length-metric-1.0|assay:")
    interval = bootstrap_intervals(scored, 100, seed=1)["x"]
    assert interval.low is not None
    assert interval.low < 2 / 3
    assert interval.high is not None


def test_packages_are_loaded_when_a_metric_is_looked_up_and_once(packages: Packages) -> None:
    text = f"""
from pathlib import Path
with Path({str(packages.folder / "imports")!r}).open("a") as file:
    file.write("x")
{metric_called("counted")}
"""
    packages.install("counting", "1.0", {"counted": "counting:Length"}, counting=text)
    imports = packages.folder / "imports"
    metric_class("gleu")
    assert not imports.exists()
    assert metric_class("counted").package == "counting-1.0"
    assert "nothing" not in METRICS
    assert sorted(METRICS)
    assert imports.read_text() == "x"


def test_a_function_may_return_several(packages: Packages) -> None:
    text = f"""
{metric_called("one")}
class Other(Length):
    name = "two"

def both():
    return [Length, Other]
"""
    packages.install("several", "2.1", {"all": "several:both"}, several=text)
    assert metric_class("one").package == metric_class("two").package == "several-2.1"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("import a_module_that_is_not_there", "ModuleNotFoundError: No module named 'a_module_that"),
        ("raise SystemExit", "broken:Length cannot be loaded (SystemExit)"),
        ("def Length():\n    return 1 / 0", "ZeroDivisionError"),
        ("Length = 3", "3 is neither a metric nor a function that returns metrics"),
        ("Length = dict", "is not a subclass of metrics.Metric"),
        ("from metrics.base import MeanMetric\nclass Length(MeanMetric): ...", "does not define prepare"),
        (metric_called("Not a name"), "the name 'Not a name' is not made of lower-case letters"),
        (metric_called("a" * 51), "at most 50"),
        (metric_called("fine").replace("label =", "other ="), "Length has no label"),
        (f"{metric_called('fine')}\n    Parameters = 3", "its usual parameters do not work"),
    ],
)
def test_a_broken_package_is_named_and_costs_no_other(packages: Packages, text: str, fault: str) -> None:
    packages.install("broken-one", "0.3", {"length": "broken:Length"}, broken=text)
    packages.install_example()
    [told] = faults_of_packages()
    assert told.startswith("The metric 'length' of the package broken-one 0.3 cannot be used: ")
    assert fault in told
    assert metric_class("length-ratio").label == "Length ratio"
    with pytest.raises(UnknownMetricError, match=r"the package broken-one 0\.3 cannot be used"):
        metric_class("length")


def test_names_are_taken_once(packages: Packages) -> None:
    packages.install("first", "1", {"x": "first:Length"}, first=metric_called("same"))
    packages.install("second", "2", {"x": "second:Length"}, second=metric_called("same"))
    packages.install("third", "3", {"x": "third:Length"}, third=metric_called("gleu"))
    reason = "cannot be used: {} has a metric of that name."
    assert faults_of_packages() == (
        f"The metric 'same' of the package first 1 {reason.format('the package second 2')}",
        f"The metric 'same' of the package second 2 {reason.format('the package first 1')}",
        f"The metric 'gleu' of the package third 3 {reason.format('Assay')}",
    )
    assert "same" not in METRICS
    assert metric_class("gleu").package == ""


def test_one_package_registers_a_name_once(packages: Packages) -> None:
    packages.install("twice", "1", {"x": "twice:Length", "y": "twice:Length"}, twice=metric_called("same"))
    assert [fault.partition(": ")[2] for fault in faults_of_packages()] == [
        "the package twice 1 has a metric of that name."
    ] * 2


def test_the_command_scores_with_it_and_lists_it(
    packages: Packages, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packages.install_example()
    packages.install("broken-one", "0.3", {"length": "nowhere:Length"})
    for name, text in {"source": "a b\n", "out": "a\n"}.items():
        (tmp_path / name).write_text(text)
    files = ("--source", str(tmp_path / "source"), "--output", str(tmp_path / "out"))
    call_command("score", *files, "--metric", "length-ratio")
    printed = capsys.readouterr().out
    assert "0.5000" in printed
    assert "|package:length-metric-1.0|" in printed
    call_command("metrics")
    told = capsys.readouterr()
    assert "length-ratio (Length ratio)" in told.out
    assert "From: length-metric-1.0" in told.out
    assert "The metric 'length' of the package broken-one 0.3" in told.err
    with pytest.raises(CommandError, match=r"there is no metric 'length'; .* the package broken-one 0\.3"):
        call_command("score", *files, "--metric", "length")
