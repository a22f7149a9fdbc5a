"""Scores by systems, severity of judges and style."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from ranking import NotLinkedError, severity_model, system_means
from tests.depth import examples

MEANS = {"A": 70.0, "B": 60.0, "C": 50.0}
LENIENCY = {"anna": 0.0, "ben": 15.0, "cleo": -15.0}


def scored(seed: int, *, words: float = 0.0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Ben, who is lenient, mostly scores C, and Cleo, who is strict, mostly A."""
    rng = np.random.default_rng(seed)
    rows, lengths = [], {}
    for sentence in range(200):
        ease = rng.normal(0, 10)
        for system, mean in MEANS.items():
            output = f"{system}{sentence}"
            lengths[sentence, output] = int(rng.integers(5, 15)) + 4 * (system == "C")
            fits = {"anna": True, "ben": system == "C", "cleo": system == "A"}
            for judge, leniency in LENIENCY.items():
                if fits[judge] or rng.random() < 0.3:
                    value = mean + ease + leniency + words * lengths[sentence, output] + rng.normal(0, 8)
                    rows.append((f"{judge} {sentence}", judge, sentence, output, (system,), value))
    columns = ["judgment", "annotator", "sentence", "output", "systems", "score"]
    index = pd.MultiIndex.from_tuples(lengths, names=["sentence", "output"])
    style = pd.DataFrame({"words": list(lengths.values())}, index=index, dtype=float)
    return pd.DataFrame(rows, columns=columns), style


def test_severity_is_found_and_taken_out_of_the_means() -> None:
    """Plain means put A and C close together; intervals of 95 % hold the planted values nearly always."""
    held = asked = 0
    for seed in range(examples(40)):
        snapshot, _ = scored(seed)
        plain = {mean.system: mean.score or 0.0 for mean in system_means(snapshot)}
        assert plain["A"] - plain["C"] < 12
        model = severity_model(snapshot)
        assert [effect.name for effect in model.systems] == ["A", "B", "C"]
        centre = float(np.mean([effect.value for effect in model.systems]))
        planted = [(effect, MEANS[effect.name] - 60 + centre) for effect in model.systems]
        planted += [(effect, LENIENCY[effect.name]) for effect in model.annotators]
        held += sum((effect.low or -99) <= value <= (effect.high or 99) for effect, value in planted)
        asked += len(planted)
    assert held >= 0.9 * asked


def of_few_sentences(seed: int) -> pd.DataFrame:
    """Fifteen sentences by two of six judges each, who see a sentence more or less kindly."""
    rng = np.random.default_rng(seed)
    rows = []
    for sentence in range(15):
        for judge in rng.choice(6, 2, replace=False):
            mood = rng.normal(0, 6)
            for system, mean in MEANS.items():
                value = mean + 5 * judge + mood + rng.normal(0, 8)
                judged = f"{judge} {sentence}", f"judge {judge}", sentence
                rows.append((*judged, f"{system}{sentence}", (system,), value))
    return pd.DataFrame(rows, columns=["judgment", "annotator", "sentence", "output", "systems", "score"])


def test_intervals_of_judges_with_few_sentences_are_not_too_narrow() -> None:
    held = asked = 0
    for seed in range(examples(200)):
        judges = severity_model(of_few_sentences(seed)).annotators
        for judge in judges:
            if judge.low is not None and judge.high is not None:
                planted = 5 * (int(judge.name.removeprefix("judge ")) - 2.5)
                held += judge.low <= planted <= judge.high
                asked += 1
    assert held >= 0.92 * asked


def test_intervals_are_those_of_fits_without_each_sentence() -> None:
    """Sentences have fewer or more scores than there are systems and judges."""
    snapshot = scored(3)[0].query("sentence < 40")
    counts = snapshot.groupby("sentence").size()
    assert counts.min() < len(MEANS) + len(LENIENCY) < counts.max()
    without = [severity_model(snapshot[snapshot["sentence"] != left_out]) for left_out in range(40)]
    for place, effect in enumerate(severity_model(snapshot).annotators):
        assert effect.low is not None
        moved = [model.annotators[place].value - effect.value for model in without]
        error = np.sqrt(39 / 40 * np.square(moved).sum())
        sentences = snapshot.loc[snapshot["annotator"] == effect.name, "sentence"].nunique()
        assert effect.value - effect.low == pytest.approx(error * student.ppf(0.975, sentences - 1))


