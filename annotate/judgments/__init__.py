"""Judgments: import, snapshot, pseudonyms, export."""
