"""Pages that draft follow-ups from results."""
