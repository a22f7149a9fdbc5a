"""The score of a perfect corrector by metric: from texts and files, and its page."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.analyses.inputs import corpus_texts
from analysis.analyses.perfect_corrector import (
    PerfectCorrector,
    PerfectCorrectorParameters,
    headline,
    perfect_scores,
)
from core.names import Naming
from core.parameters import ParameterError
from core.progress import NoProgress
from core.results import Computed
from formats import SentenceRecord
from metrics.validation.coverage.sampled import Draw
from tests.analysis.described import perfectly_corrected_corpus
from tests.analysis.test_coverage import pilot

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
        "By M2 (MaxMatch), a perfect corrector would score 1.000 against 1 "
    )


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
            ("He walk .", VARIOUS),
            ("I goes .", VARIOUS[:4]),
            ("I has .", VARIOUS[:2]),
            ("One .", ["Once ."]),
        )
    )
    assert [point.references for point in result.points] == [1, 2, 3]
    assert result.left_out == {"with fewer than two references": (3,), "with fewer than 4 references": (2,)}
    assert result.sentences == 2


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("nothing", "nothing"),
        ("errant", "ERRANT is for English"),
        ("m2:beta=-1", "beta"),
    ],
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


@pytest.mark.any_database
@pytest.mark.django_db
def test_the_page_with_its_figure_and_files(researcher: Client) -> None:
    address = f"{perfectly_corrected_corpus().get_absolute_url()}analyses/perfect-corrector/"
    page = researcher.get(address).content.decode()
    assert "Against 1 reference, a perfect corrector would score" in page
    assert "Left out: 1 sentence that many people left unchanged (1)." in page
    assert "The median sentence has 2 references" in page
    assert b"attainable scores" in researcher.get(f"{address}perfect-corrector.svg").content
    lines = researcher.get(f"{address}perfect-corrector.csv").getvalue().decode().splitlines()
    assert lines[0] == "references,score,low,high,one_of_the_references,metric,signature"
    assert len(lines) == 2
    refused = researcher.get(f"{address}?correct=2000")
    assert refused.status_code == 200, "the corpus decides, so a job says it"
