"""Lists of the k best outputs."""

from pathlib import Path

import pytest

from formats import FormatError
from formats.nbest import by_rank, read_nbest


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "list.nbest"
    path.write_text(text)
    return path


def test_candidates_come_from_the_best_to_the_worst(tmp_path: Path) -> None:
    path = written(tmp_path, "0 ||| a ||| -2\n0 ||| b ||| f= 1 2 ||| -1\n0 ||| c ||| -2\n2 ||| d ||| 0\n")
    lists = read_nbest(path, 3)
    assert lists == (("b", "a", "c"), (), ("d",))
    assert by_rank(lists) == {"001": ("b", None, "d"), "002": ("a", None, None), "003": ("c", None, None)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 ||| a\n", ":1: 2 fields, but number, text and score are needed"),
        ("0 ||| a ||| 1\nx ||| b ||| 1\n", ":2: the sentence"),
        ("3 ||| a ||| 1\n", ":1: there is no sentence 3; sentences are 0 to 2"),
        ("0 ||| a ||| 1\n1 ||| b ||| 1\n0 ||| c ||| 1\n", ":3: sentence 0 comes again after sentence 1"),
        ("0 ||| a ||| good\n", ":1: the score is not a finite number: 'good'"),
        ("0 ||| a ||| inf\n", ":1: the score is not a finite number"),
    ],
)
def test_faults_are_named_by_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        read_nbest(written(tmp_path, text), 3)
