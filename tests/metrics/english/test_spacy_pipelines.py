"""The shipped pipeline: its annotations, caching of parses, and unsuitable pipelines."""

import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import spacy

from metrics import EvaluationSet, metric_from_text, score
from metrics.english import spacy_pipelines as module
from metrics.english.parse_cache import ParseCache
from metrics.english.parses import ParsedText
from metrics.english.spacy_pipelines import SHIPPED, EnglishPipeline, PipelineError, load

TEXT = "She has been given two old cats in the house ."
SECONDS_TO_LOAD = 1.0


@pytest.fixture(scope="module")
def pipeline() -> EnglishPipeline:
    return EnglishPipeline()


def test_tags_lemmas_and_labels_are_those_that_errant_reads(pipeline: EnglishPipeline) -> None:
    [parsed] = pipeline.parse([TEXT])
    assert parsed.words == tuple(TEXT.split())
    assert parsed.tags == ("PRP", "VBZ", "VBN", "VBN", "CD", "JJ", "NNS", "IN", "DT", "NN", ".")
    assert parsed.lemmas == ("she", "have", "be", "give", "two", "old", "cat", "in", "the", "house", ".")
    assert parsed.pos[:4] == ("PRON", "AUX", "AUX", "VERB")
    by_word = dict(zip(parsed.words, parsed.labels, strict=True))
    expected = {
        "She": "nsubjpass",
        "has": "aux",
        "been": "auxpass",
        "cats": "dobj",
        "in": "prep",
        "house": "pobj",
    }
    assert {word: by_word[word] for word in expected} == expected


def test_an_empty_text_has_an_empty_parse(pipeline: EnglishPipeline) -> None:
    [parsed] = pipeline.parse([""])
    assert parsed.words == ()


def test_it_loads_in_less_than_a_second() -> None:
    load(SHIPPED)
    began = time.process_time()
    load(SHIPPED)
    assert time.process_time() - began < SECONDS_TO_LOAD


def test_the_signature_names_pipeline_and_spacy(pipeline: EnglishPipeline) -> None:
    assert pipeline.signature == f"assay_en_ewt-1.0-spacy-{version('spacy')}"


def test_errant_with_the_pipeline(pipeline: EnglishPipeline) -> None:
    data = EvaluationSet(("She go to the houses .",), (("She goes to the house .",),), parser=pipeline)
    corpus = score(metric_from_text("errant"), data, {"x": ["She goes to a houses ."]}).corpus("x")
    assert corpus.details["TP of type R:VERB:SVA"] == 1
    assert corpus.details["FP of type R:DET"] == 1
    assert corpus.details["FN of type R:NOUN:NUM"] == 1


def test_further_processes_give_the_same_parses(
    pipeline: EnglishPipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"{TEXT} {number}" for number in range(6)]
    monkeypatch.setattr(module, "WORTH_MORE_PROCESSES", 1)
    monkeypatch.setattr(module, "TEXTS_A_CHUNK", 2)
    told: list[int] = []
    assert EnglishPipeline().parse(texts, progress=told.append, processes=2) == pipeline.parse_here(texts)
    assert told == [0, 2, 2, 2]


def test_a_worker_ends_when_its_input_ends() -> None:
    """However the process ends that started it."""
    folder = Path(module.__file__).parents[2]
    command = [sys.executable, "-m", "metrics.english.parsing_worker", SHIPPED]
    ended = subprocess.run(
        command, cwd=folder, input=b'["a b"]\n', capture_output=True, timeout=120, check=True
    )
    assert ended.stdout.count(b"\n") == 1


def test_parses_are_kept_on_disk(
    pipeline: EnglishPipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ParseCache(tmp_path / "parses.sqlite3")
    expected = EnglishPipeline(cache=cache).parse([TEXT, "a", TEXT])
    assert expected[0] == expected[2] == pipeline.parse_here([TEXT])[0]
    monkeypatch.setattr(EnglishPipeline, "parse_here", None)
    assert EnglishPipeline(cache=cache).parse([TEXT, "a"]) == expected[:2]


def test_parses_share_the_words_of_their_texts(tmp_path: Path) -> None:
    """Most words of a corpus occur again and again, and parses of many texts are kept in memory."""
    cache = ParseCache(tmp_path / "parses.sqlite3")
    for _ in ("parsed", "read"):
        one, other = EnglishPipeline(cache=cache).parse(["She goes home .", "He goes home ."])
        assert one.words[1] is other.words[1]
        assert one.lemmas[1] is other.lemmas[1]


def test_many_texts_are_parsed_ahead_in_the_memory_of_a_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All parses of a hundred thousand sentences and their outputs would take two gigabytes."""
    asked: list[int] = []
    parse = EnglishPipeline.parse

    def noting(self: EnglishPipeline, texts: Sequence[str], **options: Any) -> list[ParsedText]:
        asked.append(len(texts))
        return parse(self, texts, **options)

    monkeypatch.setattr(EnglishPipeline, "parse", noting)
    monkeypatch.setattr(module, "MOST_KEPT", 3)
    monkeypatch.setattr(module, "TEXTS_AT_ONCE", 2)
    texts, told = [f"text {number}" for number in range(5)], list[int]()
    pipeline = EnglishPipeline(cache=ParseCache(tmp_path / "parses.sqlite3"))
    pipeline.parse_ahead(texts, progress=told.append)
    assert (asked, sum(told)) == ([2, 2, 1], 5)
    told.clear()
    EnglishPipeline(cache=ParseCache(tmp_path / "parses.sqlite3")).parse_ahead(texts, progress=told.append)
    assert (asked, told) == ([2, 2, 1], [2, 2, 1])
    monkeypatch.setattr(EnglishPipeline, "parse_here", None)
    assert [parsed.words for parsed in pipeline.parse(texts)] == [tuple(text.split()) for text in texts]


def test_a_pipeline_that_is_not_installed_is_refused() -> None:
    with pytest.raises(PipelineError, match="there is no English pipeline 'en_no_such'"):
        EnglishPipeline("en_no_such").parse(["a"])


def test_a_pipeline_that_gives_no_tags_is_refused(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(PipelineError, match="gives no tags, which ERRANT needs"):
        load(str(tmp_path / "blank"))


def test_a_pipeline_of_another_language_is_refused(tmp_path: Path) -> None:
    spacy.blank("de").to_disk(tmp_path / "german")
    with pytest.raises(PipelineError, match="for the language 'de'"):
        load(str(tmp_path / "german"))


def test_another_pipeline_is_loaded_by_its_folder(tmp_path: Path) -> None:
    load(SHIPPED).to_disk(tmp_path / "mine")
    mine = EnglishPipeline(str(tmp_path / "mine"))
    assert mine.parse([TEXT]) == EnglishPipeline().parse([TEXT])
    assert mine.signature.startswith("en_assay_en_ewt-1.0-spacy-")
