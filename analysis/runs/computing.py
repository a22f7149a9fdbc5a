"""What pages compute at once and jobs compute as well."""

import pandas as pd

from analysis.analyses.ranking import Choice, Judging, judging
from annotate.corpora.queries import source_name
from annotate.judgments.pseudonyms import pseudonymised
from annotate.judgments.queries import roles_of
from annotate.models import Campaign
from ranking import Scores
from ranking.quality import AnnotatorQuality, quality_of_annotators
from ranking.resampling import Progress


def judging_of(
    campaign: Campaign, frame: pd.DataFrame, choice: Choice, *, progress: Progress | None = None
) -> Judging:
    """How the judging of the campaign's snapshot went; judges by pseudonym, since reasons name them too."""
    source = source_name(campaign.corpus) if isinstance(choice.by, Scores) else None
    counted = pseudonymised(campaign, choice.counted(frame))
    return judging(counted, choice.by, source=source, progress=progress)


def quality_in(campaign: Campaign, frame: pd.DataFrame) -> tuple[AnnotatorQuality, ...]:
    """How carefully the annotators in the campaign's snapshot work, by the default rule and pseudonym."""
    return quality_of_annotators(pseudonymised(campaign, frame), roles_of(campaign))
