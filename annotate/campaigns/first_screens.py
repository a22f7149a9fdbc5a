"""The first screens of a draft, as an annotator would see them."""

from dataclasses import dataclass

from annotate.campaigns.launch_plans import LaunchPlan
from annotate.campaigns.prepared.outputs import prepared_outputs
from annotate.design.assignment import shown_order
from annotate.design.draws import keyed_seed
from annotate.design.protocols import Prepared
from annotate.models import Output, Sentence

SCREENS_SHOWN = 10
NOBODY = 0
"""Stands for the number of an annotator, which decides on the order of the outputs."""


@dataclass(frozen=True, slots=True)
class PreviewedScreen:
    """A screen as an annotator would see it.

    Attributes:
        source: the sentence.
        previous: the sentence before it in the document; empty where there is none, and where the design
            shows no context.
        following: the sentence after it, or empty for the same reasons.
        texts: of the outputs, in the order shown.
        prepared: what the protocol fixes about each of them; empty in previews of an earlier release.
    """

    source: str
    previous: str
    following: str
    texts: tuple[str, ...]
    prepared: tuple[Prepared, ...] = ()


def first_screens(plan: LaunchPlan) -> tuple[PreviewedScreen, ...]:
    """The first screens of the first batch that asks something."""
    asked = [slot for slot in plan.assignment.slots if slot.item not in plan.single]
    batch = min((slot.batch for slot in asked), default=0)
    numbers = [slot.item for slot in asked if slot.batch == batch][:SCREENS_SHOWN]
    items = [plan.items[number] for number in numbers]
    sentences = Sentence.objects.in_bulk([plan.sentences[item.sentence] for item in items])
    around = _around(plan, [sentence.position for sentence in sentences.values()])
    texts = Output.objects.in_bulk([key for item in items for key in item.outputs])
    prepared = prepared_outputs(plan.campaign, list(texts))
    screens = []
    for number, item in zip(numbers, items, strict=True):
        sentence = sentences[plan.sentences[item.sentence]]
        keys = plan.in_order(item)
        order = shown_order(len(keys), seed=keyed_seed(plan.secret, "screen", number, NOBODY))
        screens.append(
            PreviewedScreen(
                source=sentence.text or "",
                previous=around.get((sentence.document, sentence.position - 1), ""),
                following=around.get((sentence.document, sentence.position + 1), ""),
                texts=tuple(texts[keys[place]].text or "" for place in order),
                prepared=tuple(prepared.get(keys[place]) for place in order),
            )
        )
    return tuple(screens)


def _around(plan: LaunchPlan, positions: list[int]) -> dict[tuple[str, int], str]:
    """The texts beside these sentences, by document and position."""
    if not plan.campaign.design.shows_context:
        return {}
    beside = {position + step for position in positions for step in (-1, 1)}
    neighbours = Sentence.objects.filter(corpus=plan.campaign.corpus, position__in=beside).exclude(
        document=""
    )
    return {
        (document, position): text or ""
        for document, position, text in neighbours.values_list("document", "position", "text")
    }
