"""Compiled loops of metrics. Tokens are integers."""
