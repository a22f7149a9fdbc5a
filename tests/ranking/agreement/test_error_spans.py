"""Agreement on marked errors: a worked example, and Krippendorff's alpha computed in another way."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import Level, krippendorff_alpha
from ranking.agreement.error_spans import SpanAgreement, span_agreement


def details(characters: int, *spans: tuple[int, int, str], missing: str = "") -> str:
    marks = [{"start": start, "end": end, "severity": severity} for start, end, severity in spans]
    more = {"missing": [{"severity": missing}]} if missing else {}
    return json.dumps({"characters": characters, "spans": marks, "span_score": 0, **more})


def frame(*rows: tuple[int, str, str]) -> pd.DataFrame:
    """Rows of sentence, annotator and details; a sentence has one output."""
    return pd.DataFrame(
        [(sentence, f"output {sentence}", annotator, text) for sentence, annotator, text in rows],
        columns=["sentence", "output", "annotator", "rating_details"],
    )


def agreement(snapshot: pd.DataFrame, **options: Any) -> SpanAgreement:
    return span_agreement(snapshot, **{"resamples": 20, "seed": 1, **options})


EXAMPLE = frame(
    (0, "a", details(25, (4, 6, "minor"), (17, 25, "minor"))),
    (0, "b", details(25, (4, 9, "major"), (17, 25, "minor"))),
)
"""“She go to school yesteday”: “go” against “go to”, and another severity."""


def test_a_worked_example() -> None:
    result = agreement(EXAMPLE)
    values = [each.value for each in result.coefficients]
    assert values[:4] == pytest.approx([0.869565, 0.782609, 0.655415, 0.763285], abs=5e-7)
    assert values[4] is None
    assert result.coefficients[4].reason == "no outputs were judged by two annotators, or all are alike"
    assert (result.outputs, result.pairs, result.unmarked_pairs) == (1, 1, 0)


@given(
    st.lists(
        st.lists(st.lists(st.integers(0, 2), min_size=6, max_size=6), min_size=2, max_size=4),
        min_size=1,
        max_size=4,
    )
)
def test_alpha_is_krippendorffs(labels: list[list[list[int]]]) -> None:
    rows, units, annotators, values = [], [], [], []
    for sentence, judged in enumerate(labels):
        for annotator, marks in enumerate(judged):
            spans = [(at, at + 1, ("minor", "major")[label - 1]) for at, label in enumerate(marks) if label]
            rows.append((sentence, str(annotator), details(6, *spans)))
            units += [6 * sentence + at for at in range(6)]
            annotators += [annotator] * 6
            values += marks
    found = agreement(frame(*rows), resamples=1).coefficients
    for place, given_values in ((2, np.array(values)), (3, np.array(values) > 0)):
        expected = krippendorff_alpha(units, annotators, given_values, Level.NOMINAL).value
        value = found[place].value
        assert (value is None) == (expected is None)
        assert value is None or value == pytest.approx(expected)


def test_an_output_that_nobody_marked_counts_nowhere_in_f1() -> None:
    both = pd.concat([EXAMPLE, frame((1, "a", details(5)), (1, "b", details(5)))])
    result = agreement(both)
    assert result.unmarked_pairs == 1
    assert result.coefficients[0].value == pytest.approx(0.869565, abs=5e-7)
    assert result.coefficients[2].value != pytest.approx(0.655415, abs=1e-3)


def test_the_last_answer_of_an_annotator_counts_and_one_alone_is_left_out() -> None:
    first = frame((0, "a", details(25, (0, 25, "major"))), (2, "a", details(3, (0, 1, "minor"))))
    assert agreement(pd.concat([first, EXAMPLE])) == agreement(EXAMPLE)


def test_missing_content_is_compared_by_output() -> None:
    rows = [
        (n, name, details(4, missing="major" if n < 2 or (n, name) == (2, "b") else ""))
        for n in range(4)
        for name in "ab"
    ]
    found = agreement(frame(*rows)).coefficients[4]
    expected = krippendorff_alpha(
        [n for n in range(4) for _ in "ab"], [0, 1] * 4, [1, 1, 1, 1, 0, 1, 0, 0], Level.NOMINAL
    ).value
    assert found.value == pytest.approx(expected)
    assert found.units == 8


def test_intervals_resample_sentences() -> None:
    rng = np.random.default_rng(5)
    rows = [
        (n, name, details(20, *[(s, s + 3, "minor") for s in (2, 9) if rng.random() < 0.6]))
        for n in range(40)
        for name in "ab"
    ]
    f1, *_ = agreement(frame(*rows), resamples=400).coefficients
    assert f1.low is not None
    assert f1.high is not None
    assert f1.value is not None
    assert f1.low < f1.value < f1.high
    assert agreement(frame(*rows), resamples=400).coefficients[0] == f1


def test_too_few_sentences_give_no_interval() -> None:
    """One sentence drawn with replacement is always itself, also among those that nobody marked."""
    unmarked = [(n, name, details(5)) for n in range(1, 9) for name in "ab"]
    for rows in (EXAMPLE, pd.concat([EXAMPLE, frame(*unmarked)])):
        f1 = agreement(rows).coefficients[0]
        assert f1.value == pytest.approx(0.869565, abs=5e-7)
        assert (f1.low, f1.high) == (None, None)
        assert f1.reason == "too few sentences were judged by two annotators for an interval"


def test_a_few_draws_may_hold_nothing_that_was_marked() -> None:
    marked = [(n, name, details(5, (0, 1, "minor"))) for n in range(2) for name in "ab"]
    unmarked = [(n, name, details(5)) for n in range(2, 30) for name in "ab"]
    found = [
        agreement(frame(*marked, *unmarked), resamples=1, seed=seed).coefficients[0] for seed in range(9)
    ]
    assert {each.value for each in found} == {1.0}
    assert {each.low for each in found} == {1.0, None}, "some draws hold one"


def test_nothing_to_compare() -> None:
    result = agreement(EXAMPLE.iloc[:1])
    assert result.outputs == 0
    assert all(each.value is None and each.reason for each in result.coefficients)
