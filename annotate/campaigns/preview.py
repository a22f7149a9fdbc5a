"""A preview of what a launch would create, drawn in the same way.

The launch draws again, by a secret that nobody has seen, so no preview tells what will be on the screens.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from annotate.campaigns.first_screens import PreviewedScreen, first_screens
from annotate.campaigns.launch_plans import LaunchPlan, names_of_checked, plan_launch
from annotate.design.assignment import judgments_wanted
from annotate.design.full_coverage import checked_pair
from annotate.models import Campaign, Output, Sentence, System
from ranking.annotators.control_rule import DEFAULT_RULE

EXAMPLE = "preview"
"""Stands for a campaign's secret, so that all previews of a draft are equal."""

ITEMS_SHOWN = 10
BATCHES_SHOWN = 10
PREVIEWED_AT_ONCE = 100_000
"""Limits on wanted judgments and on outputs to draw from; above them, a job makes the preview."""


@dataclass(frozen=True, slots=True)
class PreviewedSentence:
    """A source.

    Attributes:
        position: in the corpus, from 0.
        text: as it is shown.
    """

    position: int
    text: str


@dataclass(frozen=True, slots=True)
class PreviewedItem:
    """A screen as it was drawn.

    Attributes:
        number: of the item, from 0.
        sentence: the source.
        outputs: each text with the sorted names of its systems.
    """

    number: int
    sentence: PreviewedSentence
    outputs: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class PreviewedBatch:
    """A batch as it was laid out.

    Attributes:
        number: of the batch, from 0.
        domain: of its sentences, where the campaign separates them.
        screens: how many items it assigns.
        shared: how many of them someone else judges too.
    """

    number: int
    domain: str
    screens: int
    shared: int


@dataclass(frozen=True, slots=True)
class VisitEstimate:
    """The screens of a crowd worker's visit.

    Attributes:
        shortest: fewest screens.
        longest: most screens.
        checks: about how many screens of a short visit show both source and control.
    """

    shortest: int
    longest: int
    checks: int

    @property
    def checks_needed(self) -> int:
        """The fewest such screens with which the control rule can flag a worker."""
        return DEFAULT_RULE.for_visit(self.shortest).min_cases

    @property
    def is_too_short(self) -> bool:
        """Whether a worker may pass without having been checked."""
        return self.checks < self.checks_needed


@dataclass(frozen=True, slots=True)
class Preview:
    """Numbers of items, screens and batches that a launch would create.

    Attributes:
        items: number of screens that were drawn.
        sentences: number of sentences among them.
        checked: number of screens that show both source and control.
        histogram: number of items by their number of outputs, without gaps from 1 to the largest, and from 0
            where there are items without outputs.
        single: number of items with one output, which are stored as *auto* and not shown.
        shared: number of items that several annotators judge.
        slots: number of wanted judgments without repeats.
        repeats: number of planned repeats.
        batches: number of batches.
        batch_sizes: number of batches by their number of screens, from the shortest to the longest.
        annotators: fewest annotators who can finish the campaign.
        shown_items: the first items.
        shown_batches: the first batches.
        screens: the first screens of the first batch; empty in previews that an earlier release stored.
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
    batch_sizes: dict[int, int]
    annotators: int
    shown_items: tuple[PreviewedItem, ...]
    shown_batches: tuple[PreviewedBatch, ...]
    screens: tuple[PreviewedScreen, ...] = ()

    @property
    def judgments(self) -> int:
        """Number of wanted judgments in all."""
        return self.slots + self.repeats

    @property
    def asked(self) -> int:
        """Number of screens that annotators are shown, repeats among them."""
        return sum(screens * batches for screens, batches in self.batch_sizes.items()) + self.repeats

    @property
    def screens_of_a_batch(self) -> str:
        """Number of screens of the shortest and the longest batch."""
        sizes = list(self.batch_sizes)
        return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}–{sizes[-1]}"

    def visit(self, batches: int) -> VisitEstimate:
        """The screens of a crowd worker's visit with this many batches."""
        sizes = list(self.batch_sizes) or [0]
        share = self.checked / max(self.items - self.single, 1)
        return VisitEstimate(batches * sizes[0], batches * sizes[-1], round(batches * sizes[0] * share))


