"""What became of marks that a program suggested: tables and sentences of the analysis of error spans."""

from collections.abc import Sequence
from operator import attrgetter

from core.columns import Annotator, Count, Share, System
from core.tables import Table
from core.wording import beginning, counted, whole_percent
from ranking.judgments.marked_errors import SuggestedMarks

BECAME = (
    Count("ratings", "Ratings"),
    Count("suggested", "Suggested"),
    Count("accepted", "Accepted"),
    Count("changed", "Changed"),
    Count("removed", "Removed"),
    Count("added", "Added"),
    Share("accepted_share", "Suggestions accepted"),
    Share("untouched_share", "Left untouched"),
)

SUGGESTIONS = Table(
    rows=lambda computed: computed.result.suggestions,
    columns=(System("system", "System", attrgetter("of")), *BECAME),
    caption="What became of suggested marks, by system",
    note="Ratings of outputs that came with suggestions, or with the statement that nothing is wrong.",
)

ANNOTATORS = Table(
    rows=lambda computed: computed.result.annotators,
    columns=(Annotator("annotator", "Annotator", attrgetter("of")), *BECAME),
    caption="What became of suggested marks, by annotator",
    note="*Left untouched* are ratings with everything as it was suggested. Somebody who leaves far more "
    "untouched than the others may not be reading.",
)

FEWEST_UNTOUCHED = 10
"""Ratings without any change from which an annotator is said to change nothing."""


def _is_idle(annotator: SuggestedMarks) -> bool:
    """Whether somebody has left everything as it was suggested, although there was something."""
    return annotator.untouched == annotator.ratings >= FEWEST_UNTOUCHED and annotator.suggested > 0


def sentences_on_suggestions(annotators: Sequence[SuggestedMarks]) -> list[str]:
    """How many suggestions were accepted, and whether somebody changes nothing; none without suggestions."""
    said = []
    if suggested := sum(each.suggested for each in annotators):
        kept = sum(each.accepted for each in annotators)
        said.append(
            f"Of {counted(suggested, 'suggested mark')}, {whole_percent(kept / suggested)} were accepted "
            "as they are."
        )
    if idle := sum(map(_is_idle, annotators)):
        said.append(
            f"{beginning(counted(idle, 'annotator'))} left everything as it was suggested, in at least "
            f"{FEWEST_UNTOUCHED} ratings each."
        )
    return said


def methods_of_suggestions(of_all: SuggestedMarks | None) -> list[str]:
    """What annotators saw and made of it, for a paper; nothing without suggestions."""
    if of_all is None:
        return []
    return [
        f"In {of_all.ratings:,} ratings, annotators saw marks that a program had suggested: "
        f"{of_all.accepted:,} of these were accepted, {of_all.changed:,} changed and {of_all.removed:,} "
        f"removed; {of_all.added:,} marks were added. Agreement includes suggestions that several annotators "
        "accepted."
    ]
