"""Published tables, recomputed from the published data and compared figure by figure."""
