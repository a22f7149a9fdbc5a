"""Metrics against people in several campaigns side by side: a page that computes nothing by itself."""
