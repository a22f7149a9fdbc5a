"""What the launch of a draft would ask, computed as the launch itself computes it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.assignment import AssignmentPlan
from annotate.items import Outputs, PlannedItem
from annotate.models import Campaign, Output, Sentence
from annotate.services.campaigns import planned_assignment, planned_items

ITEMS_SHOWN = 10
BATCHES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class PreviewedItem:
    """A screen as it was drawn.

    Attributes:
        number: of the item, from 0.
        sentence: the source.
        outputs: each text with the sorted names of its systems.
    """

    number: int
    sentence: Sentence
    outputs: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class PreviewedBatch:
    """A batch as it was laid out.

    Attributes:
        number: of the batch, from 0.
        screens: how many items it gives out.
        shared: how many of them somebody else judges, too.
    """

    number: int
    screens: int
    shared: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a launch would ask.

    Attributes:
        items: number of screens that were drawn.
        histogram: number of items by their number of outputs, without gaps from 1 to the largest.
        single: number of items with one output, which are stored as *auto* and not shown.
        shared: number of items that several annotators judge.
        slots: number of wanted judgments but for repeats.
        repeats: number of planned repeats; those of items with one output are dropped.
        batches: number of batches.
        annotators: fewest annotators who can finish the campaign.
        shown_items: the first items.
        shown_batches: the first batches.
    """

    items: int
    histogram: dict[int, int]
    single: int
    shared: int
    slots: int
    repeats: int
    batches: int
    annotators: int
    shown_items: tuple[PreviewedItem, ...]
    shown_batches: tuple[PreviewedBatch, ...]

    @property
    def judgments(self) -> int:
        """Number of wanted judgments in all."""
        return self.slots + self.repeats


def preview(campaign: Campaign) -> Preview:
    """What the launch of the draft would ask.

    Raises:
        SamplingError: the design asks for more than the corpus holds; the message says what to do.
    """
    sentences, outputs, items = planned_items(campaign)
    plan = planned_assignment(campaign.design, items)
    counts = Counter(len(item.outputs) for item in items)
    single = {number for number, item in enumerate(items) if len(item.outputs) == 1}
    wanted = Counter(slot.item for slot in plan.slots)
    return Preview(
        items=len(items),
        histogram={number: counts[number] for number in range(1, max(counts, default=0) + 1)},
        single=len(single),
        shared=sum(times > 1 for times in wanted.values()),
        slots=len(plan.slots),
        repeats=sum(repeat.item not in single for repeat in plan.repeats),
        batches=plan.batches,
        annotators=max(wanted.values(), default=0),
        shown_items=_shown_items(sentences, outputs, items),
        shown_batches=_shown_batches(plan, wanted),
    )


def _shown_items(
    sentences: Sequence[int], outputs: Sequence[Outputs], items: Sequence[PlannedItem]
) -> tuple[PreviewedItem, ...]:
    shown = items[:ITEMS_SHOWN]
    by_key = Sentence.objects.in_bulk([sentences[item.sentence] for item in shown])
    texts = Output.objects.in_bulk([key for item in shown for key in item.outputs])
    return tuple(
        PreviewedItem(
            number,
            by_key[sentences[item.sentence]],
            tuple((texts[key].text or "", outputs[item.sentence][key]) for key in sorted(item.outputs)),
        )
        for number, item in enumerate(shown)
    )


def _shown_batches(plan: AssignmentPlan, wanted: Counter[int]) -> tuple[PreviewedBatch, ...]:
    screens: Counter[int] = Counter()
    shared: Counter[int] = Counter()
    for slot in plan.slots:
        if slot.batch < BATCHES_SHOWN:
            screens[slot.batch] += 1
            shared[slot.batch] += wanted[slot.item] > 1
    return tuple(PreviewedBatch(number, screens[number], shared[number]) for number in sorted(screens))
