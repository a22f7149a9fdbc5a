"""Table 6 of Napoles, Nădejde and Tetreault 2019, "Enabling Robust Grammatical Error Correction in New
Domains" (TACL; "GMEG"), as printed, its right half, for the domains of the release.
"""

DOMAINS = ("fce", "wiki", "yahoo")


def _rows(table: str) -> dict[str, dict[str, float]]:
    lines = [line.split() for line in table.strip().splitlines()]
    return {system: dict(zip(DOMAINS, map(float, figures), strict=True)) for system, *figures in lines}


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
