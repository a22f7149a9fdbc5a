"""Tables 6 and 8 of Napoles, Nădejde and Tetreault 2019, "Enabling Robust Grammatical Error Correction in New
Domains" (TACL; "GMEG"), as printed, for the domains of the release.
"""

DOMAINS = ("fce", "wiki", "yahoo")


def _rows(table: str) -> dict[str, dict[str, float]]:
    lines = [line.split() for line in table.strip().splitlines()]
    return {system: dict(zip(DOMAINS, map(float, figures), strict=True)) for system, *figures in lines}


MEAN_SCORES = _rows("""
    ref           83.4  82.1  82.3
    amu           70.7  76.0  74.5
    lstm          74.3  77.7  78.5
    lstm-r        74.4  78.2  78.2
    marian        77.0  75.5  76.6
    nus           74.0  75.7  75.9
    transformer   73.9  71.5  72.2
    source        68.1  75.9  75.1
    source+error  46.0  62.4  47.5
""")
"""Mean human score, by system as the release names it, and domain."""

UNCHANGED = _rows("""
    ref           23.1  18.9  49.7
    amu           60.3  70.3  75.9
    lstm          34.3  40.7  49.9
    lstm-r        30.7  34.4  42.4
    marian        40.0  65.6  64.5
    nus           52.3  67.5  65.0
    transformer   28.6  15.0  25.9
    source       100.0 100.0 100.0
    source+error   0.1   0.4   0.1
""")
"""Percentage of sentences left unchanged, by system as the release names it, and domain."""

CORRELATIONS = {
    "chrF++": {"fce": (0.639, 0.733), "wiki": (0.972, 0.943), "yahoo": (0.791, 0.687)},
    "ERRANT F0.2": {"fce": (0.828, 0.779), "wiki": (0.453, 0.596), "yahoo": (0.596, 0.643)},
    "ERRANT F0.5": {"fce": (0.919, 0.887), "wiki": (0.401, 0.555), "yahoo": (0.532, 0.601)},
    "GLEU": {"fce": (0.838, 0.813), "wiki": (0.426, 0.538), "yahoo": (0.740, 0.775)},
    "charGLEU": {"fce": (0.959, 0.932), "wiki": (0.644, 0.732), "yahoo": (0.846, 0.835)},
    "I-measure": {"fce": (0.819, 0.839), "wiki": (0.854, 0.875), "yahoo": (0.915, 0.900)},
    "M2 F0.2": {"fce": (0.852, 0.846), "wiki": (0.548, 0.680), "yahoo": (0.717, 0.836)},
    "M2 F0.5": {"fce": (0.860, 0.849), "wiki": (0.346, 0.552), "yahoo": (0.580, 0.699)},
}
"""Table 8 without GMEG-Metric and Human: Pearson's r and Spearman's rho with people on the test sentences."""

GMEG_METRIC = {"fce": (0.984, 0.950), "wiki": (0.982, 0.967), "yahoo": (0.940, 0.931)}
"""Table 8's row of the learned metric."""

SIGNIFICANTLY_BETTER = {
    ("charGLEU", "GLEU"): ("fce", "wiki", "yahoo"),
    ("charGLEU", "M2 F0.2"): ("fce", "wiki", "yahoo"),
    ("charGLEU", "M2 F0.5"): ("fce", "wiki", "yahoo"),
    ("M2 F0.2", "M2 F0.5"): ("wiki", "yahoo"),
}
"""By metrics, the domains in which section 6 says that the first is better than the second (p < .05)."""

BEST = {"fce": "charGLEU", "wiki": "chrF++", "yahoo": "I-measure"}
"""By domain the metric that section 6 says is better than all others, GMEG-Metric aside."""
