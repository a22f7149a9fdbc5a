"""A published ranking."""

from analysis.analyses.base import Untold
from analysis.analyses.ranking import RankingParameters
from analysis.models import Publication
from analysis.publishing.publications import make, publish
from annotate.models import Campaign, CampaignState, User


def published_ranking(
    campaign: Campaign, *, title: str = "Results", with_names: bool = True, by: User | None = None
) -> Publication:
    """The ranking of a campaign that is over, as its job computes it."""
    if campaign.state != CampaignState.IMPORTED:
        Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.CLOSED)
        campaign.refresh_from_db()
    admin = by or User.objects.create_user("a-publisher", role="admin")
    parameters = RankingParameters(replicates=20)
    publication = publish(campaign, title=title, with_names=with_names, parameters=parameters, by=admin)
    make(publication, Untold())
    publication.refresh_from_db()
    return publication
