"""Files of what programs suggest about outputs: what is read, and what is refused by line and cause."""

from pathlib import Path

import pytest

from formats import FormatError
from formats.suggestions import parse_suggestions

PATH = Path("spans.jsonl")
LINE = '{"system": "A", "sentence": 0, "spans": []}'


def test_a_line_is_about_an_output() -> None:
    first, second = parse_suggestions(
        f'{LINE}\n{{"sentence": 7, "system": "B", "text": "x", "y": 1}}\n', PATH
    )
    assert (first.system, first.sentence, first.text, first.content) == ("A", 0, None, {"spans": []})
    assert (second.system, second.sentence, second.text, second.content) == ("B", 7, "x", {"y": 1})


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "spans.jsonl: the file contains no line"),
        ("\n \n", "contains no line"),
        (f"{LINE}\n\n{LINE}", "spans.jsonl:2: "),
        ("[]", "spans.jsonl:1: "),
        ('{"system": "A", "system": "B", "sentence": 0}', "spans.jsonl:1: "),
        ('{"sentence": 0}', "spans.jsonl:1: there is no system"),
        ('{"system": "A"}', "spans.jsonl:1: there is no sentence"),
        ('{"system": 1, "sentence": 0}', "spans.jsonl:1: system must be a string"),
        ('{"system": "A", "sentence": "0"}', "spans.jsonl:1: sentence must be a whole number from 0"),
        ('{"system": "A", "sentence": -1}', "spans.jsonl:1: sentence must be a whole number"),
        ('{"system": "A", "sentence": true}', "spans.jsonl:1: sentence must be a whole number"),
        ('{"system": "A", "sentence": 1e999}', "spans.jsonl:1: "),
        ('{"system": "A", "sentence": 99999999999}', "spans.jsonl:1: sentence must be a whole number"),
        ('{"system": "A", "sentence": 0, "text": 5}', "spans.jsonl:1: text must be a string"),
        ('{"system": " ", "sentence": 0}', "spans.jsonl:1: "),
        ("[" * 100_000, "spans.jsonl:1: "),
        (f"{LINE}\n{LINE}", "spans.jsonl:2: sentence 0 of A stands in line 1 already"),
    ],
)
def test_other_files_are_refused_by_line_and_cause(text: str, cause: str) -> None:
    with pytest.raises(FormatError, match=cause):
        list(parse_suggestions(text, PATH))
