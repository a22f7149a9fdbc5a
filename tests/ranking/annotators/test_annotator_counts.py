"""The counts of each judge, as in GJG15's Table 1."""

import pandas as pd
from hypothesis import given

from ranking import Tally, annotator_counts, expanded_pairs, unexpanded_pairs
from tests.ranking.frames import few_examples, snapshot, snapshots

NOTHING = Tally(rankings=0, unexpanded=0, unexpanded_ties=0, expanded=0, expanded_ties=0)


def test_a_ranking_of_three_outputs_by_five_systems() -> None:
    """Outputs {A B}, {C}, {D E}, the first two tied: C(3,2) and C(5,2) pairs; AB, DE, AC, BC tie."""
    counts = annotator_counts(snapshot(("anna", 0, "A B = C > D E")))
    anna = Tally(rankings=1, unexpanded=3, unexpanded_ties=1, expanded=10, expanded_ties=4)
    assert counts.judges == {"anna": anna}
    assert counts.total == anna


def test_judges_stand_in_alphabetical_order_and_add_up() -> None:
    counts = annotator_counts(
        snapshot(("cleo", 0, "A > B"), ("anna", 0, "A = B"), ("cleo", 1, "A > B > C"), ("anna", 1, "A B"))
    )
    assert list(counts.judges) == ["anna", "cleo"]
    assert counts.judges["anna"] == Tally(2, 1, 1, 2, 2)
    assert counts.judges["cleo"] == Tally(2, 4, 0, 4, 0)
    assert counts.total == Tally(4, 5, 1, 6, 2)


def test_an_empty_judgment_is_a_ranking_without_pairs() -> None:
    counts = annotator_counts(snapshot(("anna", 0, "A > B"), ("anna", 1, ""), ("ben", 1, "")))
    assert counts.judges["anna"].rankings == 2
    assert counts.judges["ben"] == Tally(1, 0, 0, 0, 0)


def test_an_output_alone_is_a_ranking_whose_only_pairs_are_ties_of_its_systems() -> None:
    assert annotator_counts(snapshot(("anna", 0, "A B C"))).total == Tally(1, 0, 0, 3, 3)


def test_a_judgment_with_ratings_of_another_kind_is_no_ranking() -> None:
    scored = snapshot(("anna", 0, "A > B"), ("ben", 0, "A > B"))
    scored.loc[scored["annotator"] == "ben", "rank"] = pd.NA
    assert annotator_counts(scored).judges == {"anna": Tally(1, 1, 0, 1, 0), "ben": NOTHING}


def test_an_empty_snapshot_counts_nothing() -> None:
    counts = annotator_counts(snapshot())
    assert counts.judges == {}
    assert counts.total == NOTHING


@few_examples
@given(snapshots())
def test_counting_agrees_with_listing_the_pairs(judged: pd.DataFrame) -> None:
    unexpanded, expanded = unexpanded_pairs(judged), expanded_pairs(judged)
    for judge, tally in annotator_counts(judged).judges.items():
        outcomes = unexpanded.loc[unexpanded["annotator"] == judge, "outcome"]
        between_systems = expanded.loc[expanded["annotator"] == judge, "outcome"]
        assert (tally.unexpanded, tally.unexpanded_ties) == (len(outcomes), (outcomes == 0).sum())
        assert (tally.expanded, tally.expanded_ties) == (len(between_systems), (between_systems == 0).sum())
