"""When to stop, counting on a machine: whose answers count, what says so, and what is refused."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from analysis.analyses.planning.when_to_stop import STOPPING, StoppingParameters, WhenToStop
from analysis.publishing.storing import zip_of
from analysis.publishing.verification import differences
from analysis.runs.requests import request_of
from analysis.runs.results import to_json
from analysis.runs.sources import source_of, version_of, version_of_request
from annotate.judgments.queries import snapshot
from annotate.models import Annotator, Campaign
from core.parameters import ParameterError
from core.progress import NoProgress
from formats.machines import AnnotatorKind
from ranking import watch
from tests.analysis.machine_campaigns import campaign_with_machines, corpus_for_machines
from tests.analysis.publishing.published import draw_once, files_of, published_result
from tests.analysis.scored_campaigns import result_of
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = pytest.mark.any_database

BY_MACHINE = StoppingParameters(machine=1)


@pytest.fixture(scope="module")
def judged(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Campaign]:
    """Judged once for all tests here."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield campaign_with_machines(corpus_for_machines(200), by_people=100, number=200)
        transaction.set_rollback(True)


@pytest.fixture
def campaign(judged: Campaign, db: None) -> Campaign:
    return Campaign.objects.get(pk=judged.pk)


def body(client: Client, campaign: Campaign, name: str = "") -> str:
    response = client.get(f"/campaigns/{campaign.uuid}/analyses/stopping/{name}")
    assert response.status_code == 200
    return b"".join(cast(Iterable[bytes], response)).decode()


def test_the_chosen_machine_counts_and_no_other(campaign: Campaign) -> None:
    for number, helps in ((1, True), (2, False)):
        result: WhenToStop = result_of(STOPPING, campaign, StoppingParameters(machine=number))
        machine = Annotator.every.get(campaign=campaign, kind="machine", number=number)
        answers = snapshot(campaign, annotator=machine, kind=AnnotatorKind.MACHINE)
        assert to_json(result.watched) == to_json(watch(snapshot(campaign), machine=answers))
        assert (result.weight > 0.1, result.answers) == (helps, 200)
    alone = result_of(STOPPING, campaign)
    assert to_json(alone.watched) == to_json(watch(snapshot(campaign)))
    assert (alone.machine, alone.weight) == ("", 0)


def test_headline_figure_methods_and_signature_say_so(campaign: Campaign, researcher: Client) -> None:
    page = " ".join(body(researcher, campaign, "?machine=1").split())
    assert "settled, counting on Machine 1 (gpt-4o 2024-08-06)" in page.partition("<h1>")[2]
    assert "counts with 200 answers and a mean weight lambda" in page
    assert "counting on Machine 1" in body(researcher, campaign, "stopping.svg?machine=1")
    result = result_of(STOPPING, campaign, BY_MACHINE)
    assert "|with-machine:1-gpt-4o-2024-08-06|answers:" in result.signature
    assert "A machine (gpt-4o 2024-08-06) corrects" in " ".join(STOPPING.methods(BY_MACHINE, result))  # type: ignore[misc]
    useless = " ".join(body(researcher, campaign, "?machine=2").split())
    assert "Machine 2 (edits) does not count" in useless


def test_without_a_machine_nothing_speaks_of_one(campaign: Campaign, researcher: Client) -> None:
    alone = body(researcher, campaign)
    assert "counting on" not in alone
    assert '<option value="1">Machine 1: gpt-4o 2024-08-06</option>' in alone
    assert "with-machine" not in result_of(STOPPING, campaign).signature
    people = small_campaign(small_corpus())
    assert 'name="machine"' not in body(researcher, people)


def test_another_machine_and_machines_that_count_twice_are_refused(campaign: Campaign) -> None:
    with pytest.raises(ParameterError, match="there is no machine 3 that has judged; machines are: 1, 2"):
        request_of(STOPPING, campaign, StoppingParameters(machine=3))
    with pytest.raises(ParameterError, match="machines count beside people already"):
        request_of(STOPPING, campaign, StoppingParameters(machine=1, machines=True))


def test_answers_of_machines_are_news_only_if_one_counts(campaign: Campaign) -> None:
    people = version_of(STOPPING, campaign)
    alone, beside = (request_of(STOPPING, campaign, each) for each in (StoppingParameters(), BY_MACHINE))
    assert version_of_request(alone) == people
    before = version_of_request(beside)
    machine = Annotator.every.filter(campaign=campaign, kind="machine").first()
    assert machine is not None
    Annotator.every.filter(pk=machine.pk).update(answers_sent=machine.answers_sent + 1)
    assert version_of(STOPPING, campaign) == people
    assert (before.size, version_of_request(beside).size) == (500, 501)


def test_a_job_reads_what_a_request_reads(campaign: Campaign) -> None:
    asked = request_of(STOPPING, campaign, StoppingParameters(machine=1, domain="mail"))
    at_once, later = (
        STOPPING.compute(  # type: ignore[misc]
            source_of(STOPPING).load(asked, 1, NoProgress(), at_once=at_once), asked.parameters, NoProgress()
        )
        for at_once in (True, False)
    )
    assert to_json(at_once) == to_json(later)
    assert (at_once.judged, at_once.answers) == (50, 100)


def test_a_file_gives_the_intervals_of_its_import(
    campaign: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "judgments.csv"
    call_command("export_judgments", campaign.name, "--format", "csv", "--machines", "--output", str(file))
    capsys.readouterr()
    shown = []
    for subject in (str(file), campaign.name):
        call_command("analyse", "stopping", subject, "--machine", "1", "--json")
        shown.append(capsys.readouterr().out.partition('"watched"')[2])
    assert shown[0] == shown[1] != ""


def test_a_published_result_holds_the_machine_only_if_it_counts(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_once(monkeypatch)
    assert "machine.csv" not in files_of(published_result(campaign, "stopping"))
    publication = published_result(campaign, "stopping", with_names=False, machine="1")
    assert {"machine.csv", "machine_answers.csv"} <= set(files_of(publication))
    path = tmp_path / "published.zip"
    path.write_bytes(b"".join(zip_of(publication)))
    assert list(differences(path, NoProgress())) == []
