"""Annotators and their agreement."""
