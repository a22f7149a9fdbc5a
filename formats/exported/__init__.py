"""Readers of exported tables of judgments."""
