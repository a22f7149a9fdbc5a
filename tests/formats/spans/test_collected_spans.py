"""Error spans of Appraise and pearmut as judgments of a corpus."""

import csv
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats import FormatError, JudgmentRecord
from formats.spans.collected_spans import (
    is_appraise_spans,
    judgments_of,
    parse_appraise_spans,
    parse_appraise_spans_of_corpus,
)
from formats.spans.error_spans import parse_batches
from formats.spans.marked_errors import marked_errors
from formats.spans.pearmut import is_pearmut, parse_pearmut

PATH = Path("answers")
SOURCES = ("She go home .", "It are fine .")
TEXTS = {
    0: {"Alder": "She goes 😀 home .", "Birch": "She went ."},
    1: {"Alder": "It is .", "Birch": "It is ."},
}


def row(item: int, document: str = "doc#Alder", *, kind: str = "TGT", **changed: Any) -> str:
    spans = changed.get("spans", [])
    cells = {
        "annotator": "anna",
        "system": "wmt23.Alder",
        "item": item,
        "kind": kind,
        "from": "eng",
        "to": "eng",
        "score": 70,
        "document": document,
        "flag": "False",
        "spans": '"' + json.dumps(spans).replace('"', '""') + '"',
        "begin": "1000.5",
        "end": "1010",
        **{name: value for name, value in changed.items() if name != "spans"},
    }
    return ",".join(map(str, cells.values()))


def batches(*items: tuple[int, str, int, str, str]) -> str:
    """Batches of items: number, document, line of the corpus, system and text."""
    return json.dumps(
        [
            {
                "items": [
                    {
                        "itemID": number,
                        "documentID": document,
                        "sourceText": SOURCES[line],
                        "targetText": text,
                        "_item": f"{system} | {line} | doc",
                    }
                    for number, document, line, system, text in items
                ]
            }
        ]
    )


SPAN = {"start_i": 10, "end_i": 15, "severity": "major", "error_type": None}
"""From the second unit of the emoji's character to "home"."""


def test_appraises_answers_about_a_corpus() -> None:
    text = "\n".join(
        [row(0, spans=[SPAN, {"start_i": "missing", "end_i": "missing", "severity": "minor"}]), row(1)]
    )
    assert is_appraise_spans(text)
    first, second = of_corpus(text)
    [rating] = first.current.ratings
    assert (first.annotator, first.sentence, first.state, first.line) == ("anna", 0, "complete", 1)
    assert (rating.systems, rating.score, first.current.active_ms) == (("Alder",), 70, 9500)
    assert rating.rating_details == {
        "characters": 17,
        "span_score": -6,
        "spans": [{"start": 9, "end": 15, "severity": "major"}],
        "missing": [{"severity": "minor"}],
    }
    assert second.current.ratings[0].systems == ("Alder",), "the other system was not judged"


def of_corpus(text: str) -> tuple[JudgmentRecord, ...]:
    collected = parse_appraise_spans_of_corpus(text, PATH, TEXTS)
    return judgments_of(collected, PATH, SOURCES, TEXTS, by_position=True)


def test_rows_of_one_screen_become_one_judgment() -> None:
    """Our exports have a row for each output and each of its systems."""
    at_once = [row(1), row(1, "doc#Birch", system="Birch"), row(1, annotator="ben", score=1)]
    both, ben = of_corpus("\n".join(at_once))
    assert [rating.systems for rating in both.current.ratings] == [("Alder", "Birch")]
    assert both.item != ben.item
    other = "\n".join([row(1), row(1, "doc#Birch", system="Birch", score=5)])
    assert [
        [(each.systems, each.score) for each in judged.current.ratings] for judged in of_corpus(other)
    ] == [
        [(("Alder",), 70)],
        [(("Birch",), 5)],
    ]


def test_batches_find_sentences_by_their_text() -> None:
    text = "\n".join(
        [
            row(21, "doc#Alder"),
            row(21, "doc#Alder", score=40, end=1020),
            row(21, "doc#Alder", score=30, end=1005),
            row(22, "doc#Alder#bad1", kind="BAD"),
            row(23, "doc#Alder#duplicate2"),
            row(24, "my-tutorial1"),
            row(21, "doc#Alder", annotator="ben", score=0),
        ]
    )
    read = parse_batches(
        batches(
            (21, "doc#Alder", 1, "Alder", "It is ."),
            (22, "doc#Alder#bad1", 1, "Alder", "It bad ."),
            (23, "doc#Alder#duplicate2", 1, "Alder", "It is ."),
            (24, "my-tutorial1", 1, "Alder", "It is ."),
        ),
        PATH,
    )
    collected = parse_appraise_spans(text, PATH, read)
    assert collected.left_out == {
        "answers that were replaced": 2,
        "controls": 1,
        "copies": 1,
        "answers to tutorials": 1,
    }
    anna, ben = judgments_of(collected, PATH, SOURCES, TEXTS, by_position=False)
    assert [(each.annotator, each.sentence, each.item, each.repetition) for each in (anna, ben)] == [
        ("anna", 1, 0, 0),
        ("ben", 1, 0, 1),
    ]
    assert [each.current.ratings[0].score for each in (anna, ben)] == [40, 0]


