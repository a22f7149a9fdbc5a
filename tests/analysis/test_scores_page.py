"""The ranking page of a campaign whose outputs have scores."""

import re
from html import unescape

import pytest
from django.test import Client

from analysis.runs import queries
from annotate.models import Campaign, Rating
from jobs.worker import run_queued_jobs
from tests.analysis.forgetting import forget_results
from tests.annotate import protocols
from tests.annotate.running import answer_all, cast, running


@pytest.fixture
def campaign(db: None, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """Each of three sentences scored by both annotators, the first shown the best."""
    monkeypatch.setattr(protocols, "current", protocols.SCALARS)
    campaign = running(items=3, annotators_per_item=2, shared_percent=100)
    for annotator in cast(campaign):
        answer_all(annotator)
    return campaign


def page(client: Client, campaign: Campaign, query: str = "") -> str:
    response = client.get(f"/campaigns/{campaign.uuid}/ranking/?{query}")
    assert response.status_code == 200
    return unescape(response.content.decode().partition("<main")[2])


def test_systems_are_ranked_by_their_mean_scores(researcher: Client, campaign: Campaign) -> None:
    shown = page(researcher, campaign)
    assert "Systems by Mean score" in shown
    assert "95 % interval" in shown
    assert "mean|scores:raw|unit:sentence|replicates:1000|confidence:0.95|seed:0|rule:3|snapshot:" in shown
    assert "1000 replicates, resampled by sentence" in shown
    assert "α over scores, interval" in shown
    methods = re.findall(r'<th scope="col"[^>]*>([^<]*)<', shown[shown.index('id="methods"') :])[:4]
    assert methods == ["System", "Mean score", "ExpectedWins", "Bradley-Terry"]
    for heading in ("Reliability of the scores", "What the systems change", "Agreement of the annotators"):
        assert heading in shown
    assert not re.search(r"\bnan\b", shown, re.IGNORECASE)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("query", "signature"),
    [
        ("unit=judge&scores=z", "mean|scores:z|unit:judge|"),
        (
            "method=ew&tie_width=10&unit=pair",
            "ew|pairs:expanded|by:scores|tie-width:10|",
        ),
        (
            "method=trueskill&scores=z",
            "trueskill|pairs:expanded|by:scores|tie-width:0|",
        ),
        ("method=bradley-terry", "bradley-terry|pairs:expanded|by:scores|tie-width:0|"),
    ],
)
def test_method_unit_scores_and_ties_can_be_chosen(
    researcher: Client, campaign: Campaign, query: str, signature: str
) -> None:
    shown = page(researcher, campaign, query)
    assert signature in shown
    figure = re.findall(r'href="([^"]+/ranking/ranking\.svg[^"]*)"', shown)[0]
    for address in (figure, f"{figure}&theme=dark", figure.replace(".svg", ".pdf")):
        assert researcher.get(address).status_code == 200


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("unit=pair", "mean scores are resampled by sentence or judge, not by pair"),
        ("tie_width=-3", "tie-width should be at least 0, not -3"),
        ("scores=maybe", "there is no parameter 'scores'"),
    ],
)
def test_impossible_parameters_are_refused_in_words(
    researcher: Client, campaign: Campaign, query: str, fault: str
) -> None:
    response = researcher.get(f"/campaigns/{campaign.uuid}/ranking/?{query}")
    assert response.status_code == 400
    assert fault in unescape(response.content.decode())


@pytest.mark.any_database
def test_a_wider_tie_decides_less(researcher: Client, campaign: Campaign) -> None:
    """Scores lie ten apart from one output to the next."""
    decided = []
    for width in (0, 10):
        table = page(researcher, campaign, f"method=ew&tie_width={width}").partition("</table>")[0]
        decided.append(
            [int(pairs) for pairs in re.findall(r'<td class="number secondary">(\d+)</td></tr>', table)]
        )
    assert sum(decided[0]) > sum(decided[1]) > 0


@pytest.mark.any_database
def test_equal_scores_have_reasons(researcher: Client, campaign: Campaign) -> None:
    Rating.objects.update(score=50)
    shown = page(researcher, campaign)
    assert "the scores of all outputs are equal" in shown
    assert "all ratings are the same" in shown
    assert "none of its outputs was scored" in page(researcher, campaign, "scores=z")
    assert "all its comparisons are ties" in page(researcher, campaign, "method=ew")


def test_one_judge_is_not_resampled_and_has_no_reliability(
    researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "current", protocols.SCALARS)
    campaign = running(items=3)
    answer_all(cast(campaign, "anna")[0])
    shown = page(researcher, campaign, "unit=judge")
    assert "there is only one judge, so resampling is impossible" in shown
    assert "no output was scored by two annotators" in shown


def test_a_campaign_without_answers_says_so(researcher: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "current", protocols.SCALARS)
    campaign = running()
    assert "nothing to rank here" in page(researcher, campaign)
    answer_all(cast(campaign, "anna")[0])
    assert "Systems by Mean score" in page(researcher, campaign)


def test_a_large_one_is_ranked_by_a_job(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)
    assert "Waiting for a worker" in page(researcher, campaign, "scores=z")
    run_queued_jobs()
    by_job = page(researcher, campaign, "scores=z")
    forget_results()
    monkeypatch.undo()
    assert "mean|scores:z|" in by_job
    assert by_job == page(researcher, campaign, "scores=z")


@pytest.mark.any_database
def test_judges_stay_unnamed_for_researchers(researcher: Client, admin: Client, campaign: Campaign) -> None:
    assert not re.search(r"\b(anna|ben)\b", page(researcher, campaign))
    assert '<bdi>anna</bdi> <small class="unbroken">Annotator 1</small>' in page(admin, campaign)
