"""Rankings and agreement in the API."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from analysis.analyses.systems.ranking import RANKING, Ranking, RankingParameters
from analysis.runs.computing import computed
from analysis.runs.requests import request_of
from analysis.runs.sources.judgments import judgments_of
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import snapshot
from annotate.models import Campaign, Role
from core.progress import NoProgress
from jobs.models import Job
from jobs.queue import cancel
from jobs.worker import run_queued_jobs
from ranking import Method, Unit
from tests.annotate import protocols
from tests.annotate.api.asking import ask, post, problem_of, program
from tests.annotate.running import answer, answer_all, cast, running, shown
from tests.annotate.samples import ranking, small_campaign, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

WELL_JUDGED = [
    ranking(judge, sentence, ranked)
    for sentence, ranked in enumerate(
        ["Alder Birch > Cedar > INPUT", "Alder > Birch > INPUT > Cedar", "", "Birch > Alder > Cedar INPUT"]
    )
    for judge in ("anna", "ben", "anna")
]
"""Every sentence that shows something to compare, by anna twice and by ben once."""


@pytest.fixture
def client() -> Client:
    """A researcher's program."""
    return program()


@pytest.fixture
def campaign() -> Campaign:
    """Judged by anna and ben."""
    return small_campaign(small_corpus(), rankings=WELL_JUDGED)


def ranked(campaign: Campaign, parameters: RankingParameters) -> Ranking:
    """The ranking by the pure function."""
    request = request_of(RANKING, campaign, parameters)
    inputs = judgments_of(request, snapshot(campaign))
    ranking: Ranking = computed(RANKING, inputs, request.parameters, NoProgress())
    return ranking


@pytest.mark.parametrize(
    ("asked", "parameters"),
    [
        ({}, RankingParameters()),
        (
            {"method": "trueskill", "unit": "sentence", "replicates": 20, "confidence": 0.8, "seed": 7},
            RankingParameters(
                method=Method.TRUESKILL, unit=Unit.SENTENCE, replicates=20, confidence=0.8, seed=7
            ),
        ),
    ],
)
def test_a_ranking_is_what_was_chosen(
    client: Client, campaign: Campaign, asked: dict[str, Any], parameters: RankingParameters
) -> None:
    told = ask(client, f"campaigns/{campaign.uuid}/ranking/", **asked)
    expected = ranked(campaign, parameters)
    assert told["signature"] == expected.signature
    assert [(row["system"], row["cluster"], row["rank_high"]) for row in told["systems"]] == [
        (standing.system, standing.cluster, standing.rank_high) for standing in expected.standings.systems
    ]
    assert told["reason"] == expected.standings.reason
    assert (told["newer_answers"], told["is_current"]) == (0, True)


def test_a_score_that_nothing_bounds_is_null_with_its_reason(client: Client) -> None:
    campaign = small_campaign(small_corpus(), rankings=[ranking("anna", 1, "Alder > Birch > INPUT > Cedar")])
    systems = ask(client, f"campaigns/{campaign.uuid}/ranking/", method="bradley-terry")["systems"]
    assert {row["score"] for row in systems} == {None}
    assert all(row["reason"] for row in systems)


def test_nothing_judged_is_no_fault(client: Client) -> None:
    campaign = running()
    assert ask(client, f"campaigns/{campaign.uuid}/ranking/")["reason"]
    assert ask(client, f"campaigns/{campaign.uuid}/agreement/")["inter"]["reason"]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"method": "guessing"}, "method"),
        ({"seed": 2**32}, "seed"),
        ({"replicates": 1001}, "replicates"),
        ({"method": "trueskill", "replicates": 201}, "replicates"),
        ({"replicates": 2}, "replicates"),
    ],
)
def test_a_choice_that_cannot_be_is_refused(
    client: Client, campaign: Campaign, wrong: dict[str, Any], named: str
) -> None:
    response = client.get(f"/api/v1/campaigns/{campaign.uuid}/ranking/", wrong)
    assert problem_of(response, 400)["errors"].keys() == {named}