@pytest.mark.parametrize(
    ("text", "line", "cause"),
    [
        (row(0) + "\n" + row(7), 2, "sentence 7 is not in the corpus of 2 sentences"),
        (row(0, system="wmt23.Elm"), 1, "no output of system 'wmt23.Elm' here; there are: Alder, Birch"),
        (row(0, score=70.5), 1, "the score 70.5 is no whole number"),
        (row(0, score=101), 1, "the score is outside 0 to 100"),
        (row(0, spans=[{**SPAN, "end_i": 18}]), 1, "outside the output of 18 UTF-16 units"),
        (row(0, spans=[SPAN, {**SPAN, "start_i": 15}]), 1, "overlap"),
        (row(0, end="1e300"), 1, "the end is no number of seconds since 1970"),
        (row(0, kind="BAD"), None, "every answer is to a tutorial, a copy or a control"),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(text: str, line: int | None, cause: str) -> None:
    with pytest.raises(FormatError) as fault:
        of_corpus(text)
    assert (fault.value.path, fault.value.line) == (PATH, line)
    assert cause in fault.value.cause


def screen(**changed: Any) -> dict[str, Any]:
    spans = [{"start_i": 10, "end_i": 15, "category": "Verb", "severity": "major"}]
    return {
        "user_id": "anna",
        "item_i": 0,
        "item": [
            {"item_id": "1", "src": SOURCES[0] + "\n", "tgt": TEXTS[0]},
            {"item_id": "2", "src": SOURCES[1], "tgt": TEXTS[1]},
        ],
        "annotation": [
            {"Birch": {"score": 0, "error_spans": []}, "Alder": {"score": 70, "error_spans": spans}},
            {"Alder": {"score": None, "error_spans": []}, "Birch": {"score": 100}},
        ],
        "actions": [{"time": 1000.0, "action": "load"}, {"time": 1020.0, "action": "submit"}],
        **changed,
    }


def lines(*screens: Mapping[str, Any]) -> str:
    return "\n".join(map(json.dumps, screens)) + "\n"


@pytest.mark.parametrize("is_log", [True, False])
def test_pearmuts_annotations_as_a_log_or_a_download(is_log: bool) -> None:
    aside = screen(item_i="welcome_0")
    text = lines(screen(), aside) if is_log else json.dumps({"pilot": [screen(), aside]}, indent=1)
    assert is_pearmut(text)
    collected = parse_pearmut(text, PATH)
    assert collected.left_out == {"screens beside the task": 1}
    first, second = judgments_of(collected, PATH, SOURCES, TEXTS, by_position=False)
    assert [(each.systems, each.score) for each in first.current.ratings] == [
        (("Birch",), 0),
        (("Alder",), 70),
    ]
    details = first.current.ratings[1].rating_details
    assert details is not None
    assert details["spans"] == [{"start": 9, "end": 15, "severity": "major", "type": "Verb"}]
    assert (second.sentence, second.current.ratings[0].systems) == (1, ("Birch",))
    assert first.current.active_ms == 10_000
    assert collected.corpus.systems == ("Alder", "Birch")


def test_a_later_answer_to_a_segment_replaces_the_earlier_one() -> None:
    again = screen(annotation=[{"Birch": {"score": 5}, "Alder": {"score": 6}}, None])
    collected = parse_pearmut(lines(screen(), again), PATH)
    assert [[each.score for each in answer.outputs] for answer in collected.answers] == [[5, 6], [100]]


@pytest.mark.parametrize(
    ("changed", "cause"),
    [
        ({"user_id": 1}, "user_id is not a text"),
        ({"item": []}, "item and annotation are not lists of the same length"),
        ({"annotation": [1, None]}, "segment 1: the annotation is not a JSON object"),
        ({"annotation": [{"Elm": {"score": 1}}, None]}, "segment 1: the item has no output of 'Elm'"),
        (
            {"annotation": [{"Alder": {"score": 101}}, None]},
            "the score of Alder is no whole number from 0 to 100",
        ),
        *(
            ({"annotation": [{"Alder": {"score": score}}, None]}, "the score of Alder is no whole number")
            for score in (True, float("nan"), float("inf"), 70.5)
        ),
        (
            {"annotation": [{"Alder": {"score": 1, "error_spans": {}}}, None]},
            "error_spans of Alder is not a list",
        ),
        (
            {
                "annotation": [
                    {
                        "Alder": {
                            "score": 1,
                            "error_spans": [{"start_i": 0, "end_i": 99, "severity": "minor"}],
                        }
                    },
                    None,
                ]
            },
            "segment 1: Alder, span 1 from 0 to 99 is outside the output of 18 UTF-16 units",
        ),
        ({"actions": [{"time": 1e300}]}, "a time is no number of seconds since 1970"),
    ],
)
def test_what_pearmut_cannot_have_written_is_named(changed: dict[str, Any], cause: str) -> None:
    with pytest.raises(FormatError) as fault:
        parse_pearmut(lines(screen(), screen(**changed)), PATH)
    assert fault.value.line == 2
    assert cause in fault.value.cause
    with pytest.raises(FormatError, match="entry 1 of 'pilot'"):
        parse_pearmut(json.dumps({"pilot": [screen(**changed)]}), PATH)


@pytest.mark.parametrize("category", ["\ud800", "\0", "a\nb", "a\u202eb", "\u200b"])
def test_types_that_cannot_be_stored_are_refused(category: str) -> None:
    marked = {"start_i": 0, "end_i": 1, "category": category, "severity": "minor"}
    answer = {"Birch": {"score": 1, "error_spans": [marked]}}
    collected = parse_pearmut(lines(screen(annotation=[answer, None])), PATH)
    with pytest.raises(FormatError, match="number 1 of spans: the type") as fault:
        judgments_of(collected, PATH, SOURCES, TEXTS, by_position=False)
    assert fault.value.line == 1


@pytest.mark.parametrize("began", [-1e300, -1e12, 2000.0, float("nan")])
def test_times_that_no_answer_takes_are_unknown(began: float) -> None:
    actions = [{"time": began}, {"time": 1020.0}]
    collected = parse_pearmut(lines(screen(actions=actions)), PATH)
    assert {answer.active_ms for answer in collected.answers} == {0}


def test_texts_of_another_corpus_are_refused() -> None:
    collected = parse_pearmut(lines(screen()), PATH)
    with pytest.raises(FormatError, match="the corpus has no sentence 'She go home"):
        judgments_of(collected, PATH, SOURCES[1:], {0: TEXTS[1]}, by_position=False)
    other = {**TEXTS, 0: {**TEXTS[0], "Birch": "She goes ."}}
    with pytest.raises(
        FormatError, match="the output of Birch in the corpus is not the text that was judged"
    ):
        judgments_of(collected, PATH, SOURCES, other, by_position=False)


def test_the_released_answers_give_the_released_means(reference_data: Path) -> None:
    """The first round of ESA on WMT23, English to German: 13 systems with the same 207 segments."""
    folder = reference_data / "esa"
    batches_path = folder / "batches_wmt23_en-de_esa.json.gz"
    answers_path = folder / "240315rc5ESA.scores.csv.gz"
    read = parse_batches(gzip.decompress(batches_path.read_bytes()).decode(), batches_path)
    collected = parse_appraise_spans(gzip.decompress(answers_path.read_bytes()).decode(), answers_path, read)
    records = collected.corpus.sentences
    texts = {position: each.outputs for position, each in enumerate(records)}
    sources = [each.source for each in records]
    scores: dict[str, list[int]] = {}
    spans: dict[str, list[int]] = {}
    for judged in judgments_of(collected, answers_path, sources, texts, by_position=False):
        for rating in judged.current.ratings:
            for system in rating.systems:
                scores.setdefault(system, []).append(rating.score or 0)
                spans.setdefault(system, []).append(marked_errors(rating.rating_details or {}).span_score)
    with (folder / "system-means.csv").open() as file:
        for row_of_system in csv.DictReader(file):
            name = row_of_system["system"]
            assert len(scores[name]) == int(row_of_system["segments"])
            assert np.mean(scores[name]) == pytest.approx(float(row_of_system["esa1_score"]), abs=5e-5)
            assert np.mean(spans[name]) == pytest.approx(float(row_of_system["esa1_spans"]), abs=5e-5)
