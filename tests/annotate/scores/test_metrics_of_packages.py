"""A corpus scored by the metric of an installed package: page, API and command."""

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE, MetricsPeopleParameters
from analysis.runs.queries import in_this_process
from analysis.runs.requests import request_of
from annotate.models import Corpus, ScoreSet
from annotate.scores.scoring import ScoresRefusedError
from core.progress import NoProgress
from jobs.worker import run_queued_jobs
from tests.analysis.scored_campaigns import edited_campaign
from tests.annotate.api.asking import ask, post, problem_of, program
from tests.annotate.scores.scoring import edited_corpus, scored, scores_of, values_of
from tests.metrics.packages import Packages, packages

__all__ = ["packages"]

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

EXPECTED = {"Alder": 1.0, "Birch": 1.0, "Cedar": 2 / 3, "INPUT": 1.0}
"""Cedar leaves one of three sentences empty; all other outputs are as long as their sources."""

FAILING = """
from metrics import MetricError
from metrics.base.metric import MeanMetric, mean_row

class Failing(MeanMetric):
    name = "failing"
    label = "Failing"
    summary = "Scores three outputs."
    needs = frozenset()

    def prepare(self, data):
        left = [1.0] * 3

        def reduce(sentence, output):
            if not left:
                raise MetricError("The model has gone away. Start it again.")
            return mean_row(left.pop())

        return reduce
"""


def check(score_set: ScoreSet) -> None:
    assert score_set.signature.startswith("length-ratio|tok:given|package:length-metric-1.0|assay:")
    assert values_of(score_set) == pytest.approx(EXPECTED)
    assert all(score.low is not None for score in score_set.system_scores.all())


def path(corpus: Corpus) -> str:
    return f"/corpora/{corpus.uuid}/scores/"


def test_on_the_page(packages: Packages, researcher: Client) -> None:
    packages.install_example()
    packages.install("broken-one", "0.3", {"length": "nowhere:Length"})
    corpus = edited_corpus()
    shown = researcher.get(path(corpus)).content.decode()
    assert 'value="length-ratio"' in shown
    assert "of the package broken-one 0.3 cannot be used: nowhere:Length cannot be loaded" in shown
    researcher.post(f"{path(corpus)}compute/", {"metric": "length-ratio"})
    run_queued_jobs()
    check(ScoreSet.objects.get())
    assert "Length ratio" in researcher.get(path(corpus)).content.decode()


def test_by_the_api(packages: Packages) -> None:
    packages.install_example()
    corpus, client = edited_corpus(), program()
    assert post(client, f"/api/v1{path(corpus)}compute/?metric=length-ratio").status_code == 202
    run_queued_jobs()
    [listed] = ask(client, f"corpora/{corpus.uuid}/scores/")["results"]
    assert listed["metric"] == "length-ratio"
    check(ScoreSet.objects.get())


def test_by_the_command(packages: Packages, capsys: pytest.CaptureFixture[str]) -> None:
    packages.install_example()
    corpus = edited_corpus()
    call_command("score_corpus", corpus.name, "--metric", "length-ratio")
    assert "Length ratio" in capsys.readouterr().out
    check(ScoreSet.objects.get())


def test_metrics_that_are_not_installed_are_unknown() -> None:
    problem_of(post(program(), f"/api/v1{path(edited_corpus())}compute/?metric=length-ratio"), 400)


def test_without_the_package_analyses_use_the_scores_that_are_stored(
    packages: Packages, researcher: Client
) -> None:
    packages.install_example()
    corpus = edited_corpus()
    signature = scores_of(corpus, "length-ratio").signature
    campaign = edited_campaign(corpus)
    parameters = MetricsPeopleParameters(replicates=0, permutations=100)
    before = in_this_process(request_of(METRICS_PEOPLE, campaign, parameters), NoProgress())
    packages.uninstall()
    scored(corpus, "gleu")
    after = in_this_process(request_of(METRICS_PEOPLE, campaign, parameters), NoProgress())
    old, new = before.metrics["length-ratio"], after.metrics["length-ratio"]
    assert new.signature == signature
    assert new.scores == pytest.approx(old.scores)
    assert new.pearson.value == pytest.approx(old.pearson.value)
    assert new.sentences.tau.value == old.sentences.tau.value
    shown = researcher.get(path(corpus)).content.decode()
    assert "length-ratio" in shown


def test_a_metric_that_fails_leaves_nothing_behind(
    packages: Packages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.scores.scoring.OUTPUTS_PER_PIECE", 2)
    packages.install("failing", "1", {"failing": "failing:Failing"}, failing=FAILING)
    corpus = edited_corpus()
    with pytest.raises(ScoresRefusedError, match=r"The model has gone away\. Start it again\."):
        scored(corpus, "gleu", "failing", "bleu")
    assert [each.name for each in ScoreSet.objects.all()] == ["gleu"]
    assert None not in values_of(ScoreSet.objects.get()).values()
