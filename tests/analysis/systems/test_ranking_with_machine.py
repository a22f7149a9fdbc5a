"""The ranking with a machine: whose answers count, what is said, and what is refused."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from analysis.analyses.systems.ranking_with_machine import RANKING_WITH_MACHINE, MachineRanking
from analysis.runs.requests import request_of
from analysis.runs.results import to_json
from analysis.runs.sources import source_of, version_of
from annotate.judgments.queries import snapshot
from annotate.models import Annotator, Campaign
from core.parameters import ParameterError
from core.progress import NoProgress
from formats.machines import AnnotatorKind
from ranking.machines import prediction_powered_ranking
from tests.analysis.machine_campaigns import campaign_with_machines, corpus_for_machines
from tests.analysis.scored_campaigns import result_of
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = pytest.mark.any_database

PARAMETERS = RANKING_WITH_MACHINE.parameters


@pytest.fixture(scope="module")
def judged(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Campaign]:
    """Judged once for all tests here."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield campaign_with_machines(corpus_for_machines())
        transaction.set_rollback(True)


@pytest.fixture
def campaign(judged: Campaign, db: None) -> Campaign:
    return Campaign.objects.get(pk=judged.pk)


def page(campaign: Campaign, query: str = "") -> str:
    return f"/campaigns/{campaign.uuid}/analyses/ranking-with-machine/?{query}"


def test_people_and_the_chosen_machine_count_and_no_other(campaign: Campaign) -> None:
    for number, helps in ((1, True), (2, False)):
        result: MachineRanking = result_of(RANKING_WITH_MACHINE, campaign, PARAMETERS(machine=number))
        machine = Annotator.every.get(campaign=campaign, kind="machine", number=number)
        expected = prediction_powered_ranking(
            snapshot(campaign), snapshot(campaign, annotator=machine, kind=AnnotatorKind.MACHINE)
        )
        assert result.ranking == expected
        assert result.helps == helps
        assert (result.ranking.people_sentences, result.ranking.machine_sentences, result.answers) == (
            40,
            40,
            80,
        )
    assert to_json(result_of(RANKING_WITH_MACHINE, campaign).ranking) == to_json(
        result_of(RANKING_WITH_MACHINE, campaign, PARAMETERS(machine=1)).ranking
    )


def test_signatures_name_the_machine_and_its_answers(campaign: Campaign) -> None:
    first, second = (
        result_of(RANKING_WITH_MACHINE, campaign, PARAMETERS(machine=number)).signature for number in (1, 2)
    )
    assert "|with-machine:1-gpt-4o-2024-08-06|answers:" in first
    assert "|with-machine:2-edits|answers:" in second
    assert first.partition("snapshot:")[2] == second.partition("snapshot:")[2]


def test_the_page_says_whether_the_machine_helps(campaign: Campaign, researcher: Client) -> None:
    html = researcher.get(page(campaign)).content.decode()
    assert "Machine 1 (gpt-4o 2024-08-06) makes intervals" in html.partition("<h1>")[2].partition("</h1>")[0]
    assert '<option value="2">Machine 2: edits</option>' in html
    assert "With machines" not in html
    html = researcher.get(page(campaign, "machine=2")).content.decode()
    assert "Machine 2 (edits) does not help, so people count alone </h1>" in " ".join(html.split())
    assert "so its weight lambda is 0" in html


def test_another_machine_and_a_campaign_without_any_are_refused(
    campaign: Campaign, researcher: Client
) -> None:
    refused = researcher.get(page(campaign, "machine=3"))
    assert refused.status_code == 400
    assert "there is no machine 3 that has judged; machines are: 1, 2" in refused.content.decode()
    with pytest.raises(ParameterError, match="machines are: none"):
        request_of(RANKING_WITH_MACHINE, small_campaign(small_corpus()), PARAMETERS(machine=1))
    alone = Campaign.objects.get(name="judged")
    assert "No machine has judged here" in researcher.get(page(alone)).content.decode()


def test_a_job_reads_what_a_request_reads(campaign: Campaign) -> None:
    asked = request_of(RANKING_WITH_MACHINE, campaign, PARAMETERS(domain="mail"))
    read = [
        source_of(RANKING_WITH_MACHINE).load(asked, 1, NoProgress(), at_once=at_once)
        for at_once in (True, False)
    ]
    at_once, later = (RANKING_WITH_MACHINE.compute(each, asked.parameters, NoProgress()) for each in read)  # type: ignore[misc]
    assert to_json(at_once) == to_json(later)
    assert at_once.ranking.reason == "people judged 20 sentences, fewer than 30"


def test_answers_of_a_machine_are_news(campaign: Campaign) -> None:
    before = version_of(RANKING_WITH_MACHINE, campaign)
    machine = Annotator.every.filter(campaign=campaign, kind="machine").first()
    assert machine is not None
    Annotator.every.filter(pk=machine.pk).update(answers_sent=machine.answers_sent + 1)
    after = version_of(RANKING_WITH_MACHINE, campaign)
    assert (before.state != after.state, after.size - before.size) == (True, 1)


def test_a_file_gives_the_ranking_of_its_import(
    campaign: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "judgments.csv"
    call_command("export_judgments", campaign.name, "--format", "csv", "--machines", "--output", str(file))
    capsys.readouterr()
    call_command("analyse", "ranking-with-machine", str(file), "--machine", "1", "--json")
    of_file = capsys.readouterr().out
    call_command("analyse", "ranking-with-machine", campaign.name, "--json")
    # The snapshots of a file and of a campaign name annotators differently.
    of_campaign = re.sub("snapshot:[0-9a-f]{16}", "", capsys.readouterr().out)
    assert re.sub("snapshot:[0-9a-f]{16}", "", of_file) == of_campaign
    without = tmp_path / "people.csv"
    call_command("export_judgments", campaign.name, "--format", "csv", "--output", str(without))
    with pytest.raises(Exception, match="no machine judged in this file"):
        call_command("analyse", "ranking-with-machine", str(without))


@pytest.mark.parametrize(
    ("by_people", "reason", "advice"),
    [
        (29, "people judged 29 sentences, fewer than 30", "Let people judge 1 more sentence at least"),
        (80, "the machine judged no sentences beyond those of people", "Let it answer all items"),
    ],
)
@pytest.mark.django_db
def test_what_is_missing_is_said(researcher: Client, by_people: int, reason: str, advice: str) -> None:
    campaign = campaign_with_machines(corpus_for_machines(name="other"), "other", by_people=by_people)
    html = researcher.get(page(campaign)).content.decode()
    assert f"Machine 1 (gpt-4o 2024-08-06) cannot count yet: {reason}" in html
    assert advice in html
