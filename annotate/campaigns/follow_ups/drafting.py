"""Follow-up campaigns: drafts about undecided pairs, about later systems, or where a machine leaves doubt."""

from collections.abc import Mapping, Sequence
from math import ceil

from django.db.models import QuerySet

from annotate.campaigns.lifecycle import create_campaign
from annotate.campaigns.prepared.suggestions import all_suggestions
from annotate.campaigns.usual_designs import usual_design
from annotate.design.active_sampling import active_propensities
from annotate.design.follow_ups import FollowUp, Pair
from annotate.design.protocols import PROTOCOLS
from annotate.models import Campaign, Design, Sampling, StopsWhen, System, SystemRole
from jobs.refusals import RefusedError

FROZEN = (
    *("protocol", "systems", "outputs_per_screen", "sampling", "listed_sentences"),
    *("covers_outputs", "checked_percent", "with_replacement"),
)
"""Options that a follow-up shares with the campaign it follows, as its propensities require."""


DECIMALS = 3
"""Of the stored changes, which are 1 on average."""


class FollowUpError(RefusedError):
    """A campaign that cannot be followed up; the message says why."""


def why_no_follow_up(campaign: Campaign) -> str:
    """Why no follow-up can ask about pairs of systems of the campaign; empty if one can."""
    protocol = PROTOCOLS.get(campaign.protocol)
    if protocol is None:
        return f"Nothing can be asked here by the protocol {campaign.protocol} of these imported judgments."
    if protocol.most_outputs < 2:
        return f"“{protocol.title}” does not compare outputs, so there are no pairs of systems to ask about."
    if not campaign.corpus.has_texts:
        return "The texts of these judgments are not known, so nobody can be asked about them."
    design = design_of(campaign)
    if design.covers_outputs or design.listed_outputs:
        return (
            "This campaign shows every output of its sentences. Its screens were not drawn, so there is no "
            "ordinary sampling against which a follow-up could be weighted."
        )
    if design.outputs_per_screen < 2:
        return "This campaign shows one output per screen, so it does not ask about pairs of systems."
    return ""


def create_follow_up(
    campaign: Campaign, *, name: str, pairs: Sequence[Pair], ordinary_percent: int, items: int
) -> Campaign:
    """A draft with the settings of the campaign that asks mostly about these pairs of its systems.

    A set of imported judgments has no settings; the draft then has the usual ones.

    Raises:
        FollowUpError: the campaign cannot be followed up, or one of the systems is not among its systems.
        SamplingError: no follow-up can ask this.
        ValidationError: the name is malformed or taken, or the number of items is impossible.
        CampaignError: the corpus is being deleted.
    """
    if reason := why_no_follow_up(campaign):
        raise FollowUpError(reason)
    follow_up = FollowUp(tuple(pairs), ordinary_percent)
    systems = list(campaign.systems.all())
    if unknown := {name for pair in pairs for name in pair}.difference(system.name for system in systems):
        raise FollowUpError(f"This campaign has no system {', '.join(sorted(unknown))}.")
    asked = {"pairs": [list(pair) for pair in follow_up.pairs], "ordinary_percent": ordinary_percent}
    return _draft(campaign, name, systems, asked, items)


def create_newcomer_follow_up(
    campaign: Campaign, *, name: str, newcomers: Sequence[System], items: int
) -> Campaign:
    """A draft with the settings of the campaign that asks where newcomers differ from its systems.

    Raises:
        FollowUpError: the campaign cannot be followed up, or a newcomer is none.
        ValidationError: the name is malformed or taken, or the number of items is impossible.
        CampaignError: the corpus is being deleted.
    """
    if reason := why_no_follow_up(campaign):
        raise FollowUpError(reason)
    if not newcomers:
        raise FollowUpError("Choose at least one system of the corpus that is not in the campaign.")
    there = set(newcomers_of(campaign))
    if wrong := sorted(system.name for system in newcomers if system not in there):
        raise FollowUpError(f"Not a new system of this campaign: {', '.join(wrong)}.")
    asked = {"newcomers": sorted(system.name for system in newcomers)}
    return _draft(campaign, name, [*campaign.systems.all(), *newcomers], asked, items)


