"""Metrics against people under changes: systems left out or mixed, ranks, domains, parameters of a metric."""
