"""Analyses that compare systems with references: from texts and files."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.analyses.corpus_inputs import CorpusCorrections, corpus_corrections
from analysis.analyses.metrics import stress
from analysis.analyses.metrics.stress import STRESS
from analysis.analyses.metrics.trying_metrics import Prepared, StressParameters
from analysis.analyses.references import human_performance, oracle_reranking
from analysis.analyses.references.conservatism import CONSERVATISM, headline, lead
from analysis.analyses.references.human_performance import (
    HUMAN_PERFORMANCE,
    HumanPerformance,
    HumanPerformanceParameters,
)
from analysis.analyses.references.oracle_reranking import OracleReranking, RerankingParameters, rerank
from analysis.analyses.references.under_correction import (
    ConservatismParameters,
    UnderCorrection,
    resampled_means,
    sign_of,
    under_correction,
)
from analysis.models import Run
from core.names import Naming
from core.parameters import ParameterError
from core.progress import NoProgress
from core.results import Computed
from formats import Reference, SentenceRecord
from metrics.base import resampling
from tests.analysis.scored_campaigns import result_of
from tests.annotate.samples import small_corpus
from tests.memory import peak_of

pytestmark = pytest.mark.any_database

UNNAMED = Naming("", {}, {}, {})

SOURCE, BOLD = "He walk home .", "He has walked to his house ."
PEOPLE = ["He walks home .", "He walks home .", "He walked home ."]


def inputs(outputs: dict[str, str], people: list[str], number: int = 6) -> CorpusCorrections:
    """One sentence, repeated `number` times."""
    references = tuple(Reference(str(place), text, None) for place, text in enumerate(people))
    sentences = [SentenceRecord(SOURCE, outputs, references, "", "")] * number
    return corpus_corrections(sentences, roles={}, parser=None)


def performance(outputs: dict[str, str], people: list[str]) -> HumanPerformance:
    stated = HumanPerformanceParameters(metric="exact-match", replicates=20)
    return human_performance.human_performance(inputs(outputs, people), stated, NoProgress())


def reranked(outputs: dict[str, str], references: list[str], **parameters: Any) -> OracleReranking:
    return rerank(inputs(outputs, references, 30), RerankingParameters(**parameters), NoProgress())


def tried(people: list[str], **parameters: Any) -> Prepared:
    return Prepared(inputs({}, people), StressParameters(**parameters))


def test_few_sentences_tell_of_nobody_who_is_better() -> None:
    result = performance({"walker": "He walks home .", "none": SOURCE}, PEOPLE)
    assert {(each.above, each.below) for each in result.systems} == {(0, 0)}
    said = human_performance.headline(Computed(HumanPerformanceParameters(), result), Naming("", {}, {}, {}))
    assert said == "By GLEU, nothing tells yet whether systems score as high as people"


def test_each_person_is_scored_against_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people agree, so each matches the other; the third matches nobody."""
    monkeypatch.setattr(resampling, "FEWEST_SENTENCES", 1)
    result = performance({"walker": "He walks home .", "none": SOURCE}, PEOPLE)
    assert [(each.name, each.score.value) for each in result.people] == [("0", 1), ("1", 1), ("2", 0)]
    assert result.mean.value == pytest.approx(2 / 3)
    assert [(each.name, each.score.value, each.above) for each in result.systems] == [
        ("walker", 1, 1),
        ("none", 0, 0),
    ]
    assert (result.references, result.sentences) == (2, 6)
    naming = Naming("", {"walker": "Walker", "1": "One"}, {}, {})
    computed = Computed(HumanPerformanceParameters(), result)
    assert (
        human_performance.headline(computed, naming) == "By GLEU, Walker scores clearly above 1 of 3 people"
    )
    table = HUMAN_PERFORMANCE.filled_tables(computed, naming)["human-performance"].page()
    assert [(row[0].text, row[0].note) for row in table.rows] == [
        ("annotator 0", "person"),
        ("annotator 1", "person"),
        ("Walker", ""),
        ("annotator 2", "person"),
        ("none", ""),
    ]
    assert [mark.is_hollow for row in table.rows if (mark := row[1].mark)] == [True, True, False, True, False]
    pairs = HUMAN_PERFORMANCE.filled_tables(computed, naming)["differences"]
    assert [[cell.text for cell in row] for row in pairs.page().rows] == [
        ["annotator 0", "0.000"],
        ["annotator 1", "0.000"],
        ["annotator 2", "1.000"],
    ], "of the system that is above most people"
    assert [row["system"] for row in pairs.records()] == ["walker"] * 3 + ["none"] * 3
    for system in result.systems:
        clear = [each.low is not None and each.low > 0 for each in system.differences.values()]
        assert clear.count(True) == system.above
    stored = replace(result, systems=tuple(replace(each, differences={}) for each in result.systems))
    before = HUMAN_PERFORMANCE.filled_tables(replace(computed, result=stored), naming)
    assert before["differences"].page().rows == [], "results that were stored without them have none"
    unlucky = Computed(HumanPerformanceParameters(), performance({"none": SOURCE}, PEOPLE))
    assert human_performance.headline(unlucky, naming) == "By GLEU, no system scores clearly above a person"


