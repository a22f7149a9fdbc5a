"""`reproduce`: tables and figures from a folder of public data, and errors in the data."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.core.management import CommandError, call_command

from analysis.reproduction.public_data.conll14 import SYSTEMS, Conll14
from formats import FormatError


@pytest.fixture
def metric_scores(tmp_path: Path) -> Path:
    """A folder of made-up metric scores."""
    folder = tmp_path / "gjg15" / "metric-scores"
    folder.mkdir(parents=True)
    for ending in ("m2", "m2.0", "m2.1"):
        (folder / f"scores.{ending}").write_text("".join(f"{system} .2 .3 .1\n" for system in SYSTEMS))
    for ending in ("iwacc", "bleu", "meteor"):
        (folder / f"scores.{ending}").write_text("".join(f"{system} 50\n" for system in SYSTEMS))
    return tmp_path


def test_metric_scores_are_read_by_system(metric_scores: Path) -> None:
    metrics = Conll14(metric_scores).released
    assert metrics.edits["Combined"]["AMU"].precision == 0.3
    assert metrics.edits["Annotator 2"]["IPN"].recall == 0.1
    assert metrics.others["BLEU"]["UFC"] == 50


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("AMU 50\nRAC fifty\n", r"scores\.bleu:2: .*'fifty'"),
        ("AMU nan\n", r"scores\.bleu:1: .*nan"),
        ("AMU 50 60\n", r"scores\.bleu:1: a line should hold a system and 1 figures"),
        ("AMU 50\n\n", r"scores\.bleu:2: a line should hold"),
        ("AMU 50\n", r"scores\.bleu.*systems are missing: CAMB, CUUI"),
        ("", r"scores\.bleu.*the file is empty"),
    ],
)
def test_a_fault_in_metric_scores_names_file_line_and_cause(
    metric_scores: Path, text: str, cause: str
) -> None:
    (metric_scores / "gjg15" / "metric-scores" / "scores.bleu").write_text(text)
    with pytest.raises(FormatError, match=cause):
        _ = Conll14(metric_scores).released


def test_a_folder_without_the_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"judgments\.xml.*no such file"):
        call_command("reproduce", "gjg15", "--data", str(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (("mterater", "--tables", "3b"), "no table '3b'; its tables are tau, McNemar, checker"),
        (("metrics", "--figures", "drawn"), "No figure of metrics is drawn"),
        (("maege", "--test", "split"), "no split for --test"),
    ],
)
def test_tables_that_a_paper_lacks_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], cause: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommandError, match=cause):
        call_command("reproduce", *arguments)
    assert not list(tmp_path.iterdir())


def test_tables_come_as_json_and_figure_3_as_svg(
    reference_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "figures"
    options = ("--data", str(reference_data), "--figures", str(drawn), "--json")
    call_command("reproduce", "gjg15", *options, "--tables", "7", "5")
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert list(tables) == ["5", "7"]
    assert tables["5"]["M2 F0.18 r"]["ok"] is None
    assert tables["7"]["Judge 1 CAMB score"]["published"] == 0.674
    [figure] = drawn.iterdir()
    assert figure.name == "figure-3.svg"
    texts = {element.text for element in ET.fromstring(figure.read_bytes()).iter() if element.text}  # noqa: S314
    assert {"Annotator 1", "Annotator 2", "Combined", "β"} <= texts


def test_what_the_paper_does_not_print_stands_in_brackets_and_is_counted_apart(
    reference_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("reproduce", "gjg15", "--data", str(reference_data), "--tables", "figure 3", "5")
    told = " ".join(capsys.readouterr().out.split())
    assert "(0.67033)" in told
    assert "36 of these figures, in brackets, the paper does not print" in told


def test_figures_that_cannot_be_written_are_an_error(reference_data: Path, tmp_path: Path) -> None:
    taken = tmp_path / "a file"
    taken.write_text("")
    with pytest.raises(CommandError, match="File exists"):
        call_command("reproduce", "gjg15", "--data", str(reference_data), "--figures", str(taken))
