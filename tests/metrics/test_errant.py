"""ERRANT: equal to the package `errant`, with references chosen by the F so far."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from errant.commands import compare_m2
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import (
    Annotation,
    EditedText,
    EvaluationSet,
    GoldEdit,
    InputError,
    Scored,
    metric_from_text,
    score,
    scores_by_type,
)
from metrics.edits.edit_sources import corrected_words
from metrics.edits.errant_types import CATEGORIES, TYPES, in_words
from metrics.errant import LEVELS
from tests.depth import examples
from tests.metrics.reference_data import CoNLL14, edited_texts, gold_edits
from tests.metrics.registered import ToyParser

FLAGS = {"correction": "", "classification": "cse", "span-detection": "ds", "token-detection": "dt"}

SHIPPED = {
    "AMU": (483, 795, 1934, 0.3208),
    "CAMB": (725, 1329, 1886, 0.3348),
    "UFC": (36, 14, 2069, 0.0781),
    "INPUT": (0, 0, 2070, 0.0),
}
"""TP, FP, FN and F0.5 by the package on `conll14/errant-m2`."""

Edits = tuple[GoldEdit, ...]
Sentence = tuple[list[str], Edits, list[Edits]]
"""Source, edits of the output and of each reference."""


def by_package(sentences: Sequence[Sentence], level: str, beta: float) -> dict[str, Any]:
    """Unrounded counts of the package's comparison, with those by type."""
    options = SimpleNamespace(
        **{flag: flag == FLAGS[level] for flag in ("dt", "ds", "cse")},
        beta=beta,
        single=False,
        multi=False,
        filt=[],
        verbose=False,
    )
    total: Counter[str] = Counter({"tp": 0, "fp": 0, "fn": 0})
    by_type: dict[str, list[int]] = {}
    for number, (_, output, references) in enumerate(sentences):
        hypothesis = compare_m2.process_edits(as_m2(output, 0), options)
        gold = [edit for coder, edits in enumerate(references) for edit in as_m2(edits, coder)]
        counts, kinds = compare_m2.evaluate_edits(
            hypothesis, compare_m2.process_edits(gold, options), total, number, "", options
        )
        total += Counter(counts)
        by_type = compare_m2.merge_dict(by_type, kinds)
    return {"TP": total["tp"], "FP": total["fp"], "FN": total["fn"], "by type": by_type}


def as_m2(edits: Edits, coder: int) -> list[list[Any]]:
    if not edits:
        return [[-1, -1, "noop", "-NONE-", coder]]
    return [[edit.start, edit.end, edit.kind, edit.corrections[0], coder] for edit in edits]


def scored(sentences: Sequence[Sentence], metric: str = "errant") -> Scored:
    data = EvaluationSet(
        tuple(" ".join(source) for source, _, _ in sentences),
        annotations=tuple(
            tuple(Annotation(str(coder), edits) for coder, edits in enumerate(references))
            for _, _, references in sentences
        ),
    )
    outputs = [EditedText(" ".join(corrected_words(source, edits)), edits) for source, edits, _ in sentences]
    return score(metric_from_text(metric), data, {"x": outputs})


def f(tp: int, fp: int, fn: int, beta: float) -> float:
    precision = tp / (tp + fp) if fp else 1.0
    recall = tp / (tp + fn) if fn else 1.0
    load = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / load if load else 0.0


def check(sentences: Sequence[Sentence], level: str, beta: float) -> None:
    result = scored(sentences, f"errant:level={level}:beta={beta}").corpus("x")
    expected = by_package(sentences, level, beta)
    tp, fp, fn = (int(expected[name]) for name in ("TP", "FP", "FN"))
    assert [result.details[name] for name in ("TP", "FP", "FN")] == [tp, fp, fn]
    assert result.value == pytest.approx(f(tp, fp, fn, beta), abs=1e-12)
    for kind, by_type in expected["by type"].items():
        found = [result.details[f"{part} of type {kind}"] for part in ("TP", "FP", "FN")]
        assert found == by_type


@st.composite
def edits(draw: st.DrawFn) -> Edits:
    """Up to three edits of a sentence of eight tokens, some of them equal to each other."""
    spans = draw(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2)), max_size=3))
    return tuple(
        GoldEdit(
            start,
            min(8, start + length),
            (draw(st.sampled_from(["", "x", "x y"])),),
            draw(st.sampled_from(["M:DET", "R:NOUN", "R:NOUN:NUM", "U:PREP", "UNK"])),
        )
        for start, length in sorted(spans)
    )


corpora = st.integers(1, 3).flatmap(
    lambda number: st.lists(
        st.tuples(st.just(list("abcdefgh")), edits(), st.lists(edits(), min_size=number, max_size=number)),
        min_size=1,
        max_size=8,
    )
)


@settings(max_examples=examples(500))
@given(corpora, st.sampled_from(LEVELS), st.sampled_from([0.2, 0.5, 1.0, 2.0]))
def test_counts_equal_those_of_the_package(sentences: list[Sentence], level: str, beta: float) -> None:
    check(sentences, level, beta)


