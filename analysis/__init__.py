"""Analyses that run over judgments, the pages that show them, their API and commands."""
