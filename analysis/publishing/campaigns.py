"""The judgments of a campaign that a bundle holds."""

import pandas as pd

from analysis.analyses.ranking import RankingParameters
from analysis.pages.annotators import judges_of
from analysis.runs.sources.judgments import JUDGMENTS
from annotate.corpora.queries import source_name
from annotate.judgments.kept_snapshots import kept_snapshot
from annotate.models import Campaign


def judgments_of_campaign(
    campaign: Campaign, parameters: RankingParameters
) -> tuple[pd.DataFrame, dict[str, int], str | None]:
    """The judgments that count, the number of each annotator, and the system that changes nothing."""
    frame = JUDGMENTS.left_out(campaign, parameters).counted(kept_snapshot(campaign))
    judges = judges_of(campaign, may_see_names=False)
    return frame, {key: judge.number or 0 for key, judge in judges.items()}, source_name(campaign.corpus)
