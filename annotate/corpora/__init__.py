"""Corpora: pages, import, controls."""
