"""The judgments with their showings, revisions and ratings."""

from typing import Any

import numpy as np

from core.arrays import IntArray
from dev.benchmarks.large_site.size import NAME, OUTPUTS, Size, stamps
from dev.benchmarks.large_site.turns import is_reported, is_skipped, is_surplus, item_of, slot_of


def store_judgments(size: Size, turns: IntArray, rng: np.random.Generator) -> None:
    """Store the judgments; the annotators answer in turns."""
    from annotate.models import Annotator, Campaign, Item, Judgment, Revision, Showing
    from dev.benchmarks.bulk_rows import store

    campaign = Campaign.objects.get(name=NAME)
    people = Annotator.objects.filter(campaign=campaign).earliest("pk").pk
    first_item = Item.objects.earliest("pk").pk
    annotators = (people + turns % size.annotators).tolist()
    slots = slot_of(turns, size).tolist()
    skipped, surplus = is_skipped(turns, size), is_surplus(turns, size)
    states = np.where(skipped, "skipped", np.where(surplus, "surplus", "complete")).tolist()
    at = turns / size.judgments
    began, ended = stamps(at), stamps(at, seconds=20)
    showings = store(Showing, len(turns), slot_id=slots, annotator_id=annotators, shown_at=began)
    judgments = store(
        Judgment,
        len(turns),
        campaign_id=campaign.pk,
        item_id=(first_item + item_of(turns, size)).tolist(),
        annotator_id=annotators,
        slot_id=[slot if state == "complete" else None for slot, state in zip(slots, states, strict=True)],
        showing_id=showings,
        repetition=(turns % size.annotators // 2).tolist(),
        state=states,
        is_reported=(is_reported(turns) & ~skipped).tolist(),
    )
    revised = ~skipped & (turns % 50 == 7)
    notes = np.where(
        skipped, "I do not understand it.", np.where(is_reported(turns), "The second one is cut off.", "")
    )
    for number, of in ((1, np.ones(len(turns), bool)), (2, revised)):
        revisions = store(
            Revision,
            int(of.sum()),
            judgment_id=np.asarray(judgments)[of].tolist(),
            number=number,
            is_current=[True] * int(of.sum()) if number == 2 else (~revised).tolist(),
            started_at=[stamp for stamp, one in zip(began, of, strict=True) if one],
            submitted_at=[stamp for stamp, one in zip(ended, of, strict=True) if one],
            active_ms=20_000,
            note=notes[of].tolist(),
        )
        rated = ~skipped[of]
        store_ratings(
            np.asarray(revisions)[rated], item_of(turns[of][rated], size), turns[of][rated], size, rng
        )


def store_ratings(revisions: Any, items: Any, turns: IntArray, size: Size, rng: np.random.Generator) -> None:
    """Store their ratings: careful annotators rank the control last; higher systems are better."""
    from annotate.models import ItemOutput, Rating
    from dev.benchmarks.bulk_rows import store

    shown = rng.permuted(np.tile(np.arange(OUTPUTS), (len(revisions), 1)), axis=1)
    carelessness = 0.4 + turns % size.annotators / size.annotators
    quality = np.array([0.5, 0.0, 1.0, 1.2, 1.5])[shown]
    felt = np.round(quality + carelessness[:, None] * rng.normal(size=shown.shape), 1)
    ranks = 1 + (felt[:, None, :] > felt[:, :, None]).sum(axis=2)
    first = ItemOutput.objects.earliest("pk").pk
    store(
        Rating,
        shown.size,
        revision_id=np.repeat(revisions, OUTPUTS).tolist(),
        item_output_id=(first + items[:, None] * OUTPUTS + shown).ravel().tolist(),
        position=list(range(OUTPUTS)) * len(revisions),
        rank=ranks.ravel().tolist(),
    )
