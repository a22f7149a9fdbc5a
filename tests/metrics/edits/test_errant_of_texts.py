"""ERRANT from texts to scores with the shipped pipeline, equal to the package called directly."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import errant
import pytest

from metrics import EvaluationSet, GoldEdit, metric_from_text, score
from metrics.english.spacy_pipelines import SHIPPED, EnglishPipeline, load
from tests.depth import DEEP
from tests.metrics.reference_data import SYSTEMS, CoNLL14, lines
from tests.metrics.test_errant import by_package, f

STEP = 1 if DEEP else 60
CHOSEN = SYSTEMS if DEEP else ("AMU", "CAMB")
GMEG = ("amu", "lstm", "lstm-r", "marian", "nus", "transformer", "source+error")

Edits = Callable[[str, str], tuple[GoldEdit, ...]]


@pytest.fixture(scope="module")
def pipeline() -> EnglishPipeline:
    return EnglishPipeline()


@pytest.fixture(scope="module")
def edits() -> Edits:
    """The package's edits of two texts, each text parsed once."""
    annotator: Any = errant.load("en", load(SHIPPED))
    parse = cache(annotator.parse)

    @cache
    def edits(source: str, target: str) -> tuple[GoldEdit, ...]:
        found = annotator.annotate(parse(source), parse(target))
        texts = [" ".join(token.text for token in each.c_toks) for each in found]
        return tuple(
            GoldEdit(each.o_start, each.o_end, (text,), each.type)
            for each, text in zip(found, texts, strict=True)
        )

    return edits


def check(data: EvaluationSet, outputs: dict[str, list[str]], edits: Edits) -> None:
    """Scores and counts by type of those outputs that are scored."""
    result = score(metric_from_text("errant"), data, outputs)
    for system, texts in outputs.items():
        left_out = result.not_scored(system)
        sentences = [
            (source.split(), edits(source, text), [edits(source, reference) for reference in references])
            for number, (source, text, references) in enumerate(
                zip(data.sources, texts, data.references or (), strict=True)
            )
            if number not in left_out
        ]
        assert len(left_out) <= 2
        expected = by_package(sentences, "correction", 0.5)
        corpus = result.corpus(system)
        assert corpus.value == pytest.approx(
            f(expected["TP"], expected["FP"], expected["FN"], 0.5), abs=1e-12
        )
        for kind, counts in expected["by type"].items():
            assert [corpus.details[f"{part} of type {kind}"] for part in ("TP", "FP", "FN")] == counts


def each_so_many(texts: Sequence[str]) -> list[str]:
    return list(texts[::STEP])


def test_conll14_with_both_annotators(conll14: CoNLL14, pipeline: EnglishPipeline, edits: Edits) -> None:
    full = conll14.references("NUCLEA", "NUCLEB")
    data = EvaluationSet(full.sources[::STEP], (full.references or ())[::STEP], parser=pipeline)
    check(data, {system: each_so_many(conll14.outputs(system)) for system in CHOSEN}, edits)


@pytest.mark.parametrize("domain", ["fce", "wiki"])
def test_gmeg_with_four_references(
    reference_data: Path, pipeline: EnglishPipeline, edits: Edits, domain: str
) -> None:
    folder = reference_data / "gmeg" / "dev" / domain
    references = [each_so_many(lines(folder / f"ref{number}")) for number in range(4)]
    data = EvaluationSet(
        tuple(each_so_many(lines(folder / "source"))),
        tuple(zip(*references, strict=True)),
        parser=pipeline,
    )
    names = GMEG if DEEP else ("amu", "source+error")
    check(data, {name: each_so_many(lines(folder / name)) for name in names}, edits)
