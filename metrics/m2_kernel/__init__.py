"""MaxMatch, compiled: lattice of a sentence, matching of its edits, choice of annotators. Tokens are numbers.

Dahlmeier and Ng 2012, "Better Evaluation for Grammatical Error Correction", sections 3 and 4. What the paper
leaves open (costs, order of arcs, ties, spans of insertions before the first token) is as in the official
scorer, version 3.2, so that counts are equal to its counts.

A vertex of a lattice is a pair of positions in source and output; vertices are numbered in sorted order. An
arc is an edit, or a run of unchanged tokens.

No module here uses a name of another one: Numba keeps machine code for each file, and does not notice that
a constant or a function of another file has changed.
"""
