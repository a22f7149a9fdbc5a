"""The list of analyses, and the common page of an analysis."""

import re
from html import unescape

import pytest
from django.test import Client

from analysis.models import Run
from analysis.runs import queries
from annotate.models import Campaign, Role
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.analysis.stored import forget_results
from tests.analysis.toys import TOY
from tests.annotate.api.asking import ask, post, problem_of, program
from tests.annotate.terms import without_meanings

PAGE = f"analyses/{TOY.name}/"
IMPOSSIBLE = [
    ("times=0", "times should be at least 1, not 0"),
    ("times=many", "times should be a whole number, not 'many'"),
    ("share=1.5", "share should be at most 1, not 1.5"),
    ("loud=perhaps", "loud should be yes or no, not 'perhaps'"),
    ("voice=tenor", "voice should be one of low, high, not 'tenor'"),
    ("pitch=3", "there is no parameter 'pitch'; parameters are: times, share, loud, voice"),
]


def page(client: Client, campaign: Campaign, query: str = "") -> str:
    response = client.get(f"{campaign.get_absolute_url()}{PAGE}?{query}")
    assert response.status_code == 200
    return unescape(response.content.decode().partition("<main")[2])


def test_the_list_leads_to_all_that_one_may_see(
    researcher: Client, admin: Client, campaign: Campaign
) -> None:
    address = f"{campaign.get_absolute_url()}analyses/"
    shown = researcher.get(address).content.decode()
    for name in ("ranking", "analyses/toy"):
        assert f'<dt><a href="{campaign.get_absolute_url()}{name}/">' in shown
    assert "quality/" not in shown
    assert "quality/" in admin.get(address).content.decode()


def test_the_page_has_a_form_of_the_parameters_and_a_signature(
    researcher: Client, campaign: Campaign
) -> None:
    shown = page(researcher, campaign, "times=3&loud=on&voice=high")
    assert '<input type="number" name="times" value="3" min="1" max="9"' in shown
    assert re.search(r'<input type="checkbox" name="loud"[^>]* checked>', shown)
    assert '<option value="high" selected>high</option>' in shown
    assert 'placeholder="all of it"' in shown
    assert "Signature <code>toy|times:3|loud:yes|voice:high|snapshot:" in without_meanings(shown)
    assert Run.objects.get().parameters == {"times": 3, "share": None, "loud": True, "voice": "high"}


@pytest.mark.any_database
@pytest.mark.parametrize(("query", "fault"), IMPOSSIBLE)
def test_page_and_api_refuse_impossible_parameters_with_the_same_words(
    researcher: Client, campaign: Campaign, query: str, fault: str
) -> None:
    response = researcher.get(f"{campaign.get_absolute_url()}{PAGE}?{query}")
    assert response.status_code == 400
    shown = unescape(response.content.decode())
    assert shown.count(fault) == 1
    name = query.partition("=")[0]
    if name == "pitch":
        assert f"<li>{fault}</li>" in shown
    else:  # The fault leads to its field, which is described by it.
        assert f'<li id="id_{name}_error"><a href="#id_{name}">{fault}</a></li>' in shown
        assert re.search(f'<[^>]+name="{name}"[^>]+aria-describedby="id_{name}_error"', shown)
    assert researcher.post(f"{campaign.get_absolute_url()}{PAGE}compute/?{query}").status_code == 400
    response = program().get(f"/api/v1/campaigns/{campaign.uuid}/{PAGE}?{query}")
    assert problem_of(response, 400)["errors"] == {query.partition("=")[0]: [fault]}
    assert not Run.objects.exists()


def test_the_place_of_the_analyses_stays_marked(researcher: Client, campaign: Campaign) -> None:
    marked = f'<a href="{campaign.get_absolute_url()}analyses/" aria-current="true">Analyses</a>'
    for query in ("", "?times=0"):
        assert marked in researcher.get(f"{campaign.get_absolute_url()}{PAGE}{query}").content.decode()


def test_many_judgments_are_analysed_by_a_job_that_leads_back(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = page(researcher, campaign, "times=3")
    forget_results()
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)
    assert "Waiting for a worker" in page(researcher, campaign, "times=3")
    assert Job.objects.get().title == "Toy of campaign judged"
    run_queued_jobs()
    assert page(researcher, campaign, "times=3") == here
    assert Job.objects.get().result == {"url": f"{campaign.get_absolute_url()}{PAGE}?times=3"}


def test_researchers_cancel_only_their_own_jobs(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)
    page(researcher, campaign)
    own = Job.objects.get()
    post(program(Role.ADMIN), f"/api/v1/campaigns/{campaign.uuid}/{PAGE}?times=3")
    other = Job.objects.latest("pk")
    assert researcher.post(f"/jobs/{other.uuid}/cancel/").status_code == 403
    researcher.post(f"/jobs/{own.uuid}/cancel/")
    assert {run.parameters["times"]: run.job.state for run in Run.objects.all() if run.job} == {
        2: "cancelled",
        3: "queued",
    }
    shown = page(researcher, campaign)
    assert "The computation was cancelled." in shown
    assert "Try again" in shown


def test_analyses_of_annotators_are_for_admins(campaign: Campaign) -> None:
    path = f"campaigns/{campaign.uuid}/analyses/quality/"
    problem_of(program().get(f"/api/v1/{path}"), 403)
    assert len(ask(program(Role.ADMIN), path)["result"]["annotators"]) == 2


@pytest.mark.parametrize("name", ["moon", "ranking"])
def test_an_analysis_that_has_no_such_page_is_404(researcher: Client, campaign: Campaign, name: str) -> None:
    """The ranking has a page of its own."""
    assert researcher.get(f"{campaign.get_absolute_url()}analyses/{name}/").status_code == 404
