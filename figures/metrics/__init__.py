"""Metrics beside people, and without people."""
