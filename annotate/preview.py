"""What the launch of a draft would ask, computed as the launch itself computes it."""

from collections import Counter
from dataclasses import dataclass

from annotate.coverage import checked_pair
from annotate.models import Campaign, Output, Sentence
from annotate.services.launch_plans import LaunchPlan, names_of_checked, plan_launch

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
        domain: of its sentences, where the campaign separates them.
        screens: how many items it gives out.
        shared: how many of them somebody else judges, too.
    """

    number: int
    domain: str
    screens: int
    shared: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a launch would ask.

    Attributes:
        items: number of screens that were drawn.
        sentences: number of sentences among them.
        checked: number of screens that hold both source and control, where every output is asked.
        histogram: number of items by their number of outputs, without gaps from 1 to the largest.
        single: number of items with one output, which are stored as *auto* and not shown.
        shared: number of items that several annotators judge.
        slots: number of wanted judgments but for repeats.
        repeats: number of planned repeats.
        batches: number of batches.
        annotators: fewest annotators who can finish the campaign.
        shown_items: the first items.
        shown_batches: the first batches.
    """

    items: int
    sentences: int
    checked: int
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
    launch = plan_launch(campaign)
    items, plan = launch.items, launch.assignment
    counts = Counter(len(item.outputs) for item in items)
    wanted = Counter(slot.item for slot in plan.slots)
    return Preview(
        items=len(items),
        sentences=len({item.sentence for item in items}),
        checked=_checked(launch) if campaign.design.covers_outputs else 0,
        histogram={number: counts[number] for number in range(1, max(counts, default=0) + 1)},
        single=len(launch.single),
        shared=sum(times > 1 for times in wanted.values()),
        slots=len(plan.slots),
        repeats=len(plan.repeats),
        batches=plan.batches,
        annotators=max(wanted.values(), default=0),
        shown_items=_shown_items(launch),
        shown_batches=_shown_batches(launch, wanted),
    )


def _checked(plan: LaunchPlan) -> int:
    names = names_of_checked(plan.campaign)
    pairs = [set(checked_pair(outputs, *names)) for outputs in plan.outputs]
    return sum(
        bool(pairs[item.sentence]) and pairs[item.sentence] <= set(item.outputs) for item in plan.items
    )


def _shown_items(plan: LaunchPlan) -> tuple[PreviewedItem, ...]:
    shown = plan.items[:ITEMS_SHOWN]
    by_key = Sentence.objects.in_bulk([plan.sentences[item.sentence] for item in shown])
    texts = Output.objects.in_bulk([key for item in shown for key in item.outputs])
    return tuple(
        PreviewedItem(
            number,
            by_key[plan.sentences[item.sentence]],
            tuple((texts[key].text or "", plan.outputs[item.sentence][key]) for key in sorted(item.outputs)),
        )
        for number, item in enumerate(shown)
    )


def _shown_batches(launch: LaunchPlan, wanted: Counter[int]) -> tuple[PreviewedBatch, ...]:
    screens: Counter[int] = Counter()
    shared: Counter[int] = Counter()
    domains: dict[int, str] = {}
    for slot in launch.assignment.slots:
        if slot.batch < BATCHES_SHOWN:
            screens[slot.batch] += 1
            shared[slot.batch] += wanted[slot.item] > 1
            domains[slot.batch] = launch.domains[slot.item] if launch.domains else ""
    return tuple(
        PreviewedBatch(number, domains[number], screens[number], shared[number]) for number in sorted(screens)
    )
