"""Scores of a corpus's outputs by automatic metrics: computed, stored, uploaded, shown."""
