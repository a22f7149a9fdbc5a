"""The life of a campaign: created as a draft, launched once, then paused, resumed and closed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NoReturn

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotate.campaigns.launch_plans import LaunchPlan, plan_launch
from annotate.campaigns.prepared.outputs import prepared_outputs
from annotate.campaigns.prepared.suggestions import Suggestions, all_suggestions, replace_suggestions
from annotate.campaigns.suitability import check_design
from annotate.database.audit_log import record
from annotate.database.staging import (
    ABANDONED_AFTER,
    claimed_piece,
    delete_in_pieces,
    pieces,
    renew_stamp,
    stays,
)
from annotate.database.storing_once import stored_once
from annotate.design.items import PlannedItem
from annotate.models import (
    AuditAction,
    Batch,
    Campaign,
    CampaignState,
    Corpus,
    Design,
    Item,
    ItemOutput,
    Output,
    Slot,
    SlotState,
    StopsWhen,
    System,
    User,
    Watch,
)
from core.progress import Advance
from jobs.refusals import RefusedError

ROWS_PER_PIECE = 1000


class CampaignError(RefusedError):
    """The campaign's state does not allow the action; the message says why."""


def create_campaign(
    *,
    name: str,
    corpus: Corpus,
    protocol: str,
    systems: Sequence[System],
    design: Design,
    follows: Campaign | None = None,
    suggestions: Suggestions | None = None,
) -> Campaign:
    """Create a draft. Nothing is drawn or assigned before it is launched.

    `follows` is the campaign whose undecided pairs it asks about, for a follow-up. `suggestions` are what
    programs suggest about outputs.

    Raises:
        ValidationError: a field is malformed, the name is taken, or the protocol does not allow it.
        PracticeError: the guidelines contain a practice item that does not fit the protocol.
        CampaignError: the corpus is being deleted.
    """
    check_design(design, protocol=protocol, systems=len(systems), corpus=corpus)
    campaign = Campaign(
        name=name, corpus=corpus, protocol=protocol, state=CampaignState.DRAFT, follows=follows
    )
    campaign.full_clean()
    design.full_clean(exclude=["campaign"])
    with stored_once(campaign):
        if not stays(corpus):
            raise CampaignError(f"The corpus {corpus.name!r} has just been deleted.")
        campaign.save()
        campaign.systems.set(systems)
        design.campaign = campaign
        design.save()
        replace_suggestions(campaign, suggestions or {})
    return campaign


def store_launch(
    plan: LaunchPlan, *, progress: Advance, takes_over: bool = False, by: User | None = None
) -> None:
    """Store the items and slots and open the campaign, whose design is frozen from now on.

    Rows are written in short pieces. A launch that fails leaves the draft unchanged; one that was killed can
    be repeated after a while, or at once by a caller who knows that it was killed (`takes_over`). `progress`
    gets the number of items or slots stored by each piece. As for all changes of state, the audit log records
    the launch and the user (`by`; None for a command).

    Raises:
        CampaignError: it is no longer a draft.
    """
    campaign = plan.campaign
    drafted_at, rules = campaign.touched_at, campaign.text_rules
    _begin_launch(campaign, takes_over=takes_over)
    try:
        _discard_items(campaign)
        _store_slots(plan, _store_items(plan, progress), progress)
    except BaseException:
        if renew_stamp(campaign):
            _discard_items(campaign)
            _move(campaign, CampaignState.DRAFT, only_from=[CampaignState.LAUNCHING])
            campaign.touched_at = drafted_at
            campaign.save(update_fields=["touched_at"])
        raise
    with _piece(campaign):
        _move(campaign, CampaignState.RUNNING, only_from=[CampaignState.LAUNCHING])
        campaign.slot_count = len(plan.assignment.slots) + len(plan.assignment.repeats)
        campaign.secret = plan.secret
        campaign.save(update_fields=["slot_count", "secret"])
        campaign.design.natural_text, campaign.design.text_rules = bool(rules), rules or ""
        campaign.design.save(update_fields=["natural_text", "text_rules"])
        if campaign.design.stops_when != StopsWhen.NEVER:
            Watch.objects.create(campaign=campaign, next_look=campaign.design.stop_after)
        record(user=by, action=AuditAction.LAUNCH, subject=campaign, details={"items": len(plan.items)})


def launch(
    campaign: Campaign, *, progress: Advance, by: User | None = None, secret: str | None = None
) -> None:
    """Plan the launch, by a new secret unless one is given, and store it.

    Raises:
        CampaignError: it is no longer a draft.
        SamplingError: the design asks for more than the corpus has.
    """
    store_launch(plan_launch(campaign, secret=secret), progress=progress, by=by)


def pause(campaign: Campaign, *, by: User | None = None) -> None:
    """Pause the hand-out; answers to open screens are still accepted.

    Raises:
        CampaignError: it is not running.
    """
    with transaction.atomic():
        _move(campaign, CampaignState.PAUSED, only_from=[CampaignState.RUNNING])
        record(user=by, action=AuditAction.PAUSE, subject=campaign)


def resume(campaign: Campaign, *, by: User | None = None) -> None:
    """Resume the campaign. One that stopped by itself does not do so again unless it is asked to.

    Raises:
        CampaignError: it is neither paused nor closed.
    """
    with transaction.atomic():
        _move(campaign, CampaignState.RUNNING, only_from=[CampaignState.PAUSED, CampaignState.CLOSED])
        Watch.objects.filter(campaign=campaign).exclude(stopped_at=None).update(stopped_at=None)
        record(user=by, action=AuditAction.RESUME, subject=campaign)


