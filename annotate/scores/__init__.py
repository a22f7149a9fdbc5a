"""Scores of a corpus' outputs by automatic metrics: computed, stored, uploaded, shown."""
