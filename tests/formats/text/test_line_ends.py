"""Every reader takes CRLF, LF and both in one file; a lone carriage return is refused by its name."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from formats import (
    FormatError,
    read_appraise,
    read_jsonl,
    read_judgments,
    read_m2,
    read_parallel,
    read_wmt_csv,
)
from formats.collected_answers import read_answers_as_corpus
from formats.crowd_answers import read_crowd_answers
from formats.metric_scores import read_metric_scores
from formats.nbest import read_nbest
from formats.writers import FORMATS, Heading
from tests.formats.conftest import Write
from tests.formats.test_any_bytes import APPRAISE, GOLD, JUDGMENTS, OBJECTS, WMT

SCORES = "metric,system,sentence,score\nlm,A,0,1\nlm,A,1,2\nlm,B,0,3\n"
TABLE = "sentence,correction,worker,valid\nHe go .,He goes .,w1,yes\nFine .,Fine .,w2,yes\n"
PLAIN = (JUDGMENTS[0], replace(JUDGMENTS[0], key="j2", item=1))
EXPORTS = {
    name: b"".join(FORMATS[name].write(PLAIN, Heading("c", "en"))).decode().replace("\r\n", "\n")
    for name in ("csv", "jsonl")
}
READERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "parallel text": (
        lambda path: read_parallel(path, {"A": path}, documents=path),
        "One .\nTwo .\nThree .\n",
    ),
    "M2": (read_m2, GOLD),
    "JSON Lines": (read_jsonl, f"{OBJECTS}\n{OBJECTS}\n"),
    "Appraise XML": (read_appraise, APPRAISE),
    "WMT CSV": (read_wmt_csv, WMT),
    "judgments as Appraise XML": (read_judgments, APPRAISE),
    "judgments as WMT CSV": (read_judgments, WMT),
    "exported CSV": (read_judgments, EXPORTS["csv"]),
    "exported JSON Lines": (read_judgments, EXPORTS["jsonl"]),
    "scores": (read_metric_scores, SCORES),
    "answers": (read_answers_as_corpus, TABLE),
    "a crowd's answers": (read_crowd_answers, TABLE),
    "n-best lists": (lambda path: read_nbest(path, 2), "0 ||| a ||| 1\n0 ||| b ||| 2\n1 ||| c ||| 1\n"),
}
# Python's reader of CSV takes these for one line end, because a cell may hold a carriage return.
TAKEN = [(kind, "\r\r\n") for kind in ("answers", "a crowd's answers", "exported CSV")]


def _mixed(text: str) -> str:
    lines = text.split("\n")
    return "".join(line + ("\r\n" if number % 2 else "\n") for number, line in enumerate(lines)).removesuffix(
        "\n" if len(lines) % 2 else "\r\n"
    )


@pytest.mark.parametrize("kind", READERS)
def test_every_reader_takes_any_mix_of_line_ends(write: Write, kind: str) -> None:
    read, text = READERS[kind]
    expected = read(write(text))
    assert read(write(text.replace("\n", "\r\n"))) == expected
    assert read(write(_mixed(text))) == expected
    assert read(write("\ufeff" + _mixed(text))) == expected


@pytest.mark.parametrize(
    ("kind", "end"), [case for case in product(READERS, ["\r", "\r\r\n", "\n\r"]) if case not in TAKEN]
)
def test_a_lone_carriage_return_is_refused_with_its_line(write: Write, kind: str, end: str) -> None:
    read, text = READERS[kind]
    first, second, rest = text.split("\n", 2)
    with pytest.raises(FormatError) as fault:
        read(write(f"{first}\r\n{second}{end}{rest}"))
    assert "a carriage return (U+000D) without a line feed" in fault.value.cause
    assert fault.value.line in (2, 3)
