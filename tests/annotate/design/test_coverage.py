"""Every output of a sentence is judged, and there are enough screens for the control check."""

from collections import Counter
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.design.full_coverage import plan_coverage
from annotate.design.items import Outputs, PlannedItem
from annotate.design.sampling import SamplingError

ROLES = {"source": "INPUT", "control": "source+error"}


def sentence(corrections: int, *, source: bool = True, control: bool = True) -> Outputs:
    """Outputs 0 to n - 1 of systems S0, S1 ..., 100 of the source and 200 of the control."""
    outputs: dict[int, tuple[str, ...]] = {key: (f"S{key}",) for key in range(corrections)}
    if source:
        outputs[100] = ("INPUT", "Unchanging")
    if control:
        outputs[200] = ("source+error",)
    return outputs


def planned(
    *corpus: Outputs, outputs_per_screen: int = 5, checked_percent: int = 100, passes: int = 1, seed: int = 1
) -> tuple[PlannedItem, ...]:
    return plan_coverage(
        corpus,
        outputs_per_screen=outputs_per_screen,
        checked_percent=checked_percent,
        passes=passes,
        seed=seed,
        **ROLES,  # type: ignore[arg-type]  # as the function has them
    )


sentences = st.builds(sentence, st.integers(1, 30), source=st.booleans(), control=st.booleans())


@given(st.lists(sentences, min_size=1, max_size=4), st.integers(3, 9), st.integers(0, 100), st.integers(1, 3))
def test_each_output_is_on_one_screen_of_each_pass(
    corpus: list[Outputs], most: int, percent: int, passes: int
) -> None:
    items = planned(*corpus, outputs_per_screen=most, checked_percent=percent, passes=passes)
    for place, outputs in enumerate(corpus):
        screens = [item.outputs for item in items if item.sentence == place]
        shown = Counter(key for screen in screens for key in screen)
        assert set(shown) == set(outputs)
        joining = {100, 200} if {100, 200} <= set(outputs) and percent else set()
        assert all(times == passes for key, times in shown.items() if key not in joining)
        assert all(len(set(screen)) == len(screen) for screen in screens)


@given(sentences, st.integers(3, 9), st.integers(0, 100), st.integers(0, 2**32))
def test_screens_are_of_equal_size(outputs: Outputs, most: int, percent: int, seed: int) -> None:
    sizes = [
        len(item.outputs)
        for item in planned(outputs, outputs_per_screen=most, checked_percent=percent, seed=seed)
    ]
    assert max(sizes) <= most
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) >= min(2, len(outputs))


@given(st.integers(1, 30), st.integers(3, 9), st.integers(1, 100))
def test_source_and_control_stand_together_on_the_stated_share_of_screens(
    corrections: int, most: int, percent: int
) -> None:
    screens = [
        set(item.outputs)
        for item in planned(sentence(corrections), outputs_per_screen=most, checked_percent=percent)
    ]
    checked = [screen for screen in screens if {100, 200} <= screen]
    assert len(checked) == max(1, -(-len(screens) * percent // 100))
    assert all({100, 200} <= screen or not {100, 200} & screen for screen in screens)


@given(sentences, st.integers(3, 9), st.integers(0, 100))
def test_there_are_no_more_screens_than_the_outputs_take(outputs: Outputs, most: int, percent: int) -> None:
    screens = planned(outputs, outputs_per_screen=most, checked_percent=percent)
    fewer = len(screens) - 1
    repeated = max(1, -(-fewer * percent // 100)) - 1 if {100, 200} <= set(outputs) and percent else 0
    assert len(outputs) + 2 * repeated > fewer * most


def test_by_default_every_screen_is_checked() -> None:
    """Seven corrections beside source and control, five on a screen: three screens."""
    screens = [item.outputs for item in planned(sentence(7))]
    assert sorted(len(screen) for screen in screens) == [4, 4, 5]
    assert all({100, 200} <= set(screen) for screen in screens)


def test_outputs_that_fit_share_one_screen() -> None:
    [item] = planned(sentence(3))
    assert sorted(item.outputs) == [0, 1, 2, 100, 200]


def test_a_sentence_is_partitioned_alike_whatever_the_others_are() -> None:
    beside_one = planned(sentence(12), sentence(3), seed=7)
    beside_other = planned(sentence(12), sentence(9), seed=7)
    first = [item for item in beside_one if item.sentence == 0]
    assert first == [item for item in beside_other if item.sentence == 0]
    assert first != [item for item in planned(sentence(12), seed=8) if item.sentence == 0]


def test_passes_are_partitions_of_their_own() -> None:
    items = planned(sentence(12), passes=2)
    half = len(items) // 2
    assert items[:half] != items[half:]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"outputs_per_screen": 2}, "a screen of 2 outputs cannot hold source, control and a correction"),
        ({"checked_percent": 101}, "the share of checked screens is 101 %"),
        ({"passes": 0}, "0 passes cover nothing"),
    ],
)
def test_numbers_out_of_range_are_refused(changes: dict[str, int], message: str) -> None:
    with pytest.raises(SamplingError, match=message):
        planned(sentence(3), **changes)


def test_a_sentence_without_outputs_is_refused() -> None:
    with pytest.raises(SamplingError, match="sentence 1 has no outputs to show"):
        planned(sentence(3), {})


def test_only_the_places_asked_for_are_covered_and_each_time_anew() -> None:
    corpus = [sentence(3), {}, sentence(12)]
    items = plan_coverage(corpus, places=[2, 0, 2], outputs_per_screen=5, seed=1, **ROLES)  # type: ignore[arg-type]
    assert [place for place, _ in groupby(item.sentence for item in items)] == [2, 0, 2]
    first, second = ([item.outputs for item in items[:4]], [item.outputs for item in items[-4:]])
    assert first != second
    assert set().union(*first) == set().union(*second) == set(corpus[2])
