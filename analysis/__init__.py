"""Analyses of judgments and corpora, with their pages, API and commands."""
