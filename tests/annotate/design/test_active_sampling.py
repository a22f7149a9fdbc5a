"""Follow-ups on sentences where people's answers change a ranking most: what is drawn, and how often."""

import numpy as np
import pytest

from annotate.design.active_sampling import active_propensities, plan_active
from annotate.design.sampling import SamplingError

CORPUS = [{4 * place + key: (f"S{key}",) for key in range(4)} for place in range(5)]
CHANGES = [2.0, 1.0, 0.0, 1.0, None]


def test_propensities_are_a_mixture_whose_mean_is_one() -> None:
    found = active_propensities(CHANGES, 30)
    assert found == pytest.approx([1.7, 1.0, 0.3, 1.0, 0.0])
    assert found[:4].mean() == pytest.approx(1)
    assert active_propensities(CHANGES, 100)[:4] == pytest.approx(np.ones(4))
    assert active_propensities([0.0, 0.0], 20) == pytest.approx([1, 1])


def test_sentences_are_drawn_as_often_as_propensities_say() -> None:
    planned = plan_active(CORPUS, CHANGES, 30, items=40, outputs_per_screen=3, seed=1)
    drawn = np.bincount([item.sentence for item in planned], minlength=5)
    assert drawn.tolist() == [17, 10, 3, 10, 0]
    for item in planned:
        expected = active_propensities(CHANGES, 30)[item.sentence]
        assert len(item.outputs) == 3
        assert set(item.outputs) <= set(CORPUS[item.sentence])
        assert np.array(item.propensities) == pytest.approx(np.full((3, 3), expected))
    assert planned == plan_active(CORPUS, CHANGES, 30, items=40, outputs_per_screen=3, seed=1)
    assert planned != plan_active(CORPUS, CHANGES, 30, items=40, outputs_per_screen=3, seed=2)


@pytest.mark.parametrize(
    ("changes", "percent", "shown", "message"),
    [
        (CHANGES, 4, 3, "4 % ordinary sampling is impossible: choose 5 to 100 %"),
        ([None] * 5, 30, 3, "the machine judged no sentence that can be drawn"),
        (CHANGES, 30, 1, "a screen of 1 outputs compares nothing"),
    ],
)
def test_what_is_impossible_is_said(
    changes: list[float | None], percent: int, shown: int, message: str
) -> None:
    with pytest.raises(SamplingError, match=message):
        plan_active(CORPUS, changes, percent, items=4, outputs_per_screen=shown, seed=1)
    with pytest.raises(SamplingError, match="a sentence has no outputs to show"):
        plan_active([{}, *CORPUS[1:]], CHANGES, 30, items=4, outputs_per_screen=3, seed=1)