def create_machine_follow_up(
    campaign: Campaign,
    *,
    name: str,
    machine: str,
    changes: Mapping[int, float],
    ordinary_percent: int,
    items: int,
) -> Campaign:
    """A draft with the settings of the campaign that asks where people's answers change the ranking most.

    `changes` says how much they do, by position of the sentences that the machine judged
    (`ranking.machines.change_by_sentence`). They are stored, and with them the propensities follow.

    Raises:
        FollowUpError: the campaign cannot be followed up.
        SamplingError: no follow-up can ask this.
        ValidationError: the name is malformed or taken, or the number of items is impossible.
        CampaignError: the corpus is being deleted.
    """
    if reason := why_no_follow_up(campaign):
        raise FollowUpError(reason)
    positions = campaign.corpus.sentences.order_by("position").values_list("position", flat=True)
    known = [round(changes[place], DECIMALS) if place in changes else None for place in positions]
    active_propensities(known, ordinary_percent)
    asked = {"machine": machine, "changes": known, "ordinary_percent": ordinary_percent}
    return _draft(campaign, name, list(campaign.systems.all()), asked, items)


def newcomers_of(campaign: Campaign) -> QuerySet[System]:
    """The systems of the corpus, by name, that are of neither the campaign nor one that it follows."""
    earlier = System.every.filter(campaigns__in=[campaign, *campaign.followed])
    newcomers: QuerySet[System] = campaign.corpus.systems.filter(
        is_whole=True, role__in=(SystemRole.SYSTEM, SystemRole.REFERENCE)
    )
    return newcomers.exclude(pk__in=earlier).order_by("name")


def _draft(
    campaign: Campaign, name: str, systems: Sequence[System], asked: Mapping[str, object], items: int
) -> Campaign:
    design = design_of(campaign)
    design.follow_up = {**asked, "drawn": drawn_by(campaign, design)}
    design.pk = None
    design.items = items
    design.stops_when = StopsWhen.NEVER
    return create_campaign(
        name=name,
        corpus=campaign.corpus,
        protocol=campaign.protocol,
        systems=systems,
        design=design,
        follows=campaign,
        suggestions=all_suggestions(campaign),
    )


def has_settings_of_first(campaign: Campaign) -> bool:
    """Whether it is a follow-up whose settings are those of a campaign that was run here."""
    followed = campaign.follows
    is_of_import = followed is not None and not Design.objects.filter(campaign=followed).exists()
    return bool(campaign.design.follow_up) and not is_of_import


def items_for(campaign: Campaign, judgments: int) -> int:
    """How many items of a follow-up give this number of judgments."""
    return max(1, ceil(100 * judgments / _percent_judged(campaign)))


def judgments_for(campaign: Campaign, items: int) -> int:
    """How many judgments this number of items of a follow-up asks for."""
    return ceil(items * _percent_judged(campaign) / 100)


def _percent_judged(campaign: Campaign) -> int:
    """Judgments per hundred items: several annotators judge some, and some are repeated."""
    design = design_of(campaign)
    return 100 + design.shared_percent * (design.annotators_per_item - 1) + design.repeat_percent


def outputs_shown(campaign: Campaign) -> int:
    """How many outputs a screen of a follow-up shows."""
    return design_of(campaign).outputs_per_screen


def design_of(campaign: Campaign) -> Design:
    """A copy of the campaign's design, not to be stored as it is; the usual one for imported judgments."""
    design = Design.objects.filter(campaign=campaign).first()
    if design is not None:
        return design
    return usual_design(PROTOCOLS[campaign.protocol], campaign.corpus, campaign.systems.count())


def drawn_by(campaign: Campaign, design: Design) -> int | None:
    """How many sentences ordinary sampling of the first campaign drew without replacement."""
    if design.follow_up:
        drawn: int | None = design.follow_up["drawn"]
        return drawn
    is_diverse = hasattr(campaign, "design") and design.sampling == Sampling.DIVERSE
    return design.items if is_diverse and not design.with_replacement else None
