import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import FormatError, Reference, SentenceRecord, jsonl, read_jsonl
from formats.text.characters import is_visible
from tests.formats.conftest import Write


def test_one_sentence_an_object(write: Write) -> None:
    full = {
        "source": " He go . ",
        "outputs": {"B": "He goes .", "A": ""},
        "references": ["He went .", {"annotator": "expert", "text": " He goes . "}],
        "document": "essay 1",
        "domain": "learner",
    }
    short = '{"source": "Fine .", "outputs": {"C": "é"}}'
    corpus = read_jsonl(write(f"{json.dumps(full)}\r\n{short}\r\n\r\n"))
    assert corpus.systems == ("B", "A", "C")
    assert corpus.sentences == (
        SentenceRecord(
            "He go .",
            {"B": "He goes .", "A": ""},
            (Reference("0", "He went .", None), Reference("expert", "He goes .", None)),
            "essay 1",
            "learner",
        ),
        SentenceRecord("Fine .", {"C": "é"}, (), "", ""),
    )


def test_line_ends_make_a_text_an_essay(write: Write) -> None:
    essay = {
        "source": "A day\n\nHe go .\n",
        "outputs": {"A": "A day\nHe goes ."},
        "references": ["A day\n\nHe went ."],
    }
    [sentence] = read_jsonl(write(json.dumps(essay))).sentences
    assert sentence.source == "A day ¶ ¶ He go ."
    assert sentence.outputs == {"A": "A day ¶ He goes ."}
    assert sentence.references[0].text == "A day ¶ ¶ He went ."


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "blank line"),
        ("{", "invalid JSON: Expecting property name"),
        ('{"source": "a"} {}', "invalid JSON: Extra data at column 17"),
        ("[]", "the line must be an object, not a list"),
        ("null", "the line must be an object, not null"),
        ("{}", "key 'source' is missing"),
        ('{"source": ""}', "the source sentence is empty"),
        ('{"source": "a", "sauce": 1}', "unknown key 'sauce'; known are document, domain, outputs"),
        ('{"source": "a", "source": "b"}', "key 'source' twice in one object"),
        ('{"source": "a", "outputs": {"A": "x", "A": "x"}}', "key 'A' twice in one object"),
        ('{"source": 1}', "source must be a string, not a number"),
        ('{"source": true}', "source must be a string, not true or false"),
        ('{"source": NaN}', "NaN is not JSON"),
        ('{"source": -Infinity}', "-Infinity is not JSON"),
        ('{"source": 1e999}', "source must be a string, not a number"),
        (f'{{"source": {"9" * 5000}}}', "a number has too many digits"),
        (f'{{"source": {"[" * 100_000}', "nested too deeply"),
        (f'{{"source": {"[" * 500}{"]" * 500}}}', "source must be a string, not a list"),
        (r'{"source": "a\u0000"}', "the source sentence contains the control character U+0000"),
        ('{"source": "\u200b\ufeff"}', "the source sentence has no visible character"),
        (r'{"source": "\n"}', "the source sentence is empty"),
        (
            r'{"source": "a", "outputs": {"A": "\ud800"}}',
            "the output of A contains the surrogate U+D800",
        ),
        (r'{"source": "a", "\ud800": 1}', r"unknown key '\ud800'"),
        ('{"source": "a", "outputs": []}', "outputs must be an object, not a list"),
        ('{"source": "a", "outputs": {"A": null}}', "the output of A must be a string, not null"),
        ('{"source": "a", "outputs": {"A B": "x"}}', "bad system name 'A B'"),
        ('{"source": "a", "references": "x"}', "references must be a list, not a string"),
        ('{"source": "a", "references": [1]}', "a reference must be an object, not a number"),
        ('{"source": "a", "references": [{"text": "x"}]}', "key 'annotator' is missing"),
        ('{"source": "a", "references": [{"annotator": "", "text": "x"}]}', "the annotator is empty"),
        ('{"source": "a", "references": [{"annotator": "b", "text": "x", "by": 1}]}', "unknown key 'by'"),
        ('{"source": "a", "references": ["x", {"annotator": "0", "text": "x"}]}', "annotator '0' twice"),
        ('{"source": "a", "document": 1}', "document must be a string, not a number"),
        (f'{{"source": "{"a" * 20_001}"}}', "the source sentence has 20001 characters"),
    ],
)
def test_faults_are_named_by_line(write: Write, line: str, words: str) -> None:
    with pytest.raises(FormatError) as fault:
        read_jsonl(write(f'{{"source": "fine"}}\n{line}\n{{"source": "fine"}}\n'))
    assert fault.value.line == 2
    assert words in fault.value.cause


def test_a_file_of_blank_lines_holds_no_sentence(write: Write) -> None:
    with pytest.raises(FormatError, match="the file contains no sentence"):
        read_jsonl(write("\n\n"))


def test_too_many_systems_or_references_are_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_SYSTEMS", 1)
    monkeypatch.setattr(jsonl, "MAX_ANNOTATORS", 1)
    with pytest.raises(FormatError, match="2 systems, at most 1"):
        read_jsonl(write('{"source": "a", "outputs": {"A": ""}}\n{"source": "a", "outputs": {"B": ""}}\n'))
    with pytest.raises(FormatError, match="2 references, at most 1"):
        read_jsonl(write('{"source": "a", "references": ["", ""]}\n'))


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="\uffff\ufffe"))
SYSTEMS = st.from_regex(r"[A-Za-z0-9._+-]{1,8}", fullmatch=True)


@given(
    sentences=st.lists(
        st.fixed_dictionaries(
            {"source": TEXTS.filter(is_visible)},
            optional={"outputs": st.dictionaries(SYSTEMS, TEXTS), "references": st.lists(TEXTS, max_size=3)},
        ),
        min_size=1,
        max_size=4,
    ),
    ascii_only=st.booleans(),
)
def test_any_text_comes_back_stripped(
    scratch_file: Path, sentences: list[dict[str, object]], ascii_only: bool
) -> None:
    written = "\n".join(json.dumps(sentence, ensure_ascii=ascii_only) for sentence in sentences)
    scratch_file.write_text(written, encoding="utf-8")
    for record, sentence in zip(read_jsonl(scratch_file).sentences, sentences, strict=True):
        assert record.source == str(sentence["source"]).strip()
        outputs = sentence.get("outputs", {})
        assert isinstance(outputs, dict)
        assert record.outputs == {name: text.strip() for name, text in outputs.items()}
        references = sentence.get("references", [])
        assert isinstance(references, list)
        assert [reference.text for reference in record.references] == [text.strip() for text in references]
