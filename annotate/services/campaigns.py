"""A campaign that is run here: made as a draft, launched once, then paused, resumed and closed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotate.assignment import AssignmentPlan, plan_assignment
from annotate.items import Outputs, PlannedItem, plan_items
from annotate.models import (
    Batch,
    Campaign,
    CampaignState,
    Corpus,
    Design,
    Item,
    ItemOutput,
    Production,
    Slot,
    SlotState,
    System,
)
from annotate.protocols import PROTOCOLS
from annotate.services.staging import (
    ABANDONED_AFTER,
    Progress,
    delete_in_pieces,
    pieces,
    renewed,
    short_transaction,
)

ROWS_PER_PIECE = 1000


class CampaignError(Exception):
    """What was asked cannot be done with the campaign as it is; the message says why."""


def create_campaign(
    *, name: str, corpus: Corpus, protocol: str, systems: Sequence[System], design: Design
) -> Campaign:
    """Make a draft. Nothing is drawn and nobody is asked before it is launched.

    Raises:
        ValidationError: a field is malformed, or the name is taken.
    """
    campaign = Campaign(name=name, corpus=corpus, protocol=protocol, state=CampaignState.DRAFT)
    campaign.full_clean()
    design.full_clean(exclude=["campaign"])
    with transaction.atomic():
        campaign.save()
        campaign.systems.set(systems)
        design.campaign = campaign
        design.save()
    return campaign


def planned_items(campaign: Campaign) -> tuple[list[int], list[Outputs], tuple[PlannedItem, ...]]:
    """What a launch would ask: keys of the corpus' sentences, their outputs, and the items drawn from them.

    Raises:
        SamplingError: the design asks for more than the corpus holds.
    """
    by_sentence: dict[int, dict[int, list[str]]] = {
        sentence: {}
        for sentence in campaign.corpus.sentences.order_by("position").values_list("pk", flat=True)
    }
    produced = Production.objects.filter(system__in=campaign.systems.all()).order_by("output", "system__name")
    for sentence, output, system in produced.values_list("sentence", "output", "system__name"):
        by_sentence[sentence].setdefault(output, []).append(system)
    outputs: list[Outputs] = [
        {output: tuple(names) for output, names in found.items()} for found in by_sentence.values()
    ]
    design = campaign.design
    items = plan_items(
        outputs,
        items=design.items,
        outputs_per_screen=min(design.outputs_per_screen, PROTOCOLS[campaign.protocol].most_outputs),
        sampling=design.sampling,  # type: ignore[arg-type]  # the database knows no other
        with_replacement=design.with_replacement,
        listed_sentences=design.listed_sentences,
        seed=design.seed,
    )
    return list(by_sentence), outputs, items


def planned_assignment(design: Design, items: Sequence[PlannedItem]) -> AssignmentPlan:
    """Who would be asked how often: the slots of a launch with these items."""
    return plan_assignment(
        len(items),
        annotators_per_item=design.annotators_per_item,
        shared_percent=design.shared_percent,
        repeat_percent=design.repeat_percent,
        batch_size=design.batch_size,
        single=[number for number, item in enumerate(items) if len(item.outputs) == 1],
        seed=design.seed,
    )


def launch(campaign: Campaign, *, progress: Progress) -> None:
    """Draw the items, lay out the slots and open the campaign, whose design is frozen from now on.

    Written in short pieces; a launch that fails leaves the draft as it was, and one that was killed can be
    repeated. `progress` is told the number of items stored by each piece.

    Raises:
        CampaignError: it is no draft any more.
        SamplingError: the design asks for more than the corpus holds.
    """
    sentences, outputs, items = planned_items(campaign)
    plan = planned_assignment(campaign.design, items)
    _begin_launch(campaign)
    try:
        _discard_items(campaign)
        stored = _store_items(campaign, sentences, outputs, items, progress)
        _store_slots(campaign, stored, plan)
    except BaseException:
        if renewed(campaign):
            _discard_items(campaign)
            _move(campaign, CampaignState.DRAFT, only_from=[CampaignState.LAUNCHING])
        raise
    with _piece(campaign):
        _move(campaign, CampaignState.RUNNING, only_from=[CampaignState.LAUNCHING])


def pause(campaign: Campaign) -> None:
    """Give out nothing for a while; answers to what was given out are still taken.

    Raises:
        CampaignError: it is not running.
    """
    _move(campaign, CampaignState.PAUSED, only_from=[CampaignState.RUNNING])


def resume(campaign: Campaign) -> None:
    """Give out again.

    Raises:
        CampaignError: it is neither paused nor closed.
    """
    _move(campaign, CampaignState.RUNNING, only_from=[CampaignState.PAUSED, CampaignState.CLOSED])


def close(campaign: Campaign) -> None:
    """End it; answers that still arrive are surplus.

    Raises:
        CampaignError: it never ran, or is closed already.
    """
    _move(campaign, CampaignState.CLOSED, only_from=[CampaignState.RUNNING, CampaignState.PAUSED])


def clone(campaign: Campaign, *, name: str) -> Campaign:
    """A draft with the same corpus, systems and design, to be changed.

    Raises:
        ValidationError: the name is malformed or taken.
    """
    design = Design.objects.get(campaign=campaign)
    design.pk = None
    return create_campaign(
        name=name,
        corpus=campaign.corpus,
        protocol=campaign.protocol,
        systems=list(campaign.systems.all()),
        design=design,
    )


def _move(campaign: Campaign, state: CampaignState, *, only_from: Sequence[CampaignState]) -> None:
    moved = Campaign.objects.filter(pk=campaign.pk, state__in=only_from).update(state=state)
    if not moved:
        _refuse(campaign)
    campaign.state = state


def _refuse(campaign: Campaign) -> NoReturn:
    campaign.refresh_from_db(fields=["state"])
    raise CampaignError(f"Campaign {campaign.name!r} is {campaign.get_state_display().lower()}.")


def _begin_launch(campaign: Campaign) -> None:
    now = timezone.now()
    killed = Q(state=CampaignState.LAUNCHING, touched_at__lt=now - ABANDONED_AFTER)
    ready = Campaign.objects.filter(Q(state=CampaignState.DRAFT) | killed, pk=campaign.pk)
    if not ready.update(state=CampaignState.LAUNCHING, touched_at=now):
        _refuse(campaign)
    campaign.state = CampaignState.LAUNCHING
    campaign.touched_at = now


@contextmanager
def _piece(campaign: Campaign) -> Iterator[None]:
    """One short transaction of a launch."""
    stamp = campaign.touched_at
    with short_transaction():
        if not renewed(campaign):
            raise CampaignError(f"Another launch of {campaign.name!r} has taken over from this one.")
        try:
            yield
        except BaseException:
            campaign.touched_at = stamp  # The new one is undone with the piece.
            raise


def _discard_items(campaign: Campaign) -> None:
    delete_in_pieces(campaign.items.all())
    delete_in_pieces(campaign.batches.all())


def _store_items(
    campaign: Campaign,
    sentences: Sequence[int],
    outputs: Sequence[Outputs],
    items: Sequence[PlannedItem],
    progress: Progress,
) -> list[Item]:
    stored: list[Item] = []
    for piece in pieces(items, ROWS_PER_PIECE):
        rows = [
            Item(campaign_id=campaign.pk, number=number, sentence_id=sentences[item.sentence])
            for number, item in enumerate(piece, start=len(stored))
        ]
        shown = [
            ItemOutput(item=row, output_id=output, systems=outputs[item.sentence][output])
            for row, item in zip(rows, piece, strict=True)
            for output in sorted(item.outputs)
        ]
        with _piece(campaign):
            Item.objects.bulk_create(rows)
            ItemOutput.objects.bulk_create(shown)
        stored += rows
        progress(len(piece))
    return stored


def _store_slots(campaign: Campaign, items: Sequence[Item], plan: AssignmentPlan) -> None:
    batches: list[Batch] = []
    for numbers in pieces(range(plan.batches), ROWS_PER_PIECE):
        with _piece(campaign):
            batches += Batch.objects.bulk_create(
                Batch(campaign=campaign, number=number) for number in numbers
            )
    first: dict[int, Slot] = {}
    for slots in pieces(plan.slots, ROWS_PER_PIECE):
        rows = [
            Slot(
                campaign_id=campaign.pk,
                item_id=items[slot.item].pk,
                repetition=slot.repetition,
                batch_id=batches[slot.batch].pk,
                position=slot.position,
            )
            for slot in slots
        ]
        with _piece(campaign):
            Slot.objects.bulk_create(rows)
        first.update((slot.item, row) for slot, row in zip(slots, rows, strict=True) if not slot.repetition)
    for repeats in pieces(plan.repeats, ROWS_PER_PIECE):
        with _piece(campaign):
            Slot.objects.bulk_create(
                Slot(
                    campaign_id=campaign.pk,
                    item_id=items[repeat.item].pk,
                    repetition=repeat.repetition,
                    repeats=first[repeat.item],
                    state=SlotState.RESERVED,
                )
                for repeat in repeats
            )
