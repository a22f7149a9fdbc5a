"""Submission links of a corpus, and what participants submit by them."""