@pytest.mark.django_db
@pytest.mark.parametrize("metric", ["gleu\x00", "g\nleu", "g" * 2001])
def test_a_text_that_cannot_be_stored_is_refused(researcher: Client, metric: str) -> None:
    address = f"{small_corpus().get_absolute_url()}analyses/human-performance/"
    response = researcher.get(address, {"metric": metric})
    assert response.status_code == 400
    assert "should be a text of at most 2000 characters" in response.content.decode()
    assert not Run.objects.exists()


def test_more_references_let_the_oracle_change_more() -> None:
    """Against the timid reference the unchanged output is best, against the bold ones the bold output."""
    result = reranked({"a": BOLD, "b": SOURCE}, [BOLD, SOURCE], metric="exact-match")
    one, two = result.points
    assert one.unchanged == pytest.approx(0.5, abs=0.1)
    assert one.words == pytest.approx(5 * (1 - one.unchanged))
    assert (two.unchanged, two.words, two.words_low, two.words_high) == (0, 5, 5, 5)
    assert list(two.by_words) == [0, 0, 0, 0, 0, 30, 0, 0, 0, 0, 0]
    assert (result.sentences, result.candidates, result.left_unchanged) == (30, 2, 30)
    assert result.difference.value == pytest.approx(two.words - one.words)
    low, value, high = result.difference.low, result.difference.value, result.difference.high
    assert 0 < (low or 0) < (value or 0) < (high or 0)
    computed = Computed(RerankingParameters(metric="exact-match"), result)
    assert oracle_reranking.headline(computed, UNNAMED).startswith(
        "Picked by Exact match against 2 references, the best candidates change more words: 5.00 per sentence"
    )
    assert result == reranked({"a": BOLD, "b": SOURCE}, [BOLD, SOURCE], metric="exact-match")


def test_the_oracle_picks_where_all_people_corrected_if_there_is_such_a_sentence() -> None:
    """Against no reference nothing is best, so the first system would be picked."""
    texts = corpus_corrections(
        [
            SentenceRecord(SOURCE, {"a": BOLD}, tuple(Reference(name, BOLD, None) for name in names), "", "")
            for names in ("01", "0", "")
        ],
        roles={},
        parser=None,
    )
    stated = RerankingParameters(metric="exact-match")
    assert rerank(texts, stated, NoProgress()).sentences == 1
    apart = replace(texts, people={"0": (BOLD, None, None), "1": (None, BOLD, None)})
    assert rerank(apart, stated, NoProgress()).sentences == 2


def test_how_to_read_the_oracle_stands_beside_what_is_read() -> None:
    result = reranked({"a": BOLD, "b": SOURCE}, [BOLD, SOURCE], metric="exact-match")
    computed = Computed(RerankingParameters(), result)
    assert "exact-match" not in oracle_reranking.lead(computed, UNNAMED)
    [[row, difference]] = (
        oracle_reranking.ORACLE_RERANKING.filled_tables(computed, UNNAMED)["difference"].page().rows
    )
    assert row.text == "2 instead of 1"
    assert difference.mark is not None
    assert difference.mark.value == result.difference.value
    assert difference.mark.scale.even == 0
    assert "exact-match" in oracle_reranking.explanation(computed)
    assert "Lines hold 95\N{NO-BREAK SPACE}% of" in oracle_reranking.note(computed, UNNAMED)
    drawn = oracle_reranking.draw(computed, UNNAMED, "wide").to_json()
    assert "xOffset" in drawn
    assert "opacity" not in json.loads(drawn)["encoding"]  # One number needs no legend.


