"""Changes of correctors: alignments against enumeration, word order, boundaries, the CoNLL-14 systems."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

from metrics.meta_evaluation.conservatism import alignment, changes, words


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def test_words_are_letters_and_digits() -> None:
    assert words("She 's in the e-mail , right ?") == ["She", "s", "in", "the", "email", "right"]


def cost(source: list[str], text: list[str], pairs: list[tuple[int, int]]) -> int:
    aligned = sum(Levenshtein.distance(source[old], text[new]) for old, new in pairs)
    left = set(range(len(source))) - {old for old, _ in pairs}
    right = set(range(len(text))) - {new for _, new in pairs}
    return aligned + sum(len(source[place]) for place in left) + sum(len(text[place]) for place in right)


@pytest.mark.parametrize("seed", range(10))
def test_an_alignment_costs_least(seed: int) -> None:
    generator = np.random.default_rng(seed)
    vocabulary = ["a", "an", "the", "walk", "walks", "walked", "home"]
    source, text = ([str(word) for word in generator.choice(vocabulary, size)] for size in (4, 5))
    least = min(cost(source, text, list(enumerate(order[:4]))) for order in permutations(range(5)))
    assert cost(source, text, [tuple(pair) for pair in alignment(source, text).tolist()]) == least


def test_repeated_words_keep_their_order() -> None:
    source = ["the", "cat", "saw", "the", "dog", "near", "the", "house"]
    assert alignment(source, source).tolist() == [[place, place] for place in range(8)]


def test_changes_of_each_kind() -> None:
    made = changes(
        ["He walk home .", "I go there now .", "Up we go .", "It rains . We stay .", "One . ", "Same !"],
        [
            "He walks back home .",
            "I go .",
            "we go Up !",
            "It rains and we stay .",
            "One . And two .",
            "Same .",
        ],
    )
    assert made.changed.tolist() == [1, 0, 0, 1, 0, 0]
    assert made.deleted.tolist() == [0, 2, 0, 0, 0, 0]
    assert made.added.tolist() == [1, 0, 0, 1, 2, 0]
    assert made.order[[0, 2]].tolist() == pytest.approx([1, -0.5])
    assert np.isnan(made.order[4])
    assert made.split.tolist() == [False, False, False, False, True, False]
    assert made.joined.tolist() == [False, False, False, True, False, False]
    assert made.unchanged.tolist() == [False, False, False, False, False, True]
    assert made.mean_order == pytest.approx(np.nanmean(made.order))


def test_texts_and_sources_are_parallel() -> None:
    with pytest.raises(ValueError, match="1 texts for 2 sources"):
        changes(["a", "b"], ["a"])


def test_nothing_to_correlate() -> None:
    assert changes(["a", ""], ["a", "b"]).mean_order is None


@pytest.mark.slow
def test_the_boldest_system_changes_fewer_words_than_annotators_but_not_fewer_sentences(
    reference_data: Path,
) -> None:
    """CAMB changes more words than any other system, and fewer than each of ten annotators."""
    folder = reference_data / "conll14"
    sources = lines(folder / "outputs" / "INPUT")
    camb = changes(sources, lines(folder / "outputs" / "CAMB"))
    annotators = {
        path.stem: changes(sources, lines(path))
        for path in (folder / "references/bryant-ng-2015").glob("BN*.txt")
    }
    assert len(annotators) == 10
    assert int(camb.edit_distance.sum()) == 2188
    assert min(int(each.edit_distance.sum()) for each in annotators.values()) == 3067
    assert min(int(each.words.sum()) for each in annotators.values()) > int(camb.words.sum())
    assert int(camb.unchanged.sum()) == 203
    assert int(camb.unchanged.sum()) < max(int(each.unchanged.sum()) for each in annotators.values())
