"""Several rankings in one table."""

from ranking import MethodRank, side_by_side


def test_systems_stand_by_the_first_method_with_their_place_under_each() -> None:
    both = side_by_side({"ew": {"A": 0.4, "B": 0.6}, "bradley-terry": {"A": 0.1, "B": -0.1}})
    assert list(both) == ["B", "A"]
    assert both["B"] == {"ew": MethodRank(0.6, 1), "bradley-terry": MethodRank(-0.1, 2)}


def test_equal_scores_share_a_rank_and_stand_in_alphabetical_order() -> None:
    ranks = side_by_side({"ew": {"C": 0.5, "B": 0.5, "A": 0.2}})
    assert [(system, places["ew"].rank) for system, places in ranks.items()] == [("B", 1), ("C", 1), ("A", 3)]


def test_scores_that_differ_by_rounding_alone_are_equal() -> None:
    ranks = side_by_side({"ew": {"A": 0.3, "B": 0.1 + 0.2}})
    assert [(system, places["ew"].rank) for system, places in ranks.items()] == [("A", 1), ("B", 1)]


def test_a_system_without_a_score_has_no_rank_and_stands_last() -> None:
    both = side_by_side({"ew": {"A": None, "B": 0.5}, "trueskill": {"B": 1.0, "C": 2.0}})
    assert list(both) == ["B", "A", "C"]
    assert both["A"] == {"ew": MethodRank(None, None), "trueskill": MethodRank(None, None)}
    assert both["C"]["trueskill"] == MethodRank(2.0, 1)


def test_no_methods_rank_nothing() -> None:
    assert side_by_side({}) == {}
