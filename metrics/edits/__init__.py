"""Edits between a source and a correction: extraction, types, chunks."""
