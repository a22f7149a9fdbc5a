"""Annotators, and how far they agree."""
