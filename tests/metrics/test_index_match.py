"""Exact index match: the changed words, and that they belong to an alignment of smallest cost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from scipy.optimize import linear_sum_assignment

from metrics import EvaluationSet, metric_from_text, score
from metrics.index_match import changed_words

WORDS = st.lists(st.sampled_from(["a", "an", "the", "then", "cat", "cats"]), max_size=7)


@pytest.mark.parametrize(
    ("source", "output", "changed"),
    [
        ("the cat sit", "the cat sits", {2}),
        ("the cat sit", "the cat sit down", set()),
        ("the cat the dog", "the cat dog", {2}),
        ("the cat the dog", "cat the dog", {0}),
        ("now he goes", "he goes now", set()),
        ("a b", "", {0, 1}),
        ("", "a", set()),
        ("a", "A", {0}),
    ],
    ids=["replaced", "inserted", "second deleted", "first deleted", "moved", "all", "nothing", "case"],
)
def test_words_that_are_changed(source: str, output: str, changed: set[int]) -> None:
    assert changed_words(source.split(), output.split()) == changed


@given(source=WORDS, output=WORDS)
def test_unchanged_words_are_part_of_an_alignment_of_smallest_cost(
    source: list[str], output: list[str]
) -> None:
    """Costs are edit distances, and lengths of words that are not aligned (section 3 of the paper)."""

    def smallest(words: list[str], others: list[str]) -> int:
        padded = words + [""] * len(others), others + [""] * len(words)
        costs = np.array([[Levenshtein.distance(one, other) for other in padded[1]] for one in padded[0]])
        return int(costs[linear_sum_assignment(costs)].sum()) if costs.size else 0

    changed = changed_words(source, output)
    rest = list(output)
    for place, word in enumerate(source):
        if place not in changed:
            rest.remove(word)
    left = [source[place] for place in sorted(changed)]
    assert smallest(left, rest) == smallest(source, output)
    assert not set(left) & set(rest)


def test_a_reference_may_change_the_same_words_otherwise() -> None:
    data = EvaluationSet(("he go home", "it is"), (("he goes home", "she goes home"), ("it is",)))
    scored = score(metric_from_text("index-match"), data, {"x": ["he went home", "it is ."]})
    assert scored.sentences("x").tolist() == [1, 1]
    assert (
        score(metric_from_text("exact-match"), data, {"x": ["he went home", "it is ."]}).corpus("x").value
        == 0
    )
    wrong = score(metric_from_text("index-match"), data, {"x": ["he go house", "it was"]})
    assert wrong.sentences("x").tolist() == [0, 0]
