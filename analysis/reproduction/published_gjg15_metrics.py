"""Table 5 and Figure 3 of GJG15: how metrics correlate with the human ranking.

Figure 3 is drawn without its values; those here were computed from the published precision and recall
independently of this project's code.
"""

OTHER_METRICS = {"I-WAcc": "iwacc", "BLEU": "bleu", "METEOR": "meteor"}
"""By name in Table 5 the ending of the file that holds the metric's scores."""

TABLE_5_M2 = {
    1.0: (0.648, 0.610),
    0.5: (0.692, 0.627),
    0.25: (0.720, 0.680),
    0.18: (0.758, 0.701),
    0.1: (0.670, 0.652),
}
"""M2 by beta: Spearman's rho and Pearson's r."""

TABLE_5 = {"I-WAcc": (-0.154, -0.098), "BLEU": (-0.346, -0.240), "METEOR": (-0.374, -0.241)}
"""The other metrics: Spearman's rho and Pearson's r."""

BEST_BETA = 0.18
"""Section 6.3: where the correlation with the human ranking is highest."""

OFFICIAL_BETA = 0.5
"""The beta of the shared task, marked in Figure 3."""

CURVES = {"Annotator 1": "m2.0", "Annotator 2": "m2.1", "Combined": "m2"}
"""By label in Figure 3 the ending of the file that holds precision and recall against these annotations."""

FIGURE_3 = {
    "Annotator 1": {
        0.1: (0.63187, 0.70402),
        0.25: (0.65934, 0.65676),
        0.5: (0.59890, 0.62422),
        1.0: (0.57143, 0.61256),
    },
    "Annotator 2": {
        0.1: (0.67033, 0.65045),
        0.25: (0.67033, 0.66108),
        0.5: (0.69231, 0.61904),
        1.0: (0.64835, 0.60254),
    },
    "Combined": {
        0.1: (0.67033, 0.65230),
        0.25: (0.71978, 0.68036),
        0.5: (0.69231, 0.62719),
        1.0: (0.64835, 0.60977),
    },
}
"""By curve and beta: Spearman's rho and Pearson's r."""

FIGURE_3_PEAKS = {
    "Annotator 1": ((0.664835, 0.38), (0.704315, 0.11)),
    "Annotator 2": ((0.725275, 0.13), (0.692068, 0.16)),
    "Combined": ((0.758242, 0.18), (0.700521, 0.17)),
}
"""By curve the highest rho and the highest r among the betas .01, .02, ... 1, each with its first beta."""
