"""Rankings with their uncertainty: replicates, rank ranges, clusters, tests, fragility."""
