"""Labels of items as JSON: what is read, and faults with file, line and cause."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import FormatError
from formats.labels import read_labels


def file(folder: Path, text: str) -> Path:
    path = folder / "judge.json"
    path.write_text(text)
    return path


def test_labels_of_several_annotators_and_of_one(tmp_path: Path) -> None:
    several = file(tmp_path, '{"anna": {"1": "good", "2": null}, "ben": {"1": 5, "2": 2.5, "3": true}}')
    assert read_labels(several) == {"anna": {"1": "good"}, "ben": {"1": 5, "2": 2.5, "3": True}}
    assert read_labels(file(tmp_path, '{"1": "good", "2": null}')) == {"judge": {"1": "good"}}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('{"anna": {"1":\n oops}}', r"judge\.json:2: invalid JSON: .* at column 2"),
        ('{"anna": {"1": 1, "1": 2}}', r"judge\.json: the entry 'anna' has '1' twice"),
        ('{"anna": {"1": 1}, "anna": {}}', r"the file has 'anna' twice"),
        ('{"anna": {"1": [1]}}', r"the label of '1' by 'anna' is no text, number"),
        ('{"anna": {"1": {"2": 1}}}', r"the label of '1' by 'anna' is no text, number"),
        ('{"anna": {"1": 1e999}}', r"the label of '1' by 'anna' is no text, number"),
        ('{"anna": {"1": NaN}}', r"the label of '1' by 'anna' is no text, number"),
        ('{"anna": {"1": 1}, "ben": 2}', r"the entry 'ben' should be a JSON object"),
        ("[1]", r"the file should be a JSON object"),
        ("{}", r"the file has no labels"),
        ('{"1": ' + "9" * 5000 + "}", r"a number has too many digits"),
        ("[" * 100_000, r"nested too deeply"),
    ],
)
def test_a_fault_names_file_and_cause(tmp_path: Path, text: str, cause: str) -> None:
    with pytest.raises(FormatError, match=cause):
        read_labels(file(tmp_path, text))


def test_a_file_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none\.json: No such file"):
        read_labels(tmp_path / "none.json")


@given(st.binary(max_size=40))
def test_any_bytes_are_labels_or_a_fault(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("labels") / "any.json"
    path.write_bytes(content)
    with suppress(FormatError):
        read_labels(path)
