"""Analyses that train metrics on judgments."""
