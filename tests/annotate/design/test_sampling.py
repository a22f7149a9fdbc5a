"""Sampling of sentences and outputs: GJG15, section 4.1."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotate.design.sampling import (
    SamplingError,
    draw_listed,
    draw_outputs,
    draw_sentences,
    draw_uniform,
    expected_coverage,
    pseudo_probability,
    sampling_probabilities,
)

SHAPES = st.lists(st.integers(1, 9), min_size=1, max_size=10)
SCREENS = st.integers(2, 7)
CORPORA = st.lists(SHAPES.filter(lambda shape: sum(shape) >= 5), min_size=1, max_size=8)


def coverage_over_all_subsets(shape: Sequence[int], max_outputs: int) -> Fraction:
    """C as the paper writes it down: every subset looked at."""
    subsets = [subset for size in range(max_outputs + 1) for subset in combinations(shape, size)]
    covered = [sum(subset) for subset in subsets if sum(subset) >= max_outputs]
    return Fraction(sum(covered), len(covered))


@pytest.fixture
def published_shapes(reference_data: Path) -> list[tuple[int, ...]]:
    """The shapes of the 1,312 sentences and 13 systems that the paper sampled from."""
    outputs = []
    for path in sorted((reference_data / "conll14" / "outputs").iterdir()):
        with path.open(encoding="utf-8") as lines:
            outputs.append([line.strip() for line in lines])
    return [tuple(sorted(Counter(texts).values())) for texts in zip(*outputs, strict=True)]


class TestCoverage:
    """Coverage of a shape."""

    @pytest.mark.parametrize(
        ("shape", "coverage", "pseudo"),
        [
            ([13], Fraction(13), Fraction(5, 39)),
            ([1, 12], Fraction(25, 2), Fraction(16, 115)),
            ([2, 11], Fraction(12), Fraction(5, 33)),
            ([1, 1, 11], Fraction(12), Fraction(5, 33)),
            ([1, 1, 1, 1, 9], Fraction(11), Fraction(2, 11)),
            ([1] * 13, Fraction(5), Fraction(1)),
            ([2, 2, 3, 3, 3], Fraction(191, 25), Fraction(6250, 15853)),
            ([1, 1, 1, 1, 2, 7], Fraction(37, 4), Fraction(320, 1221)),
            ([1] * 8 + [5], Fraction(1607, 219), Fraction(239805, 557629)),
            pytest.param([1, 3, 2, 6, 1], Fraction(181, 21), Fraction(441, 1448), id="figure 2b, bottom"),
            pytest.param([1, 1, 1, 2, 1], Fraction(26, 5), Fraction(250, 273), id="figure 2b, top"),
        ],
    )
    def test_known_shapes_have_exact_values(
        self, shape: list[int], coverage: Fraction, pseudo: Fraction
    ) -> None:
        assert expected_coverage(shape, 5) == coverage
        assert pseudo_probability(shape, 5) == pseudo

    @given(SHAPES, SCREENS)
    def test_agrees_with_counting_every_subset(self, shape: list[int], max_outputs: int) -> None:
        assume(sum(shape) >= max_outputs)
        assert expected_coverage(shape, max_outputs) == coverage_over_all_subsets(shape, max_outputs)

    @given(st.data(), SHAPES, SCREENS)
    def test_does_not_depend_on_which_system_is_which(
        self, data: st.DataObject, shape: list[int], max_outputs: int
    ) -> None:
        assume(sum(shape) >= max_outputs)
        shuffled = data.draw(st.permutations(shape))
        assert pseudo_probability(shuffled, max_outputs) == pseudo_probability(shape, max_outputs)

    @given(SHAPES, SCREENS)
    def test_lies_between_that_of_full_agreement_and_that_of_none(
        self, shape: list[int], max_outputs: int
    ) -> None:
        systems = sum(shape)
        assume(systems > max_outputs)
        pseudo = pseudo_probability(shape, max_outputs)
        assert pseudo_probability([systems], max_outputs) <= pseudo <= 1
        assert (pseudo == 1) == (set(shape) == {1})

    @given(SHAPES)
    def test_with_just_as_many_systems_as_places_all_shapes_are_alike(self, shape: list[int]) -> None:
        assume(sum(shape) >= 2)
        assert pseudo_probability(shape, sum(shape)) == 1

    def test_one_distinct_output_covers_all_systems_and_can_still_be_drawn(self) -> None:
        assert expected_coverage([6], 5) == 6
        assert pseudo_probability([6], 5) == Fraction(5 * 4, 6 * 5)

    def test_smaller_subsets_count_where_fewer_outputs_exist_than_a_screen_holds(self) -> None:
        # The screen would show both outputs and cover 13 systems; the formula also counts showing one alone.
        assert expected_coverage([1, 12], 5) == Fraction(12 + 13, 2)

    def test_counts_beyond_64_bits_stay_exact(self) -> None:
        # 100 outputs of two systems each: subsets of 15 to 30 outputs cover at least 30 systems.
        sizes = range(15, 31)
        exact = Fraction(sum(2 * k * comb(100, k) for k in sizes), sum(comb(100, k) for k in sizes))
        assert expected_coverage(list(np.full(100, 2)), 30) == exact

    @pytest.mark.parametrize(
        ("shape", "max_outputs", "message"),
        [
            ([], 5, "shape is empty: leave out"),
            ([3, 0, 4], 5, "multiplicity is 0: count only"),
            ([3, -1, 4], 5, "multiplicity is -1: count only"),
            ([2, 2], 5, "4 systems are fewer than the 5 outputs of a screen: show fewer"),
            ([2, 2], 1, "screen of 1 outputs compares nothing: show at least 2"),
        ],
    )
    def test_refuses_undefined_probabilities(self, shape: list[int], max_outputs: int, message: str) -> None:
        for measure in (expected_coverage, pseudo_probability):
            with pytest.raises(SamplingError, match=message):
                measure(shape, max_outputs)


class TestProbabilities:
    """How a whole corpus shares out its draws."""

    @given(CORPORA)
    def test_sum_to_exactly_one_in_the_ratio_of_the_shapes(self, shapes: list[list[int]]) -> None:
        probabilities = sampling_probabilities(shapes, 5)
        total = sum(pseudo_probability(shape, 5) for shape in shapes)
        assert sum(probabilities) == 1
        assert [p * total for p in probabilities] == [pseudo_probability(shape, 5) for shape in shapes]

    @given(st.data(), CORPORA)
    def test_follow_their_sentences_when_the_corpus_is_reordered(
        self, data: st.DataObject, shapes: list[list[int]]
    ) -> None:
        order = data.draw(st.permutations(range(len(shapes))))
        probabilities = sampling_probabilities(shapes, 5)
        reordered = sampling_probabilities([shapes[i] for i in order], 5)
        assert reordered == tuple(probabilities[i] for i in order)

    def test_sentences_with_fewer_systems_keep_their_own_number(self) -> None:
        complete, partial = sampling_probabilities([[1, 5], [6]], 5), sampling_probabilities([[1, 5], [5]], 5)
        assert complete == (Fraction(40, 73), Fraction(33, 73))
        assert partial == (Fraction(80, 179), Fraction(99, 179))

    def test_an_error_names_the_sentence(self) -> None:
        with pytest.raises(SamplingError, match=r"^sentence 1: 3 systems are fewer"):
            sampling_probabilities([[1, 5], [1, 2], [6]], 5)

    def test_an_unusable_screen_is_no_sentences_fault(self) -> None:
        with pytest.raises(SamplingError, match=r"^a screen of 1 outputs"):
            sampling_probabilities([[1, 5]], 1)

    def test_refuses_an_empty_corpus(self) -> None:
        with pytest.raises(SamplingError, match="no sentences to draw from"):
            sampling_probabilities([], 5)


class TestPublishedCorpus:
    """Figures of the paper's test set."""

    def test_distinct_outputs_are_as_many_as_in_figure_1(
        self, published_shapes: list[tuple[int, ...]]
    ) -> None:
        histogram = Counter(len(shape) for shape in published_shapes)
        sentences = [histogram[outputs] for outputs in range(1, 14)]
        assert sentences == [21, 85, 149, 175, 211, 201, 173, 133, 102, 43, 16, 2, 1]
        assert {sum(shape) for shape in published_shapes} == {13}
        assert len(set(published_shapes)) == 68

    def test_pseudo_probabilities_sum_to_the_known_total(
        self, published_shapes: list[tuple[int, ...]]
    ) -> None:
        total = sum(pseudo_probability(shape, 5) for shape in published_shapes)
        assert float(total) == pytest.approx(366.652355731964, abs=5e-13)

    def test_the_most_diverse_sentence_is_drawn_7_8_times_as_often_as_the_least(
        self, published_shapes: list[tuple[int, ...]]
    ) -> None:
        probabilities = dict(zip(published_shapes, sampling_probabilities(published_shapes, 5), strict=True))
        least, most = min(probabilities.values()), max(probabilities.values())
        assert (least, most) == (probabilities[13,], probabilities[(1,) * 13])
        assert most / least == Fraction(comb(13, 2), comb(5, 2)) == Fraction(78, 10)
        assert float(least) == pytest.approx(0.00034966, abs=5e-9)
        assert float(most) == pytest.approx(0.00272738, abs=5e-9)

    def test_every_shape_agrees_with_counting_every_subset(
        self, published_shapes: list[tuple[int, ...]]
    ) -> None:
        for shape in set(published_shapes):
            assert expected_coverage(shape, 5) == coverage_over_all_subsets(shape, 5)


