"""Metrics of gec-metrics: scores by another interpreter, and its failures."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from metrics import (
    METRICS,
    EvaluationSet,
    InputError,
    MetricError,
    bootstrap_intervals,
    faults_of_packages,
    metric_class,
    metric_from_text,
    score,
)
from metrics.gec_metrics.interpreter import GecMetricsError, Interpreter
from metrics.gec_metrics.listing import Setup, make_list, read_list
from metrics.gec_metrics.metric import GecMetric
from tests.metrics.gec_stand_in import Use, listed_by_hand, listed_setup, set_version, use

__all__ = ["use"]

SOURCES = ("a b", "a b c d", "a b")
REFERENCES = (("a", "a b"), ("a b c",), ())
OUTPUTS = {"x": ["a", "a b c", "a b c"], "y": ["a", "a b c d", ""]}
DATA = EvaluationSet(SOURCES, REFERENCES)

HELLO = '{"version": "0.1.0", "metrics": [{"id": "shorter", "label": "Shorter", "references": false}]}'


def failure(name: str) -> str:
    with pytest.raises(GecMetricsError) as failed:
        score(metric_from_text(name), DATA, OUTPUTS)
    assert isinstance(failed.value, MetricError)
    return str(failed.value)


def test_sentences_are_scored_and_a_corpus_by_their_mean(tmp_path: Path, use: Use) -> None:
    use(listed_setup(tmp_path))
    scored = score(metric_from_text("gec-shorter"), DATA, OUTPUTS)
    assert scored.sentences("x").tolist() == [0.5, 0.75, 1.5]
    assert scored.corpus("x").value == pytest.approx((0.5 + 0.75 + 1.5) / 3)
    assert scored.signature.startswith("gec-shorter|tok:given|package:gec-metrics-0.1.0|assay:")
    assert bootstrap_intervals(scored, 50, seed=1)["x"].low is not None
    assert "torch" not in sys.modules
    assert "gec_metrics" not in sys.modules


def test_references_may_differ_in_number(tmp_path: Path, use: Use) -> None:
    use(listed_setup(tmp_path))
    scored = score(metric_from_text("gec-shared"), DATA, OUTPUTS)
    assert scored.sentences("x").tolist()[:2] == [0.5, 1.0]
    assert scored.not_scored("x") == {2: "the sentence has no reference"}
    assert "|refs:0-2|" in scored.signature
    with pytest.raises(InputError, match="gec-shared needs references"):
        score(metric_from_text("gec-shared"), EvaluationSet(SOURCES), OUTPUTS)
    assert score(metric_from_text("gec-nosource"), DATA, OUTPUTS).sentences("y").tolist()[:2] == [1.0, 0.0]


def test_an_answer_that_is_no_number_is_no_score(tmp_path: Path, use: Use) -> None:
    use(listed_setup(tmp_path))
    scored = score(metric_from_text("gec-undefined"), DATA, OUTPUTS)
    assert scored.not_scored("y") == {2: "Undefined of gec-metrics gives no finite number for it"}
    assert scored.corpus("y").value == 1


def test_many_outputs_are_asked_in_several_requests(tmp_path: Path, use: Use) -> None:
    use(listed_setup(tmp_path, "shorter"))
    data = EvaluationSet(tuple("a b" for _ in range(150)))
    outputs = [" ".join(["a"] * (number % 7)) for number in range(150)]
    told: list[int] = []
    scored = score(metric_from_text("gec-shorter"), data, {"x": outputs}, progress=told.append)
    assert scored.sentences("x").tolist() == [len(output.split()) / 2 for output in outputs]
    assert sum(told) == 150


def test_only_listed_metrics_are_offered(tmp_path: Path, use: Use) -> None:
    use(listed_setup(tmp_path, "shorter"))
    assert [name for name in METRICS if name.startswith("gec-")] == ["gec-shorter"]
    assert not faults_of_packages()
    metric = metric_class("gec-shorter")
    assert issubclass(metric, GecMetric)
    assert (metric.label, metric.needs) == ("Shorter (gec-metrics)", frozenset())


def test_metrics_that_the_interpreter_does_not_report_are_refused(tmp_path: Path) -> None:
    setup = listed_setup(tmp_path)
    with pytest.raises(GecMetricsError, match=r"gec-metrics 0\.1\.0 has no metric nothing; .*: shorter,"):
        make_list(setup, ["shorter", "nothing"], {})
    with pytest.raises(GecMetricsError, match="has no metric other"):
        make_list(setup, [], {"other": {}})
    assert len(read_list(setup).metrics) == 8


def test_options_stand_in_the_signature(tmp_path: Path, use: Use) -> None:
    setup = listed_setup(tmp_path)
    make_list(setup, ["shorter"], {"shorter": {"weight": 10}})
    use(setup)
    scored = score(metric_from_text("gec-shorter"), DATA, OUTPUTS)
    assert scored.sentences("x").tolist() == [5.0, 7.5, 15.0]
    assert "|options:" in scored.signature


def test_without_a_list_the_operator_is_told_what_to_do(tmp_path: Path, use: Use) -> None:
    setup = listed_setup(tmp_path)
    use(Setup("/another/python", setup.list_file))
    [changed] = faults_of_packages()
    assert "of Assay cannot be used: GEC_METRICS_PYTHON has changed since" in changed
    setup.list_file.write_text("[]")
    use(setup)
    assert "gec-metrics.json cannot be read. Run `manage.py gec_metrics`" in faults_of_packages()[0]
    setup.list_file.unlink()
    use(setup)
    assert "its metrics are not listed yet. Run `manage.py gec_metrics`" in faults_of_packages()[0]


def test_another_version_than_the_listed_one_is_refused(tmp_path: Path, use: Use) -> None:
    use(listed_setup(tmp_path))
    set_version(tmp_path, "0.2.0")
    told = failure("gec-shorter")
    assert "gec-metrics 0.1.0 was listed with shorter, and the interpreter has gec-metrics 0.2.0" in told
    assert "Run `manage.py gec_metrics`" in told


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("gec-dies", "ended with status 3: out of memory"),
        ("gec-miscounts", "Miscounts of gec-metrics gave 4 scores for 3 outputs."),
        ("gec-raises", "gec-metrics reports an error: ValueError: unknown token"),
    ],
)
def test_a_metric_that_fails_says_why(tmp_path: Path, use: Use, name: str, fault: str) -> None:
    use(listed_setup(tmp_path))
    assert fault in failure(name)


def test_a_model_that_cannot_be_loaded_is_an_error(tmp_path: Path, use: Use) -> None:
    setup = listed_setup(tmp_path)
    make_list(setup, ["shorter"], {"shorter": {"fail": True}})
    use(setup)
    assert "OSError: no model in this folder" in failure("gec-shorter")


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("echo Hello; sleep 60", "wrote something else than an answer: 'Hello'."),
        ("echo '[1]'; sleep 60", "wrote something else than an answer: '[1]'."),
        ("echo '{}'; sleep 60", "does not answer like gec-metrics: no 'metrics'."),
        ("exec false", "ended with status 1."),
        ("kill -9 $$", "ended with signal SIGKILL."),
        ("exec >&-; sleep 60", "closed its output."),
        (f"echo '{HELLO}'; read line; echo '{{\"scores\": \"1\"}}'; sleep 60", "something else than scores."),
    ],
)
def test_a_program_that_is_no_interpreter_says_so(
    tmp_path: Path, use: Use, command: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metrics.gec_metrics.interpreter.SECONDS_TO_END", 0.2)
    use(listed_by_hand(tmp_path, command))
    assert fault in failure("gec-shorter")


def test_an_answer_that_does_not_come_is_not_awaited_for_ever(tmp_path: Path, use: Use) -> None:
    use(listed_by_hand(tmp_path, f"echo '{HELLO}'; exec sleep 60", seconds=0.5))
    assert failure("gec-shorter") == "gec-metrics did not answer within 0.5 seconds (GEC_METRICS_SECONDS)."


def test_an_interpreter_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(
        GecMetricsError, match=r"nothing, cannot be started: No such file.* GEC_METRICS_PYTHON"
    ):
        Interpreter(str(tmp_path / "nothing"), 1)


def test_an_interpreter_without_the_package(tmp_path: Path) -> None:
    setup = Setup(sys.executable, tmp_path / "list")
    with pytest.raises(GecMetricsError, match="ModuleNotFoundError: No module named 'gec_metrics'"):
        make_list(setup, [], {})


def test_it_does_not_get_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "not for others")
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    setup = listed_by_hand(
        tmp_path, 'echo "{\\"key\\": \\"$SECRET_KEY$HF_HUB_OFFLINE$TRANSFORMERS_OFFLINE\\"}"'
    )
    interpreter = Interpreter(setup.python, 5)
    assert interpreter.first(lambda: None) == {"key": "01"}
    interpreter.close()


class StoppedError(Exception):
    """The job is cancelled."""


def test_a_wait_can_be_ended_and_ends_the_process(tmp_path: Path, use: Use) -> None:
    use(listed_setup(tmp_path))

    def stop(parts: int) -> None:
        if pid_file(tmp_path).exists():
            raise StoppedError

    with pytest.raises(StoppedError):
        score(metric_from_text("gec-slow"), DATA, OUTPUTS, progress=stop)
    assert has_ended(int(pid_file(tmp_path).read_text()))


def test_it_ends_with_the_program_that_was_killed(tmp_path: Path) -> None:
    setup = listed_setup(tmp_path)
    program = f"""
from pathlib import Path
from metrics import EvaluationSet, metric_from_text, score
from metrics.gec_metrics.listing import Setup
from metrics.gec_metrics.metric import set_up
set_up(Setup({setup.python!r}, Path({str(setup.list_file)!r})))
score(metric_from_text("gec-slow"), EvaluationSet(("a",)), {{"x": ["b"]}})
"""
    killed = subprocess.Popen([sys.executable, "-c", program])
    deadline = time.monotonic() + 60
    while not (pid_file(tmp_path).exists() and pid_file(tmp_path).read_text()):
        assert time.monotonic() < deadline
        assert killed.poll() is None
        time.sleep(0.05)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    assert has_ended(int(pid_file(tmp_path).read_text()))


def pid_file(folder: Path) -> Path:
    return folder / "packages" / "gec_metrics" / "pid"


def has_ended(pid: int) -> bool:
    """Whether the process ends within some seconds."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        # Without a parent that asks for it, a dead process may stay in the table.
        if Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("Z"):
            return True
        time.sleep(0.05)
    return False
