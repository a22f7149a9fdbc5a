"""Corrections of a crowd and judgments of their validity as judgments, and errors in them by line."""

from collections import Counter
from pathlib import Path

import pytest

from formats import FormatError
from formats.crowd_answers import CrowdTable, in_corpus, is_crowd_table, read_crowd_answers
from formats.digests import text_digest

CORRECTIONS = (
    "worker\tstatus\tseconds\tsentence\tcorrection\n"
    'w1\tApproved\t41\tHe walk .\t"He\n walks ."\n'
    "w2\tRejected\t\tHe walk .\tHe walk .\n"
    "w1\tApproved\t7.5\tNext .\tNext .\n"
)
VALIDITY = (
    "WorkerId,Input.sentence,Input.correction,Answer.valid\n"
    "w1,He walk .,He walks .,Yes\nw2,He walk .,He walks .,no\nw1,He walk .,He walked .,Cannot say\n"
    "w1,He walk .,He walks .,No\n"
)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "crowd.tsv"
    path.write_bytes(text.encode())
    return path


def test_corrections_are_texts_and_rejected_ones_do_not_count(tmp_path: Path) -> None:
    answers = read_crowd_answers(written(tmp_path, CORRECTIONS))
    assert [sentence.source for sentence in answers.corpus.sentences] == ["He walk .", "Next ."]
    assert [
        (each.sentence, each.item, each.repetition, each.state, each.current.verdict, each.current.text)
        for each in answers.judgments
    ] == [
        (0, 0, 0, "complete", "corrected", "He walks ."),
        (0, 0, 1, "surplus", "no-correction-needed", "He walk ."),
        (1, 1, 0, "complete", "no-correction-needed", "Next ."),
    ]
    assert [each.current.active_ms for each in answers.judgments] == [41_000, None, 7_500]
    assert answers.judgments[0].line == 2


def test_validity_names_outputs_by_number_and_reports_workers_who_answer_twice(tmp_path: Path) -> None:
    answers = read_crowd_answers(written(tmp_path, VALIDITY))
    assert answers.corpus.sentences[0].outputs == {
        "correction-1": "He walks .",
        "correction-2": "He walked .",
    }
    assert [(each.item, each.current.verdict) for each in answers.judgments] == [
        (0, "yes"),
        (0, "no"),
        (1, "cannot-say"),
        (0, "no"),
    ]
    [rating] = answers.judgments[2].current.ratings
    assert (rating.output, rating.systems) == (text_digest("He walked ."), ("correction-2",))
    assert answers.repeated == ("line 5: w1 had already answered 'He walk .' as 'He walks .'",)


def test_columns_are_mapped_and_rows_selected(tmp_path: Path) -> None:
    path = written(tmp_path, "who,was,now,batch\nw1,A,B,1\nw2,A,C,2\n")
    table = CrowdTable({"worker": "Who", "sentence": "was", "correction": "now"}, {"Batch": "2"})
    assert is_crowd_table("who,was,now,batch", table)
    assert not is_crowd_table("judgeID,srcIndex,system1Id", CrowdTable())
    [judgment] = read_crowd_answers(path, table).judgments
    assert (judgment.annotator, judgment.current.text) == ("w2", "C")


def test_sentences_and_outputs_of_a_corpus_are_recognised_by_letters_and_digits(tmp_path: Path) -> None:
    path = written(tmp_path, VALIDITY)
    answers = read_crowd_answers(path)
    texts = {1: {"x": "He walks.", "y": "He walks .", "z": "he walked!"}}
    judgments = in_corpus(answers, ["Other .", "He walk."], texts, path)
    assert [(each.sentence, each.current.ratings[0].systems) for each in judgments] == [
        (1, ("y",)),
        (1, ("y",)),
        (1, ("z",)),
        (1, ("y",)),
    ]
    with pytest.raises(FormatError, match=r":2: the corpus has no sentence 'He walk \.'"):
        in_corpus(answers, ["Other ."], {0: {}}, path)
    with pytest.raises(FormatError, match=r":4: no system of the corpus produced 'He walked \.'"):
        in_corpus(answers, ["He walk ."], {0: {"x": "He walks ."}}, path)


@pytest.mark.parametrize(
    ("text", "table", "message"),
    [
        (
            "sentence,correction\na,b\n",
            CrowdTable(),
            ":1: no column is the worker; the columns are: sentence",
        ),
        (CORRECTIONS, CrowdTable({"valid": "ok"}), ":1: there is no column 'ok'"),
        (CORRECTIONS, CrowdTable({"text": "status"}), ":1: no column can be mapped to 'text'"),
        (CORRECTIONS, CrowdTable(only={"batch": "1"}), ":1: there is no column 'batch'"),
        (CORRECTIONS, CrowdTable(only={"worker": "w9"}), ":1: none of the 3 rows has worker 'w9'"),
        (
            CORRECTIONS.replace("7.5", "quick"),
            CrowdTable(),
            ":5: the number of seconds is not a finite number: 'quick'",
        ),
        (CORRECTIONS.replace("w1\tApproved\t7", "\tApproved\t7"), CrowdTable(), ":5: the worker is empty"),
        (VALIDITY.replace("Cannot say", "maybe"), CrowdTable(), ":4: 'maybe' is no judgment of validity"),
    ],
)
def test_faults_name_their_line(tmp_path: Path, text: str, table: CrowdTable, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_crowd_answers(written(tmp_path, text), table)


def test_the_released_corrections_and_judgments_of_validity(reference_data: Path) -> None:
    folder = reference_data / "corrections"
    corrections = read_crowd_answers(folder / "gec.tsv", CrowdTable(only={"batch": "2634540"}))
    assert len(corrections.corpus.sentences) == 50
    assert Counter(each.state for each in corrections.judgments) == {"complete": 2500, "surplus": 145}
    assert corrections.repeated == ()
    validity = read_crowd_answers(folder / "validity.tsv")
    assert (len(validity.judgments), len({each.item for each in validity.judgments})) == (3264, 1078)
    assert len(validity.repeated) == 2
