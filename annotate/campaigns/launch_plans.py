"""Plans of launches: items drawn and slots laid out, before anything is stored."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, cast

from django.db.models import F

from annotate.design.active_sampling import plan_active
from annotate.design.assignment import AssignmentPlan, plan_assignment
from annotate.design.draws import keyed_seed, new_secret
from annotate.design.follow_ups import FollowUp, ordinary_shares, plan_follow_up
from annotate.design.full_coverage import plan_coverage
from annotate.design.items import Outputs, PlannedItem, draw_places, listed_outputs, plan_screens
from annotate.design.newcomers import plan_newcomers
from annotate.design.protocols import PROTOCOLS
from annotate.design.sampling import SamplingError
from annotate.models import Campaign, Design, Production, System, SystemRole
from core.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """The rows that a launch would store.

    Attributes:
        campaign: the draft.
        secret: by which everything was drawn.
        systems: whose outputs are compared.
        sentences: keys of the corpus' sentences, in order.
        outputs: of each sentence, in the order of their digests.
        items: as they were drawn.
        single: numbers of the items that have one output, and so nothing to ask.
        domains: of each item if the campaign separates domains; else None.
        assignment: the slots laid out over them.
    """

    campaign: Campaign
    secret: str
    systems: Sequence[System]
    sentences: Sequence[int]
    outputs: Sequence[Outputs]
    items: Sequence[PlannedItem]
    single: Collection[int]
    domains: Sequence[str] | None
    assignment: AssignmentPlan

    @property
    def rows(self) -> int:
        """Number of items and slots."""
        return len(self.items) + len(self.assignment.slots) + len(self.assignment.repeats)

    def in_order(self, item: PlannedItem) -> list[int]:
        """The outputs of the item in the order in which they are stored, which is that of their digests."""
        return [output for output in self.outputs[item.sentence] if output in item.outputs]


def plan_launch(
    campaign: Campaign, systems: Sequence[System] | None = None, *, secret: str | None = None
) -> LaunchPlan:
    """Draw the items and lay out the slots, without storing any.

    Args:
        campaign: a draft; one that is not stored yet needs its `design` and `systems`.
        systems: whose outputs are compared; the campaign's by default.
        secret: the same secret draws the same again; a new one by default.

    Raises:
        SamplingError: the design asks for more than the corpus has.
    """
    secret = new_secret() if secret is None else secret
    design = campaign.design
    protocol = PROTOCOLS[campaign.protocol]
    sentences = dict(campaign.corpus.sentences.order_by("position").values_list("pk", "domain"))
    if systems is None:
        systems = list(campaign.systems.order_by("name"))
    outputs = outputs_by_sentence(systems, sentences, only_changed=protocol.asks_about_edits)
    items = _items(campaign, systems, outputs, secret)
    single = {
        number
        for number, item in enumerate(items)
        if protocol.auto_answer is not None and len(item.outputs) == 1
    }
    domain_of = list(sentences.values())
    domains = [domain_of[item.sentence] for item in items] if design.separates_domains else None
    assignment = plan_assignment(
        len(items),
        annotators_per_item=design.annotators_per_item,
        shared_percent=design.shared_percent,
        repeat_percent=design.repeat_percent,
        batch_size=design.batch_size,
        single=single,
        runs=_runs(items) if design.covers_outputs else None,
        domains=domains,
        seed=keyed_seed(secret, "slots"),
    )
    return LaunchPlan(
        campaign, secret, systems, tuple(sentences), outputs, items, single, domains, assignment
    )


def names_of_checked(systems: Iterable[System]) -> tuple[str, str]:
    """The names of the source and the control, by which annotators are checked; empty if there is none.

    If several have a role, the first by name counts.
    """
    last_first = sorted(systems, key=lambda system: system.name, reverse=True)
    by_role = {str(system.role): system.name for system in last_first}
    return by_role.get(SystemRole.SOURCE, ""), by_role.get(SystemRole.CONTROL, "")


def _items(
    campaign: Campaign, systems: Sequence[System], outputs: Sequence[Outputs], secret: str
) -> Sequence[PlannedItem]:
    design = campaign.design
    outputs_per_screen = design.outputs_per_screen
    if design.listed_outputs:
        return listed_outputs(outputs, design.listed_outputs)
    if design.follow_up:
        return _follow_up(design, outputs, secret)
    if PROTOCOLS[campaign.protocol].asks_about_edits:
        places = _places_of_changes(design, outputs, secret)
    else:
        places = _places(design, outputs, secret, size=design.items)
    seed = keyed_seed(secret, "outputs")
    if not design.covers_outputs:
        return plan_screens(outputs, places, outputs_per_screen=outputs_per_screen, seed=seed)
    source, control = names_of_checked(systems)
    return plan_coverage(
        outputs,
        places=places,
        outputs_per_screen=outputs_per_screen,
        checked_percent=design.checked_percent,
        source=source,
        control=control,
        seed=seed,
    )


def _places(design: Design, outputs: Sequence[Outputs], secret: str, *, size: int) -> list[int]:
    return draw_places(
        outputs,
        size=size,
        outputs_per_screen=design.outputs_per_screen,
        sampling=design.sampling,  # type: ignore[arg-type]  # the database knows no other
        with_replacement=design.with_replacement,
        listed_sentences=design.listed_sentences,
        seed=keyed_seed(secret, "sentences"),
    )


def _places_of_changes(design: Design, outputs: Sequence[Outputs], secret: str) -> list[int]:
    """Places of sentences that some output changes: as many as are asked for, or all of them.

    Raises:
        SamplingError: no output changes its sentence, or more are asked for than the corpus has sentences.
    """
    changed = [place for place, of_it in enumerate(outputs) if of_it]
    if not changed:
        raise SamplingError("no output of these systems changes its sentence, so there is no edit to judge")
    if design.listed_sentences:
        listed = _places(design, outputs, secret, size=design.items)
        return [place for place in listed if outputs[place]]
    is_too_much = design.items > len(outputs)
    size = design.items if is_too_much else min(design.items, len(changed))
    drawn = _places(design, [outputs[place] for place in changed], secret, size=size)
    return [changed[place] for place in drawn]


def _follow_up(design: Design, outputs: Sequence[Outputs], secret: str) -> Sequence[PlannedItem]:
    follow_up = cast(Mapping[str, Any], design.follow_up)
    if "changes" in follow_up:
        return plan_active(
            outputs,
            follow_up["changes"],
            follow_up["ordinary_percent"],
            items=design.items,
            outputs_per_screen=design.outputs_per_screen,
            seed=keyed_seed(secret, "follow-up"),
        )
    shares = shares_of(design, outputs, drawn=follow_up["drawn"])
    if "newcomers" in follow_up:
        return plan_newcomers(
            outputs,
            follow_up["newcomers"],
            items=design.items,
            shares=shares,
            outputs_per_screen=design.outputs_per_screen,
            seed=keyed_seed(secret, "follow-up"),
        )
    pairs = tuple((first, second) for first, second in follow_up["pairs"])
    return plan_follow_up(
        outputs,
        FollowUp(pairs, follow_up["ordinary_percent"]),
        items=design.items,
        shares=shares,
        outputs_per_screen=design.outputs_per_screen,
        seed=keyed_seed(secret, "follow-up"),
    )


def shares_of(design: Design, outputs: Sequence[Outputs], *, drawn: int | None) -> FloatArray:
    """How ordinary sampling by the design spreads its screens over the sentences (`ordinary_shares`)."""
    return ordinary_shares(
        outputs,
        outputs_per_screen=design.outputs_per_screen,
        sampling=design.sampling,  # type: ignore[arg-type]  # the database knows no other
        drawn=drawn,
        listed_sentences=design.listed_sentences,
    )


def _runs(items: Sequence[PlannedItem]) -> list[list[int]]:
    """The numbers of the items of each sentence, which are adjacent."""
    return [
        list(numbers) for _, numbers in groupby(range(len(items)), key=lambda number: items[number].sentence)
    ]


def outputs_by_sentence(
    systems: Iterable[System], sentences: Iterable[int], *, only_changed: bool = False
) -> tuple[Outputs, ...]:
    """The outputs of each of the sentences by their keys, with the names of their systems.

    In the order of their digests, which tells nothing about systems, and from which others can repeat a draw.
    If `only_changed`, without those that are the sentence itself.
    """
    by_sentence: dict[int, dict[int, list[str]]] = {sentence: {} for sentence in sentences}
    produced = Production.every.filter(system__in=systems).order_by("output__digest", "system__name")
    if only_changed:
        produced = produced.exclude(output__text=F("sentence__text"))
    for sentence, output, system in produced.values_list("sentence", "output", "system__name"):
        by_sentence[sentence].setdefault(output, []).append(system)
    return tuple(
        {output: tuple(names) for output, names in outputs.items()} for outputs in by_sentence.values()
    )
