"""`alt_test`: the alternative annotator test of files of labels."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

LABELS = {name: {str(item): item % (3 + place) for item in range(40)} for place, name in enumerate("abcd")}


@pytest.fixture
def people(tmp_path: Path) -> str:
    path = tmp_path / "people.json"
    path.write_text(json.dumps(LABELS))
    return str(path)


@pytest.fixture
def machine(tmp_path: Path) -> str:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(LABELS["a"]))
    return str(path)


def test_the_verdict_comes_first_and_the_people_after_it(
    people: str, machine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("alt_test", people, machine, "--epsilon", ".2")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("model may stand in for one more annotator: it beats ")
    assert "(winning rate 1.00, epsilon 0.2)" in lines[0]
    assert lines[-1].startswith("Winning rate by epsilon: 0: ")


def test_json_has_p_values_by_annotator_and_the_curve(
    people: str, machine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("alt_test", people, machine, "--agreement", "rmse", "--json")
    result = json.loads(capsys.readouterr().out)["model"]
    assert [each["person"] for each in result["people"]] == ["a", "b", "c", "d"]
    assert {"p_value", "adjusted_p_value", "statistic", "instances"} <= result["people"][1].keys()
    assert result["may_stand_in"] == (result["winning_rate"] >= 0.5)
    assert list(result["winning_rates"]) == ["0.00", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30"]


def test_what_is_not_computed_is_said(
    people: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lazy.json").write_text(json.dumps({"1": 1}))
    call_command("alt_test", people, str(tmp_path / "lazy.json"))
    told = capsys.readouterr().out
    assert told == "lazy: not tested, because the machine answered 1 of 40 instances, fewer than 95%.\n"


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (("--epsilon", "2"), "'2' is not a number from 0 to 1"),
        (("--epsilon", "much"), "'much' is not a number from 0 to 1"),
    ],
)
def test_an_epsilon_that_is_no_share_is_refused(
    people: str, machine: str, arguments: tuple[str, ...], cause: str
) -> None:
    with pytest.raises(CommandError, match=cause):
        call_command("alt_test", people, machine, *arguments)


def test_faults_of_files_are_refused(people: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("alt_test", people, str(tmp_path / "none.json"))
    (tmp_path / "words.json").write_text('{"1": "good"}')
    with pytest.raises(CommandError, match="'good' is not a number"):
        call_command("alt_test", people, str(tmp_path / "words.json"), "--agreement", "rmse")
