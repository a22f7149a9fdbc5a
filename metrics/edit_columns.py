"""The columns with which the rows of all metrics of edits begin."""

COUNTS = ("TP", "FP", "FN", "TN", "FP without an error")
"""Matched edits, edits without a match, missed ones, unchanged places; and FP where nothing is wrong."""

TP, FP, FN, TN, UNNECESSARY = range(len(COUNTS))
