"""How many judgments a ranking needs, and when a campaign may stop."""
