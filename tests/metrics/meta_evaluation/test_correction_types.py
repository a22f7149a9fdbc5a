"""Edits of systems compared with those of the references that ERRANT chooses, by type."""

from dataclasses import replace
from typing import Any
from weakref import ref

import numpy as np
import pytest
from scipy.stats import spearmanr

from metrics import Annotation, EvaluationSet, GoldEdit, metric_from_text, score
from metrics.base.evaluation_sets import EditedText
from metrics.base.scoring import Scored
from metrics.edits.errant_types import CATEGORIES
from metrics.errant import scores_by_type
from metrics.meta_evaluation import correction_types
from metrics.meta_evaluation.correction_types import TypeCounts, type_counts, type_ratios
from tests.memory import peak_of

SOURCE = "a b c d e f"
NAMES = list(CATEGORIES)


def edit(place: int, kind: str, text: str = "X") -> GoldEdit:
    return GoldEdit(place, place + 1, (text,), f"R:{kind}")


def annotated(*sentences: tuple[tuple[GoldEdit, ...], ...]) -> EvaluationSet:
    """Sentences with the edits of each of their references."""
    annotations = tuple(
        tuple(Annotation(str(number), edits) for number, edits in enumerate(references))
        for references in sentences
    )
    return EvaluationSet((SOURCE,) * len(sentences), None, annotations)


def output(*edits: GoldEdit) -> EditedText:
    words = SOURCE.split()
    for each in edits:
        words[each.start] = each.corrections[0]
    return EditedText(" ".join(words), edits)


def of(counts: TypeCounts, kind: str) -> tuple[float, float]:
    place = NAMES.index(kind)
    return float(counts.systems[0, place]), float(counts.people[0, place])


def counted(**of_kinds: tuple[float, float]) -> TypeCounts:
    """Counts of the whole set alone, by type those of systems and people."""
    both = np.zeros((2, 1, len(NAMES)))
    for kind, numbers in of_kinds.items():
        both[:, 0, NAMES.index(kind)] = numbers
    return TypeCounts(*both)


def test_an_output_counts_with_the_reference_that_it_is_closest_to() -> None:
    """The first one has three edits of nouns, the second a determiner."""
    nouns = tuple(edit(place, "NOUN") for place in (1, 2, 3))
    data = annotated((nouns, (edit(0, "DET"),)))
    near_first = type_counts(data, {"x": [output(nouns[0])]}, replicates=0)
    assert of(near_first, "NOUN") == (1, 3)
    assert of(near_first, "DET") == (0, 0)
    near_second = type_counts(data, {"x": [output(edit(0, "DET"))]}, replicates=0)
    assert of(near_second, "NOUN") == (0, 0)
    assert of(near_second, "DET") == (1, 1)


def test_edits_are_means_over_systems_right_or_wrong() -> None:
    data = annotated(((edit(0, "DET"), edit(2, "VERB")),))
    systems = {"right": [output(edit(0, "DET"))], "wrong": [output(edit(0, "DET", "Y"), edit(4, "DET"))]}
    counts = type_counts(data, systems, replicates=0)
    assert of(counts, "DET") == (1.5, 1)
    assert of(counts, "VERB") == (0, 1)


def test_a_missing_output_and_a_sentence_without_reference_do_not_count() -> None:
    data = annotated(((edit(0, "DET"),),), ((edit(0, "DET"),),))
    half = type_counts(data, {"x": [output(edit(0, "DET")), None]}, replicates=20)
    assert of(half, "DET") == (1, 1)
    whole = type_counts(data, {"x": [output(edit(0, "DET")), output()]}, replicates=20)
    assert of(whole, "DET") == (1, 2)
    texts = replace(data, annotations=None, references=((SOURCE,), ()))
    assert not type_counts(texts, {"x": [output(edit(0, "DET"))] * 2}, replicates=0).people.any()


def random_set(sentences: int) -> tuple[EvaluationSet, dict[str, list[str | None]]]:
    """Two references and two systems with random edits."""
    random = np.random.default_rng(5)

    def drawn() -> tuple[GoldEdit, ...]:
        places = np.flatnonzero(random.random(6) < 0.4)
        return tuple(edit(int(place), str(random.choice(["DET", "NOUN", "VERB"]))) for place in places)

    data = annotated(*((drawn(), drawn()) for _ in range(sentences)))
    return data, {name: [output(*drawn()) for _ in range(sentences)] for name in "xy"}


