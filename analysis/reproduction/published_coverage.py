"""Figures of Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error
Correction and Text Simplification", as printed, and what an independent program computed of its data.
"""

THRESHOLDS = (0.0, 0.001, 0.01, 0.1)

VARIANTS = (1351.24, 74.34, 8.72, 1.35)
"""Table 1: mean number of corrections at least so frequent, by threshold."""

MASS = (1.0, 0.75, 0.58, 0.37)
"""Table 1: their total probability."""

SIMPLIFICATION_VARIANTS = (2636.29, 111.19, 4.68, 0.13)
"""Table 4: the same of simplifications."""

SIMPLIFICATION_MASS = (1.0, 0.42, 0.14, 0.02)

ACCURACY = {1: 0.141, 2: 0.225, 5: 0.346, 10: 0.423, 15: 0.461, 20: 0.487}
"""Expected accuracy of a perfect corrector by references, from the released distributions (independently;
the paper draws it in Figure 3 and prints "around 0.5" at 20)."""

INDEX_MATCH = {1: 0.186, 2: 0.291, 5: 0.438, 10: 0.533, 15: 0.585, 20: 0.619}
"""Expected exact index match, likewise; the paper prints .54 at 10."""

F = {1: 0.318, 2: 0.4165, 3: 0.485, 5: 0.540, 10: 0.590}
"""F0.5 of the released perfect corrector's outputs, ignoring case and white space (independently; the paper
prints .42 at 2)."""

F_INTERVALS = {2: (0.402, 0.435)}
"""Its BCa interval over sentences (independently)."""

SARI_REFERENCES = (1, 2, 5, 10, 20)

SARI = 0.45
"""SARI of a perfect system, "about 0.45 … largely independent of M" (section 4)."""

LUCKY_MAX_SARI = 1.0
"""MAX-SARI of a system that predicts one of the references (section 4)."""

TYPE_RATIOS = {
    "CONTR": 0.971,
    "NOUN:NUM": 0.955,
    "ORTH": 0.893,
    "ADJ:FORM": 0.810,
    "NOUN:INFL": 0.713,
    "DET": 0.672,
    "VERB:SVA": 0.643,
    "MORPH": 0.615,
    "VERB:FORM": 0.538,
    "SPELL": 0.537,
    "VERB:INFL": 0.500,
    "ADJ": 0.460,
    "CONJ": 0.430,
    "ADV": 0.416,
    "PREP": 0.334,
    "WO": 0.315,
    "NOUN:POSS": 0.290,
    "VERB:TENSE": 0.289,
    "NOUN": 0.282,
    "PART": 0.268,
    "PRON": 0.239,
    "PUNCT": 0.201,
    "OTHER": 0.174,
    "VERB": 0.151,
}
"""Table 6: mean number of corrections of systems over that of references, by type of error."""

FREQUENCY = (-0.29, 0.16)
"""Section 3.4: Spearman's rho of the ratio with the frequency of the type, and its p-value."""

WORDS_CHANGED = {"CAMB": 2188, "least of ten annotators": 3067}
"""Words inserted, deleted or substituted, by letters and digits alone (independently)."""

UNCHANGED = {"CAMB": 203, "annotator A": 365}
"""Sentences that are left token for token as they are (independently)."""
