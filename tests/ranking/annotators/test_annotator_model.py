"""Bradley-Terry with reliabilities of annotators and the style of outputs."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from formats.snapshot.snapshots import frame_of_file
from ranking import AnnotatorModel, Effect, SnapshotError, annotator_model, count_pairs
from ranking.models.bradley_terry import bradley_terry
from tests.depth import examples
from tests.memory import peak_of
from tests.ranking.frames import frame, snapshot

STRENGTHS = {"A": 0.8, "B": 0.3, "C": -0.3, "D": -0.8}


def judged(
    *, seed: int, annotators: dict[str, float], sentences: int = 150, length_bias: float = 0.0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rankings by annotators of these reliabilities, and the length of each output; C writes longer ones."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, object]] = []
    lengths: dict[tuple[int, str], int] = {}
    for sentence in range(sentences):
        length = {system: int(rng.integers(5, 15)) + 6 * (system == "C") for system in STRENGTHS}
        lengths |= {(sentence, f"{system}{sentence}"): length[system] for system in STRENGTHS}
        for judge, reliability in annotators.items():
            seen = {
                system: reliability * (strength + length_bias * length[system]) + rng.gumbel()
                for system, strength in STRENGTHS.items()
            }
            rows += [
                {
                    "judgment": f"{judge} {sentence}",
                    "annotator": judge,
                    "sentence": sentence,
                    "output": f"{system}{sentence}",
                    "systems": (system,),
                    "rank": 1 + sum(value > seen[system] for value in seen.values()),
                }
                for system in STRENGTHS
            ]
    index = pd.MultiIndex.from_tuples(lengths, names=["sentence", "output"])
    return frame(rows), pd.DataFrame({"length": list(lengths.values())}, index=index, dtype=float)


def named(effects: tuple[Effect, ...]) -> dict[str, Effect]:
    return {effect.name: effect for effect in effects}


def order(model: AnnotatorModel) -> list[str]:
    return [effect.name for effect in model.systems]


def test_with_equal_judges_and_no_style_it_is_bradley_terry() -> None:
    """The wide prior moves strengths by less than a hundredth."""
    answers, _ = judged(seed=1, annotators={"anna": 1.0, "ben": 1.0})
    model = annotator_model(answers, reliabilities=False)
    plain = {row.system: row.strength for row in bradley_terry(count_pairs(answers)).strengths}
    assert {effect.name: effect.value for effect in model.systems} == pytest.approx(plain, abs=0.01)
    assert (model.annotators, model.style) == ((), ())
    assert model.pairs == model.used == 2 * 150 * 6


def test_intervals_hold_the_planted_strengths_and_reliabilities() -> None:
    """At the scale of the mean judge, in about 95 of 100 cases."""
    reliabilities = {"anna": 1.4, "ben": 1.0, "cleo": 0.6}
    held = asked = 0
    for seed in range(examples(100)):
        answers, _ = judged(seed=seed, annotators=reliabilities, sentences=60)
        model = annotator_model(answers)
        planted = [(effect, STRENGTHS[effect.name]) for effect in model.systems]
        planted += [(effect, reliabilities[effect.name]) for effect in model.annotators]
        held += sum((effect.low or 0) <= value <= (effect.high or 0) for effect, value in planted)
        asked += len(planted)
    assert held >= 0.9 * asked


def test_a_judge_with_one_judgment_is_not_known_well() -> None:
    """The other one, who made nearly all judgments, sets the scale."""
    many = (("anna", sentence, "A > B" if sentence % 3 else "B > A") for sentence in range(60))
    annotators = named(annotator_model(snapshot(*many, ("ben", 0, "A > B"))).annotators)
    assert annotators["ben"].low == 0
    assert (annotators["ben"].high or 0) > 3
    assert (annotators["anna"].high or 0) - (annotators["anna"].low or 0) < 1
    assert annotators["anna"].value == pytest.approx(1, abs=0.05)


def test_tests_and_intervals_agree_although_intervals_of_reliabilities_end_at_0() -> None:
    for seed in range(20):
        answers, style = judged(seed=seed, annotators={"anna": 1.0, "ben": 0.1, "cleo": 1.5}, sentences=6)
        model = annotator_model(answers, style)
        for neutral, effects in ((1.0, model.annotators), (0.0, model.style)):
            for effect in effects:
                assert effect.low is not None
                assert effect.high is not None
                assert effect.p_value is not None
                end = effect.high if effect.value < neutral else effect.low
                assert (effect.p_value < 0.05) == ((end < neutral) == (effect.value < neutral))
        assert all(effect.p_value is None for effect in model.systems)


def test_ties_alone_leave_strengths_open() -> None:
    first, second = annotator_model(
        snapshot(*(("anna", sentence, "A = B") for sentence in range(20)))
    ).systems
    assert first.value == second.value == 0
    assert (first.high or 0) > 1


@pytest.mark.parametrize("judgments", [[], [("anna", 0, "A")], [("anna", 0, "A > B"), ("ben", 0, "B > A")]])
def test_a_single_sentence_gives_no_intervals(judgments: list[tuple[str, int, str]]) -> None:
    model = annotator_model(snapshot(*judgments))
    assert all(effect.low is None for effect in (*model.systems, *model.annotators))


def test_a_random_judge_loses_weight() -> None:
    answers, _ = judged(seed=2, annotators={"anna": 1.0, "ben": 1.0, "random": 0.0})
    annotators = named(annotator_model(answers).annotators)
    assert annotators["random"].value < 0.2
    assert annotators["anna"].value > 0.7
    assert (annotators["random"].low or 0) <= 0
    assert (annotators["anna"].low or 0) > (annotators["random"].high or 0.2)


def test_a_contrary_judge_has_reliability_0() -> None:
    answers, _ = judged(seed=3, annotators={"anna": 1.0, "ben": 1.0, "contrary": -1.0})
    contrary = named(annotator_model(answers).annotators)["contrary"]
    assert (contrary.value, contrary.low) == (0, 0)
    assert 0 < (contrary.high or 1) < 0.5


def test_random_judges_are_below_the_average_by_their_interval_wherever_they_come_out() -> None:
    """About half of them come out at 0, and are known as well as those just above it."""
    number, held = examples(40), 0
    for seed in range(number):
        answers, _ = judged(seed=seed, annotators={"anna": 1.0, "ben": 1.0, "random": 0.0})
        random = named(annotator_model(answers).annotators)["random"]
        held += random.low == 0
        assert 0 < (random.high or 1) < 0.7
    assert held >= 0.9 * number


def test_a_planted_bias_for_length_is_found_and_taken_out() -> None:
    """C, third in quality, comes first by being long; the true weight mostly lies in its interval."""
    inside = 0
    number = examples(40)
    for seed in range(number):
        answers, lengths = judged(seed=seed, annotators={"anna": 1.0, "ben": 1.0}, length_bias=0.25)
        with_style = annotator_model(answers, lengths, reliabilities=False)
        assert order(annotator_model(answers, reliabilities=False))[0] == "C"
        assert order(with_style) == ["A", "B", "C", "D"]
        [weight] = with_style.style
        inside += (weight.low or 0) <= 0.25 <= (weight.high or 0)
    assert inside >= 0.9 * number - 1


def test_reliabilities_have_a_mean_of_one_over_pairs() -> None:
    answers, _ = judged(seed=4, annotators={"anna": 1.5, "ben": 1.0, "cleo": 0.5})
    annotators = annotator_model(
        answers[(answers["annotator"] != "cleo") | (answers["sentence"] < 50)]
    ).annotators
    values, pairs = [effect.value for effect in annotators], [effect.pairs for effect in annotators]
    assert values[0] > values[1] > values[2]
    assert pairs == [900, 900, 300]
    assert np.average(values, weights=pairs) == pytest.approx(1)


def test_an_output_without_style_is_named() -> None:
    answers, lengths = judged(seed=5, annotators={"anna": 1.0}, sentences=3)
    with pytest.raises(SnapshotError, match="the output A0 of sentence 0 has no style"):
        annotator_model(answers, lengths.drop(index=(0, "A0")))


def test_a_system_that_won_everything_has_a_strength_all_the_same() -> None:
    model = annotator_model(snapshot(*(("anna", sentence, "A > B = C") for sentence in range(9))))
    assert order(model)[0] == "A"
    assert all(np.isfinite(effect.value) for effect in model.systems)


def test_the_eight_judges_of_gjg15_differ_in_reliability(reference_data: Path) -> None:
    """Judge 8 is the least like the others in the paper's tables; its interval lies below that of judge 7."""
    model = annotator_model(frame_of_file(reference_data / "gjg15" / "judgments.xml"))
    annotators = named(model.annotators)
    assert order(model)[0] == "AMU"
    assert order(model)[-1] == "IPN"
    assert (annotators["annotator07"].low or 0) > (annotators["annotator03"].high or 9)


