"""MaxMatch, compiled: lattice of a sentence, matching of edits, choice of annotators. Tokens are integers.

Dahlmeier and Ng 2012, "Better Evaluation for Grammatical Error Correction", sections 3 and 4. Details that
the paper does not specify (costs, order of arcs, ties, spans of insertions before the first token) follow the
official scorer, version 3.2, so that counts are equal.

A vertex of a lattice is a pair of positions in source and output; vertices are numbered in sorted order. An
arc is an edit, or a run of unchanged tokens.

The modules here import nothing from each other: Numba caches machine code per file and does not notice
changes of constants and functions in other files.
"""
