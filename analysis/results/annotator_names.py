"""Shown names of the annotators of a result, which holds only pseudonyms."""

from annotate.judgments.pseudonyms import annotators_by_pseudonym
from annotate.models import Campaign
from core.names import ShownAnnotator, ShownAnnotators


def shown_annotators(campaign: Campaign, *, may_see_names: bool, combined: bool = False) -> ShownAnnotators:
    """The annotators of a campaign by pseudonym; with names for users who may see them.

    If `combined`, those of the campaigns that it follows are among them.
    """
    return {
        key: ShownAnnotator(
            key,
            annotator.number,
            annotator.own_name if may_see_names else "",
            "" if each == campaign else each.name,
            annotator.is_machine,
        )
        for each in (campaign, *(campaign.followed if combined else ()))
        for key, annotator in annotators_by_pseudonym(each).items()
    }
