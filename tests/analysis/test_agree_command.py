"""`manage.py agree`: agreement from the terminal, without a database."""

import hashlib
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from formats.columns import COLUMNS, SCHEMA_VERSION
from tests.analysis.judgment_files import write_judgments


def test_json_has_kappa_and_alpha(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two judges share 60 pairs; two of three outcomes are the same."""
    rankings = [("anna", sentence, "A > B") for sentence in range(60)]
    rankings += [("ben", sentence, "A > B" if sentence % 3 else "B > A") for sentence in range(60)]
    call_command("agree", write_judgments(tmp_path / "judged.csv", *rankings), "--json")
    result = json.loads(capsys.readouterr().out)
    expected = (100 / 120) ** 2 + (20 / 120) ** 2
    assert result["inter"] == {
        "kappa": pytest.approx((2 / 3 - expected) / (1 - expected)),
        "n": 60,
        "reason": None,
    }
    assert (result["intra"]["kappa"], result["intra"]["n"]) == (None, 0)
    assert result["pairs"] == [{"first": "anna", "second": "ben", **result["inter"]}]
    assert result["alpha"]["pairs"]["n"] == 120
    assert result["alpha"]["ranks"]["n"] == 240
    assert result["alpha"]["scores"] == {"alpha": None, "n": 0, "units": 0, "reason": "ranks are no scores"}
    assert (result["icc"]["single"], result["icc"]["reason"]) == (None, "fewer than two outputs were scored")
    for half in (result["split_half"]["sentence"], result["split_half"]["system"]):
        assert (half["pearson"], half["reason"]) == (None, "no output was scored by 2 annotators")
    assert result["signature"].startswith("agreement|rule:2|pairs:unexpanded|min-comparisons:50|snapshot:")


SCORES = {"A": (90, 80, 70, 60), "B": (50, 60, 45, 52)}
"""By system, those that anna gives to its outputs; ben gives five less."""


@pytest.fixture
def scores(tmp_path: Path) -> str:
    """Scores as a campaign exports them, in JSON Lines; of the last sentence ben scores nothing."""
    rows = [
        dict.fromkeys(COLUMNS)
        | {
            "schema_version": SCHEMA_VERSION,
            "judgment": f"{judge}-{sentence}",
            "campaign": "scores",
            "protocol": "partial-ranking-with-scalars",
            "annotator": judge,
            "sentence": sentence,
            "item": sentence,
            "repetition": repetition,
            "state": "complete",
            "output": hashlib.sha256(f"{system} {sentence}".encode()).hexdigest(),
            "systems": [system],
            "position": position,
            "score": SCORES[system][sentence] - less,
            "revision": 1,
        }
        for repetition, (judge, less, sentences) in enumerate((("anna", 0, 4), ("ben", 5, 3)))
        for sentence in range(sentences)
        for position, system in enumerate(SCORES)
    ]
    file = tmp_path / "scores.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(file)


def test_scores_have_all_but_an_alpha_over_ranks(scores: str, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("agree", scores, "--json")
    result = json.loads(capsys.readouterr().out)
    assert result["inter_pooled"]["n"] == 3
    [pair] = [pair for pair in result["pairs"] if pair["first"] != pair["second"]]
    assert (pair["first"], pair["second"], pair["n"]) == ("anna", "ben", 3)
    assert result["alpha"]["ranks"] == {"alpha": None, "n": 0, "units": 0, "reason": "scores are not ranks"}
    assert result["alpha"]["scores"]["units"] == 6
    assert 0.9 < result["alpha"]["scores"]["alpha"] < 1
    assert (result["icc"]["outputs"], result["icc"]["ratings"]) == (8, 14)
    assert result["icc"]["low"] < result["icc"]["single"] < result["icc"]["high"]
    assert result["split_half"]["group_size"] == 1
    assert result["split_half"]["sentence"]["n"] == 6
    assert result["signature"].startswith("agreement|rule:2|pairs:unexpanded|by:scores|tie-width:0|")


def test_a_wide_tie_leaves_no_pair_decided(scores: str, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("agree", scores, "--json", "--tie-width", "100")
    result = json.loads(capsys.readouterr().out)
    assert result["alpha"]["pairs"]["reason"] == "all values are the same, so agreement by chance is complete"
    assert "|tie-width:100|" in result["signature"]


def test_a_table_of_scores_tells_their_reliability(scores: str, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("agree", scores)
    text = " ".join(capsys.readouterr().out.split())
    for part in (
        "alpha over scores, interval",
        "split halves, Pearson, outputs",
        "split halves have 1",
    ):
        assert part in text


@pytest.mark.parametrize(("width", "fault"), [("-1", "at least 0, not -1"), ("nan", "a number, not nan")])
def test_an_impossible_tie_width_is_refused(scores: str, width: str, fault: str) -> None:
    with pytest.raises(CommandError, match=f"tie-width should be {fault}"):
        call_command("agree", scores, "--tie-width", width)


def test_rankings_have_no_tie_width(tmp_path: Path) -> None:
    file = write_judgments(tmp_path / "judged.csv", ("anna", 0, "A > B"))
    with pytest.raises(CommandError, match="need scores, and these are rankings"):
        call_command("agree", file, "--tie-width", "5")


def test_tables_show_names_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rankings = [(judge, sentence, "A > B") for judge in ("[red]anna", "ben") for sentence in range(2)]
    call_command("agree", write_judgments(tmp_path / "judged.csv", *rankings))
    text = capsys.readouterr().out
    assert "[red]anna" in text
    assert "alpha over ranks, ordinal" in text


def test_a_judge_with_one_rating_has_reasons_instead_of_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("agree", write_judgments(tmp_path / "judged.csv", ("anna", 0, "A > B")), "--json")
    result = json.loads(capsys.readouterr().out)
    assert result["pairs"] == []
    for kappa in (result["inter"], result["intra"]):
        assert kappa["kappa"] is None
        assert kappa["reason"]
    assert result["alpha"]["pairs"]["reason"] == "no two judges judged the same thing"


def test_a_faulty_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"none\.csv"):
        call_command("agree", str(tmp_path / "none.csv"))