def close(campaign: Campaign, *, by: User | None = None, reason: str = "") -> None:
    """Close the campaign; answers that still arrive are surplus. The audit log records the reason, if any.

    Raises:
        CampaignError: it never ran, or is already closed.
    """
    with transaction.atomic():
        _move(campaign, CampaignState.CLOSED, only_from=[CampaignState.RUNNING, CampaignState.PAUSED])
        record(user=by, action=AuditAction.CLOSE, subject=campaign, details={"reason": reason})


def clone(campaign: Campaign, *, name: str) -> Campaign:
    """A draft with the same corpus, systems and design, to be changed.

    Raises:
        ValidationError: the name is malformed or taken.
        CampaignError: the corpus is being deleted.
    """
    design = Design.objects.get(campaign=campaign)
    design.pk = None
    return create_campaign(
        name=name,
        corpus=campaign.corpus,
        protocol=campaign.protocol,
        systems=list(campaign.systems.all()),
        design=design,
        follows=campaign.follows,
        suggestions=all_suggestions(campaign),
    )


def _move(campaign: Campaign, state: CampaignState, *, only_from: Sequence[CampaignState]) -> None:
    moved = Campaign.objects.filter(pk=campaign.pk, state__in=only_from).update(state=state)
    if not moved:
        _refuse(campaign)
    campaign.state = state


def _refuse(campaign: Campaign) -> NoReturn:
    campaign.refresh_from_db(fields=["state"])
    raise CampaignError(f"Campaign {campaign.name!r} is {campaign.get_state_display().lower()}.")


def _begin_launch(campaign: Campaign, *, takes_over: bool) -> None:
    now = timezone.now()
    killed = Q(state=CampaignState.LAUNCHING)
    if not takes_over:
        killed &= Q(touched_at__lt=now - ABANDONED_AFTER)
    planned = Q(state=CampaignState.DRAFT, touched_at=campaign.touched_at)
    ready = Campaign.objects.filter(planned | killed, pk=campaign.pk)
    if not ready.update(state=CampaignState.LAUNCHING, touched_at=now):
        if Campaign.objects.filter(pk=campaign.pk, state=CampaignState.DRAFT).exists():
            raise CampaignError(
                f"Draft {campaign.name!r} was changed in the meantime. Check it and launch it again."
            )
        _refuse(campaign)
    campaign.state = CampaignState.LAUNCHING
    campaign.touched_at = now


@contextmanager
def _piece(campaign: Campaign) -> Iterator[None]:
    """One short transaction of a launch."""
    lost = CampaignError(f"Another launch of {campaign.name!r} has taken over from this one.")
    with claimed_piece(campaign, lost=lost):
        yield


def _discard_items(campaign: Campaign) -> None:
    delete_in_pieces(campaign.items.all())
    delete_in_pieces(campaign.batches.all())


def _store_items(plan: LaunchPlan, progress: Advance) -> list[Item]:
    campaign = plan.campaign
    stored: list[Item] = []
    for piece in pieces(plan.items, ROWS_PER_PIECE):
        digests = _digests(piece)
        rows = [
            Item(
                campaign_id=campaign.pk,
                number=number,
                sentence_id=plan.sentences[item.sentence],
                propensities=_propensities(item, digests),
            )
            for number, item in enumerate(piece, start=len(stored))
        ]
        prepared = prepared_outputs(campaign, [output for item in piece for output in item.outputs])
        shown = [
            ItemOutput(
                item=row,
                output_id=output,
                systems=plan.outputs[item.sentence][output],
                prepared=prepared.get(output),
            )
            for row, item in zip(rows, piece, strict=True)
            for output in plan.in_order(item)
        ]
        with _piece(campaign):
            Item.objects.bulk_create(rows)
            ItemOutput.objects.bulk_create(shown)
        stored += rows
        progress(len(piece))
    return stored


def _digests(items: Sequence[PlannedItem]) -> dict[int, str]:
    """The digests of outputs of items that have propensities."""
    keys = {key for item in items if item.propensities for key in item.outputs}
    return dict(Output.objects.filter(pk__in=keys).values_list("pk", "digest")) if keys else {}


def _propensities(item: PlannedItem, digests: Mapping[int, str]) -> dict[str, list[float]] | None:
    """Propensities by digests of outputs, in the form that `formats.snapshot.propensities_json` describes."""
    if not item.propensities:
        return None
    order = sorted(range(len(item.outputs)), key=lambda place: digests[item.outputs[place]])
    return {digests[item.outputs[row]]: [item.propensities[row][column] for column in order] for row in order}


def _store_slots(launch: LaunchPlan, items: Sequence[Item], progress: Advance) -> None:
    campaign, plan = launch.campaign, launch.assignment
    domains = {slot.batch: launch.domains[slot.item] for slot in plan.slots} if launch.domains else {}
    batches: list[Batch] = []
    for numbers in pieces(range(plan.batches), ROWS_PER_PIECE):
        with _piece(campaign):
            batches += Batch.objects.bulk_create(
                Batch(campaign=campaign, number=number, domain=domains.get(number, "")) for number in numbers
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
        progress(len(slots))
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
        progress(len(repeats))
