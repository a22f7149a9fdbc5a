"""The benchmark of metrics covers all metrics, and its peers give the same figures."""

import json
import sys
from pathlib import Path

import pytest

from dev.benchmarks import metrics as benchmark
from dev.benchmarks import plain_gleu, plain_m2
from metrics import METRICS, EvaluationSet, metric_from_text, score
from tests.depth import DEEP

FIRST = slice(0, 24)
COMPARED = FIRST if DEEP else slice(0, 6)
"""The plain M2 takes half a second a sentence."""


def part_of(data: EvaluationSet, sentences: slice) -> EvaluationSet:
    return EvaluationSet(
        data.sources[sentences],
        data.references[sentences] if data.references else None,
        data.annotations[sentences] if data.annotations else None,
    )


@pytest.fixture(scope="module")
def evaluation(reference_data: Path) -> tuple[EvaluationSet, EvaluationSet, benchmark.Outputs]:
    data, ieval, outputs = benchmark.read_data(reference_data)
    shortened = {system: outputs[system][FIRST] for system in ("AMU", "CAMB")}
    return part_of(data, FIRST), part_of(ieval, FIRST), shortened


def test_all_metrics_but_chrf_the_checker_and_those_of_edits_are_timed() -> None:
    names = {metric.name for metric in benchmark.registered()}
    assert names == METRICS.keys() - {"chrf", "grammaticality", "errant", "cleme", "cleme2"}


def test_peers_give_the_same_figures(
    evaluation: tuple[EvaluationSet, EvaluationSet, benchmark.Outputs],
) -> None:
    data, output = part_of(evaluation[0], COMPARED), evaluation[2]["AMU"][COMPARED]
    counts = [
        plain_m2.counts(*case) for case in zip(data.sources, output, data.annotations or (), strict=True)
    ]
    m2 = score(metric_from_text("m2"), data, {"AMU": output}).corpus("AMU").details
    assert plain_m2.corpus(counts, 0.5) == tuple(m2[name] for name in ("correct", "proposed", "gold"))
    plain = plain_gleu.corpus_gleu(
        [source.split() for source in data.sources],
        [text.split() for text in output],
        [[text.split() for text in texts] for texts in data.references or ()],
    )
    gleu = score(metric_from_text("gleu"), data, {"AMU": output}).corpus("AMU").value
    assert gleu == pytest.approx(plain, abs=1e-12)


def test_figures_come_as_json(
    evaluation: tuple[EvaluationSet, EvaluationSet, benchmark.Outputs],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    (tmp_path / "conll14").mkdir()
    monkeypatch.setattr(benchmark, "read_data", lambda folder: evaluation)
    monkeypatch.setattr(benchmark, "use_one_core", lambda: None)
    monkeypatch.setattr(benchmark, "registered", lambda: [metric_from_text("exact-match")])
    monkeypatch.setattr(sys, "argv", ["dev.benchmarks.metrics", "--data", str(tmp_path), "--json"])
    benchmark.main()
    figures = json.loads(capsys.readouterr().out)
    assert [each["metric"] for each in figures["metrics"]] == ["exact-match"]
    assert {each["metric"]: each["sentences"] for each in figures["peers"]} == {
        "m2": 3,
        "gleu": 24,
        "imeasure": 1,
    }
    assert all(each["ratio"] > 0 for each in figures["peers"])
    assert all(figure > 0 for figure in figures["errant"].values())
