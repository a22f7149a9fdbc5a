"""Machines, and their judgments of all items."""

import numpy as np

from dev.benchmarks.large_site.judgments import store_ratings
from dev.benchmarks.large_site.size import MACHINES, NAME, Size

ITEMS_AT_ONCE = 5000


def store_machines(size: Size, rng: np.random.Generator) -> None:
    """Store the machines; each was asked about each item equally often."""
    from annotate.models import Annotator, Campaign, Item, Judgment, Machine, Revision
    from dev.benchmarks.bulk_rows import store

    if not size.machine_judgments:
        return
    campaign = Campaign.objects.get(name=NAME)
    each = size.times_asked * size.items
    machines = store(
        Annotator,
        MACHINES,
        campaign_id=campaign.pk,
        number=list(range(1, MACHINES + 1)),
        name=[f"machine {number:02}" for number in range(1, MACHINES + 1)],
        kind="machine",
        complete=each,
        answers_sent=each,
        answered_at="2026-02-01 00:00:00",
    )
    Machine.objects.bulk_create(Machine(annotator_id=key, model="made up") for key in machines)
    Campaign.objects.filter(pk=campaign.pk).update(last_machine_number=MACHINES)
    first_item = Item.objects.earliest("pk").pk
    for key in machines:
        for repetition in range(size.times_asked):
            for first in range(0, size.items, ITEMS_AT_ONCE):
                items = np.arange(first, min(first + ITEMS_AT_ONCE, size.items))
                judgments = store(
                    Judgment,
                    len(items),
                    campaign_id=campaign.pk,
                    item_id=(first_item + items).tolist(),
                    annotator_id=key,
                    repetition=repetition,
                    state="complete",
                    by_machine=1,
                )
                revisions = store(
                    Revision, len(items), judgment_id=list(judgments), submitted_at="2026-02-01 00:00:00"
                )
                store_ratings(np.asarray(revisions), items, np.zeros_like(items), size, rng)
