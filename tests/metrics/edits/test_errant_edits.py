"""Edits equal those of the `errant` package called directly, for any annotations of the words."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import errant
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from metrics.base.metric import NotScored
from metrics.edits.errant_edits import ErrantEdits
from metrics.english.parses import ParsedText
from tests.depth import DEEP, examples
from tests.metrics.reference_data import CoNLL14, lines
from tests.metrics.registered import toy_parse

WORDS = ("a", "A", "the", "cat", "cats", "Cat", "sit", "to", "'s", ",", ".", "sub", "way", "subway", "-")
SYSTEMS = ("AMU", "CAMB", "CUUI", "IITB", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU", "UFC", "UMC")
GMEG_TEXTS = (
    "amu",
    "lstm",
    "lstm-r",
    "marian",
    "nus",
    "transformer",
    "source+error",
    "ref0",
    "ref1",
    "ref2",
    "ref3",
)
STEP = 1 if DEEP else 40
"""Every so many sentences are compared."""

texts = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)

Edit = tuple[int, int, str, str]


@cache
def package() -> Any:
    """The package's annotator; its pipeline is not called."""
    return errant.load("en", spacy.blank("en"))


def document(parsed: ParsedText) -> Doc:
    """The document that spaCy would pass to the package."""
    return Doc(
        package().nlp.vocab,
        words=list(parsed.words),
        tags=list(parsed.tags),
        pos=list(parsed.pos),
        lemmas=list(parsed.lemmas),
        heads=list(parsed.heads),
        deps=list(parsed.labels),
    )


def by_package(source: ParsedText, target: ParsedText) -> list[Edit]:
    edits = package().annotate(document(source), document(target))
    corrections = [" ".join(token.text for token in edit.c_toks) for edit in edits]
    return [
        (each.o_start, each.o_end, text, each.type) for each, text in zip(edits, corrections, strict=True)
    ]


def ours(source: ParsedText, target: ParsedText) -> list[Edit] | NotScored:
    extractor = edits_extractor()
    found = extractor.edits(extractor.prepare(source), extractor.prepare(target))
    if isinstance(found, NotScored):
        return found
    return [(edit.start, edit.end, edit.corrections[0], edit.kind) for edit in found]


@cache
def edits_extractor() -> ErrantEdits:
    return ErrantEdits()


@settings(max_examples=examples(2000))
@given(texts, texts)
def test_any_two_texts(source: str, target: str) -> None:
    one, other = toy_parse(source), toy_parse(target)
    assert ours(one, other) == by_package(one, other)


@settings(max_examples=examples(1000))
@given(st.permutations(WORDS[:9]), st.permutations(WORDS[:9]))
def test_words_that_change_places(source: Sequence[str], target: Sequence[str]) -> None:
    one, other = toy_parse(" ".join(source)), toy_parse(" ".join(target))
    assert ours(one, other) == by_package(one, other)


def pairs(source: list[str], corrected: list[list[str]]) -> Iterator[tuple[str, str]]:
    """Distinct pairs of each so many sentences."""
    for number in range(0, len(source), STEP):
        for text in dict.fromkeys(each[number] for each in corrected):
            if text != source[number]:
                yield source[number], text


def compare(source: list[str], corrected: list[list[str]]) -> list[str]:
    """The reasons for which pairs have no edits; those of all others must be equal."""
    reasons = []
    for pair in pairs(source, corrected):
        one, other = map(toy_parse, pair)
        found = ours(one, other)
        if isinstance(found, NotScored):
            reasons.append(found.reason)
        else:
            assert found == by_package(one, other), pair
    return reasons


def test_outputs_and_references_of_conll14(conll14: CoNLL14) -> None:
    corrected = [conll14.outputs(system) for system in SYSTEMS]
    corrected += [lines(path) for path in sorted((conll14.folder / "references").glob("*/*.txt"))]
    assert compare(conll14.outputs("INPUT"), corrected) == []


@pytest.mark.parametrize("domain", ["fce", "wiki"])
def test_outputs_and_references_of_gmeg(reference_data: Path, domain: str) -> None:
    folder = reference_data / "gmeg" / "dev" / domain
    reasons = compare(lines(folder / "source"), [lines(folder / name) for name in GMEG_TEXTS])
    assert len(reasons) <= 2