def is_small(campaign: Campaign, systems: int | None = None) -> bool:
    """Whether the preview is fast enough for a request: about a second. `systems` is their number."""
    design = campaign.design
    wanted = judgments_wanted(design.items, design.annotators_per_item, design.shared_percent)
    number = campaign.systems.count() if systems is None else systems
    return wanted + campaign.corpus.sentence_count * number <= PREVIEWED_AT_ONCE


def to_json(preview: Preview) -> dict[str, object]:
    """The preview as lists, dicts, strings and numbers."""
    counted = {"histogram": list(preview.histogram.items()), "batch_sizes": list(preview.batch_sizes.items())}
    return {**asdict(preview), **counted}


def from_json(stored: Mapping[str, Any]) -> Preview:
    """The preview from the JSON made by `to_json`."""
    items = tuple(
        PreviewedItem(
            item["number"],
            PreviewedSentence(**item["sentence"]),
            tuple((text, tuple(systems)) for text, systems in item["outputs"]),
        )
        for item in stored["shown_items"]
    )
    batches = tuple(PreviewedBatch(**batch) for batch in stored["shown_batches"])
    counted = {name: dict(stored.get(name, [])) for name in ("histogram", "batch_sizes")}
    screens = tuple(
        PreviewedScreen(**{**screen, **{name: tuple(screen.get(name, ())) for name in ("texts", "prepared")}})
        for screen in stored.get("screens", [])
    )
    tuples = {"shown_items": items, "shown_batches": batches, "screens": screens}
    return Preview(**{**stored, **counted, **tuples})


def preview(campaign: Campaign, systems: Sequence[System] | None = None) -> Preview:
    """A preview of the draft's launch; `systems` are given if the draft is not stored yet.

    Raises:
        SamplingError: the design asks for more than the corpus has; the message says what to do.
    """
    launch = plan_launch(campaign, systems, secret=EXAMPLE)
    items, plan = launch.items, launch.assignment
    counts = Counter(len(item.outputs) for item in items)
    wanted = Counter(slot.item for slot in plan.slots)
    return Preview(
        items=len(items),
        sentences=len({item.sentence for item in items}),
        checked=_checked(launch),
        histogram={number: counts[number] for number in range(min([1, *counts]), max(counts, default=0) + 1)},
        single=len(launch.single),
        shared=sum(times > 1 for times in wanted.values()),
        slots=len(plan.slots),
        repeats=len(plan.repeats),
        batches=plan.batches,
        batch_sizes=_batch_sizes(launch),
        annotators=max(wanted.values(), default=0),
        shown_items=_shown_items(launch),
        shown_batches=_shown_batches(launch, wanted),
        screens=first_screens(launch),
    )


def _batch_sizes(plan: LaunchPlan) -> dict[int, int]:
    asked = Counter(slot.batch for slot in plan.assignment.slots if slot.item not in plan.single)
    sizes = Counter(asked[batch] for batch in range(plan.assignment.batches))
    return dict(sorted(sizes.items()))


def _checked(plan: LaunchPlan) -> int:
    names = names_of_checked(plan.systems)
    if not all(names):
        return 0
    pairs = [set(checked_pair(outputs, *names)) for outputs in plan.outputs]
    return sum(
        bool(pairs[item.sentence]) and pairs[item.sentence] <= set(item.outputs) for item in plan.items
    )


def _shown_items(plan: LaunchPlan) -> tuple[PreviewedItem, ...]:
    shown = plan.items[:ITEMS_SHOWN]
    by_key = Sentence.objects.in_bulk([plan.sentences[item.sentence] for item in shown])
    sentences = {key: PreviewedSentence(row.position, row.text or "") for key, row in by_key.items()}
    texts = Output.objects.in_bulk([key for item in shown for key in item.outputs])
    return tuple(
        PreviewedItem(
            number,
            sentences[plan.sentences[item.sentence]],
            tuple((texts[key].text or "", plan.outputs[item.sentence][key]) for key in plan.in_order(item)),
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
