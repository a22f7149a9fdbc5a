"""The judgments of a snapshot: pairs of outputs and systems, weights, changes."""