def test_a_list_of_candidates_is_reranked_from_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("INPUT", SOURCE), ("A", BOLD), ("B", SOURCE)):
        (tmp_path / name).write_text(f"{text}\n")
    (tmp_path / "list").write_text(f"0 ||| {SOURCE} ||| -1\n0 ||| {BOLD} ||| -2\n")
    source, first, second, nbest = (str(tmp_path / name) for name in ("INPUT", "A", "B", "list"))
    files = [source, "--reference", first, second, "--nbest", nbest]
    call_command("analyse", "oracle-reranking", *files, "--metric", "m2", "--json")
    result = json.loads(capsys.readouterr().out)
    assert (result["sentences"], result["candidates"], len(result["points"])) == (1, 2, 2)
    (tmp_path / "list").write_text(f"0 ||| {SOURCE}\n")
    with pytest.raises(CommandError, match="list:1: 2 fields"):
        call_command("analyse", "oracle-reranking", *files)


def test_the_first_person_is_compared_with_the_others_or_alone_with_themselves() -> None:
    several = tried(["He walks home .", "He walked home ."], sentences=4)
    assert (several.person, several.references, len(several.corrections)) == ("0", 1, 4)
    assert several.data.references == (("He walked home .",),) * 4
    assert tried(["He walks home ."]).references == 0


@pytest.mark.django_db
def test_the_headline_names_the_metrics_that_pass() -> None:
    result: Any = result_of(STRESS, small_corpus(), StressParameters(metric="gleu,m2"))
    faulty = replace(result, metrics=tuple(each for each in result.metrics if each.name == "m2"))
    assert stress.headline(Computed(StressParameters(), faulty), UNNAMED) == (
        "M2 (MaxMatch) does not withstand every kind of degenerate output"
    )


