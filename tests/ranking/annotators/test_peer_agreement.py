"""Agreement of each judge with all others, compared with chance."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from ranking import agreement, peer_agreement
from tests.ranking.frames import SYSTEMS, few_examples, rename_systems, snapshot, snapshots


def test_each_judge_is_compared_with_all_others() -> None:
    """On the one pair of outputs anna and ben agree, and cleo ties."""
    peers = peer_agreement(snapshot(("anna", 0, "A > B"), ("ben", 0, "A > B"), ("cleo", 0, "A = B")))
    assert peers.annotators == ("anna", "ben", "cleo")
    assert peers.compared.tolist() == [2, 2, 2]
    assert peers.agreed.tolist() == [1, 1, 0]
    # Anna never ties, half of the others' outcomes are ties: the coins agree in half of the other half.
    assert peers.by_chance.tolist() == [0.25, 0.25, 0.0]


def test_an_outcome_counts_as_often_as_it_is_compared() -> None:
    peers = peer_agreement(
        snapshot(("anna", 0, "A = B"), ("anna", 1, "A > B"), ("ben", 0, "A > B"), ("ben", 0, "A = B"))
    )
    assert peers.compared.tolist() == [2, 2]
    assert peers.by_chance.tolist() == [0.5, 0.5], "anna's tie met two outcomes of ben, the other one none"
    assert (peers.repeated.tolist(), peers.repeated_alike.tolist()) == ([0, 1], [0, 0])


def test_without_company_there_is_no_chance() -> None:
    peers = peer_agreement(snapshot(("anna", 0, "A > B")))
    assert peers.compared.tolist() == [0]
    assert np.isnan(peers.by_chance).all()
    assert peer_agreement(snapshot()).annotators == ()


@pytest.mark.parametrize("ties", [0.0, 0.3, 1.0])
def test_answers_at_random_agree_as_by_chance(ties: float) -> None:
    rng = np.random.default_rng(1)

    def at_random(share: float) -> str:
        return "A = B" if rng.random() < share else str(rng.choice(["A > B", "B > A"]))

    judged = [("anna", number, at_random(ties)) for number in range(2000)]
    judged += [("ben", number, at_random(0.2)) for number in range(2000)]
    peers = peer_agreement(snapshot(*judged))
    assert peers.agreed[0] / peers.compared[0] == pytest.approx(peers.by_chance[0], abs=0.03)


@few_examples
@given(snapshots())
def test_comparisons_are_those_of_the_table_of_judges(judged: pd.DataFrame) -> None:
    peers = peer_agreement(judged)
    rest = agreement(judged).rest
    assert peers.annotators == tuple(rest)
    for place, kappa in enumerate(rest.values()):
        assert peers.compared[place] == kappa.n
        if kappa.n:
            assert peers.agreed[place] / kappa.n == pytest.approx(kappa.observed)
            assert 0 <= peers.by_chance[place] <= 1


@few_examples
@given(snapshots())
def test_chance_does_not_depend_on_names(judged: pd.DataFrame) -> None:
    renamed = {name: f"{9 - place}-{name}" for place, name in enumerate(SYSTEMS)}
    turned = rename_systems(judged, renamed)
    assert np.array_equal(peer_agreement(judged).by_chance, peer_agreement(turned).by_chance, equal_nan=True)
