"""Work on many judgments can be stopped between its parts, wherever it has got to."""

from collections.abc import Callable

import pytest

from ranking.agreement.kappa import agreement
from ranking.agreement.krippendorff import alpha_over_pairs, alpha_over_ranks
from ranking.annotators.annotator_counts import annotator_counts
from ranking.judgments.grouped_pairs import Unit, group_pairs
from ranking.judgments.pairs import count_pairs
from ranking.judgments.snapshot import ranked_outputs, scored_outputs
from ranking.uncertainty.fragility import Removals
from ranking.uncertainty.head_to_head import head_to_head
from ranking.uncertainty.standings import Ranker
from ranking.uncertainty.two_systems import two_systems
from tests.ranking.frames import snapshot

Step = Callable[[], None]

JUDGED = snapshot(("anna", 1, "A > B = C D"), ("ben", 1, "B > A"), ("anna", 2, "C > A > B"))
CHECKED = len(["rows", "judgment", "annotator", "of one annotator", "of one sentence", "outputs", "order"])
"""What each function checks first, and after which it can be stopped."""

PARTS: dict[str, tuple[Callable[[Step], object], int]] = {
    "ranked_outputs": (lambda step: ranked_outputs(JUDGED, step), 0),
    "scored_outputs": (lambda step: scored_outputs(JUDGED.rename(columns={"rank": "score"}), step), 0),
    "count_pairs": (lambda step: count_pairs(JUDGED, step=step), 2),
    "group_pairs": (lambda step: group_pairs(JUDGED, Unit.SENTENCE, step=step), 3),
    "Removals": (lambda step: Removals(JUDGED, step=step), 4),
    "two_systems": (lambda step: two_systems(JUDGED, "A", "B", step=step), 5),
    "Ranker": (lambda step: Ranker(JUDGED, step=step), 8),
    "annotator_counts": (lambda step: annotator_counts(JUDGED, step=step), 3),
    "agreement": (lambda step: agreement(JUDGED, step=step), 7),
    "alpha_over_pairs": (lambda step: alpha_over_pairs(JUDGED, step=step), 8),
    "alpha_over_ranks": (lambda step: alpha_over_ranks(JUDGED, step=step), 8),
}
"""Each function, and how many parts it has at least after the checks."""


@pytest.mark.parametrize("name", PARTS)
def test_it_can_be_stopped_after_each_part(name: str) -> None:
    work, parts = PARTS[name]
    steps: list[None] = []
    work(lambda: steps.append(None))
    assert len(steps) >= CHECKED + parts
    for last in range(len(steps)):
        left = [None] * last

        def step(left: list[None] = left) -> None:
            if not left:
                raise InterruptedError
            left.pop()

        with pytest.raises(InterruptedError):
            work(step)


def test_comparisons_head_to_head_can_be_stopped() -> None:
    steps: list[None] = []
    head_to_head(group_pairs(JUDGED, Unit.SENTENCE), step=lambda: steps.append(None))
    assert len(steps) >= len(["cells", "leads"])