@pytest.mark.parametrize(
    ("compute", "message"),
    [
        (lambda: performance({}, PEOPLE), "has no systems"),
        (lambda: performance({"a": SOURCE}, []), "has no references"),
        (lambda: performance({"a": SOURCE}, PEOPLE[:1]), "there is one reference"),
        (lambda: reranked({"a": BOLD}, [], metric="gleu"), "has no references"),
        (lambda: reranked({"a": BOLD}, [SOURCE], metric="gleu"), "there is one reference"),
        (lambda: reranked({}, [SOURCE, BOLD], metric="gleu"), "has no systems"),
        (lambda: reranked({"a": BOLD}, [SOURCE, BOLD], metric="glue"), "glue"),
        (
            lambda: reranked({"a": BOLD}, [SOURCE, BOLD], metric="ld-source"),
            "does not compare with references",
        ),
        (lambda: reranked({"a": BOLD}, [SOURCE, BOLD], metric="errant"), "is for English"),
        (lambda: tried([], metric="gleu"), "has no references"),
        (lambda: tried(PEOPLE, metric=" , "), "at least one metric"),
        (lambda: tried(PEOPLE, metric="x"), "x"),
    ],
)
def test_missing_values_have_a_reason_in_words(compute: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        compute()


SOURCES = ("He walk home .", "I has dogs .", "Fine .")
TIMID = ("He walks home .", "I has dogs .", "Fine .")
EAGER = ("He has been walking to his house .", "We had had a dog .", "Very fine indeed .")
ANN = ("He walks home .", "I have dogs .", "Fine .")


def sentences_of(
    systems: dict[str, tuple[str, ...]], people: dict[str, tuple[str | None, ...]]
) -> list[SentenceRecord]:
    return [
        SentenceRecord(
            source,
            {name: texts[place] for name, texts in systems.items()},
            tuple(
                Reference(name, text, None)
                for name, texts in people.items()
                for text in [texts[place]]
                if text is not None
            ),
            "",
            "",
        )
        for place, source in enumerate(SOURCES)
    ]


def compared(systems: Any, people: Any, roles: dict[str, str] | None = None) -> UnderCorrection:
    texts = corpus_corrections(sentences_of(systems, people), roles=roles or {}, parser=None)
    return under_correction(texts, ConservatismParameters(replicates=50), NoProgress())


def of_result(result: UnderCorrection) -> Computed:
    return Computed(ConservatismParameters(replicates=50), result)


def test_correctors_come_by_words_changed() -> None:
    result = compared({"timid": TIMID, "bold": EAGER}, {"ann": ANN})
    assert [(each.name, each.is_person) for each in result.correctors] == [
        ("bold", False),
        ("ann", True),
        ("timid", False),
    ]
    ann = result.correctors[1]
    assert (ann.changed, ann.deleted, ann.added, ann.edit_distance) == (2, 0, 0, 2)
    assert ann.words.value == pytest.approx(2 / 3)
    assert ann.unchanged.value == pytest.approx(1 / 3)
    assert ann.by_words[:3] == (1, 2, 0)
    assert (result.types, result.no_types) == (None, "edits are typed by ERRANT, which is for English")
    assert result.sentences == 3
    assert headline(of_result(result), Naming("", {"bold": "Bold"}, {}, {})) == (
        "Bold clearly changes more words than the only person"
    )


def test_correctors_are_compared_over_the_sentences_that_all_have() -> None:
    """Bea lacks the last sentence, in which the system changes most."""
    result = compared({"late": (*SOURCES[:2], EAGER[2])}, {"ann": ANN, "bea": (*ANN[:2], None)})
    assert result.sentences == 2
    assert {each.name: (each.sentences, each.words.value) for each in result.correctors} == {
        "ann": (2, 1),
        "bea": (2, 1),
        "late": (2, 0),
    }
    assert "over the 2 sentences, 3.0 words long on average, that every" in lead(of_result(result), UNNAMED)


def test_correctors_who_share_few_sentences_are_counted_over_their_own() -> None:
    result = compared({"late": SOURCES}, {"ann": (*ANN[:2], None), "bea": (None, None, ANN[2])})
    assert result.sentences is None
    assert {each.name: each.sentences for each in result.correctors} == {"ann": 2, "bea": 1, "late": 3}
    assert "few sentences are common to all" in lead(of_result(result), UNNAMED)
    filled = CONSERVATISM.filled_tables(of_result(result), UNNAMED)["correctors"].page()
    assert [column.name for column in filled.columns] == ["corrector", "sentences", "words", ""]


@pytest.mark.parametrize(
    ("differences", "sign"),
    [([1.0, 2.0, np.nan, 1.0], 1), ([-1.0, -9.0], 0), ([-1.0] * 9, -1), ([1.0, -1.0], 0), ([3.0], 0)],
)
def test_a_difference_is_clear_if_its_interval_excludes_0(differences: list[float], sign: int) -> None:
    assert sign_of(np.array(differences), 0.95) == sign


def test_sentences_are_resampled_one_replicate_at_a_time() -> None:
    """They are the draws of one matrix of replicates and sentences, which would take 8 MB here."""
    figures = np.random.default_rng(1).integers(9, size=(2000, 2))
    steps: list[None] = []
    peak = peak_of(lambda: resampled_means(figures, 1000, 5, lambda: steps.append(None)))
    draws = np.random.default_rng(5).integers(2000, size=(1000, 2000), dtype=np.int32)
    means = np.stack([values[draws].mean(axis=1) for values in figures.T], axis=1)
    assert (resampled_means(figures, 1000, 5, lambda: None) == means).all()
    assert len(steps) == 1000
    assert peak < 200_000


def test_source_references_and_controls_are_no_competitors() -> None:
    roles = {"INPUT": "source", "timid": "system"}
    result = compared({"INPUT": SOURCES, "timid": TIMID}, {"ann": ANN}, roles)
    assert [each.name for each in result.correctors] == ["ann", "timid"]
    naming = Naming("", {}, {}, {})
    assert headline(of_result(result), naming) == ("No system clearly changes more words than a person")
    assert lead(of_result(result), naming).endswith(
        "timid changes no word in 67\N{NO-BREAK SPACE}% of its sentences, the least of all systems; "
        "ann in 33\N{NO-BREAK SPACE}%, the most of all people."
    )
    table = CONSERVATISM.filled_tables(of_result(result), naming)["correctors"]
    assert next(line for line in table.latex() if line.startswith("ann ")).startswith(
        "ann (person) & 0.67 & 2 & 0 & 0 & 0.333 & "
    )


@pytest.mark.parametrize(
    ("systems", "people", "message"),
    [({"timid": TIMID}, {}, "has no references"), ({}, {"ann": ANN}, "has no systems")],
)
def test_nothing_to_compare_is_said_in_words(systems: Any, people: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        compared(systems, people)


def test_files_are_compared_from_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, texts in (("INPUT", SOURCES), ("bold", EAGER), ("ann", ANN)):
        (tmp_path / name).write_text("\n".join(texts) + "\n")
    files = [
        str(tmp_path / "INPUT"),
        "--output",
        str(tmp_path / "bold"),
        "--reference",
        str(tmp_path / "ann"),
    ]
    call_command("analyse", "conservatism", *files, "--json")
    result = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in result["correctors"]] == ["bold", "ann"]
    assert {row["type"] for row in result["types"]["types"]} >= {"VERB:SVA"}
    assert "|pipeline:assay_en_ewt" in result["signature"]
    call_command("analyse", "conservatism", *files)
    printed = capsys.readouterr().out
    assert "Changes by system and person" in printed
    assert re.search(r"│ ann .*│ person", printed)
    (tmp_path / "ann").write_text("One line .\n")
    with pytest.raises(CommandError, match="ann:2: 1 lines, but 3"):
        call_command("analyse", "conservatism", *files)
