"""Corpora, campaigns, judgments and the pages where people work with them."""
