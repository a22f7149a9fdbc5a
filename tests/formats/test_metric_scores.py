"""Scores of metrics that were computed elsewhere."""

from math import nan
from pathlib import Path

import pytest

from formats import FormatError
from formats.metric_scores import GivenScores, read_metric_scores, read_score_rows


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "scores.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_scores_of_sentences_and_of_systems(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        'metric,system,sentence,score\n"comet, large",AMU,0,0.5\n"comet, large",AMU,1,\nlm,AMU,,-3\n\n',
    )
    assert read_metric_scores(path) == {
        "comet, large": GivenScores({}, {"AMU": {0: 0.5, 1: None}}),
        "lm": GivenScores({"AMU": -3.0}, {}),
    }


def test_the_column_of_sentences_may_be_missing_and_columns_stand_in_any_order(tmp_path: Path) -> None:
    path = written(tmp_path, "score,Metric,system\r\n1e-3,lm,B\r\n2,lm,A\r\n")
    assert read_metric_scores(path)["lm"].systems == {"B": 0.001, "A": 2.0}


def test_files_of_spreadsheets(tmp_path: Path) -> None:
    text = '\ufeffmetric,system,sentence,score\r\n\r\n"\'-lm\r\n",B, 0 ,\'-0.5\r\n"\'-lm",B,1,""\r\n'
    path = written(tmp_path, text)
    rows = read_score_rows(path)
    assert (rows.metrics, rows.systems) == (("-lm",), ("B",))
    assert (rows.sentence.tolist(), rows.line.tolist()) == ([0, 1], [3, 5])
    assert rows.score.tolist() == [-0.5, pytest.approx(nan, nan_ok=True)]


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        ("metric,score\nlm,1\n", 1, "the heading lacks system"),
        ("metric,system,score,judge\n", 1, "unknown column 'judge'"),
        ("metric,system,score,score\n", 1, "a column occurs twice"),
        ("metric,system,score\n", None, "holds a heading, but no score"),
        ("metric,system,score\nlm,A\n", 2, "2 cells, but 3 columns"),
        ("metric,system,score\nlm,A,high\n", 2, "not a finite number: 'high'"),
        ("metric,system,score\nlm,A,nan\n", 2, "not a finite number"),
        ("metric,system,score\nlm,A,-inf\n", 2, "not a finite number"),
        ("metric,system,score\nlm,A,1e999\n", 2, "not a finite number"),
        (f"metric,system,score\nlm,A,{'9' * 5000}\n", 2, "not a finite number"),
        ("metric,system,score\nl\0m,A,1\n", 2, r"control character U\+0000"),
        ("metric,system,score\nlm,A,\n", 2, "system A has no score"),
        ("metric,system,score\n,A,1\n", 2, "the metric is empty"),
        ("metric,system,score\nlm,A B,1\n", 2, "bad system name"),
        (
            "metric,system,score\nlm,A,1\nlm,A,2\n",
            3,
            "system A has two scores by the same metric; the first is in line 2",
        ),
        ("metric,system,sentence,score\nlm,A,-1,1\n", 2, "the sentence is negative"),
        ("metric,system,sentence,score\nlm,A,x,1\n", 2, "not a whole number"),
        ("metric,system,sentence,score\nlm,A,7,1\nlm,A,7,\n", 3, "sentence 7 of system A has two scores"),
        ("metric,system,sentence,score\nlm,A,1234567890,1\n", 2, "not a whole number of up to nine digits"),
        ('metric,system,score\nlm,A,1\n"lm,B,1\nlm,C,1\n', 3, "malformed CSV"),
    ],
)
def test_faults_name_their_line(tmp_path: Path, text: str, line: int | None, fault: str) -> None:
    with pytest.raises(FormatError, match=fault) as refused:
        read_metric_scores(written(tmp_path, text))
    assert refused.value.line == line
