"""Agreement between annotators, and between scores."""
