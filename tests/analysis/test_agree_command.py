"""`manage.py agree`: agreement from the terminal, without a database."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

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
    assert result["signature"].startswith("agreement|pairs:unexpanded|min-comparisons:50|snapshot:")


def test_tables_show_names_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rankings = [(judge, sentence, "A > B") for judge in ("[red]anna", "ben") for sentence in range(2)]
    call_command("agree", write_judgments(tmp_path / "judged.csv", *rankings))
    text = capsys.readouterr().out
    assert "[red]anna" in text
    assert "Krippendorff's alpha" in text


def test_a_judge_with_one_rating_has_reasons_instead_of_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("agree", write_judgments(tmp_path / "judged.csv", ("anna", 0, "A > B")), "--json")
    result = json.loads(capsys.readouterr().out)
    assert result["pairs"] == []
    for kappa in (result["inter"], result["intra"]):
        assert kappa["kappa"] is None
        assert kappa["reason"]
    assert result["alpha"]["pairs"]["reason"] == "no two judges judged the same"


def test_a_faulty_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"none\.csv"):
        call_command("agree", str(tmp_path / "none.csv"))
