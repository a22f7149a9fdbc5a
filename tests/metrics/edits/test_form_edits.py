"""Edits of any language by their form, and by parts of speech where there is a tagger."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import spacy

from metrics import InputError
from metrics.edits.errant_types import TYPES
from metrics.edits.form_edits import FormEdits
from metrics.edits.word_tagger import WordTagger


@pytest.mark.parametrize(
    ("source", "text", "edits"),
    [
        ("Jdu domu .", "Jdu domů .", [(1, 2, "domů", "R:SPELL")]),
        ("praha je krásné", "Praha je krásné", [(0, 1, "Praha", "R:ORTH")]),
        ("na shledanou", "nashledanou", [(0, 2, "nashledanou", "R:ORTH")]),
        ("Vím že ano .", "Vím , že ano !", [(1, 1, ",", "M:PUNCT"), (3, 4, "!", "R:PUNCT")]),
        ("Byla jsem jsem doma", "Byla jsem doma", [(2, 3, "", "U:OTHER")]),
        ("Jsem včera byl doma", "Včera jsem byl doma", [(0, 2, "Včera jsem", "R:WO")]),
        ("doma včera byl jsem", "byl doma včera jsem", [(0, 3, "byl doma včera", "R:WO")]),
        ("أنا ذهبت الى البيت", "ذهبت إلى البيت", [(0, 1, "", "U:OTHER"), (2, 3, "إلى", "R:SPELL")]),
        ("我 去 了 学 校 。", "我 去 学 校 了 。", [(2, 5, "学 校 了", "R:WO")]),
        ("我 是 去", "我 要 去", [(1, 2, "要", "R:OTHER")]),
        ("stejné", "stejné", []),
        ("", "Něco .", [(0, 0, "Něco .", "M:OTHER")]),
    ],
)
def test_types_say_what_can_be_seen(source: str, text: str, edits: list[tuple[int, int, str, str]]) -> None:
    found = FormEdits().edits(source, text)
    assert [(edit.start, edit.end, edit.corrections[0], edit.kind) for edit in found] == edits
    words: Sequence[str] = source.split()
    for edit in reversed(found):
        words = [*words[: edit.start], *edit.corrections[0].split(), *words[edit.end :]]
    assert list(words) == text.split(), "the edits lead to the text"
    assert {edit.kind for edit in found} <= set(TYPES)


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    """A Czech pipeline that knows a few words."""
    nlp = spacy.blank("cs")
    ruler = nlp.add_pipe("attribute_ruler")
    for part, words in {"NOUN": ["kniha", "auto"], "ADP": ["v", "na"]}.items():
        for word in words:
            ruler.add([[{"LOWER": word}]], {"POS": part})  # type: ignore[attr-defined]
    nlp.to_disk(tmp_path / "few")
    return tmp_path / "few"


def test_a_tagger_names_the_part_of_speech_of_other_edits(pipeline: Path) -> None:
    edits = FormEdits(WordTagger(str(pipeline), "cs"))
    kinds = [edit.kind for edit in edits.edits("v kniha je x", "na auto je y")]
    assert kinds == ["R:OTHER", "R:OTHER"], "of two parts of speech, and of none"
    assert [edit.kind for edit in edits.edits("kniha v ní", "auto v na ní")] == ["R:NOUN", "M:PREP"]
    assert edits.signature.startswith("forms-1+cs_pipeline-0.0.0-spacy-")


def test_a_pipeline_of_another_language_or_without_tags_is_refused(pipeline: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is for the language 'cs', not 'de'"):
        FormEdits(WordTagger(str(pipeline), "de")).edits("a b", "c")
    spacy.blank("cs").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="gives no parts of speech"):
        FormEdits(WordTagger(str(tmp_path / "blank"), "cs")).edits("auto", "hrad")
    with pytest.raises(InputError, match="there is no spaCy pipeline 'nowhere'"):
        _ = FormEdits(WordTagger("nowhere", "cs")).signature
