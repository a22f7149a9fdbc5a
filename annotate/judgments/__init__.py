"""Judgments: import, snapshot, pseudonyms, exclusions, export."""