def test_counts_are_those_of_errants_scores() -> None:
    data, outputs = random_set(60)
    counts = type_counts(data, outputs, replicates=0)
    scored = score(
        metric_from_text("errant"), data, {name: list(map(_given, each)) for name, each in outputs.items()}
    )
    for kind in ("DET", "NOUN", "VERB"):
        of_systems = [scores_by_type(scored, name, "category")[kind] for name in outputs]
        made = sum(each.tp + each.fp for each in of_systems) / 2
        wanted = sum(each.tp + each.fn for each in of_systems) / 2
        assert of(counts, kind) == (made, wanted)
        assert wanted > 10


def _given(text: str | None) -> str:
    assert text is not None
    return text


def test_intervals_resample_sentences() -> None:
    data, outputs = random_set(150)
    ratios = type_ratios(type_counts(data, outputs, replicates=300, seed=3))
    assert ratios == type_ratios(type_counts(data, outputs, replicates=300, seed=3))
    assert ratios != type_ratios(type_counts(data, outputs, replicates=300, seed=4))
    for row in ratios.types:
        assert row.ratio.low is not None
        assert row.ratio.value is not None
        assert row.ratio.high is not None
        assert 0.5 < row.ratio.low < row.ratio.value < row.ratio.high < 1.6
    same = annotated(*(((edit(0, "DET"), edit(1, "DET")),),) * 40)
    half = type_ratios(type_counts(same, {"x": [output(edit(0, "DET"))] * 40}, replicates=300))
    assert [(row.ratio.low, row.ratio.high) for row in half.types] == [(0.5, 0.5)]


def test_ratios_are_of_totals() -> None:
    ratios = type_ratios(counted(DET=(3, 4), NOUN=(1.5, 6), VERB=(1, 2), WO=(0.5, 0)))
    assert [(row.type, row.ratio.value) for row in ratios.types] == [
        ("DET", 0.75),
        ("VERB", 0.5),
        ("NOUN", 0.25),
        ("WO", None),
    ]
    assert ratios.types[-1].ratio.reason == "people make no edit of this type"
    expected = spearmanr([0.75, 0.5, 0.25], [4, 2, 6])
    assert (ratios.frequency, ratios.p_value) == pytest.approx((expected.statistic, expected.pvalue))


def test_two_types_have_no_correlation() -> None:
    ratios = type_ratios(counted(DET=(3, 4), NOUN=(1.5, 6)))
    assert (ratios.frequency, ratios.p_value) == (None, None)


def test_types_that_nobody_corrects_are_left_out() -> None:
    assert type_ratios(counted()).types == ()


def test_memory_holds_a_few_resamples_at_a_time() -> None:
    """All resamples of a hundred thousand sentences would take 400 MB."""
    data = annotated(*[((edit(number % 6, "NOUN"),),) for number in range(2000)])
    outputs = {"x": [output(edit(number % 5, "NOUN")) for number in range(2000)]}
    type_counts(data, outputs, replicates=1)
    few = peak_of(lambda: type_counts(data, outputs, replicates=20))
    many = peak_of(lambda: type_counts(data, outputs, replicates=1000))
    assert many - few < 4 * 2000 * 980 / 2


def test_the_rows_of_a_system_are_gone_before_those_of_the_next_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = annotated(((edit(0, "DET"),),))
    earlier: list[ref[object]] = []

    def watched(*arguments: Any, **options: Any) -> Scored:
        assert not any(values() is not None for values in earlier)
        scored = score(*arguments, **options)
        earlier.append(ref(scored.rows.values))
        return scored

    monkeypatch.setattr(correction_types, "score", watched)
    type_counts(data, {name: [output(edit(1, "NOUN"))] for name in ("x", "y")}, replicates=1)
    assert len(earlier) == 2


def test_resamples_are_those_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    data = annotated(*[((edit(number, "NOUN"), edit(number + 1, "DET")),) for number in range(5)])
    outputs = {name: [output(edit(number, "NOUN")) for number in range(5)] for name in ("x", "y")}
    by_default = type_counts(data, outputs, replicates=50, seed=4)
    monkeypatch.setattr(correction_types, "DRAWN_AT_ONCE", 50)
    np.testing.assert_array_equal(
        by_default.systems, type_counts(data, outputs, replicates=50, seed=4).systems
    )