def test_agreement_names_judges_by_pseudonym(client: Client, campaign: Campaign) -> None:
    told = ask(client, f"campaigns/{campaign.uuid}/agreement/")
    judges = sorted(pseudonym(campaign, name) for name in ("anna", "ben"))
    assert told["judges"] == judges
    assert told["annotator_numbers"] == {pseudonym(campaign, "anna"): 1, pseudonym(campaign, "ben"): 2}
    assert list(told["rest"]) == judges
    assert [(pair["first"], pair["second"]) for pair in told["pairs"]] == sorted(
        [(pseudonym(campaign, "anna"),) * 2, tuple(judges)]
    )
    assert {pair["kappa"]["value"] for pair in told["pairs"]} == {1.0}
    assert told["inter_pooled"]["value"] == 1.0


def test_names_are_for_admins(client: Client, campaign: Campaign) -> None:
    path = f"campaigns/{campaign.uuid}/agreement/"
    problem_of(client.get(f"/api/v1/{path}", {"names": "true"}), 403)
    assert ask(program(Role.ADMIN), path, names="true")["annotator_numbers"] == {"anna": 1, "ben": 2}


@pytest.mark.usefixtures("everything_is_large")
def test_a_large_campaign_is_ranked_by_a_job(client: Client, campaign: Campaign) -> None:
    path = f"/api/v1/campaigns/{campaign.uuid}/ranking/"
    waiting = client.get(path)
    assert waiting.status_code == 202
    assert waiting.json()["uuid"] == str(Job.objects.get().uuid)
    assert client.get(path).json() == waiting.json()
    assert client.get(path, {"seed": 1}).json()["uuid"] != waiting.json()["uuid"]
    assert client.get(f"/api/v1/campaigns/{campaign.uuid}/agreement/").status_code == 202
    run_queued_jobs()
    assert client.get(path).json()["signature"] == ranked(campaign, RankingParameters()).signature
    assert ask(client, f"campaigns/{campaign.uuid}/agreement/")["inter_pooled"]["value"] == 1.0


@pytest.mark.usefixtures("everything_is_large")
def test_later_answers_are_told_of_and_ranked_on_request(client: Client) -> None:
    campaign = running()
    anna, _ = cast(campaign)
    answer(shown(anna))
    path = f"/api/v1/campaigns/{campaign.uuid}/ranking/"
    client.get(path)
    run_queued_jobs()
    answer(shown(anna))
    told = client.get(path).json()
    assert (told["newer_answers"], told["is_current"]) == (1, False)
    assert post(client, path).status_code == 202
    run_queued_jobs()
    assert client.get(path).json()["newer_answers"] == 0


@pytest.mark.usefixtures("everything_is_large")
def test_a_ranking_that_does_not_come_is_said(client: Client, campaign: Campaign) -> None:
    path = f"/api/v1/campaigns/{campaign.uuid}/ranking/"
    client.get(path)
    cancel(Job.objects.get())
    assert "POST" in problem_of(client.get(path), 409)["detail"]
    assert post(client, path).status_code == 202
    client.get(path, {"replicates": 2})
    run_queued_jobs()
    assert "too few" in problem_of(client.get(path, {"replicates": 2}), 409)["detail"]


def test_a_ranking_takes_few_queries(
    client: Client, campaign: Campaign, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    path = f"campaigns/{campaign.uuid}/ranking/"
    # The account, the campaign, what is left out (three queries), the version of its answers; at first also
    # whether it has ranks, how many systems (for its duration), the answers, piece by piece, their ratings,
    # the roles of systems, the kept run.
    with django_assert_num_queries(6 + 17):
        ask(client, path)
    with django_assert_num_queries(6):
        ask(client, path)


def test_scores_are_ranked_by_their_means(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "current", protocols.SCALARS)
    campaign = running(items=3, annotators_per_item=2, shared_percent=100)
    for annotator in cast(campaign):
        answer_all(annotator)
    path = f"campaigns/{campaign.uuid}/ranking/"
    by_mean = ask(client, path)
    assert by_mean["signature"].startswith("mean|scores:raw|unit:sentence|")
    for system in by_mean["systems"]:
        assert system["score_low"] <= system["score"] <= system["score_high"]
    by_pairs = ask(client, path, method="ew", tie_width=10)
    assert by_pairs["signature"].startswith("ew|pairs:expanded|by:scores|tie-width:10|")
    assert ask(client, path, z_scores="true")["signature"].startswith("mean|scores:z|")
    problem_of(client.get(f"/api/v1/{path}", {"unit": "pair"}), 400)
    assert ask(client, f"campaigns/{campaign.uuid}/agreement/")["inter_pooled"]["n"] > 0
