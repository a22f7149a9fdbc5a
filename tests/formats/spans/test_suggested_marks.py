"""What became of suggested marks."""

from hypothesis import given
from hypothesis import strategies as st

from formats.spans.error_spans import Severity
from formats.spans.marked_errors import Mark, MarkedErrors, marked_errors, marks_fault
from formats.spans.suggested_marks import beside_suggested, without_statuses

MINOR, MAJOR = Severity.MINOR, Severity.MAJOR


def spans(*places: tuple[int, int], severity: Severity = MINOR) -> tuple[Mark, ...]:
    return tuple(Mark(start, end, severity) for start, end in places)


def statuses(marked: MarkedErrors) -> list[str]:
    return [mark.status for mark in (*marked.spans, *marked.missing)]


def test_marks_are_accepted_changed_added_or_removed() -> None:
    suggested = MarkedErrors(spans((0, 2), (5, 9), (10, 12), (20, 22)), (Mark(None, None, MINOR),))
    given_marks = MarkedErrors(
        (*spans((0, 2), (6, 8)), *spans((10, 12), severity=MAJOR), *spans((15, 16))),
        (Mark(None, None, MAJOR),),
    )
    became = beside_suggested(given_marks, suggested)
    assert statuses(became) == ["accepted", "changed", "changed", "added", "changed"]
    assert became.removed == spans((20, 22))
    assert became.suggested == 5


def test_a_type_that_was_given_is_a_change() -> None:
    became = beside_suggested(MarkedErrors((Mark(0, 2, MINOR, "Verb"),)), MarkedErrors(spans((0, 2))))
    assert statuses(became) == ["changed"]


def test_each_suggestion_belongs_to_one_mark_the_one_that_shares_most() -> None:
    became = beside_suggested(MarkedErrors(spans((0, 2), (3, 9))), MarkedErrors(spans((0, 9))))
    assert statuses(became) == ["added", "changed"]
    merged = beside_suggested(MarkedErrors(spans((0, 9))), MarkedErrors(spans((0, 2), (3, 9))))
    assert (statuses(merged), merged.removed) == (["changed"], spans((0, 2)))


def test_nothing_suggested_is_not_the_same_as_no_suggestion() -> None:
    untouched = beside_suggested(MarkedErrors(), MarkedErrors())
    assert untouched.details() == {"span_score": 0, "spans": [], "suggested": 0}
    assert MarkedErrors().details() == {"span_score": 0, "spans": []}


def disjoint(ends: list[int]) -> tuple[Mark, ...]:
    return spans(*zip(ends[::2], ends[1::2], strict=False))


ENDS = st.lists(st.integers(0, 40), unique=True, max_size=12).map(sorted)
MISSING = st.sampled_from([(), (Mark(None, None, MINOR),), (Mark(None, None, MAJOR),)])


@given(ENDS, ENDS, MISSING, MISSING)
def test_every_suggestion_is_counted_once_and_no_mark_changes(
    own: list[int], theirs: list[int], missing: tuple[Mark, ...], suggested: tuple[Mark, ...]
) -> None:
    marked = MarkedErrors(disjoint(own), missing, characters=41)
    became = beside_suggested(marked, MarkedErrors(disjoint(theirs), suggested))
    assert marks_fault(became.details()) is None
    assert without_statuses(became) == marked
    assert marked_errors(became.details()) == became
