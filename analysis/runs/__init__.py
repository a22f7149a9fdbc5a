"""Queueing analyses, and their results in and out of JSON."""
