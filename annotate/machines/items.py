"""The items that a machine is handed, in the blinded form in which annotators see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone

from annotate.design.protocols import PROTOCOLS, Prepared
from annotate.judging.handout.leases import lease_of
from annotate.judging.orders import order_for
from annotate.models import (
    Annotator,
    Campaign,
    CampaignState,
    Item,
    ItemOutput,
    Judgment,
    Machine,
    MachineLease,
    Sentence,
)
from formats.text.natural import natural
from formats.text.tokens_back import rules_on_screen
from jobs.refusals import RefusedError

MOST_ITEMS = 100
"""Number of items in one request."""

OPEN = (CampaignState.RUNNING, CampaignState.PAUSED, CampaignState.CLOSED)
"""States of campaigns in which machines judge: other than people, they may come later."""


class NotOpenError(RefusedError):
    """The campaign has no items for machines; the message says why."""


@dataclass(frozen=True, slots=True)
class BlindItem:
    """An item as a machine sees it: texts only, no systems, scores or origins.

    Attributes:
        number: of the item, which its answer names.
        repetition: how often the machine was asked about it before.
        source: the sentence; empty if its text is not known.
        outputs: texts in the order shown, which is drawn for each machine, item and repetition.
        previous: the sentence before it in the document; empty if there is none, or none is shown.
        following: the sentence after it, under the same conditions.
        prepared: what the protocol fixed about each output; None for nothing.
    """

    number: int
    repetition: int
    source: str
    outputs: Sequence[str]
    previous: str
    following: str
    prepared: Sequence[Prepared]


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item with what is stored of it.

    Attributes:
        key: of the item.
        number: of the item.
        sentence: key of its sentence.
        source: the stored text of the sentence.
        outputs: keys of its outputs in the order shown to a machine.
        texts: their stored texts.
        prepared: what the protocol fixed about each of them; None for nothing.
    """

    key: int
    number: int
    sentence: int
    source: str
    outputs: Sequence[int]
    texts: Sequence[str]
    prepared: Sequence[Prepared]


def check_open(campaign: Campaign) -> None:
    """Raise `NotOpenError` if machines cannot judge the campaign."""
    if campaign.state not in OPEN:
        raise NotOpenError(f"Campaign {campaign.name!r} is {campaign.get_state_display().lower()}.")


def lock_machine(annotator: Annotator) -> Machine:
    """Lock the machine's row until the transaction ends."""
    return Machine.objects.select_for_update(of=("self",), no_key=True).get(annotator=annotator)


@transaction.atomic
def hand_out(annotator: Annotator, most: int, *, now: datetime | None = None) -> list[BlindItem]:
    """Lease the next items to a machine: those whose lease has expired, then those after the last one.

    Another process of the same machine does not get them before the lease expires. People's leases do not
    matter, and neither do machines' to them.

    Raises:
        NotOpenError: the campaign is not launched yet.
    """
    check_open(annotator.campaign)
    now = now or timezone.now()
    machine = lock_machine(annotator)
    expired = MachineLease.objects.filter(annotator=annotator, leased_until__lt=now).order_by("item")
    keys = list(expired.values_list("item", flat=True)[:most])
    following = asked_items(annotator.campaign).exclude(Exists(_answers(annotator))).order_by("number")
    if machine.last_item is not None:
        following = following.filter(number__gt=machine.last_item)
    new = list(following.values_list("pk", "number")[: most - len(keys)])
    until = now + lease_of(annotator)
    MachineLease.objects.filter(annotator=annotator, item__in=keys).update(leased_until=until)
    MachineLease.objects.bulk_create(
        MachineLease(annotator=annotator, item_id=key, leased_until=until) for key, _ in new
    )
    if new:
        Machine.objects.filter(annotator=annotator).update(last_item=new[-1][1])
    keys += [key for key, _ in new]
    return blind_items(annotator, Item.objects.filter(pk__in=keys))


def asked_items(campaign: Campaign) -> QuerySet[Item]:
    """The items that ask something: those of one output do not where the protocol answers them itself."""
    items = Item.objects.filter(campaign=campaign)
    if PROTOCOLS[campaign.protocol].auto_answer is None:
        return items
    several = ItemOutput.objects.order_by().filter(item=OuterRef("pk")).values("item")
    return items.filter(Exists(several.annotate(number=Count("pk")).filter(number__gt=1)))


def _answers(annotator: Annotator) -> QuerySet[Judgment]:
    return Judgment.every.filter(annotator=annotator, item=OuterRef("pk"))


def shown_items(annotator: Annotator, items: QuerySet[Item], *, repetition: int = 0) -> list[ShownItem]:
    """The items with their outputs in the order in which the machine sees them."""
    rows = list(items.order_by("number").values_list("pk", "number", "sentence", "sentence__text"))
    outputs: dict[int, list[tuple[int, str, Prepared]]] = {key: [] for key, *_ in rows}
    of_items = ItemOutput.objects.filter(item__in=list(outputs)).order_by("pk")
    for item, key, text, prepared in of_items.values_list("item", "pk", "output__text", "prepared"):
        outputs[item].append((key, text or "", prepared))
    shown = []
    for key, number, sentence, source in rows:
        order = order_for(annotator, f"machine-{repetition}", number, len(outputs[key]))
        in_order = [outputs[key][place] for place in order]
        keys, texts = [each for each, *_ in in_order], [text for _, text, _ in in_order]
        fixed = [prepared for *_, prepared in in_order]
        shown.append(ShownItem(key, number, sentence, source or "", keys, texts, fixed))
    return shown


def blind_items(annotator: Annotator, items: QuerySet[Item], *, repetition: int = 0) -> list[BlindItem]:
    """The items as the machine sees them, by number."""
    campaign, protocol = annotator.campaign, PROTOCOLS[annotator.campaign.protocol]
    shown = shown_items(annotator, items, repetition=repetition)
    around = _around(campaign, [each.sentence for each in shown])
    blind = []
    for each in shown:
        rules = rules_on_screen(campaign.text_rules, each.source, each.texts)
        source, *outputs = (
            natural(text.split(), rules) if rules else text for text in (each.source, *each.texts)
        )
        previous, following = around.get(each.sentence, ("", ""))
        prepared = [
            protocol.prepared_as_shown(fixed, text, rules)
            for fixed, text in zip(each.prepared, each.texts, strict=True)
        ]
        blind.append(BlindItem(each.number, repetition, source, outputs, previous, following, prepared))
    return blind


def _around(campaign: Campaign, sentences: Sequence[int]) -> Mapping[int, tuple[str, str]]:
    """The texts before and after the sentences with these keys, in their documents."""
    if not campaign.design.shows_context:
        return {}
    rows = Sentence.objects.filter(pk__in=sentences).exclude(document="")
    placed = {
        key: (position, document)
        for key, position, document in rows.values_list("pk", "position", "document")
    }
    wanted = {place for position, _ in placed.values() for place in (position - 1, position + 1)}
    beside = Sentence.objects.filter(corpus=campaign.corpus_id, position__in=wanted)
    texts = {
        (position, document): text or ""
        for position, document, text in beside.values_list("position", "document", "text")
    }
    rules = campaign.text_rules

    def shown(position: int, document: str) -> str:
        text = texts.get((position, document), "")
        return natural(text.split(), rules) if text and rules and rules_on_screen(rules, text) else text

    return {
        key: (shown(position - 1, document), shown(position + 1, document))
        for key, (position, document) in placed.items()
    }
