"""References that grow by outputs judged valid, on CoNLL-2014 with ten annotators as the judges."""

import pytest

from formats.m2 import read_m2
from metrics import Annotation, EvaluationSet, GoldEdit, InputError, metric_from_text, score
from metrics.references import (
    GrownReference,
    GrownScores,
    UncoveredOutput,
    covered_by,
    edits_between,
    grown_scores,
    in_words,
    uncovered_outputs,
    with_references,
)
from tests.depth import DEEP
from tests.metrics.reference_data import SYSTEMS, CoNLL14, lines

SCORED = [name for name in SYSTEMS if name != "INPUT"] if DEEP else ["CAMB", "UMC", "PKU"]
WORDS = edits_between(None)


def test_outputs_that_no_reference_contains_come_by_their_number_of_systems() -> None:
    outputs: dict[str, list[str | None]] = {
        "x": ["A  cat sits .", "New ."],
        "y": ["A cat sits .", "Other ."],
        "z": ["A cat sit .", "Other ."],
        "w": ["A dog", None],
    }
    uncovered = uncovered_outputs([["A cat  sit ."], []], outputs)
    assert uncovered == (
        UncoveredOutput(0, "A  cat sits .", ("x", "y")),
        UncoveredOutput(1, "Other .", ("y", "z")),
        UncoveredOutput(0, "A dog", ("w",)),
        UncoveredOutput(1, "New .", ("x",)),
    )


def test_a_sentence_without_gold_edits_stays_unchanged_by_one_annotator() -> None:
    data = EvaluationSet(("A b", "C d"), annotations=((Annotation("0", ()),), ()))
    grown = with_references(data, [GrownReference(1, "v", "C e", ("x",))], WORDS)
    assert grown.references is None
    assert grown.annotations == (
        (Annotation("0", ()),),
        (Annotation("", ()), Annotation("v", (GoldEdit(1, 2, ("e",), "R:OTHER"),))),
    )
    plain = with_references(EvaluationSet(("A b",), (("A c",),)), [GrownReference(0, "v", "B", ())], WORDS)
    assert (plain.references, plain.annotations) == ((("A c", "B"),), None)


def test_a_metric_without_counts_of_edits_is_refused() -> None:
    data = EvaluationSet(("a b",), (("a c",),))
    with pytest.raises(InputError, match="use m2 or errant"):
        grown_scores(metric_from_text("gleu"), data, [], {"x": ["a c"]}, WORDS, replicates=1)


def grown_references(conll14: CoNLL14) -> list[GrownReference]:
    """Outputs that no official reference contains, but one of the ten annotators wrote exactly."""
    official = read_m2(conll14.folder / "official-2014.combined.m2", lenient=True).sentences
    ten = [
        lines(conll14.folder / "references" / "bryant-ng-2015" / f"BN{number}.txt") for number in range(1, 11)
    ]
    valid = covered_by(list(zip(*ten, strict=True)))
    outputs = {name: conll14.outputs(name) for name in SYSTEMS if name != "INPUT"}
    uncovered = uncovered_outputs(
        [[each.text for each in sentence.references] for sentence in official], outputs
    )
    return [
        GrownReference(output.sentence, f"valid-{number}", output.text, output.systems)
        for number, output in enumerate(uncovered)
        if in_words(output.text) in valid[output.sentence]
    ]


@pytest.fixture(scope="module")
def grown(conll14: CoNLL14) -> list[GrownReference]:
    return grown_references(conll14)


@pytest.fixture(scope="module")
def changed(conll14: CoNLL14, grown: list[GrownReference]) -> GrownScores:
    outputs = {name: conll14.outputs(name) for name in SCORED}
    return grown_scores(metric_from_text("m2"), conll14.gold, grown, outputs, WORDS, replicates=20)


def counts(data: EvaluationSet, name: str, texts: list[str]) -> tuple[float, ...]:
    details = score(metric_from_text("m2"), data, {name: texts}).corpus(name).details
    tp = details["correct"]
    return tp, details["proposed"] - tp, details["gold"] - tp


def test_counts_equal_a_direct_recomputation(
    conll14: CoNLL14, grown: list[GrownReference], changed: GrownScores
) -> None:
    for system in changed.systems[:2]:
        texts = conll14.outputs(system.system)
        others = [each for each in grown if system.system not in each.systems]
        for figures, references in ((system.before, []), (system.after, grown), (system.without_own, others)):
            data = with_references(conll14.gold, references, WORDS)
            assert (figures.tp, figures.fp, figures.fn) == counts(data, system.system, texts)
        assert system.own == len(grown) - len(others) > 0


def test_false_positives_do_not_rise_and_scores_do(changed: GrownScores) -> None:
    for system in changed.systems:
        assert system.after.fp <= system.before.fp
        assert system.before.f.value is not None
        assert system.after.f.value is not None
        assert system.without_own.f.value is not None
        assert system.before.f.value < system.without_own.f.value < system.after.f.value
        assert system.gain.value == system.after.f.value - system.before.f.value
        assert system.gain.low is not None
        assert system.gain.low > 0


def test_systems_that_score_nearly_the_same_change_places_without_their_own_references(
    changed: GrownScores,
) -> None:
    ranks = {
        each.system: (each.rank_before, each.rank_after, each.rank_without_own) for each in changed.systems
    }
    umc, pku = ranks["UMC"], ranks["PKU"]
    assert umc[0] < pku[0]
    assert umc[1] < pku[1]
    assert umc[2] > pku[2]
