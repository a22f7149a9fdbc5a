"""CLEME and CLEME2.0: values of the released tool, and chunks counted by hand."""

import pytest

from metrics import Annotation, EditedText, EvaluationSet, GoldEdit, Scored, metric_from_text, score
from metrics.edits.chunks import partition
from metrics.edits.edit_sources import Correction, corrected_words
from tests.metrics.reference_data import CoNLL14, edited_texts, gold_edits

CLEME = {
    "AMU": (0.2932, 0.2514, 0.3127, 0.2661),
    "CAMB": (0.3167, 0.2690, 0.3334, 0.2816),
    "UFC": (0.0798, 0.0685, 0.0921, 0.0777),
    "INPUT": (0.0, 0.0, 0.0, 0.0),
}
"""F0.5 on `conll14/errant-m2`: dependent, the same weighted, independent, the same weighted."""

CLEME2 = {"AMU": (0.4632, 0.4661), "CAMB": (0.5006, 0.4984), "UFC": (0.4032, 0.4048), "INPUT": (0.4, 0.4)}
"""Dependent and independent."""

VARIANTS = [
    f"cleme:corrections={corrections}:length-weights={weights}"
    for corrections in ("dependent", "independent")
    for weights in ("no", "yes")
]

SOURCE = ["a", "b", "c", "d", "e", "f"]

Edits = tuple[GoldEdit, ...]


def replaced(place: int, text: str = "x") -> GoldEdit:
    return GoldEdit(place, place + 1, (text,), "R:NOUN")


def corrected(*edits: GoldEdit) -> Correction:
    return Correction(edits, corrected_words(SOURCE, edits))


def scored(metric: str, output: Edits, *references: Edits) -> Scored:
    annotations = tuple(Annotation(str(number), edits) for number, edits in enumerate(references))
    data = EvaluationSet((" ".join(SOURCE),), annotations=(annotations,))
    text = EditedText(" ".join(corrected_words(SOURCE, output)), output)
    return score(metric_from_text(metric), data, {"x": [text]})


def details(metric: str, output: Edits, *references: Edits) -> dict[str, float]:
    return dict(scored(metric, output, *references).corpus("x").details)


@pytest.fixture(scope="module")
def gold(conll14: CoNLL14) -> EvaluationSet:
    return gold_edits(conll14.folder / "errant-m2" / "gold.m2")


@pytest.fixture(scope="module")
def outputs(conll14: CoNLL14) -> dict[str, list[EditedText]]:
    return {system: edited_texts(conll14.folder / "errant-m2" / f"{system}.m2") for system in CLEME}


@pytest.mark.parametrize(("place", "variant"), list(enumerate(VARIANTS)))
def test_cleme_equals_the_released_tool(
    place: int, variant: str, gold: EvaluationSet, outputs: dict[str, list[EditedText]]
) -> None:
    result = score(metric_from_text(variant), gold, outputs)
    for system, expected in CLEME.items():
        assert result.corpus(system).value == pytest.approx(expected[place], abs=0.00005)


@pytest.mark.parametrize(("place", "corrections"), [(0, "dependent"), (1, "independent")])
def test_cleme2_equals_the_released_tool(
    place: int, corrections: str, gold: EvaluationSet, outputs: dict[str, list[EditedText]]
) -> None:
    result = score(metric_from_text(f"cleme2:corrections={corrections}"), gold, outputs)
    for system, expected in CLEME2.items():
        assert result.corpus(system).value == pytest.approx(expected[place], abs=0.00005)


def test_counts_equal_the_released_tool(gold: EvaluationSet, outputs: dict[str, list[EditedText]]) -> None:
    amu = {"AMU": outputs["AMU"]}
    found = score(metric_from_text("cleme"), gold, amu).corpus("AMU").details
    assert [found[name] for name in ("TP", "FP", "FN", "TN")] == [382, 815, 1345, 6313]
    shares = score(metric_from_text("cleme2"), gold, amu).corpus("AMU").details
    names = ("hit", "wrong", "under-corrected", "over-corrected")
    assert [round(shares[name], 4) for name in names] == [0.1888, 0.1383, 0.6729, 0.4486]
    found = score(metric_from_text("cleme2:corrections=independent"), gold, amu).corpus("AMU").details
    assert [found[name] for name in ("TP", "FP where an error is", "FP where none is", "FN", "TN")] == [
        388,
        408,
        401,
        1029,
        6629,
    ]


