"""Coverage by a corpus's references: from files, from a stored corpus, and what cannot be estimated."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.analyses.coverage import COVERAGE, CoverageParameters, ReferenceCoverage, cover
from analysis.analyses.inputs import corpus_texts
from analysis.runs.queries import compute_anew, current
from analysis.runs.requests import request_of
from core.parameters import ParameterError
from core.progress import NoProgress
from formats import Reference, SentenceRecord
from tests.annotate.samples import small_corpus
from tests.jobs.kinds import after_working, user

HEADING = "sentence\tcorrection\tstatus\n"


def pilot(*answers: tuple[str, list[str]]) -> list[SentenceRecord]:
    return [
        SentenceRecord(
            source,
            {},
            tuple(Reference(str(number), text, None) for number, text in enumerate(texts)),
            "",
            "",
        )
        for source, texts in answers
    ]


def quick(**parameters: Any) -> CoverageParameters:
    return CoverageParameters(most_references=3, replicates=100, **parameters)


def covered(pilot: list[SentenceRecord], **parameters: Any) -> ReferenceCoverage:
    return cover(corpus_texts(pilot, parser=None), quick(**parameters), NoProgress())


def test_sentences_with_one_correction_are_fully_covered() -> None:
    result = covered(pilot(("He walk .", ["He walks ."] * 30), ("I goes .", ["I go ."] * 30)))
    assert (result.sentences, result.answers, result.left_out) == (2, 30, {})
    assert [point.accuracy.value for point in result.curve] == pytest.approx([1, 1, 1], abs=0.001)
    assert (result.needed.references, result.needed.low, result.needed.high) == (1, 1, 1)
    assert result.frequencies[-1].variants == pytest.approx(1, abs=0.001)


def test_many_rare_corrections_are_hardly_covered() -> None:
    various = [f"He walks {number} ." for number in range(30)]
    result = covered(pilot(("He walk .", various), ("I goes .", various)), correct=656)
    assert result.curve[0].accuracy.value == pytest.approx(0, abs=0.05)
    assert result.curve[0].test_set == pytest.approx(0.5, abs=0.03)
    assert result.curve[0].low < result.curve[0].test_set < result.curve[0].high
    assert result.needed.references is not None
    assert result.needed.references > 20


def test_left_out_sentences_are_counted() -> None:
    result = covered(
        pilot(
            ("He walk .", ["He walks .", "He walked ."]),
            ("I go .", ["I go .", "I go ."]),
            ("One .", ["Once ."]),
            ("None .", []),
        )
    )
    assert result.sentences == 1
    assert result.left_out == {
        "with fewer than two references": (2, 3),
        "that many people left unchanged": (1,),
    }
    assert result.curve[0].accuracy.reason == "there is one sentence"


def test_nothing_to_estimate_is_said_in_words() -> None:
    with pytest.raises(ParameterError, match="no sentence has two references that correct it"):
        covered(pilot(("I go .", ["I went ."])))
    with pytest.raises(ParameterError, match="correct should be less than sentences"):
        covered(pilot(("I goes .", ["I go .", "I went ."])), sentences=10, correct=10)


def test_collected_answers_are_analysed_from_their_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pilot.tsv"
    accepted = "".join(f"He walk .\tHe walks {number} .\tApproved\n" for number in range(4))
    path.write_text(f"{HEADING}{accepted}He walk .\tHe runs .\tRejected\n")
    call_command("analyse", "coverage", str(path), "--most-references", "2", "--json")
    result = json.loads(capsys.readouterr().out)
    assert (result["sentences"], result["answers"], len(result["curve"])) == (1, 4, 2)
    call_command("analyse", "coverage", str(path), "--most-references", "2")
    printed = capsys.readouterr().out
    assert "sentences would need" in " ".join(printed.split())
    assert "Signature coverage|match:exact|" in printed


def test_a_fault_of_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pilot.csv"
    path.write_text("sentence,correction\nHe walk .,\n")
    with pytest.raises(CommandError, match=r"pilot.csv:2: the answer is empty"):
        call_command("analyse", "coverage", str(path))


@pytest.mark.django_db
def test_a_stored_corpus_is_analysed_by_a_job() -> None:
    request = request_of(COVERAGE, small_corpus(), quick(unchanged_below=1.01))
    assert after_working(compute_anew(request, asked_by=user())).state == "done"
    result = current(request, asked_by=None).result
    assert result.sentences > 0
    assert "|unchanged-below:1.01|" in result.signature
