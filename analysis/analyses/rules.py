"""Versions of the rules by which analyses compute. Signatures state them, so old results are recognised.

A change of the numbers of an analysis raises its version here, and the changelog says what changed.
"""

import re

RULES: dict[str, int] = {
    "agreement": 3,
    "answers-per-hour": 2,
    "compare-systems": 3,
    "conservatism": 3,
    "corpus-statistics": 3,
    "coverage": 2,
    "disagreements": 2,
    "fragility": 2,
    "grown-references": 4,
    "human-performance": 4,
    "hybrids": 4,
    "judge-model": 2,
    "lattice": 3,
    "learned-gmeg": 3,
    "learned-mterater": 4,
    "machine-judges": 2,
    "maege": 2,
    "metric-advice": 5,
    "metric-causes": 4,
    "metric-rank-pairs": 4,
    "metric-sweep": 5,
    "metric-windows": 4,
    "metrics-people": 5,
    "new-metric": 6,  # at least raised with metrics-people, by which it compares
    "oracle-reranking": 3,
    "perfect-corrector": 2,
    "quality": 2,
    "ranking": 3,
    "stopping": 2,
    "stress": 3,
}
"""Versions of rules by name of the analysis; analyses that are not named have version 1."""

RULE_OF_ANOTHER = {"corrections-coverage": "coverage"}
"""Analyses that compute by the rule of another, which their signatures name."""

FIRST = 1


def rule_of(analysis: str) -> int:
    """The version of the rule by which the analysis of this name computes today."""
    return RULES.get(RULE_OF_ANOTHER.get(analysis, analysis), FIRST)


def stated_rule(analysis: str) -> str:
    """The part of a signature for the rule, such as "|rule:2"; empty for the first."""
    rule = rule_of(analysis)
    return f"|rule:{rule}" if rule > FIRST else ""


def is_of_older_rule(analysis: str, signature: str) -> bool:
    """Whether a result of this analysis with this signature was computed by an older rule than today's."""
    stated = re.search(r"\|rule:(\d+)", signature)
    return (int(stated[1]) if stated else FIRST) < rule_of(analysis)
