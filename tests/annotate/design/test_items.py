from collections import Counter
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.design.items import Outputs, PlannedItem, draw_places, plan_screens
from annotate.design.sampling import SamplingError

CORPUS: tuple[Outputs, ...] = (
    {10: ("A", "B"), 11: ("C",), 12: ("D",)},
    {20: ("A", "B", "C", "D")},
    {30: ("A",), 31: ("B",), 32: ("C",), 33: ("D",)},
)
"""Three sentences with 3, 1 and 4 distinct outputs of four systems."""

SAMPLINGS = st.sampled_from(["diverse", "uniform"])


def planned(
    corpus: tuple[Outputs, ...] = CORPUS,
    *,
    items: int = 3,
    outputs_per_screen: int = 2,
    sampling: Literal["diverse", "uniform", "listed"] = "uniform",
    with_replacement: bool = False,
    listed_sentences: tuple[int, ...] = (),
    seed: int = 1,
) -> tuple[PlannedItem, ...]:
    places = draw_places(
        corpus,
        size=items,
        outputs_per_screen=outputs_per_screen,
        sampling=sampling,
        with_replacement=with_replacement,
        listed_sentences=listed_sentences,
        seed=seed,
    )
    return plan_screens(corpus, places, outputs_per_screen=outputs_per_screen, seed=seed)


def test_a_list_makes_an_item_of_each_of_its_entries_in_their_order() -> None:
    items = planned(sampling="listed", listed_sentences=(2, 0, 2))
    assert [item.sentence for item in items] == [2, 0, 2]


def test_a_sentence_with_few_outputs_shows_all_of_them() -> None:
    items = planned(outputs_per_screen=4, sampling="listed", listed_sentences=(0, 1, 2))
    assert [sorted(item.outputs) for item in items] == [[10, 11, 12], [20], [30, 31, 32, 33]]


def test_a_sentence_drawn_often_has_a_screen_of_its_own_each_time() -> None:
    items = planned(items=200, with_replacement=True)
    screens = Counter(frozenset(item.outputs) for item in items if item.sentence == 2)
    assert len(screens) == 6


def test_diverse_sentences_are_drawn_more_often() -> None:
    drawn = Counter(item.sentence for item in planned(items=2000, sampling="diverse", with_replacement=True))
    assert drawn[2] > drawn[0] > drawn[1] > 0


def test_another_seed_gives_other_items() -> None:
    assert planned(items=50, with_replacement=True, seed=1) != planned(
        items=50, with_replacement=True, seed=2
    )


@given(SAMPLINGS, st.booleans(), st.integers(1, 3), st.integers(2, 4), st.integers(0, 2**32))
def test_items_are_as_asked_for_and_a_seed_repeats_them(
    sampling: Literal["diverse", "uniform"], replacement: bool, items: int, screen: int, seed: int
) -> None:
    def draw() -> tuple[PlannedItem, ...]:
        return planned(
            items=items,
            outputs_per_screen=screen,
            sampling=sampling,
            with_replacement=replacement,
            seed=seed,
        )

    drawn = draw()
    assert drawn == draw()
    assert len(drawn) == items
    for item in drawn:
        outputs = CORPUS[item.sentence]
        assert len(set(item.outputs)) == len(item.outputs) == min(len(outputs), screen)
        assert set(item.outputs) <= set(outputs)
    if not replacement:
        assert len({item.sentence for item in drawn}) == items


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"items": 4}, "4 sentences asked for, but only 3 can be drawn"),
        ({"corpus": ()}, "there are no sentences to draw from"),
        ({"corpus": (CORPUS[0], {})}, "the sentence has no outputs to show"),
        ({"corpus": (CORPUS[0], {}), "sampling": "diverse"}, "sentence 1: the shape is empty"),
        ({"outputs_per_screen": 5, "sampling": "diverse"}, "4 systems are fewer than the 5 outputs"),
        (
            {"sampling": "listed", "listed_sentences": (0, 3)},
            "entry 2 of the list is 3, but the corpus",
        ),
    ],
)
def test_refuses_sentences_that_the_corpus_lacks(changes: dict[str, object], message: str) -> None:
    items = {"items": 2, **changes}
    with pytest.raises(SamplingError, match=message):
        planned(**items)  # type: ignore[arg-type]  # as `planned` has them
