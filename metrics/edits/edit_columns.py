"""The first columns of the rows of all edit-based metrics."""

COUNTS = ("TP", "FP", "FN", "TN", "FP without an error")
"""Matched, unmatched and missed edits, unchanged positions, and FP in sentences without errors."""

TP, FP, FN, TN, UNNECESSARY = range(len(COUNTS))
