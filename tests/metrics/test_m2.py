"""M2: equal to the official scorer and to a plain implementation, and fast on hostile texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.benchmarks import plain_m2
from metrics import Annotation, EvaluationSet, GoldEdit, score
from metrics.kernels.m2_kernel.annotator_choice import choose_annotators
from metrics.kernels.m2_kernel.lattice import lattice
from metrics.kernels.m2_kernel.matching import best_edits, matched
from metrics.m2 import M2, M2Parameters
from tests.metrics.reference_data import CoNLL14, gold_edits, lines

OFFICIAL = {
    "CAMB": (0.3971, 0.3010, 0.3733),
    "CUUI": (0.4178, 0.2488, 0.3679),
    "AMU": (0.4162, 0.2140, 0.3501),
    "POST": (0.3451, 0.2173, 0.3088),
    "NTHU": (0.3508, 0.1885, 0.2992),
    "RAC": (0.3314, 0.1499, 0.2668),
    "UMC": (0.3127, 0.1446, 0.2537),
    "PKU": (0.3221, 0.1365, 0.2532),
    "SJTU": (0.3011, 0.0510, 0.1519),
    "UFC": (0.7000, 0.0172, 0.0784),
    "IPN": (0.1128, 0.0285, 0.0709),
    "IITB": (0.3077, 0.0139, 0.0590),
    "INPUT": (1.0, 0.0, 0.0),
}
"""Precision, recall and F0.5 of the official scorer, version 3.2, on `official-2014.combined.m2`."""

PERFECT = {1: (0.318, 0.269), 2: (0.4165, 0.354), 3: (0.485, 0.410), 5: (0.540, 0.455), 10: (0.590, 0.495)}
"""F0.5 by number of references, without and with edits of white space and case; rounded to 0.005."""

SOURCE = "There is no a doubt , tracking system has brought many benefits ."
OUTPUT = "There is no doubt , tracking systems have brought many benefits ."

words = st.lists(st.sampled_from(["a", "b", "c", "A"]), max_size=7)


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, str, tuple[Annotation, ...]]:
    """A source, an output and up to two annotators' edits, which may repeat, overlap and change nothing."""
    source = draw(words)
    annotations = []
    for name in ("0", "1")[: draw(st.integers(0, 2))]:
        edits = []
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, len(source)))
            end = draw(st.integers(start, min(len(source), start + 2)))
            choices = [" ".join(draw(words)[:3]) for _ in range(draw(st.integers(1, 2)))]
            edits.append(GoldEdit(start, end, tuple(choices)))
        annotations.append(Annotation(name, tuple(edits)))
    return " ".join(source), " ".join(draw(words)), tuple(annotations)


def rows(metric: M2, source: str, output: str, annotations: tuple[Annotation, ...]) -> list[list[float]]:
    reduced = metric.prepare(EvaluationSet((source,), annotations=(annotations,)))(0, output)
    assert isinstance(reduced, np.ndarray)
    return [[float(figure) for figure in row[:3]] for row in reduced]


@pytest.mark.parametrize("system", OFFICIAL)
def test_equals_the_official_scorer(conll14: CoNLL14, system: str) -> None:
    corpus = score(M2(), conll14.gold, {system: conll14.outputs(system)}).corpus(system)
    figures = (corpus.details["precision"], corpus.details["recall"], corpus.value)
    assert tuple(round(figure or 0, 4) for figure in figures) == OFFICIAL[system]
    assert corpus.not_scored == 0


@pytest.mark.parametrize("references", PERFECT)
def test_f_of_a_perfect_corrector(conll14: CoNLL14, references: int) -> None:
    folder = conll14.folder.parent / "corrections" / "perfect-corrector"
    data = gold_edits(folder / f"{references}.m2")
    outputs = {"perfect": lines(folder / f"{references}.output.txt")}
    for ignored, expected in zip((True, False), PERFECT[references], strict=True):
        metric = M2(M2Parameters(ignore_whitespace_casing=ignored))
        # The reported figures are rounded, the larger ones to .005.
        assert score(metric, data, outputs).corpus("perfect").value == pytest.approx(expected, abs=0.0015)


def test_scores_of_gjg15_came_from_another_gold(conll14: CoNLL14) -> None:
    published = (conll14.folder.parent / "gjg15" / "metric-scores" / "scores.m2").read_text().splitlines()
    for system, f, *_ in (line.split() for line in published):
        ours = score(M2(), conll14.gold, {system: conll14.outputs(system)}).corpus(system).value
        assert ours == pytest.approx(float(f), abs=0.007)


