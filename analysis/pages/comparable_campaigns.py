"""The campaigns that the comparison of metrics offers, and those that it begins with.

It begins with campaigns in which people judged by one protocol. Others are compared only if somebody chooses
them.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import F, Sum

from annotate.design.protocols import kind_of_answers, title_of
from annotate.models import Annotator, Campaign, CampaignState, ScoreSet, ScoreSetState
from annotate.models.listed import campaigns
from core.wording import counted
from formats.snapshot.vocabulary import AnswerKind

MOST_CAMPAIGNS = 12
"""Campaigns that are compared at a time."""

SIMULATED = "simulated"
DRAFT = "a draft"
FOLLOW_UP = "a follow-up, which asks about undecided pairs"
ANOTHER_PROTOCOL = "another protocol"
TOO_MANY = f"more than {MOST_CAMPAIGNS}"


@dataclass(frozen=True, slots=True)
class Offered:
    """A campaign that can be compared.

    Attributes:
        campaign: the campaign.
        judgments: number of its judgments, without skips.
        left_out: why it is compared only if somebody chooses it; empty if it is among the first.
    """

    campaign: Campaign
    judgments: int
    left_out: str

    @property
    def about(self) -> str:
        """The kind of judgments in a few words."""
        return f"{title_of(self.campaign.protocol)}, {counted(self.judgments, 'judgment')}"


def comparable_campaigns() -> list[Offered]:
    """The campaigns with ranks or scores of outputs of a corpus with metric scores, by name."""
    scored = ScoreSet.objects.filter(state=ScoreSetState.READY).values_list("corpus", flat=True).distinct()
    return judgment_sets(corpus__in=list(scored))


def judgment_sets(**of: object) -> list[Offered]:
    """The campaigns with ranks or scores of outputs that the filter finds, by name."""
    judged: dict[int, int] = dict(
        Annotator.objects.filter(complete__gt=0)
        .values_list("campaign")
        .annotate(not_skipped=Sum(F("complete") + F("auto")))
        .order_by()
    )
    found = campaigns().filter(**of, pk__in=judged).select_related("corpus", "follows")
    return offered_of(
        {
            each: judged[each.pk]
            for each in found
            if AnswerKind.RATINGS.includes(kind_of_answers(each.protocol))
        }
    )


def offered_of(judgments: Mapping[Campaign, int]) -> list[Offered]:
    """These campaigns with their numbers of judgments, and the reasons why some are left out at first.

    The protocol with the most judgments by people is compared.
    """
    reasons = {campaign: _own_reason(campaign) for campaign in judgments}
    of_protocols: Counter[str] = Counter()
    for campaign, reason in reasons.items():
        of_protocols[campaign.protocol] += 0 if reason else judgments[campaign]
    usual = max(of_protocols, key=lambda name: of_protocols[name], default="")
    offered, first = [], 0
    for campaign, own in reasons.items():
        reason = own or (ANOTHER_PROTOCOL if campaign.protocol != usual else "")
        first += not reason
        reason = reason or (TOO_MANY if first > MOST_CAMPAIGNS else "")
        offered.append(Offered(campaign, judgments[campaign], reason))
    return offered


def _own_reason(campaign: Campaign) -> str:
    if campaign.synthetic:
        return SIMULATED
    if campaign.state in (CampaignState.DRAFT, CampaignState.LAUNCHING):
        return DRAFT
    return FOLLOW_UP if campaign.follows else ""
