"""I-measure: equal to the released tool and to a plain implementation, with the same alignment."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.reproduction.public_data.conll14 import read_ieval
from core.arrays import IntArray
from dev.benchmarks import plain_imeasure
from metrics import Annotation, EvaluationSet, GoldEdit, InputError, NotScored, Scored, score
from metrics.imeasure import IMeasure, IMeasureParameters
from metrics.mixed_references import TooManyReferencesError, mixed_references
from tests.metrics.reference_data import SYSTEMS, CoNLL14

OFFICIAL = {
    "UFC": (31, 28132, 19, 2519, 5, 0.17),
    "IITB": (28, 28105, 72, 2520, 12, -0.31),
    "SJTU": (118, 27878, 265, 2476, 26, -1.20),
    "PKU": (274, 27499, 730, 2395, 152, -3.03),
    "IPN": (65, 27712, 573, 2514, 86, -3.12),
    "AMU": (484, 27350, 888, 2294, 136, -3.30),
    "CUUI": (609, 27169, 1030, 2271, 109, -3.83),
    "UMC": (340, 27426, 877, 2374, 100, -3.92),
    "CAMB": (785, 26706, 1454, 2206, 193, -5.40),
    "POST": (512, 26962, 1267, 2275, 118, -5.66),
}
"""TP, TN, FP, FN and FPN of correction and I times 100, by the released tool with -nomix."""

ACCURACIES = {"UFC": (91.71, 91.69), "IITB": (91.41, 91.70)}
"""WAcc of system and source times 100, by the same."""

UNFINISHED = {"NTHU": -5.43, "RAC": -5.71}
"""I times 100 where the released tool was not run to the end, by an independent program."""

FULL_TABLE = 20_000_000
"""More cells than the full table of any sentence here."""

RANDOM = np.random.default_rng(1).choice(list("abcdefgh"), size=(3, 400))

words = st.lists(st.sampled_from(["a", "b", "c"]), max_size=6)


@pytest.fixture(scope="module")
def systems(conll14: CoNLL14) -> Scored:
    data = read_ieval(conll14.folder / "official-2014.combined.ieval.xml")
    return score(IMeasure(), data, {system: conll14.outputs(system) for system in SYSTEMS})


def scored(source: str, output: str, *references: str) -> Scored:
    return score(IMeasure(), EvaluationSet((source,), (references,)), {"x": [output]})


def row(*texts: str) -> list[int]:
    return [int(figure) for figure in scored(*texts).rows.values[0, 0]]


def counted(texts: list[IntArray], slack: np.int64) -> list[int]:
    from metrics.kernels.imeasure_kernel import align

    source, output, reference = texts
    counts, made = align(source, output, reference, slack, FULL_TABLE)
    assert made
    return [int(count) for count in counts]


def test_there_are_as_many_references_as_in_the_released_tool(conll14: CoNLL14) -> None:
    data = read_ieval(conll14.folder / "official-2014.combined.ieval.xml")
    assert sum(len(references) for references in data.references or ()) == 2373


@pytest.mark.parametrize("system", OFFICIAL)
def test_equals_the_released_tool(systems: Scored, system: str) -> None:
    corpus = systems.corpus(system)
    counts = [corpus.details[f"{name} of correction"] for name in ("TP", "TN", "FP", "FN", "FPN")]
    assert (*counts, round(100 * (corpus.value or 0), 2)) == OFFICIAL[system]
    if system in ACCURACIES:
        accuracies = corpus.details["WAcc of correction"], corpus.details["WAcc of the source"]
        assert tuple(round(100 * each, 2) for each in accuracies) == ACCURACIES[system]
    assert corpus.not_scored == 0


def test_the_other_systems_and_the_source(systems: Scored) -> None:
    values = {system: round(100 * (systems.corpus(system).value or 0), 2) for system in UNFINISHED}
    assert values == UNFINISHED
    assert systems.corpus("INPUT").value == 0


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("system", ["AMU", "CAMB", "RAC"])
def test_the_pruned_alignment_equals_the_full_one(conll14: CoNLL14, system: str, step: int) -> None:
    """On every sentence, or on a part of them."""
    from metrics.kernels.imeasure_kernel import EVERYTHING, FIRST_SLACK

    data = read_ieval(conll14.folder / "official-2014.combined.ieval.xml")
    numbers: dict[str, int] = {}

    def encoded(text: str) -> IntArray:
        return np.array([numbers.setdefault(token, len(numbers)) for token in text.split()], dtype=np.int64)

    outputs = conll14.outputs(system)
    cases = list(zip(data.sources, outputs, data.references or (), strict=True))
    for source, output, references in cases[::step]:
        for reference in references:
            texts = [encoded(text) for text in (source, output, reference)]
            assert counted(texts, FIRST_SLACK) == counted(texts, EVERYTHING)


@given(words, words, words)
def test_counts_equal_a_plain_statement(source: list[str], output: list[str], reference: list[str]) -> None:
    *counts, same, different = row(*(" ".join(text) for text in (source, output, reference)))
    assert tuple(counts) == plain_imeasure.counts(source, output, reference)
    assert (0, same, 0, different, 0) == plain_imeasure.counts(source, source, reference)


@given(words, words, st.lists(words, min_size=1, max_size=3))
def test_the_reference_that_suits_best_counts(
    source: list[str], output: list[str], references: list[list[str]]
) -> None:
    texts = (" ".join(text) for text in (source, output, *references))
    assert tuple(row(*texts)[:5]) == plain_imeasure.best(source, output, references)


def test_i_of_a_better_an_equal_and_a_worse_output() -> None:
    assert scored("a b c", "a b d", "a b d").corpus("x").value == 1
    assert scored("a b c", "a b c", "a b d").corpus("x").value == 0
    # WAcc falls from 1 to (2 * 0 + 2) / (2 * 1 + 2) = 1/2.
    assert scored("a b c", "a b d", "a b c").corpus("x").value == -0.5


def test_a_wrong_token_changed_into_another_wrong_one_is_detected_but_not_corrected() -> None:
    details = scored("a b c", "a x c", "a y c").corpus("x").details
    assert [details[f"{name} of correction"] for name in ("TP", "FP", "FN", "FPN")] == [0, 1, 1, 1]
    assert [details[f"{name} of detection"] for name in ("TP", "FP", "FN", "FPN")] == [1, 0, 0, 0]
    assert details["F1 of detection"] == 1
    assert details["F1 of correction"] == 0


def test_a_sentence_without_references_is_correct_as_it_stands() -> None:
    assert row("a b", "a c") == row("a b", "a c", "a b")


MIXABLE = (
    Annotation("0", (GoldEdit(0, 1, ("x", "unused")), GoldEdit(2, 3, ("y",)))),
    Annotation("1", (GoldEdit(0, 1, ("z",)),)),
)


def test_mixed_references_take_one_alternative_of_each_cluster() -> None:
    texts = {" ".join(text) for text in mixed_references(["a", "b", "c"], MIXABLE, 10)}
    assert texts == {"x b y", "x b c", "z b y", "z b c"}
    with pytest.raises(TooManyReferencesError, match="4 mixed references, at most 3 are allowed"):
        mixed_references(["a", "b", "c"], MIXABLE, 3)


def test_overlapping_edits_are_alternatives_of_one_cluster() -> None:
    longer = Annotation("1", (GoldEdit(0, 3, ("z",)),))
    texts = {" ".join(text) for text in mixed_references(["a", "b", "c"], (MIXABLE[0], longer), 10)}
    assert texts == {"x b y", "z"}


def test_a_correction_that_leaves_nothing_is_left_out() -> None:
    assert mixed_references(["a"], (Annotation("0", (GoldEdit(0, 1, ("",)),)),), 10) == [["a"]]
    assert mixed_references(["a"], (), 10) == [["a"]]


def test_mixing_matches_more_and_refuses_too_many_combinations() -> None:
    data = EvaluationSet(("a b c",), annotations=(MIXABLE,))
    mixed = score(IMeasure(IMeasureParameters(mix=True)), data, {"x": ["z b y"]})
    assert mixed.corpus("x").value == 1
    assert "|mix:yes|" in mixed.signature
    refused = score(IMeasure(IMeasureParameters(mix=True, max_mixed=3)), data, {"x": ["z b y"]})
    assert refused.not_scored("x") == {0: "4 mixed references, at most 3 are allowed"}
    with pytest.raises(InputError, match="imeasure needs gold edits"):
        score(IMeasure(IMeasureParameters(mix=True)), EvaluationSet(("a",), (("a",),)), {"x": ["a"]})


@pytest.mark.parametrize(
    ("texts", "fits"),
    [
        (("a b " * 1000, "a b " * 999 + "a c", "b " + "a b " * 999), True),
        (("a " * 40, "b " * 400, "c " * 40), True),
        (("a " * 400, "b " * 400, "c " * 400), True),
        (tuple(" ".join(text) for text in RANDOM), False),
        (("a " * 3000, "b " * 3000, "c"), False),
        (("", "", ""), True),
        (("a", "", ""), True),
        (("", "a", "b"), True),
    ],
)
def test_hostile_texts_are_scored_or_refused_with_a_reason(texts: tuple[str, ...], fits: bool) -> None:
    reduced = IMeasure().prepare(EvaluationSet((texts[0],), ((texts[2],),)))(0, texts[1])
    assert isinstance(reduced, NotScored) is not fits
