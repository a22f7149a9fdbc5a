"""`manage.py analyse`: every registered analysis from the terminal."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.analyses.systems.ranking import RANKING, RankingParameters
from analysis.models import Run
from analysis.runs import queries
from analysis.runs.queries import current
from analysis.runs.requests import request_of
from annotate.models import Campaign
from ranking import Unit
from tests.analysis.judgment_files import (
    DEMO,
    JUDGED,
    JUDGED_TEXTS,
    SYSTEMS,
    TEXTS,
    Capture,
    as_json,
    write_judgments,
)
from tests.analysis.stored import forget_results
from tests.analysis.test_analysis_pages import IMPOSSIBLE
from tests.analysis.toys import ToyParameters
from tests.annotate.samples import small_campaign, small_corpus


@pytest.fixture
def file(tmp_path: Path) -> str:
    rankings = [(judge, sentence, "A > B > C") for judge in ("anna", "ben") for sentence in range(20)]
    return write_judgments(tmp_path / "judged.csv", *rankings)


def test_a_file_needs_no_database(file: str, capsys: Capture) -> None:
    call_command("analyse", "toy", file, "--times", "3")
    text = capsys.readouterr().out
    assert "360" in text
    assert "Signature toy|times:3|loud:no|voice:low|snapshot:" in text


def test_rank_and_agree_are_shortcuts_with_the_same_numbers(file: str, capsys: Capture) -> None:
    ranked = as_json(capsys, "analyse", "ranking", file, "--unit", "sentence")
    shortcut = as_json(capsys, "rank", file, "--unit", "sentence")
    assert shortcut["signature"] == ranked["signature"]
    assert [row["score_low"] for row in shortcut["systems"]] == [
        row["score_low"] for row in ranked["standings"]["systems"]
    ]
    agreed = as_json(capsys, "analyse", "agreement", file)
    shortcut = as_json(capsys, "agree", file)
    assert shortcut["signature"] == agreed["signature"]
    assert shortcut["inter"]["kappa"] == agreed["agreement"]["inter"]["value"]


def test_roles_of_a_file_are_told(file: str, capsys: Capture) -> None:
    checks = as_json(capsys, "analyse", "quality", file, "--role", "A=source", "C=control")["annotators"]
    assert [check["check"]["cases"] for check in checks] == [20, 20]
    with pytest.raises(CommandError, match="write SYSTEM=ROLE"):
        call_command("analyse", "quality", file, "--role", "A")


@pytest.mark.django_db
def test_a_campaign_gives_what_its_page_gives_and_keeps_it(capsys: Capture) -> None:
    campaign = small_campaign(small_corpus())
    told = as_json(capsys, "analyse", "ranking", campaign.name, "--unit", "sentence")
    run = Run.objects.get()
    assert (run.analysis, run.has_result, run.asked_by) == ("ranking", True, None)
    request = request_of(RANKING, campaign, RankingParameters(unit=Unit.SENTENCE))
    assert current(request, asked_by=None).result.signature == told["signature"]
    assert Run.objects.get() == run


@pytest.mark.django_db
def test_a_large_campaign_is_analysed_here(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = small_campaign(small_corpus())
    small = as_json(capsys, "analyse", "toy", campaign.name)
    forget_results()
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)
    assert as_json(capsys, "analyse", "toy", campaign.name) == small


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
    assert as_json(capsys, "analyse", "toy", file)["rows"] == ToyParameters().times * 120


MAEGE = ("maege", "--m2", str(DEMO / "references.m2"))
PEOPLE, WINDOWS = (("metrics-people", JUDGED), ("metric-windows", JUDGED))
CAUSES = ("metric-causes", *JUDGED_TEXTS, "--metric")
SWEEP = ("metric-sweep", *JUDGED_TEXTS, "--metric")
HYBRIDS = ("hybrids", *JUDGED_TEXTS, "--role", "INPUT=source", "--metric", "ld-source")


@pytest.mark.parametrize(
    ("analysis", "options", "fault"),
    [
        (MAEGE, "--metric blue", "there is no metric 'blue'"),
        (MAEGE, "--metric ibleu:sign=times", "ibleu: sign should be one of minus, plus"),
        (MAEGE, "--metric ,", "name at least one metric"),
        (MAEGE, "--seeds 0", "seeds should be at least 1"),
        (MAEGE, "--annotators 3", "no sentence has 3 or more annotators"),
        (MAEGE, "--checker nowhere", "'nowhere' is not the address of a server"),
        (("maege",), "", r"Give either the argument FILE\|CORPUS or --m2\."),
        (("maege", MAEGE[2]), f"--m2 {MAEGE[2]}", r"Give either the argument FILE\|CORPUS or --m2\."),
        (PEOPLE, "", "there are no metrics: give --metric with --source and --output, or --scores"),
        (PEOPLE, "--metric bleu", "--output and --metric need --source"),
        ((*PEOPLE, *TEXTS), "--metric bleu", "bleu needs references"),
        ((*PEOPLE, *TEXTS), "--metric blue", "blue"),
        ((*PEOPLE, *TEXTS, SYSTEMS[0]), "--metric ld-source", "two files have the same name"),
        (
            (*PEOPLE, *TEXTS, "--metric", "ld-source"),
            *("--exclude-systems Nobody", "no system Nobody to leave out; systems are: Alder, Birch"),
        ),
        ((*PEOPLE, *TEXTS, "--metric", "ld-source"), *("--human z", "z-scores and tie widths need scores")),
        (
            (*PEOPLE, *TEXTS, "--metric", "ld-source"),
            *("--first-sentence 1", "judged as one output of sentence .*--first-sentence"),
        ),
        (WINDOWS, "--size 2", "size should be at least 3, not 2"),
        (CAUSES, "ld-source --of gleu", "there are no scores by gleu; there are: ld-source"),
        (CAUSES, "ld-source --spread 0", "spread should be at least 1e-06"),
        (HYBRIDS, "--human ew", "human should be one of mean, z, not 'ew'"),
        (HYBRIDS, "--human z", "z-scores and tie widths need scores"),
        (HYBRIDS, "--draws 101", "draws should be at most 100"),
        (
            SWEEP,
            "m2 --of bleu",
            r"no scores here are by bleu .* there are: m2 \(beta\), m2 \(max-unchanged\)",
        ),
        (SWEEP, "m2 --over order", "no scores here are by order"),
        (SWEEP, "m2 --low 2 --high 1", "to should be more than 2"),
        (SWEEP, "m2 --step 0.0001", "are 9,901 values, and at most 1,000 are possible"),
        (SWEEP, "m2 --high 200", "at most 1,000"),
        (SWEEP, "m2 --over max-unchanged --low 1 --high 3 --step 0.5", "takes whole numbers"),
        (SWEEP, "m2 --over beta --low -1 --high 1 --step 1", "beta should be at least 0"),
        (SWEEP, "ld-source", "by a metric with a numeric parameter; there are: none"),
    ],
)
def test_impossible_parameters_of_analyses_are_reported(
    analysis: tuple[str, ...], options: str, fault: str
) -> None:
    with pytest.raises(CommandError, match=fault):
        call_command("analyse", *analysis, *options.split())