@cache
def conll_sentences(conll14: CoNLL14, system: str) -> list[Sentence]:
    folder = conll14.folder / "errant-m2"
    data = gold_edits(folder / "gold.m2")
    return [
        (source.split(), output.edits, [each.edits for each in present])
        for source, output, present in zip(
            data.sources, edited_texts(folder / f"{system}.m2"), data.annotations or (), strict=True
        )
    ]


@pytest.mark.parametrize(("system", "expected"), SHIPPED.items())
def test_m2_files_of_edits_need_no_parser(
    conll14: CoNLL14, system: str, expected: tuple[int, int, int, float]
) -> None:
    corpus = scored(conll_sentences(conll14, system)).corpus("x")
    assert [corpus.details[name] for name in ("TP", "FP", "FN")] == list(expected[:3])
    assert corpus.value == pytest.approx(expected[3], abs=0.00005)


@pytest.mark.parametrize("level", LEVELS)
def test_real_edits_on_all_levels(conll14: CoNLL14, level: str) -> None:
    check(conll_sentences(conll14, "CAMB"), level, 0.5)


def replaced(*places: int) -> Edits:
    return tuple(GoldEdit(place, place + 1, (f"new{place}",), "R:NOUN") for place in places)


def test_references_are_chosen_by_the_f_of_all_sentences_so_far() -> None:
    """Alone, another reference would be chosen for one of these sentences than after the others."""
    sentences = contrary_sentences()
    together = scored(sentences)
    assert together.sentences("x").round(3).tolist() == [1.0, 0.667]
    assert together.corpus("x").value == pytest.approx(f(6, 1, 0, 0.5), abs=1e-12)
    check(sentences, "correction", 0.5)
    check(sentences[::-1], "correction", 0.5)


def contrary_sentences() -> list[Sentence]:
    """Alone, reference 0 of the second sentence is better: F is .667 (TP 2, FN 5), the other's .556 (TP 1,
    FP 1). After five matches of the first sentence the other is, with .882 against .875.
    """
    right, many = replaced(0, 1, 2, 3, 4), replaced(0, 1, 2, 3, 4, 5, 6)
    return [
        (list("abcdefgh"), right, [right, right]),
        (list("abcdefgh"), replaced(0, 1), [many, replaced(0)]),
    ]


def test_one_reference_makes_it_additive() -> None:
    sentences = [(source, output, references[:1]) for source, output, references in contrary_sentences()]
    assert scored(sentences).corpus("x").value == scored(sentences[::-1]).corpus("x").value
    check(sentences, "correction", 0.5)


def test_f_by_operation_category_and_type() -> None:
    gold = (
        GoldEdit(0, 1, ("x",), "R:NOUN:NUM"),
        GoldEdit(2, 2, ("y",), "M:DET"),
        GoldEdit(4, 5, ("",), "U:DET"),
    )
    proposed = (GoldEdit(0, 1, ("x",), "R:NOUN"), GoldEdit(2, 2, ("z",), "M:DET"))
    result = scored([(list("abcdefgh"), proposed, [gold])])

    # Matching edits have the type of the reference.
    assert {
        kind: (each.tp, each.fp, each.fn) for kind, each in scores_by_type(result, "x", "type").items()
    } == {
        "M:DET": (0, 1, 1),
        "R:NOUN:NUM": (1, 0, 0),
        "U:DET": (0, 0, 1),
    }
    assert scores_by_type(result, "x", "category")["DET"].fn == 2
    assert scores_by_type(result, "x", "category")["NOUN:NUM"].f == 1.0
    assert list(scores_by_type(result, "x", "operation")) == ["M", "R", "U"]


def test_the_mean_of_gmeg_is_over_the_categories_that_occur() -> None:
    gold = (GoldEdit(0, 1, ("x",), "R:NOUN"), GoldEdit(2, 2, ("y",), "M:DET"))
    result = scored([(list("abcdefgh"), gold[:1], [gold])], "errant:average=categories")
    assert result.corpus("x").value == 0.5
    assert scored([(["a"], (), [()])], "errant:average=categories").corpus("x").value == 1.0


def test_there_are_24_categories_and_55_types() -> None:
    assert (len(CATEGORIES), len(TYPES)) == (24, 55)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("R:PREP", "replaced preposition"),
        ("M:DET", "missing determiner"),
        ("U:PUNCT", "unnecessary punctuation"),
        ("R:VERB:SVA", "changed subject-verb agreement"),
        ("UNK", "error marked only"),
        ("Wci", ""),
        ("other", ""),
    ],
)
def test_a_type_is_said_in_words(kind: str, words: str) -> None:
    assert in_words(kind) == words


def test_each_type_has_words_of_its_own() -> None:
    assert len({in_words(kind) for kind in TYPES}) == len(TYPES)


