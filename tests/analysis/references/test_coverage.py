"""What references cover, and the score of a perfect corrector: from texts and files."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.analyses.corpus_inputs import corpus_texts
from analysis.analyses.references import reference_coverage
from analysis.analyses.references.perfect_corrector import (
    PerfectCorrector,
    PerfectCorrectorParameters,
    explanation,
    headline,
    lead,
    perfect_scores,
)
from analysis.analyses.references.reference_coverage import (
    NOT_DRAWN,
    CoverageParameters,
    ReferenceCoverage,
    cover,
    used,
)
from core.names import Naming
from core.parameters import ParameterError
from core.progress import NoProgress
from core.results import Computed
from formats import Reference, SentenceRecord
from metrics.meta_evaluation.coverage.sampled import Draw

HEADING = "sentence\tcorrection\tstatus\n"


def pilot(*answers: tuple[str, list[str]]) -> list[SentenceRecord]:
    return [
        SentenceRecord(
            source, {}, tuple(Reference(str(number), text, None) for number, text in enumerate(texts)), "", ""
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


def test_heading_table_and_figure_agree_on_how_many_references_are_known() -> None:
    result = covered(pilot(*[("He walk .", ["He walks .", "He walks .", "He walked ."])] * 2))
    computed = Computed(quick(), result)
    assert "would equal one of 2 references in" in reference_coverage.headline(computed, NAMING)
    assert len(reference_coverage.CURVE.of(computed, NAMING).page().rows) == 2
    assert reference_coverage.beyond_title(computed).startswith("Beyond 2 references:")
    assert "Solid up to 2 references, one fewer than" in reference_coverage.how_to_read(computed, NAMING)
    assert "beyond 2: extrapolated" in json.dumps(
        reference_coverage.draw(computed, NAMING, "wide").to_dict(validate=False)
    )


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
        "with one reference or none": (2, 3),
        "that many people left unchanged": (1,),
    }
    assert result.curve[0].accuracy.reason == "there is one sentence"


def test_of_many_sentences_some_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_coverage, "MOST_SENTENCES", 6)
    many = pilot(
        *[(f"He walk {number} .", [f"He walks {number} .", f"He walked {number} ."]) for number in range(9)]
    )
    results = [covered(many, seed=seed) for seed in (1, 1, 2)]
    assert results[0] == results[1]
    drawn = [result.left_out[NOT_DRAWN] for result in results]
    assert {len(each) for each in drawn} == {3}
    assert drawn[0] != drawn[2]
    assert "3 sentences not drawn, as 5,000 are enough (" in used(
        Computed(quick(), results[0]), Naming("", {}, {}, {})
    )


def test_nothing_to_estimate_is_said_in_words() -> None:
    with pytest.raises(ParameterError, match="no sentence has two references that correct it"):
        covered(pilot(("I go .", ["I went ."])))
    with pytest.raises(ParameterError, match="correct should be less than sentences"):
        covered(pilot(("I goes .", ["I go .", "I went ."])), sentences=10, correct=10)


def test_collected_answers_are_analysed_from_their_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pilot.tsv"
    accepted = "".join(f"He walk .\tHe walks {number} .\tApproved\n" for number in range(10))
    path.write_text(f"{HEADING}{accepted}He walk .\tHe runs .\tRejected\n")
    call_command("analyse", "coverage", str(path), "--most-references", "2", "--json")
    result = json.loads(capsys.readouterr().out)
    assert (result["sentences"], result["answers"], len(result["curve"])) == (1, 10, 2)
    call_command("analyse", "coverage", str(path), "--most-references", "2")
    printed = capsys.readouterr().out
    assert "of the sentences, " in " ".join(printed.split())
    assert "Signature coverage|rule:2|match:exact|" in printed


def test_a_fault_of_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pilot.csv"
    path.write_text("sentence,correction\nHe walk .,\n")
    with pytest.raises(CommandError, match=r"pilot.csv:2: the answer is empty"):
        call_command("analyse", "coverage", str(path))


NAMING = Naming("", {}, {}, {})
VARIOUS = [f"He walks {number} ." for number in range(6)]


def scored(texts: list[SentenceRecord], metric: str = "m2", **parameters: Any) -> PerfectCorrector:
    wanted = PerfectCorrectorParameters(metric, sentences=60, correct=0, replicates=100, **parameters)
    return perfect_scores(corpus_texts(texts, parser=None), wanted, NoProgress())


def test_people_who_agree_are_perfect_against_one_reference() -> None:
    result = scored(pilot(("He walk .", ["He walks ."] * 4), ("I goes .", ["I go ."] * 4)))
    assert [point.references for point in result.points] == [1, 2, 3]
    assert [(point.perfect.value, point.lucky) for point in result.points] == [(1, 1)] * 3
    assert result.points[0].perfect.reason == "the score is the same in every resample of the sentences"
    assert headline(Computed(PerfectCorrectorParameters(), result), NAMING).startswith(
        "By M2 (MaxMatch), another person’s corrections would score 1.00 against 1 "
    )


def test_the_sentences_of_a_perfect_corrector_are_folded_with_the_method() -> None:
    result = scored(pilot(("He walk .", ["He walks ."] * 4), ("I goes .", ["I go ."] * 4)))
    computed = Computed(PerfectCorrectorParameters(), result)
    assert "is drawn from 2 sentences with a median of 4 references." in explanation(computed)
    assert "test set" not in lead(computed, NAMING)


def test_people_who_never_agree_score_0_unless_answers_are_drawn_again() -> None:
    texts = pilot(("He walk .", VARIOUS))
    by_people = scored(texts, "exact-match")
    assert [point.perfect.value for point in by_people.points] == [0] * 4
    assert {point.lucky for point in by_people.points} == {1}
    with_replacement = scored(texts, "exact-match", draw=Draw.ANSWERS, most_references=10)
    values = [point.perfect.value or 0 for point in with_replacement.points]
    assert [point.references for point in with_replacement.points] == [1, 2, 3, 5, 10]
    assert values == sorted(values)
    assert 0 < values[0] < values[-1] < 1


def test_a_metric_that_combines_references_gives_a_hit_less_the_more_there_are() -> None:
    lucky = [point.lucky or 0 for point in scored(pilot(("He walk .", VARIOUS)), "sari").points]
    assert lucky == sorted(lucky, reverse=True)
    assert lucky[0] > lucky[-1] + 0.1


def test_half_of_the_sentences_have_answers_for_the_most_references() -> None:
    result = scored(
        pilot(
            ("He walk .", VARIOUS), ("I goes .", VARIOUS[:4]), ("I has .", VARIOUS[:2]), ("One .", ["Once ."])
        )
    )
    assert [point.references for point in result.points] == [1, 2, 3]
    assert result.left_out == {"with one reference or none": (3,), "with fewer than 4 references": (2,)}
    assert result.sentences == 2


@pytest.mark.parametrize(
    ("metric", "message"),
    [("nothing", "nothing"), ("errant", "ERRANT is for English"), ("m2:beta=-1", "beta")],
)
def test_a_metric_that_cannot_be_used(metric: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        scored(pilot(("He walk .", VARIOUS)), metric)


def test_collected_simplifications_are_scored_from_their_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pilot.csv"
    path.write_text("sentence,simplification\n" + "".join(f"He walk .,{text}\n" for text in VARIOUS))
    command = ("analyse", "perfect-corrector", str(path), "--metric", "max-sari", "--replicates", "100")
    call_command(*command, "--sentences", "50", "--correct", "0", "--json")
    result = json.loads(capsys.readouterr().out)
    assert [point["references"] for point in result["points"]] == [1, 2, 3, 5]
    assert result["metric"].startswith("max-sari|tok:given|case:lower")
    assert "|metric:max-sari|draw:people|" in result["signature"]