def test_judgments_are_drawn_where_there_are_too_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """All pairs are counted, and the model is that of the drawn judgments."""
    answers, style = judged(seed=2, annotators={"anna": 1.0, "ben": 0.5})
    judgments = sorted(set(answers["judgment"]))
    pairs = 6 * len(judgments)
    monkeypatch.setattr(sys.modules[annotator_model.__module__], "MOST_PAIRS", pairs // 4)
    model = annotator_model(answers, style, seed=3)
    drawn = np.random.default_rng(3).random(len(judgments)) < 1 / 4
    alone = annotator_model(answers[answers["judgment"].isin(np.array(judgments)[drawn])], style)
    assert (model.pairs, model.used) == (pairs, 6 * drawn.sum())
    for kind in ("systems", "annotators", "style"):
        values = [effect.value for effect in getattr(model, kind)]
        assert values == [effect.value for effect in getattr(alone, kind)]


def test_memory_holds_the_pairs_that_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is needed for each rating that is not drawn takes less than 300 bytes, far less than its pairs."""
    answers, style = judged(seed=2, annotators={f"a{number}": 1.0 for number in range(40)}, sentences=300)
    monkeypatch.setattr(sys.modules[annotator_model.__module__], "MOST_PAIRS", 1000)
    annotator_model(answers, style)  # Compiles.
    assert peak_of(lambda: annotator_model(answers, style)) < 300 * len(answers)
