"""The simulated crowd: its workers behave as described, and the rule flags the careless ones."""

import json
import sys

import numpy as np
import pytest

from annotate.judgments.queries import snapshot
from dev.benchmarks import simulated_crowd
from dev.benchmarks.crowd_campaign import launched, work
from dev.benchmarks.simulated_crowd import Worker, judge, make_corpus, make_workers, simulate

QUALITIES = np.array([20.0, 60.0, 90.0])


@pytest.mark.parametrize(
    ("kind", "ordered", "constant"),
    [("honest", True, False), ("random", False, False), ("constant", False, True)],
)
def test_workers_are_of_three_kinds(kind: str, ordered: bool, constant: bool) -> None:
    worker = Worker("w", kind, strictness=10, noise=1)  # type: ignore[arg-type]  # the kinds there are
    rng = np.random.default_rng(1)
    screens = [worker.scores(QUALITIES, rng) for _ in range(20)]
    assert all(0 <= score <= 100 for screen in screens for score in screen)
    assert all(screen == sorted(screen) for screen in screens) is (ordered or constant)
    assert all(len(set(screen)) == 1 for screen in screens) is constant


def test_everybody_judges_enough_screens_with_source_and_control() -> None:
    rng = np.random.default_rng(1)
    workers = make_workers(rng)
    snapshot = judge(make_corpus(rng), workers, seed=1)
    checked = snapshot[snapshot["systems"] == ("source+error",)]
    screens = checked.groupby("annotator")["judgment"].nunique()
    assert len(screens) == len(workers) == 60
    assert screens.min() >= 60
    assert not snapshot.duplicated(["annotator", "judgment", "output"]).any()


def test_the_rule_finds_the_careless_and_a_seed_repeats_it() -> None:
    outcome = simulate(seed=3)
    assert outcome.flagged_bad >= 8
    assert outcome.flagged_honest <= 2
    assert outcome == simulate(seed=3)


@pytest.mark.django_db
def test_a_crowd_works_in_a_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small one: each screen is judged by eight workers, source and control stand on all of them."""
    monkeypatch.setattr(simulated_crowd, "SENTENCES", 3)
    rng = np.random.default_rng(1)
    workers, corpus = make_workers(rng)[:10], make_corpus(rng)
    campaign = launched(corpus, seed=1)
    work(campaign, corpus, workers, seed=1)
    found = snapshot(campaign, names=True)
    assert set(found.groupby("item")["annotator"].nunique()) == {8}
    assert set(found["annotator"]) <= {worker.name for worker in workers}
    for _, screen in found.groupby("judgment"):
        names = {name for systems in screen["systems"] for name in systems}
        assert {"source", "source+error"} <= names
    by_output = found.groupby("sentence")["output"].nunique()
    assert by_output.tolist() == [len(outputs) for outputs in corpus.outputs]


def test_figures_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(simulated_crowd, "through_services", simulate)
    monkeypatch.setattr(sys, "argv", ["simulated_crowd", "--seeds", "2", "--json"])
    simulated_crowd.main()
    assert set(json.loads(capsys.readouterr().out)) == {
        "flagged_bad",
        "flagged_honest",
        "correlation_before",
        "correlation_after",
        "seeds",
    }
