"""The answers about a campaign in the API: those of the page, from stored results alone."""

from unittest.mock import patch

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from analysis.runs import queries
from analysis.runs.answering import stored_answers
from annotate.models import Campaign, Corpus, Role
from jobs.models import Job
from tests.analysis.scored_campaigns import JUDGES, compute_answers, edited_campaign
from tests.annotate.api.asking import ask, problem_of, program
from tests.annotate.references.answers import correcting_campaign, judging_campaign
from tests.annotate.running import answer_all, cast, running
from tests.annotate.samples import small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def campaign() -> Campaign:
    return edited_campaign()


def path(campaign: Campaign) -> str:
    return f"campaigns/{campaign.uuid}/answers/"


def test_nothing_is_computed(campaign: Campaign) -> None:
    with patch.object(queries, "_computed_now", side_effect=AssertionError):
        told = ask(program(), path(campaign))
    assert [*told] == ["systems", "metrics", "enough", "judgments"]
    assert told["systems"]["sentence"] is None
    assert told["systems"]["computed_at"] is None
    assert (told["metrics"]["recommended"], told["metrics"]["rejected"]) == ([], {})
    assert not Job.objects.exists()


def test_the_answers_are_those_of_the_page_with_their_age(campaign: Campaign) -> None:
    compute_answers(campaign)
    told = ask(program(), path(campaign))
    for each in stored_answers(campaign, for_admins=False).answered:
        assert each.answer is not None
        answer = told[each.question.key]
        assert (answer["question"], answer["sentence"]) == (each.question.words, each.answer.sentence)
        assert answer["further"] == [*each.answer.further]
        assert answer["newer_answers"] == 0
        assert answer["is_current"] is True
        if each.question.key != "metrics":
            assert parse_datetime(answer["computed_at"]) == each.computed_at
            assert answer["signatures"]
    assert {each["role"] for each in told["systems"]["ranking"]} == {"source", "system"}


def test_newer_answers_are_counted() -> None:
    campaign = running("pilot", items=4, annotators_per_item=2, shared_percent=100)
    anna, ben = cast(campaign)
    answer_all(anna)
    compute_answers(campaign)
    answer_all(ben)
    told = ask(program(), path(campaign))
    assert told["systems"]["newer_answers"] == 4
    assert told["systems"]["is_current"] is False
    assert told["systems"]["sentence"]


def test_a_change_of_the_corpus_is_no_answer(researcher: Client, campaign: Campaign) -> None:
    compute_answers(campaign)
    Corpus.objects.update(described_at=timezone.now())
    told = ask(program(), path(campaign))["systems"]
    assert (told["newer_answers"], told["is_current"]) == (0, False)
    page = researcher.get(f"{campaign.get_absolute_url()}answers/").content.decode()
    assert "; the inputs have changed since</p>" in page
    assert "came since" not in page
    report = researcher.get(f"{campaign.get_absolute_url()}answers/report.html").content.decode()
    assert "The inputs have changed since." in report


def test_flagged_annotators_are_for_admins_and_nobody_is_named(campaign: Campaign) -> None:
    compute_answers(campaign)
    assert "flagged" not in ask(program(), path(campaign))["judgments"]
    told = ask(program(Role.ADMIN), path(campaign))
    assert told["judgments"]["flagged"] == 0
    assert not any(name in str(told) for name in JUDGES)


def test_campaigns_without_ranks_have_questions_of_their_own() -> None:
    corpus = small_corpus(language="de")
    written, judged = correcting_campaign(corpus), judging_campaign(corpus)
    for campaign in (written, judged):
        compute_answers(campaign)
    client = program()
    told = ask(client, path(written))
    assert [*told] == ["corrections", "coverage", "judgments"]
    assert (told["corrections"]["sentences"], told["judgments"]["annotators"]) == (3, 3)
    told = ask(client, path(judged))
    assert [*told] == ["outputs", "judgments"]
    assert told["outputs"]["share"] == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("client", "status"),
    [(None, 401), (Role.ANNOTATOR, 403), (Role.RESEARCHER, 200), (Role.ADMIN, 200)],
    ids=["stranger", "annotator", "researcher", "admin"],
)
def test_they_are_for_researchers_and_admins(campaign: Campaign, client: Role | None, status: int) -> None:
    response = (program(client) if client else Client()).get(f"/api/v1/{path(campaign)}")
    if status == 200:
        assert response.status_code == status
    else:
        problem_of(response, status)
