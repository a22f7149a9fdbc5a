"""The domains of GMEG's development split as one campaign: each has the figures of its own release."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.analyses.judgment_inputs import DomainJudgments, in_groups, judgments
from analysis.analyses.metrics.against_people import SystemsAgainstPeople
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.metrics.sensitivity.metrics_by_domain import metrics_by_domain
from analysis.analyses.systems.by_domain import compute
from analysis.analyses.systems.ranking import RankingParameters
from analysis.reproduction.public_data.gmeg_data import Domain, read_domain
from core.progress import NoProgress
from formats import read_parallel
from metrics import EvaluationSet, metric_from_text, score
from metrics.meta_evaluation import (
    HumanScore,
    MetricsAndPeople,
    people,
    scores_of_metric,
    system_scores,
)
from metrics.meta_evaluation.system_level import estimates
from ranking import Coefficient, Method, without_systems
from ranking.judgments.snapshot import system_names

DOMAINS = ("fce", "wiki", "yahoo")
SYSTEMS = ("amu", "lstm", "lstm-r", "marian", "nus", "transformer")
METRICS = ("gleu", "chrf", "sari")


@pytest.fixture
def domains(reference_data: Path) -> dict[str, Domain]:
    return {name: read_domain(reference_data / "gmeg" / "dev", name) for name in DOMAINS}


def together(frames: dict[str, pd.DataFrame], numbers: dict[str, int]) -> tuple[pd.DataFrame, dict[int, str]]:
    """The judgments of all domains, whose sentences are counted on, and the domain of each sentence."""
    joined: list[pd.DataFrame] = []
    groups: dict[int, str] = {}
    first = 0
    for name, frame in frames.items():
        moved = {"sentence": frame["sentence"] + first, "judgment": f"{name} " + frame["judgment"]}
        joined.append(frame.assign(**moved, annotator="mean of eight"))
        groups |= dict.fromkeys(range(first, first + numbers[name]), name)
        first += numbers[name]
    return pd.concat(joined, ignore_index=True), groups


def test_systems_have_the_released_score_of_each_domain(domains: dict[str, Domain]) -> None:
    numbers = {name: int(domain.snapshot["sentence"].max()) + 1 for name, domain in domains.items()}
    snapshot, groups = together({name: each.snapshot for name, each in domains.items()}, numbers)
    whole = snapshot.dropna(subset=["score"])
    inputs = in_groups(DomainJudgments, judgments(whole.assign(rank=None), tuple(whole.columns)), groups)
    parameters = RankingParameters(method=Method.MEAN_SCORE, tie_width=0.0, replicates=0)
    for found in compute(inputs, parameters, NoProgress()).domains:
        scores = {row.system: row.score for row in found.standings.systems if row.system in SYSTEMS}
        released = domains[found.domain].published
        assert scores == pytest.approx({name: released[name] for name in SYSTEMS}, abs=1e-9)


def test_metrics_agree_with_people_as_in_each_domain_alone(
    reference_data: Path, domains: dict[str, Domain]
) -> None:
    texts = {name: _texts(reference_data / "gmeg" / "dev" / name) for name in ("fce", "wiki")}
    frames = {name: _of_systems(domains[name].snapshot) for name in texts}
    snapshot, groups = together(frames, {name: len(data.sources) for name, (data, _) in texts.items()})
    whole = EvaluationSet(
        sources=tuple(source for data, _ in texts.values() for source in data.sources),
        references=tuple(each for data, _ in texts.values() for each in data.references or ()),
    )
    outputs = {
        system: [text for _, of_domain in texts.values() for text in of_domain[system]] for system in SYSTEMS
    }
    scored = [
        scores_of_metric(name, score(metric_from_text(name), whole, outputs), SYSTEMS) for name in METRICS
    ]
    inputs = ScoredJudgments(
        judgments=judgments(snapshot, tuple(snapshot.columns)),
        sentences=len(whole.sources),
        systems=SYSTEMS,
        metrics=scored,
        domains=tuple(groups.values()),
    )
    parameters = SystemsAgainstPeople(human=HumanScore.MEAN, whole_set=True, replicates=0)
    for found in metrics_by_domain(inputs, parameters, NoProgress()).domains:
        data, of_systems = texts[found.domain]
        alone = MetricsAndPeople(
            people(frames[found.domain], len(data.sources)),
            tuple(
                scores_of_metric(name, score(metric_from_text(name), data, of_systems), SYSTEMS)
                for name in METRICS
            ),
        )
        scores = system_scores(alone, HumanScore.MEAN, whole_set=True, replicates=0)
        assert np.isfinite(scores.metrics).all()
        for place, name in enumerate(METRICS):
            expected, accuracy = estimates(alone.systems, scores, place, 0.95, 0)
            metric = found.metrics[name]
            assert metric.pearson.value == pytest.approx(expected[Coefficient.PEARSON].value, abs=1e-12)
            assert metric.spearman.value == expected[Coefficient.SPEARMAN].value
            assert metric.accuracy.value == accuracy.value


def _of_systems(snapshot: pd.DataFrame) -> pd.DataFrame:
    """The ratings of `SYSTEMS`."""
    rated = snapshot.dropna(subset=["score"])
    return without_systems(rated, set(system_names(rated)).difference(SYSTEMS)).assign(rank=None)


def _texts(folder: Path) -> tuple[EvaluationSet, dict[str, list[str]]]:
    names = [*SYSTEMS, "ref0", "ref1", "ref2", "ref3"]
    sentences = read_parallel(folder / "source", {name: folder / name for name in names}).sentences
    data = EvaluationSet(
        sources=tuple(each.source for each in sentences),
        references=tuple(tuple(each.outputs[f"ref{number}"] for number in range(4)) for each in sentences),
    )
    return data, {system: [each.outputs[system] for each in sentences] for system in SYSTEMS}
