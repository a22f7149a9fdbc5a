"""`manage.py rank`: ranks a file of judgments in the terminal, without a database."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.analysis.judgment_files import Row, write_judgments

JUDGED: tuple[Row, ...] = tuple(
    (judge, sentence, "Alder > Birch > Cedar" if sentence % 8 else "Birch > Cedar > Alder")
    for judge in ("anna", "ben")
    for sentence in range(40)
)


@pytest.fixture
def judgments(tmp_path: Path) -> str:
    return write_judgments(tmp_path / "judged.csv", *JUDGED)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    call_command("rank", *arguments)
    return " ".join(capsys.readouterr().out.split())


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    call_command("rank", *arguments, "--json")
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def refusal(*arguments: str) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("rank", *arguments)
    return str(refused.value)


def test_the_table_has_ranks_and_intervals(judgments: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, judgments, "--unit", "sentence", "--confidence", ".9")
    assert "ExpectedWins over 240 expanded pairs, 0 of them ties" in text
    assert text.index("Alder") < text.index("Birch") < text.index("Cedar")
    assert "Rank ranges at 90 % from 1,000 replicates, resampled by sentence; ± is" in text
    assert "how the ranking would vary with other sentences of the same kind" in text
    assert "The border below cluster 1 is clean in" in text
    assert (
        "Signature ew|pairs:expanded|ties:dropped|unit:sentence|replicates:1000|confidence:0.9|seed:0" in text
    )


@pytest.mark.parametrize("method", ["ew", "trueskill", "bradley-terry"])
def test_json_has_the_same_form_by_each_method(
    judgments: str, capsys: pytest.CaptureFixture[str], method: str
) -> None:
    result = as_json(capsys, judgments, "--method", method, "--bootstrap", "100")
    best = result["systems"][0]
    assert (best["name"], best["rank_low"], best["rank_high"], best["cluster"]) == ("Alder", 1, 1, 1)
    assert best["score"] > result["systems"][1]["score"]
    assert result["pairs"] == {"expanded": 240, "ties": 0, "unexpanded": 240, "unexpanded_ties": 0}
    assert result["signature"].startswith(f"{method}|")
    assert (result["unit"], result["warning"]) == ("sentence", None)


def test_it_warns_where_pairs_claim_more_than_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two sentences, judged often and one against the other: many pairs, little evidence."""
    rankings = [("anna", number % 2, "A > B" if number % 2 else "B > A") for number in range(100)]
    file = write_judgments(tmp_path / "judged.csv", *rankings, *[("anna", 1, "A > B")] * 60)
    by_pair = (file, "--unit", "pair")
    warning = as_json(capsys, *by_pair)["warning"]
    assert warning.startswith("Resampling pairs claims 2 clusters, resampling sentences 1.")
    assert "Resampling pairs claims 2 clusters" in printed(capsys, *by_pair)
    assert as_json(capsys, file)["warning"] is None


def test_the_seed_decides(judgments: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = (judgments, "--method", "trueskill", "--bootstrap", "5")
    first, again, other = (as_json(capsys, *options, "--seed", seed)["systems"] for seed in "112")
    assert first == again != other


def test_systems_can_be_left_out(judgments: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = as_json(capsys, judgments, "--exclude-systems", "Alder")
    assert [system["name"] for system in result["systems"]] == ["Birch", "Cedar"]
    assert result["pairs"]["expanded"] == 80


def test_without_bootstrap_there_are_scores(judgments: str, capsys: pytest.CaptureFixture[str]) -> None:
    for method in ("ew", "trueskill"):
        text = printed(capsys, judgments, "--bootstrap", "0", "--method", method)
        assert "No rank ranges: nothing was resampled." in text


def test_one_judge_alone_is_not_resampled_by_judge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_judgments(tmp_path / "judged.csv", ("anna", 0, "A > B"), ("anna", 1, "A > B"))
    result = as_json(capsys, file, "--unit", "judge")
    assert result["reason"] == "there is only one judge, so resampling is impossible"
    assert result["systems"][0]["rank_low"] is None
    assert "No rank ranges: there is only one judge" in printed(capsys, file, "--unit", "judge")


def test_only_ties(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write_judgments(tmp_path / "judged.csv", ("anna", 0, "A = B"), ("ben", 1, "A = B"))
    text = printed(capsys, file)
    assert "all its comparisons are ties" in text
    assert "No rank ranges: no system has a score." in text


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (("--exclude-systems", "Fir"), "there is no system Fir; there are Alder, Birch, Cedar"),
        (("--confidence", "95"), "confidence should be at most 0.999, not 95"),
        (("--bootstrap", "2"), "2 replicates are too few"),
        (("--bootstrap", "-1"), "replicates should be at least 0, not -1"),
        (("--method", "elo"), "method should be one of ew, trueskill, bradley-terry, mean, not 'elo'"),
        (("--unit", "word"), "unit should be one of pair, judgment, sentence, judge, not 'word'"),
    ],
)
def test_impossible_options_are_reported(judgments: str, options: tuple[str, ...], cause: str) -> None:
    assert cause in refusal(judgments, *options)


def test_a_faulty_file_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "judged.csv"
    file.write_text("srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n1,anna,A,1,B,high\n")
    assert f"{file}:2: " in refusal(str(file))
    assert str(tmp_path / "none.csv") in refusal(str(tmp_path / "none.csv"))
