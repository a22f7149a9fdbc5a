"""Edits are extracted once for all metrics that read them, as long as their parser exists."""

import gc
from typing import Any
from weakref import ref

import pytest

from metrics import EvaluationSet, metric_from_text, score
from metrics.edits import edit_extraction as module
from metrics.edits.edit_extraction import Extraction
from metrics.edits.errant_edits import ErrantEdits
from tests.metrics.registered import ToyParser

DATA = EvaluationSet(("a b c", "d e"), (("a x c", "a b"), ("d e",)))
OUTPUTS = {"one": ["a x c", "d f"], "two": ["a b c", "d f"]}


@pytest.fixture
def extracted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """The words of all pairs that ERRANT has compared."""
    pairs: list[tuple[Any, Any]] = []
    edits = ErrantEdits.edits

    def noting(self: ErrantEdits, source: Any, target: Any) -> Any:
        pairs.append((source.words, target.words))
        return edits(self, source, target)

    monkeypatch.setattr(ErrantEdits, "edits", noting)
    return pairs


def data_with(parser: ToyParser) -> EvaluationSet:
    return EvaluationSet(DATA.sources, DATA.references, parser=parser)


def test_metrics_share_extracted_edits(extracted: list[tuple[Any, Any]]) -> None:
    parser = ToyParser()
    scores = [
        score(metric_from_text(name), data_with(parser), OUTPUTS).corpus("one")
        for name in ("errant", "cleme", "cleme2", "errant:level=span-detection")
    ]
    assert sorted(extracted) == [
        (("a", "b", "c"), ("a", "b")),
        (("a", "b", "c"), ("a", "x", "c")),
        (("d", "e"), ("d", "f")),
    ]
    alone = [
        score(metric_from_text(name), data_with(ToyParser()), OUTPUTS).corpus("one")
        for name in ("errant", "cleme", "cleme2", "errant:level=span-detection")
    ]
    assert scores == alone


def test_another_parser_extracts_anew(extracted: list[tuple[Any, Any]]) -> None:
    for _ in range(2):
        score(metric_from_text("errant"), data_with(ToyParser()), OUTPUTS)
    assert len(extracted) == 2 * 3


def test_extracted_edits_are_freed_with_their_parser() -> None:
    parser = ToyParser()
    Extraction(parser).edits("a b", "a c")
    gone = ref(parser)
    del parser
    gc.collect()
    assert gone() is None


def test_the_oldest_edits_go_first(extracted: list[tuple[Any, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    extraction = Extraction(ToyParser())
    for text in ("a c", "a d", "a d", "a e", "a d", "a c"):
        extraction.edits("a b", text)
    assert [target[1] for _, target in extracted] == ["c", "d", "e", "c"]


def test_a_text_that_changes_nothing_is_not_parsed() -> None:
    class Unable(ToyParser):
        def parse(self, *_: Any, **__: Any) -> Any:
            raise AssertionError

    assert Extraction(Unable()).edits("a b", " a  b") == ()
