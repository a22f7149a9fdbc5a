"""`manage.py analyse`: every registered analysis from the terminal."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.analyses.ranking import RANKING, RankingParameters
from analysis.models import Run
from analysis.runs import queries
from analysis.runs.queries import current
from analysis.runs.requests import request_of
from annotate.models import Campaign
from ranking import Unit
from tests.analysis.forgetting import forget_results
from tests.analysis.judgment_files import write_judgments
from tests.analysis.test_analysis_pages import IMPOSSIBLE
from tests.analysis.toys import ToyParameters
from tests.annotate.samples import small_campaign, small_corpus

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> str:
    rankings = [(judge, sentence, "A > B > C") for judge in ("anna", "ben") for sentence in range(20)]
    return write_judgments(tmp_path / "judged.csv", *rankings)


def as_json(capsys: Capture, *arguments: str) -> Any:
    call_command("analyse", *arguments, "--json")
    return json.loads(capsys.readouterr().out)


def test_a_file_needs_no_database(file: str, capsys: Capture) -> None:
    call_command("analyse", "toy", file, "--times", "3")
    text = capsys.readouterr().out
    assert "360" in text
    assert "Signature toy|times:3|loud:no|voice:low|snapshot:" in text


def test_rank_and_agree_are_shortcuts_with_the_same_numbers(file: str, capsys: Capture) -> None:
    ranked = as_json(capsys, "ranking", file, "--unit", "sentence")
    call_command("rank", file, "--unit", "sentence", "--json")
    shortcut = json.loads(capsys.readouterr().out)
    assert shortcut["signature"] == ranked["signature"]
    assert [row["score_low"] for row in shortcut["systems"]] == [
        row["score_low"] for row in ranked["standings"]["systems"]
    ]
    agreed = as_json(capsys, "agreement", file)
    call_command("agree", file, "--json")
    shortcut = json.loads(capsys.readouterr().out)
    assert shortcut["signature"] == agreed["signature"]
    assert shortcut["inter"]["kappa"] == agreed["agreement"]["inter"]["value"]


def test_roles_of_a_file_are_told(file: str, capsys: Capture) -> None:
    checks = as_json(capsys, "quality", file, "--role", "A=source", "C=control")["annotators"]
    assert [check["check"]["cases"] for check in checks] == [20, 20]
    with pytest.raises(CommandError, match="write SYSTEM=ROLE"):
        call_command("analyse", "quality", file, "--role", "A")


@pytest.mark.django_db
def test_a_campaign_gives_what_its_page_gives_and_keeps_it(capsys: Capture) -> None:
    campaign = small_campaign(small_corpus())
    told = as_json(capsys, "ranking", campaign.name, "--unit", "sentence")
    run = Run.objects.get()
    assert (run.analysis, run.state, run.asked_by) == ("ranking", "done", None)
    request = request_of(RANKING, campaign, RankingParameters(unit=Unit.SENTENCE))
    assert current(request, asked_by=None).result.signature == told["signature"]
    assert Run.objects.get() == run


@pytest.mark.django_db
def test_a_large_campaign_is_analysed_here(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = small_campaign(small_corpus())
    small = as_json(capsys, "toy", campaign.name)
    forget_results()
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)
    assert as_json(capsys, "toy", campaign.name) == small


@pytest.mark.parametrize(
    ("query", "fault"),
    [(query, fault) for query, fault in IMPOSSIBLE if not query.startswith(("pitch", "loud"))],
)
def test_impossible_parameters_are_refused_in_the_words_of_the_page(
    file: str, query: str, fault: str
) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("analyse", "toy", file, f"--{query}")
    assert str(refused.value) == fault


def test_an_unknown_option_and_an_unknown_analysis_are_refused(file: str) -> None:
    with pytest.raises(CommandError, match="unrecognized arguments: --pitch"):
        call_command("analyse", "toy", file, "--pitch=3")
    with pytest.raises(CommandError, match="invalid choice: 'moon'"):
        call_command("analyse", "moon", file)


@pytest.mark.django_db
def test_a_name_that_is_neither_file_nor_campaign_is_reported() -> None:
    small_campaign(small_corpus())
    with pytest.raises(CommandError, match=r"neither a file nor a campaign 'none'. Campaigns are: judged"):
        call_command("analyse", "toy", "none")
    assert Campaign.objects.get().name == "judged"


def test_defaults_are_those_of_the_dataclass(file: str, capsys: Capture) -> None:
    assert as_json(capsys, "toy", file)["rows"] == ToyParameters().times * 120
