"""Progress of campaigns, and judgments needed."""