class TestDrawingSentences:
    """Samples of sentences."""

    UNEVEN = (Fraction(1, 2), Fraction(1, 4), Fraction(0), Fraction(1, 8), Fraction(1, 8))

    def test_a_seed_always_gives_the_same_sample(self) -> None:
        # Written down, since a campaign must stay repeatable when NumPy is upgraded.
        assert draw_sentences(self.UNEVEN, 6, seed=2015, replace=True).tolist() == [1, 0, 3, 4, 0, 0]
        assert draw_sentences(self.UNEVEN, 4, seed=2015, replace=False).tolist() == [1, 0, 3, 4]
        assert draw_uniform(1312, 6, seed=2015, replace=False).tolist() == [291, 591, 1035, 659, 400, 1012]

    def test_another_seed_gives_another_sample(self) -> None:
        one, other = (draw_uniform(1000, 50, seed=seed, replace=False) for seed in (1, 2))
        assert one.tolist() != other.tolist()

    def test_frequencies_follow_the_probabilities_with_replacement(self) -> None:
        # 20,000 draws: a standard deviation is below 0.004, the tolerance five of them.
        drawn = draw_sentences(self.UNEVEN, 20_000, seed=7, replace=True)
        shares = np.bincount(drawn, minlength=5) / drawn.size
        assert shares == pytest.approx([float(p) for p in self.UNEVEN], abs=0.02)
        assert shares[2] == 0

    def test_without_replacement_each_draw_is_among_those_left(self) -> None:
        # 4,000 samples: a standard deviation is below 0.008, the tolerance four of them.
        samples = [tuple(draw_sentences(self.UNEVEN, 2, seed=seed, replace=False)) for seed in range(4000)]
        shares = {pair: count / len(samples) for pair, count in Counter(samples).items()}
        assert shares[0, 1] == pytest.approx(1 / 2 * (1 / 4) / (1 / 2), abs=0.03)
        assert shares[1, 0] == pytest.approx(1 / 4 * (1 / 2) / (3 / 4), abs=0.03)
        assert shares[3, 4] == pytest.approx(1 / 8 * (1 / 8) / (7 / 8), abs=0.03)

    @given(CORPORA, st.integers(0, 2**32), st.data())
    def test_no_sentence_comes_twice_without_replacement(
        self, shapes: list[list[int]], seed: int, data: st.DataObject
    ) -> None:
        size = data.draw(st.integers(0, len(shapes)))
        drawn = draw_sentences(sampling_probabilities(shapes, 5), size, seed=seed, replace=False)
        assert drawn.shape == (size,)
        assert len(set(drawn.tolist())) == size
        assert set(drawn.tolist()) <= set(range(len(shapes)))

    def test_plain_floats_will_do(self) -> None:
        assert draw_sentences([0.0, 1.0], 3, seed=1, replace=True).tolist() == [1, 1, 1]

    def test_uniform_draws_are_even(self) -> None:
        # 20,000 draws of 10 sentences: a standard deviation is 0.0021, the tolerance about five of them.
        drawn = draw_uniform(10, 20_000, seed=3, replace=True)
        assert np.bincount(drawn, minlength=10) / drawn.size == pytest.approx(np.full(10, 0.1), abs=0.01)

    def test_a_uniform_sample_of_everything_is_everything_once(self) -> None:
        drawn = draw_uniform(50, 50, seed=3, replace=False).tolist()
        assert sorted(drawn) == list(range(50))
        assert drawn != sorted(drawn)

    @pytest.mark.parametrize(
        ("probabilities", "size", "message"),
        [
            ([], 1, "no sentences to draw from"),
            ([0.6, -0.1, 0.5], 1, "sentence 1 has a negative probability"),
            ([0.5, 0.4], 1, "sum to 0.9 instead of 1: divide"),
            ([0.5, float("nan")], 1, "sum to nan instead of 1"),
            ([0.5, 0.5, 0.0], 3, "3 sentences asked for, but only 2 can be drawn"),
            ([0.5, 0.5], -1, "sample of -1 sentences is impossible"),
        ],
    )
    def test_refuses_impossible_samples(self, probabilities: list[float], size: int, message: str) -> None:
        with pytest.raises(SamplingError, match=message):
            draw_sentences(probabilities, size, seed=1, replace=False)

    @pytest.mark.parametrize(
        ("n_sentences", "size", "message"),
        [
            (0, 1, "no sentences to draw from"),
            (3, 4, "4 sentences asked for, but only 3 can be drawn"),
            (3, -1, "sample of -1 sentences is impossible"),
        ],
    )
    def test_refuses_impossible_uniform_samples(self, n_sentences: int, size: int, message: str) -> None:
        with pytest.raises(SamplingError, match=message):
            draw_uniform(n_sentences, size, seed=1, replace=False)

    def test_a_list_is_taken_as_it_stands(self) -> None:
        assert draw_listed([4, 0, 4, 2], 5).tolist() == [4, 0, 4, 2]
        assert draw_listed([], 5).tolist() == []

    @pytest.mark.parametrize("position", [-1, 5, 2**70])
    def test_a_list_must_stay_in_the_corpus(self, position: int) -> None:
        with pytest.raises(SamplingError, match=f"entry 2 of the list is {position}, but the corpus has 5"):
            draw_listed([0, position], 5)


