"""Names of the kinds of jobs, as stored in the database."""

RANK_CAMPAIGN = "rank-campaign"


QUALITY_OF_CAMPAIGN = "quality-of-campaign"
