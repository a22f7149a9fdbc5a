"""How long jobs take is estimated, short ones begin by themselves, and long ones on request."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from analysis.analyses.base import analyses, analysis_named
from analysis.runs import durations, queries
from analysis.runs.durations import SECONDS, Amounts, Duration, duration_of, together
from analysis.runs.queries import compute_anew
from analysis.runs.requests import request_of
from annotate.models import Campaign
from jobs.models import Job
from jobs.worker import run_queued_jobs
from ranking import Method, Unit
from tests.analysis.test_runs import answer_once_more
from tests.analysis.toys import TOY

pytestmark = pytest.mark.any_database

PARAMETERS = SimpleNamespace(
    method=Method.EXPECTED_WINS,
    unit=Unit.SENTENCE,
    seeds=10,
    metric="gleu, m2",
    metrics=("gleu", "m2"),
    sentences=300,
)
FEW = Amounts(size=100, systems=4, metrics=3, in_order=1, draws=100, parameters=PARAMETERS)


def test_each_analysis_has_a_formula() -> None:
    ours = {name for name, each in analyses().items() if not each.parameters.__module__.startswith("tests.")}
    assert SECONDS.keys() == ours


@pytest.mark.parametrize("name", SECONDS)
def test_more_of_anything_takes_no_less(name: str) -> None:
    few = SECONDS[name](FEW)
    assert 0 < few < 600
    for more in ({"size": 200}, {"systems": 8}, {"metrics": 6}, {"draws": 200}):
        assert SECONDS[name](replace(FEW, **more)) >= few
    assert SECONDS[name](replace(FEW, size=1_000_000)) > 20


def test_trueskill_of_resampled_pairs_takes_longest() -> None:
    def seconds(**parameters: Any) -> float:
        chosen = SimpleNamespace(**{**vars(PARAMETERS), **parameters})
        return SECONDS["ranking"](replace(FEW, size=20_000, draws=200, parameters=chosen))

    by_pair = seconds(method=Method.TRUESKILL, unit=Unit.PAIR)
    assert by_pair > 10 > seconds(method=Method.TRUESKILL) > seconds()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.1, "a few seconds"),
        (5, "a few seconds"),
        (6, "about 10 seconds"),
        (44, "about 40 seconds"),
        (52, "about 1 minute"),
        (150, "about 2 minutes"),
        (7200, "about 2 hours"),
    ],
)
def test_durations_are_said_roughly(seconds: float, words: str) -> None:
    assert str(Duration(seconds, FEW)) == words
    assert Duration(seconds, FEW).is_short == (seconds <= 5)


def test_what_is_computed_is_said() -> None:
    assert Duration(1, FEW).of == " of 4 systems by 3 metrics with 100 random draws"
    assert Duration(1, replace(FEW, systems=1, metrics=1, draws=0)).of == ""


def test_jobs_of_the_same_inputs_take_their_sum() -> None:
    both = together([Duration(4, FEW), None, Duration(2, FEW)])
    assert both == Duration(6, FEW)
    assert together([None]) is None


def test_systems_metrics_and_draws_are_counted(scored: Campaign) -> None:
    analysis = analysis_named("metrics-people")
    asked = request_of(analysis, scored, analysis.parameters(replicates=200, permutations=300))
    found = duration_of(asked, 2000).amounts
    assert (found.size, found.systems, found.metrics, found.in_order, found.draws) == (2000, 4, 3, 1, 500)


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every job takes a minute, whatever it does."""
    monkeypatch.setattr(durations, "SECONDS", {})
    monkeypatch.setattr(durations, "OF_ANOTHER", lambda of: 60)


PAGES = ["ranking/", "analyses/toy/", "analyses/fragility/", "metrics/"]


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize("address", PAGES)
def test_a_page_begins_no_long_job_but_says_how_long_it_takes(
    researcher: Client, scored: Campaign, address: str
) -> None:
    page = f"{scored.get_absolute_url()}{address}"
    shown = researcher.get(page).content.decode()
    assert "Nothing has been computed yet." in shown
    assert "This takes about 1 minute." in shown or "This takes about 2 minutes." in shown
    assert not Job.objects.exists()
    compute = shown.rpartition('<form method="post" action="')[2].partition('"')[0]
    assert "<button>Compute</button>" in shown
    researcher.post(compute.replace("&amp;", "&"))
    assert {job.kind for job in Job.objects.all()} == {"run-analysis"}
    assert "Waiting for a worker" in researcher.get(page).content.decode()
    run_queued_jobs()
    assert "Signature" in researcher.get(page).content.decode()


@pytest.mark.parametrize("address", PAGES)
def test_a_page_begins_short_jobs_which_go_first(
    researcher: Client, scored: Campaign, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)
    shown = researcher.get(f"{scored.get_absolute_url()}{address}").content.decode()
    assert "This takes a few seconds." in shown
    assert "Waiting for a worker" in shown
    assert {job.kind for job in Job.objects.all()} == {"run-short-analysis"}


@pytest.mark.usefixtures("long")
def test_an_outdated_result_is_renewed_on_request_if_that_is_long(
    researcher: Client, campaign: Campaign
) -> None:
    compute_anew(request_of(TOY, campaign, TOY.parameters()), asked_by=None)
    run_queued_jobs()
    answer_once_more(campaign)
    shown = researcher.get(f"{campaign.get_absolute_url()}analyses/toy/").content.decode()
    assert "1 answer or skip came after this was computed." in shown
    assert "To compute it anew takes about 1 minute." in shown
    assert "Compute it anew</button>" in shown
    assert Job.objects.count() == 1
