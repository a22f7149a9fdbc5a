"""Analyses that run over judgments, and the pages and figures that show them."""
