"""Corrections out and in: exported, made references or systems, and references that grow."""
