"""One rule says which characters texts and names can hold."""

import sys
from collections.abc import Callable
from pathlib import Path
from unicodedata import category

import pytest

from formats import (
    FormatError,
    read_appraise,
    read_jsonl,
    read_judgments,
    read_m2,
    read_parallel,
    read_wmt_csv,
)
from formats.metric_scores import read_metric_scores
from formats.text.characters import first_unstorable, name_fault, text_fault, without_unstorable
from tests.formats.conftest import Write
from tests.formats.test_any_bytes import EXPORTS

HARMFUL = {
    "\uffff": "the noncharacter U+FFFF",
    "\ufdd0": "the noncharacter U+FDD0",
    "\U0010ffff": "the noncharacter U+10FFFF",
    "\x85": "the control character U+0085",
    "\u2028": "the line separator U+2028",
    "\u202e": "the character U+202E, which changes the writing direction",
}


def test_texts_hold_all_but_controls_surrogates_and_noncharacters() -> None:
    refused = {chr(code) for code in range(sys.maxunicode + 1) if first_unstorable(f"a{chr(code)}b")}
    noncharacters = {code for code in range(sys.maxunicode + 1) if code & 0xFFFE == 0xFFFE}
    noncharacters |= set(range(0xFDD0, 0xFDF0))
    controls = set(range(32)) - {ord("\t"), ord("\n")}
    assert refused == {chr(code) for code in noncharacters | controls | set(range(0xD800, 0xE000))}


def test_names_hold_nothing_that_texts_cannot_hold() -> None:
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if text_fault(character) or category(character) in ("Cc", "Zl", "Zp"):
            assert name_fault(f"a{character}b")


@pytest.mark.parametrize(("character", "words"), HARMFUL.items())
def test_a_name_says_what_is_wrong_with_it(character: str, words: str) -> None:
    assert name_fault(f"a{character}") == f"contains {words}"


@pytest.mark.parametrize("name", ["\u200b", "\u3000", "\u0301", "\u2066"])
def test_a_name_is_visible(name: str) -> None:
    assert name_fault(name)


@pytest.mark.parametrize("name", ["", "A", "نظام", "e\u0301", "👩\u200d🔬", "می\u200cخواهم", "two words"])
def test_other_names_are_fine(name: str) -> None:
    assert not name_fault(name)


def test_what_no_text_can_hold_is_left_out() -> None:
    assert without_unstorable("a\r\nb\x0bc\x00d\ufffee\tf\rg") == "a\nb cde\tf g"


def _in_m2(name: str) -> str:
    return f"S a b\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{name}\n"


NAMES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a document": (lambda path: read_parallel(path.with_name("source"), {}, documents=path), "{}\n"),
    "a domain": (lambda path: read_parallel(path.with_name("source"), {}, domains=path), "{}\n"),
    "an annotator in M2": (read_m2, _in_m2("{}")),
    "an error type": (read_m2, "S a b\nA 0 1|||{}|||c|||REQUIRED|||-NONE-|||0\n"),
    "an annotator in JSON Lines": (
        read_jsonl,
        '{{"source": "a", "references": [{{"annotator": "{}", "text": "b"}}]}}',
    ),
    "a document in JSON Lines": (read_jsonl, '{{"source": "a", "document": "{}"}}'),
    "a judge": (read_wmt_csv, "srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n1,{},A,1,B,2\n"),
    "a user": (
        read_appraise,
        "<appraise-results><ranking-result><ranking-item src-id='1' user='{}'/></ranking-result>"
        "</appraise-results>",
    ),
    "a metric": (read_metric_scores, "metric,system,score\n{},A,1\n"),
}


@pytest.mark.parametrize("character", HARMFUL)
@pytest.mark.parametrize("what", NAMES)
def test_every_reader_refuses_such_names(write: Write, what: str, character: str) -> None:
    read, content = NAMES[what]
    write("a b\n", "source")
    read(write(content.format("good")))
    with pytest.raises(FormatError) as fault:
        read(write(content.format(f"a{character}b")))
    assert HARMFUL[character] in fault.value.cause
    assert fault.value.line


@pytest.mark.parametrize("character", HARMFUL)
def test_exports_are_held_to_it(write: Write, character: str) -> None:
    content = EXPORTS["jsonl"].decode().replace('"anna"', f'"an{character}na"')
    with pytest.raises(FormatError, match="annotator contains the"):
        read_judgments(write(content))