class TestDrawingOutputs:
    """The outputs of one screen."""

    def test_every_output_is_shown_and_placed_alike(self) -> None:
        # 5,000 screens: a standard deviation is below 0.007, the tolerances are four of them.
        rng = np.random.default_rng(11)
        screens = np.array([draw_outputs(8, 5, rng=rng) for _ in range(5000)])
        shown = np.bincount(screens.ravel(), minlength=8) / len(screens)
        shown_first = np.bincount(screens[:, 0], minlength=8) / len(screens)
        assert shown == pytest.approx(np.full(8, 5 / 8), abs=0.028)
        assert shown_first == pytest.approx(np.full(8, 1 / 8), abs=0.019)

    @given(st.integers(1, 30), SCREENS, st.integers(0, 2**32))
    def test_outputs_are_distinct_and_all_are_taken_when_few(
        self, n_outputs: int, max_outputs: int, seed: int
    ) -> None:
        drawn = draw_outputs(n_outputs, max_outputs, rng=np.random.default_rng(seed)).tolist()
        assert len(drawn) == len(set(drawn)) == min(n_outputs, max_outputs)
        assert set(drawn) <= set(range(n_outputs))

    def test_one_distinct_output_stands_alone(self) -> None:
        assert draw_outputs(1, 5, rng=np.random.default_rng(1)).tolist() == [0]

    def test_equal_generators_give_equal_screens(self) -> None:
        one, other = np.random.default_rng(4), np.random.default_rng(4)
        for _ in range(20):
            assert draw_outputs(9, 5, rng=one).tolist() == draw_outputs(9, 5, rng=other).tolist()

    def test_refuses_a_sentence_without_outputs_and_screens_of_less_than_none(self) -> None:
        rng = np.random.default_rng(1)
        with pytest.raises(SamplingError, match="no outputs to show"):
            draw_outputs(0, 5, rng=rng)
        with pytest.raises(SamplingError, match="show 0 or more"):
            draw_outputs(3, -1, rng=rng)

    @pytest.mark.parametrize(("n_outputs", "max_outputs", "shown"), [(3, 1, 1), (3, 0, 0), (0, 0, 0)])
    def test_a_screen_may_show_one_output_or_none(self, n_outputs: int, max_outputs: int, shown: int) -> None:
        assert len(draw_outputs(n_outputs, max_outputs, rng=np.random.default_rng(1))) == shown
