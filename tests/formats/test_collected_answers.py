"""Tables of several people's corrections, and errors in them by line."""

from pathlib import Path

import pytest

from formats import FormatError
from formats.collected_answers import by_sentence, read_answers_as_corpus, read_collected_answers


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "answers.tsv"
    path.write_bytes(text.encode())
    return path


def test_columns_stand_in_any_order_and_others_are_kept(tmp_path: Path) -> None:
    path = written(tmp_path, "Worker,Correction,Sentence\nw1,He walks.,He walk .\nw2,He walked.,He walk .\n")
    first, second = read_collected_answers(path)
    assert (first.sentence, first.answer, first.details) == ("He walk .", "He walks.", {"worker": "w1"})
    assert second.place.line == 3
    assert by_sentence((first, second)) == {"He walk .": ("He walks.", "He walked.")}


def test_quoted_cells_span_lines_and_hold_any_white_space(tmp_path: Path) -> None:
    path = written(tmp_path, 'sentence\tsimplification\n"Long\nsentence"\tShort\n\nNext\t"N\r x"\n')
    first, second = read_collected_answers(path)
    assert (first.sentence, first.answer) == ("Long sentence", "Short")
    assert (second.place.line, second.answer) == (5, "N x")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sentence\tanswer\na\tb\n", r":1: the heading needs the columns sentence, and correction or"),
        ("sentence\tcorrection\tsentence\na\tb\tc\n", ":1: a column occurs twice"),
        ("sentence\tcorrection\na\tb\nc\n", ":3: 1 cells, but 2 columns"),
        ("sentence\tcorrection\na\t \n", r":2: the answer is empty; the row begins 'a"),
        ("sentence\tcorrection\n\tb\n", ":2: the sentence is empty"),
        ('sentence\tcorrection\na\t"b\n', ":2: malformed table"),
        ("sentence\tcorrection\n", "a heading, but no answer"),
    ],
)
def test_faults_are_named_by_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        read_collected_answers(written(tmp_path, text))


def test_accepted_answers_are_references_of_a_corpus(tmp_path: Path) -> None:
    rows = "a b\ta c\tApproved\na b\ta d\tRejected\na b\ta c\t\n"
    corpus = read_answers_as_corpus(written(tmp_path, f"sentence\tcorrection\tstatus\n{rows}"))
    assert corpus.systems == ()
    [sentence] = corpus.sentences
    assert [(each.annotator, each.text) for each in sentence.references] == [("0000", "a c"), ("0001", "a c")]


def test_a_file_of_rejected_answers_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "sentence\tcorrection\tstatus\na b\ta d\tRejected\n")
    with pytest.raises(FormatError, match=r"answers\.tsv: every answer has the status Rejected"):
        read_answers_as_corpus(path)