def test_a_sentence_without_annotators_is_left_unchanged() -> None:
    result = scored([(["a"], replaced(0), [])])
    assert result.corpus("x").details["FP"] == 1


def test_a_sentence_without_reference_texts_is_not_scored() -> None:
    data = EvaluationSet(("a b", "a b"), ((), ("a c",)), parser=ToyParser())
    result = score(metric_from_text("errant"), data, {"x": ["a c", "a c"]})
    assert result.not_scored("x") == {0: "the sentence has no reference"}
    assert result.corpus("x").value == 1.0


@pytest.mark.parametrize(
    ("kind", "choice", "gold"),
    [
        ("R:NOUN", "auto", "given"),
        ("Wci", "auto", "extracted"),
        ("R:NOUN", "extracted", "extracted"),
        ("Wci", "given", "given"),
    ],
)
def test_gold_edits_are_taken_as_given_if_they_have_the_types_of_errant(
    kind: str, choice: str, gold: str
) -> None:
    """The long given edit does not match the short one that is extracted."""
    annotation = Annotation("0", (GoldEdit(0, 2, ("a c",), kind),))
    data = EvaluationSet(("a b",), annotations=((annotation,),), parser=ToyParser())
    result = score(metric_from_text(f"errant:gold={choice}"), data, {"x": ["a c"]})
    assert result.corpus("x").value == (0.0 if gold == "given" else 1.0)
    assert f"|gold:{gold}|" in result.signature


def test_edits_that_only_mark_an_error_do_not_change_the_text() -> None:
    """ERRANT does the same: "Um" of CoNLL-2014 has no correction."""
    annotation = Annotation("0", (GoldEdit(0, 1, ("",), "Um"), GoldEdit(1, 2, ("c",), "Wci")))
    data = EvaluationSet(("a b",), annotations=((annotation,),), parser=ToyParser())
    assert score(metric_from_text("errant"), data, {"x": ["a c"]}).corpus("x").value == 1.0


def test_the_signature_names_package_and_pipeline() -> None:
    data = EvaluationSet(("a b",), (("a c", "a d"),), parser=ToyParser())
    assert (
        metric_from_text("errant")
        .signature(data)
        .startswith(
            "errant|beta:0.5|level:correction|average:overall|gold:extracted|refs:2|tok:given"
            "|edits:errant-3.0.2|pipeline:toy-1|assay:"
        )
    )


def test_a_text_without_parser_is_refused() -> None:
    data = EvaluationSet(("a b",), (("a c",),))
    with pytest.raises(InputError, match="has to be parsed: pass a parser"):
        score(metric_from_text("errant"), data, {"x": ["a d"]})
    with pytest.raises(InputError, match="needs references or gold edits"):
        score(metric_from_text("errant"), EvaluationSet(("a b",)), {"x": ["a d"]})
    with pytest.raises(InputError, match="taken as given, but there are none"):
        score(metric_from_text("errant:gold=given"), data, {"x": ["a d"]})


def test_texts_are_parsed_together_once() -> None:
    class Counting(ToyParser):
        calls: list[list[str]] = []

        def parse(self, texts: Sequence[str], **options: Any) -> Any:
            self.calls.append(list(texts))
            return super().parse(texts, **options)

    data = EvaluationSet(("a b", "c"), (("a c",), ("c",)), parser=Counting())
    score(metric_from_text("errant"), data, {"x": ["a d", "c"]})
    # Nothing changes the second sentence. Outputs are looked up together, in case the parser has let them go.
    assert Counting.calls[:2] == [["a b", "a c", "a d"], ["a b", "a d", "a c"]]
    assert all(len(each) == 1 for each in Counting.calls[2:])


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("a " * 3000, "b " * 3000),
        ("a b " * 300, "c " * 700),
        ("x " * 300, "y z " * 300),
        ("", "a b"),
        ("a b", ""),
    ],
)
def test_hostile_texts_are_scored_or_refused_with_a_reason(source: str, output: str) -> None:
    data = EvaluationSet((source, "a"), (("a",), ("b",)), parser=ToyParser())
    result = score(metric_from_text("errant"), data, {"x": [output, "b"]})
    assert result.corpus("x").value is not None
    assert all("ERRANT" in reason for reason in result.not_scored("x").values())


def test_scoring_can_be_stopped_while_texts_are_parsed() -> None:
    class Stopped(Exception):  # noqa: N818  # not an error
        pass

    class SlowParser(ToyParser):
        scored = False

        def parse_ahead(self, texts: Sequence[str], *, progress: Any = None) -> None:
            for text in texts:
                super().parse_ahead([text], progress=progress)
            self.scored = True

    def stop(outputs: int) -> None:
        assert outputs == 0
        raise Stopped

    parser = SlowParser()
    data = EvaluationSet(("She go home .",), (("She goes home .",),), parser=parser)
    with pytest.raises(Stopped):
        score(metric_from_text("errant"), data, {"one": ["She went home ."]}, progress=stop)
    assert not parser.scored
