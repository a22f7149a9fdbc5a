"""Results of a rule that an analysis no longer uses are known, said to be so, and computed anew."""

import inspect
import re
import sys
import zipfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client

from analysis.analyses.base import analyses, stated
from analysis.analyses.rules import RULE_OF_ANOTHER, RULES, is_of_older_rule, rule_of
from analysis.models import Run, RunPart
from analysis.publishing.verification import AS_WRITTEN, differences
from analysis.runs import queries
from analysis.runs.queries import compute_anew, current, in_this_process, kept, stored
from analysis.runs.requests import Request, request_of
from analysis.runs.sources import version_of
from annotate.models import Campaign, Role
from core.progress import NoProgress
from jobs.worker import run_queued_jobs
from tests.analysis.publishing.published import draw_nothing, files_of, published_result
from tests.analysis.publishing.test_published_analyses import what_differs
from tests.analysis.toys import IN_CHUNKS, TOY, Counted, ToyParameters
from tests.annotate.api.asking import ask, post, program
from tests.annotate.running import answer_all, cast, running
from tests.jobs.kinds import after_working

pytestmark = pytest.mark.any_database

OLDER = "This was computed by an older rule, which Assay no longer uses."


def change_rules(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    for name in names:
        monkeypatch.setitem(RULES, name, RULES.get(name, 1) + 1)


def asked(campaign: Campaign) -> Request:
    return request_of(TOY, campaign, ToyParameters())


def page(client: Client, campaign: Campaign, path: str = "analyses/toy/") -> str:
    return client.get(f"{campaign.get_absolute_url()}{path}").content.decode()


@pytest.mark.parametrize(
    ("signature", "is_older"),
    [
        ("toy|times:2|assay:0.1.0", True),
        ("toy|rule:2|times:2|assay:0.1.0", True),
        ("toy|rule:3|times:2|assay:0.1.0", False),
        ("toy|rule:10|times:2|assay:0.1.0", False),
    ],
)
def test_a_signature_tells_the_rule(
    monkeypatch: pytest.MonkeyPatch, signature: str, *, is_older: bool
) -> None:
    monkeypatch.setitem(RULES, "toy", 3)
    assert is_of_older_rule("toy", signature) is is_older
    assert not is_of_older_rule("another", signature)
    assert stated("toy", ToyParameters()).startswith("toy|rule:3|times:2|")


def test_rules_are_those_of_analyses() -> None:
    assert RULES.keys() <= analyses().keys()


def test_every_analysis_states_its_rule() -> None:
    """Otherwise a result of today's rule would always count as one of an older rule."""
    assert RULE_OF_ANOTHER.keys() <= analyses().keys()
    for name in analyses().keys() - RULE_OF_ANOTHER.keys():
        analysis = analyses()[name]
        function: Any = analysis.compute or analysis.chunks.combine  # type: ignore[union-attr]
        source = inspect.getsource(sys.modules[function.__module__])
        assert re.search(rf"""stated(_rule)?\(["']{name}["']""", source) or f'name = "{name}"' in source, name


def test_a_small_result_of_an_older_rule_is_computed_anew(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = current(asked(campaign), asked_by=None).result
    change_rules(monkeypatch, "toy")
    assert kept(asked(campaign)) is None
    newer = current(asked(campaign), asked_by=None)
    assert newer.result.signature == older.signature.replace("toy|", "toy|rule:2|")
    assert not newer.is_of_older_rule
    assert kept(asked(campaign)) == newer.result
    assert Run.objects.count() == 1


@pytest.mark.usefixtures("everything_is_large")
def test_the_page_says_so_until_it_is_computed_anew(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    page(researcher, campaign)
    run_queued_jobs()
    assert OLDER not in page(researcher, campaign)
    change_rules(monkeypatch, "toy")
    shown = page(researcher, campaign)
    assert OLDER in shown
    assert "came after this was computed" not in shown
    compute = f"{campaign.get_absolute_url()}analyses/toy/compute/"
    assert f'action="{compute}' in shown
    assert "Compute it anew" in shown
    researcher.post(compute)
    run_queued_jobs()
    shown = page(researcher, campaign)
    assert OLDER not in shown
    assert "toy|rule:2|times:2" in shown


@pytest.mark.django_db
@pytest.mark.usefixtures("everything_is_large")
@pytest.mark.parametrize("changed", ["ranking", "agreement"])
def test_ranking_page_overview_and_api_say_so(
    admin: Client, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    campaign = running("pilot", items=6, annotators_per_item=2, shared_percent=100)
    for annotator in cast(campaign):
        answer_all(annotator)
    programme = program()
    page(admin, campaign, "ranking/")
    run_queued_jobs()
    change_rules(monkeypatch, changed)
    assert OLDER in page(admin, campaign, "ranking/")
    shown = page(admin, campaign, "manage/")
    assert shown.count("It was computed by an older rule, which Assay no longer uses.") == 1
    assert "Compute anew</button>" in shown
    for name in ("ranking", "agreement"):
        told = ask(programme, f"campaigns/{campaign.uuid}/{name}/")
        assert told["is_of_older_rule"] is (name == changed)
    post(programme, f"/api/v1/campaigns/{campaign.uuid}/ranking/")
    run_queued_jobs()
    assert OLDER not in page(admin, campaign, "ranking/")
    assert ask(programme, f"campaigns/{campaign.uuid}/{changed}/")["is_of_older_rule"] is False


@pytest.mark.usefixtures("everything_is_large")
@pytest.mark.parametrize("name", ["toy", "quality"])
def test_any_analysis_in_the_api_says_so(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path, client = f"campaigns/{campaign.uuid}/analyses/{name}/", program(Role.ADMIN)
    client.get(f"/api/v1/{path}")
    run_queued_jobs()
    assert ask(client, path)["is_of_older_rule"] is False
    change_rules(monkeypatch, name)
    assert ask(client, path)["is_of_older_rule"] is True
    post(client, f"/api/v1/{path}")
    run_queued_jobs()
    told = ask(client, path)
    assert told["is_of_older_rule"] is False
    assert f"|rule:{rule_of(name)}|" in told["signature"]


@pytest.mark.usefixtures("everything_is_large")
def test_what_is_stored_says_so_and_a_command_computes_anew(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = asked(campaign)
    compute_anew(request, asked_by=None)
    run_queued_jobs()
    change_rules(monkeypatch, "toy")
    found = stored(request, version_of(TOY, campaign))
    assert found is not None
    assert found.is_of_older_rule
    assert found.newer == 0
    with patch.object(queries, "_computed_now", return_value=Counted("", 0, ())) as computing:
        in_this_process(request, None)  # type: ignore[arg-type]
    assert computing.called


@pytest.mark.usefixtures("everything_is_large")
def test_parts_of_an_older_rule_are_not_mixed_in(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    request = request_of(IN_CHUNKS, campaign, ToyParameters())
    after_working(compute_anew(request, asked_by=None))
    expected = current(request, asked_by=None).result.numbers
    digest = Run.objects.get().digest
    Run.objects.all().delete()
    change_rules(monkeypatch, "toy-in-chunks")
    job = compute_anew(request, asked_by=None)
    RunPart.objects.create(run=Run.objects.get(), digest=digest, number=0, result=0.5)
    after_working(job)
    assert current(request, asked_by=None).result.numbers == expected


def test_a_published_result_says_so_and_how_to_publish_it_anew(
    admin: Client,
    client: Client,
    campaign: Campaign,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    draw_nothing(monkeypatch)
    publication = published_result(campaign)
    address = publication.get_absolute_url()
    listed = f"/campaigns/{campaign.uuid}/published/"
    assert OLDER not in client.get(address).content.decode()
    with monkeypatch.context() as patched:
        change_rules(patched, "ranking")
        assert OLDER in client.get(address).content.decode()
    change_rules(monkeypatch, "agreement")
    shown = client.get(address).content.decode()
    assert OLDER in shown
    assert listed not in shown
    assert f'href="{listed}#{publication.uuid}">Publish it anew' in admin.get(address).content.decode()
    [link] = re.findall(r'href="(\?[^"]+)#publish">Publish it anew', admin.get(listed).content.decode())
    assert "analysis=ranking" in link
    assert "replicates=20" in link
    assert admin.get(listed + link.replace("&amp;", "&")).status_code == 200
    named, whole, *differing = what_differs(publication, tmp_path)
    assert named == "Made by an older rule of agreement: signatures differ, and numbers may."
    assert whole == AS_WRITTEN
    assert differing
    with zipfile.ZipFile(tmp_path / "changed.zip", "w") as changed_bundle:
        for name, content in (files_of(publication) | {"methods.txt": b"Something else.\n"}).items():
            changed_bundle.writestr(name, content)
    assert AS_WRITTEN not in list(differences(tmp_path / "changed.zip", NoProgress()))
    anew = published_result(campaign)
    assert OLDER not in client.get(anew.get_absolute_url()).content.decode()
    assert what_differs(anew, tmp_path) == []