def test_a_judge_of_one_sentence_has_no_interval() -> None:
    snapshot, _ = scored(1)
    is_kept = (snapshot["annotator"] != "cleo") | (snapshot["sentence"] == 3)
    intervals = {judge.name: judge.low for judge in severity_model(snapshot[is_kept]).annotators}
    assert intervals["cleo"] is None
    assert intervals["anna"] is not None


def test_a_planted_weight_of_length_is_found() -> None:
    snapshot, style = scored(7, words=1.5)
    model = severity_model(snapshot, style)
    [weight] = model.style
    assert (weight.low or 9) <= 1.5 <= (weight.high or 0)
    assert {effect.name: effect.value for effect in model.annotators} == pytest.approx(LENIENCY, abs=2.5)


def test_a_balanced_design_gives_plain_means() -> None:
    rows = [
        (f"{judge} {sentence}", judge, sentence, f"{system}{sentence}", (system,), mean + leniency + sentence)
        for sentence in range(4)
        for system, mean in MEANS.items()
        for judge, leniency in LENIENCY.items()
    ]
    columns = ["judgment", "annotator", "sentence", "output", "systems", "score"]
    snapshot = pd.DataFrame(rows, columns=columns)
    model = severity_model(snapshot)
    plain = {mean.system: mean.score for mean in system_means(snapshot)}
    assert {effect.name: effect.value for effect in model.systems} == pytest.approx(plain)
    assert {effect.name: effect.value for effect in model.annotators} == pytest.approx(LENIENCY, abs=1e-9)
    assert model.ratings == 36


def test_means_do_not_depend_on_the_judge_with_most_scores() -> None:
    """Ben, the lenient judge, judged every sentence, the others one in two."""
    rows = [
        (f"{judge} {sentence}", judge, sentence, f"{system}{sentence}", (system,), mean + leniency)
        for sentence in range(4)
        for system, mean in MEANS.items()
        for judge, leniency in LENIENCY.items()
        if judge == "ben" or sentence % 2
    ]
    columns = ["judgment", "annotator", "sentence", "output", "systems", "score"]
    model = severity_model(pd.DataFrame(rows, columns=columns))
    assert {effect.name: effect.value for effect in model.systems} == pytest.approx(MEANS)


def test_a_single_sentence_gives_no_intervals() -> None:
    snapshot, _ = scored(1)
    first = snapshot[(snapshot["sentence"] == 0) & (snapshot["annotator"] == "anna")]
    assert all(effect.low is None for effect in severity_model(first).systems)


def test_judges_who_share_no_sentence_have_no_leniency_and_systems_are_compared_all_the_same() -> None:
    """What a judge gives more cannot be told from the ease of the judge's sentences."""
    snapshot, _ = scored(1)
    anna_first = (snapshot["annotator"] == "anna") & (snapshot["sentence"] < 100)
    ben_later = (snapshot["annotator"] == "ben") & (snapshot["sentence"] >= 100)
    model = severity_model(snapshot[anna_first | ben_later])
    assert model.annotators == ()
    assert [effect.name for effect in model.systems] == ["A", "B", "C"]
    assert model.systems[0].value - model.systems[2].value == pytest.approx(20, abs=5)


def test_systems_that_share_no_sentence_cannot_be_compared() -> None:
    snapshot, _ = scored(1)
    apart = (snapshot["systems"] == ("A",)) == (snapshot["sentence"] < 100)
    with pytest.raises(NotLinkedError):
        severity_model(snapshot[apart & (snapshot["systems"] != ("B",))])


def test_a_property_that_only_one_system_has_cannot_be_told_from_it() -> None:
    snapshot, style = scored(1)
    is_of_c = [float(output.startswith("C")) for _, output in style.index]
    with pytest.raises(NotLinkedError):
        severity_model(snapshot, style.assign(unchanged=is_of_c))