def test_texts_are_cut_where_any_of_them_is_edited() -> None:
    """Edits that touch are one chunk, and an insertion is a chunk without source words."""
    chunks, untouched = partition(
        SOURCE,
        [
            corrected(replaced(1), replaced(4)),
            corrected(replaced(2), GoldEdit(6, 6, (".",))),
            corrected(),
        ],
    )
    assert [[" ".join(chunk.words) for chunk in each] for each in chunks] == [
        ["x c", "x", ""],
        ["b x", "e", "."],
        ["b c", "e", ""],
    ]
    assert [chunk.edited for chunk in chunks[0]] == [True, True, False]
    assert [chunk.length for chunk in chunks[1]] == [2, 1, 1]
    # a, d and f
    assert untouched == 3


def test_depending_corrections_are_compared_with_one_reference_at_a_time() -> None:
    output = (replaced(0), replaced(2))
    references = (replaced(0), replaced(4)), (replaced(2), replaced(4))
    found = details("cleme", output, *references)
    assert [found[name] for name in ("TP", "FP", "FN", "TN")] == [1, 1, 1, 3]
    assert found["sentences by reference 0"] == 1
    found = details("cleme:corrections=independent", output, *references)
    assert [found[name] for name in ("TP", "FP", "FN", "TN")] == [2, 0, 1, 3]


def test_an_edit_that_one_reference_lacks_is_no_miss() -> None:
    found = details("cleme:corrections=independent", (), (replaced(0),), ())
    assert [found[name] for name in ("FN", "TN")] == [0, 2]


def test_wrong_corrections_of_an_error_are_told_from_needless_ones() -> None:
    found = details("cleme2", (replaced(0, "y"), replaced(2)), (replaced(0), replaced(4)))
    assert found == {
        "hit": 0,
        "wrong": 0.5,
        "under-corrected": 0.5,
        "over-corrected": 0.5,
        "TP": 0,
        "FP where an error is": 1,
        "FP where none is": 1,
        "FN": 1,
        "TN": 3,
        "sentences by reference 0": 1,
    }


def test_longer_chunks_that_match_weigh_more() -> None:
    long = GoldEdit(0, 3, ("x y z",), "R:OTHER")
    output = (long, replaced(4))
    found = details("cleme:length-weights=yes", output, output)
    # Of three words and one; the mean is two.
    assert found["TP"] == pytest.approx(1.25 + 0.75)
    found = details("cleme:length-weights=yes", (), output)
    assert found["FN"] == pytest.approx(1.25 + 0.75)


def test_longer_chunks_that_are_wrong_weigh_less() -> None:
    long = GoldEdit(0, 3, ("x y z",), "R:OTHER")
    found = details("cleme:length-weights=yes", (long,), (replaced(4),))
    assert (found["FP"], found["FN"]) == pytest.approx((0.75, 1.0))


def test_an_empty_reference_counts_only_alone() -> None:
    empty = (GoldEdit(0, 6, ("",), "U:OTHER"),)
    assert "sentences by reference 1" not in details("cleme", (), empty, ())
    assert details("cleme", (), empty)["FN"] == 1


def test_an_unchanged_sentence_without_errors() -> None:
    assert scored("cleme", (), ()).corpus("x").value == 1.0
    # Nothing is hit, and nothing else goes wrong.
    assert scored("cleme2", (), ()).corpus("x").value == pytest.approx(0.55)


def test_sentences_of_cleme2_have_weights_of_their_own() -> None:
    result = scored("cleme2", (replaced(0),), (replaced(0), replaced(2)))
    assert result.sentences("x").tolist() == pytest.approx([0.35 * 0.5 + 0.25 + 0.20 * 0.5 + 0.20])
    assert result.corpus("x").value == pytest.approx(0.45 * 0.5 + 0.35 + 0.15 * 0.5 + 0.05)
