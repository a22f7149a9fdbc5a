"""Corrections by people, and references."""
