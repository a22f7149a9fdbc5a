"""Metrics that learn from human judgments: GMEG-Metric (ridge regression) and MTeRater (a ranking SVM)."""