def test_edits_are_joined_as_the_annotator_joined_them() -> None:
    """The example of the paper's introduction."""
    joined = (GoldEdit(3, 5, ("doubt",)), GoldEdit(7, 9, ("systems have",)))
    parted = (GoldEdit(3, 4, ("",)), GoldEdit(7, 8, ("system", "systems")), GoldEdit(8, 9, ("have",)))
    assert rows(M2(), SOURCE, OUTPUT, (Annotation("0", joined),)) == [[2, 2, 2]]
    assert rows(M2(), SOURCE, OUTPUT, (Annotation("0", parted),)) == [[3, 3, 3]]


@given(cases(), st.integers(0, 3), st.booleans())
def test_counts_equal_a_plain_statement_of_the_algorithm(
    case: tuple[str, str, tuple[Annotation, ...]], max_unchanged: int, ignored: bool
) -> None:
    metric = M2(M2Parameters(max_unchanged=max_unchanged, ignore_whitespace_casing=ignored))
    assert rows(metric, *case) == [list(each) for each in plain_m2.counts(*case, max_unchanged, ignored)]


@given(st.lists(cases(), min_size=1, max_size=5), st.sampled_from([0.2, 0.5, 1.0, 2.0]))
def test_annotators_are_chosen_by_the_f_so_far(
    corpus: list[tuple[str, str, tuple[Annotation, ...]]], beta: float
) -> None:
    data = EvaluationSet(
        tuple(source for source, _, _ in corpus), annotations=tuple(gold for _, _, gold in corpus)
    )
    ours = score(M2(M2Parameters(beta=beta)), data, {"x": [output for _, output, _ in corpus]})
    details = ours.corpus("x").details
    total = plain_m2.corpus([plain_m2.counts(*case) for case in corpus], beta)
    counts = [details[name] for name in ("correct", "proposed", "gold")]
    assert counts == list(total)
    assert ours.corpus("x").value == pytest.approx(plain_m2.f_score(total, beta), abs=1e-12)


def test_the_order_of_sentences_matters() -> None:
    annotations = (
        (Annotation("0", (GoldEdit(0, 1, ("b",)),)), Annotation("1", ())),
        (Annotation("0", (GoldEdit(0, 1, ("b",)), GoldEdit(1, 2, ("d",)))), Annotation("1", ())),
    )
    data = EvaluationSet(("a c", "a c"), annotations=annotations)

    details = score(M2(), data, {"x": ["a c", "b c"]}).corpus("x").details
    assert [details[f"sentences by annotator {number}"] for number in (0, 1)] == [1, 1]


def test_a_sentence_without_annotators_is_left_unchanged() -> None:
    data = EvaluationSet(("a b", "a b"), annotations=((), (Annotation("1", (GoldEdit(0, 1, ("c",)),)),)))
    corpus = score(M2(), data, {"x": ["a c", "c b"]}).corpus("x")
    assert (corpus.details["correct"], corpus.details["proposed"], corpus.details["gold"]) == (1, 2, 1)


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("a " * 20, "a " * 90),
        ("a b " * 25, "b a a " * 30),
        ("a " * 45, "b " * 45),
        ("a", "b " * 2000),
        ("x " * 1000, "y " * 1000),
        ("x " * 3000, "y " * 3000),
        ("", "a b"),
        ("a b", ""),
    ],
)
def test_hostile_texts_are_scored_or_refused_with_a_reason(source: str, output: str) -> None:
    data = EvaluationSet((source, "a"), annotations=((Annotation("0", (GoldEdit(0, 0, ("a",)),)),), ()))
    scored = score(M2(), data, {"x": [output, "a"]})
    corpus = scored.corpus("x")
    assert corpus.value is not None
    assert corpus.not_scored == len(scored.not_scored("x"))
    assert all("M2" in reason for reason in scored.not_scored("x").values())


def test_each_step_is_compiled_once_whatever_the_texts() -> None:
    """Texts with edits, without gold edits, empty ones, and one that is refused."""
    gold = (Annotation("0", (GoldEdit(0, 1, ("b",)),)), Annotation("1", ()))
    data = EvaluationSet(("a c", "a c", "", "x " * 1000), annotations=(gold, (), (), ()))
    score(M2(), data, {"x": ["b c", "a", "b", "y " * 1000]}).corpus("x")
    for step in (lattice, best_edits, matched, choose_annotators):
        assert len(step.signatures) == 1  # type: ignore[union-attr]


def test_the_signature_names_options_and_annotators() -> None:
    data = EvaluationSet(("a", "b"), annotations=((Annotation("0", ()),), ()))
    signature = M2(M2Parameters(beta=1)).signature(data)
    options = "beta:1|max-unchanged:2|ignore-whitespace-casing:no"
    assert signature.startswith(f"m2|{options}|refs:0-1|tok:given|assay:")
