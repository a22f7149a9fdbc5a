"""Batches, assignments and slots, handed out or left."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dev.benchmarks.large_site.size import BEGIN, DURATION, NAME, Size, stamps
from dev.benchmarks.large_site.turns import SCREENS_IN_A_BATCH, is_skipped, is_surplus, item_of, put_by


def store_work_to_do(size: Size) -> None:
    """Batches, assignments and slots: those of annotators, one more per item, and a few repeats."""
    from annotate.models import Annotator, Assignment, Batch, Campaign, Item, Slot
    from dev.benchmarks.bulk_rows import store

    campaign = Campaign.objects.get(name=NAME)
    people = Annotator.objects.filter(campaign=campaign).earliest("pk").pk
    first_item = Item.objects.earliest("pk").pk
    each = size.items // 2
    batches_each = -(-each // SCREENS_IN_A_BATCH)
    left = 2 * batches_each
    number = batches_each * size.annotators + left
    batches = store(Batch, number, campaign_id=campaign.pk, number=list(range(number)))
    leased = min(size.annotators // 2, batches_each // 2)
    end = (BEGIN + DURATION).strftime("%Y-%m-%d %H:%M:%S")
    done = store(
        Assignment,
        batches_each * size.annotators,
        batch_id=batches[: batches_each * size.annotators],
        annotator_id=np.repeat(np.arange(size.annotators) + people, batches_each).tolist(),
        state="done",
        leased_until=end,
        created_at=stamps(np.tile(np.linspace(0, 0.9, batches_each), size.annotators)),
    )
    active = store(
        Assignment,
        leased,
        batch_id=batches[-left:][:leased],
        annotator_id=[people + 2 * place + 1 for place in range(leased)],
        state="active",
        leased_until="2099-01-01 00:00:00",
        created_at=end,
    )
    for annotator in range(size.annotators):
        turns = np.arange(each) * size.annotators + annotator
        freed = is_skipped(turns, size) | is_surplus(turns, size)
        # The same slots as in `slot_of`, in their order there.
        turns_in_order = np.argsort((item_of(turns, size) - annotator % 2) // 2)
        freed = freed[turns_in_order].tolist()
        place = np.arange(each)
        store(
            Slot,
            each,
            campaign_id=campaign.pk,
            item_id=(first_item + 2 * place + annotator % 2).tolist(),
            repetition=annotator // 2,
            batch_id=(batches[0] + annotator * batches_each + place // SCREENS_IN_A_BATCH).tolist(),
            position=(place % SCREENS_IN_A_BATCH).tolist(),
            state=["free" if free else "filled" for free in freed],
            left_over=freed,
            annotator_id=[None if free else people + annotator for free in freed],
            assignment_id=[
                None if free else done[annotator * batches_each + number // SCREENS_IN_A_BATCH]
                for number, free in enumerate(freed)
            ],
        )
    _store_slots_left(size, campaign, batches[-left:], active, first_item, people)


def _store_slots_left(
    size: Size, campaign: Any, batches: Sequence[int], active: Sequence[int], first_item: int, people: int
) -> None:
    from annotate.models import Slot
    from dev.benchmarks.bulk_rows import store

    each = size.items // 2
    items = [2 * place + half for half in (0, 1) for place in range(each)]
    places = [
        (half * (len(batches) // 2) + place // SCREENS_IN_A_BATCH, place % SCREENS_IN_A_BATCH)
        for half in (0, 1)
        for place in range(each)
    ]
    is_leased = [batch < len(active) for batch, _ in places]
    store(
        Slot,
        size.items,
        campaign_id=campaign.pk,
        item_id=[first_item + item for item in items],
        repetition=size.annotators // 2,
        batch_id=[batches[batch] for batch, _ in places],
        position=[position for _, position in places],
        state=["leased" if leased else put_by(item) for leased, item in zip(is_leased, items, strict=True)],
        annotator_id=[
            people + 2 * batch + 1 if leased else None
            for leased, (batch, _) in zip(is_leased, places, strict=True)
        ],
        assignment_id=[
            active[batch] if leased else None for leased, (batch, _) in zip(is_leased, places, strict=True)
        ],
    )
    repeated = range(0, size.items, 50)
    store(
        Slot,
        len(repeated),
        campaign_id=campaign.pk,
        item_id=[first_item + item for item in repeated],
        repetition=size.annotators // 2 + 1,
        batch_id=None,
        position=None,
        state="reserved",
        annotator_id=people,
        repeats_id=[item // 2 + 1 for item in repeated],
        due_at_screen=10 * size.items,
    )
