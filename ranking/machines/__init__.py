"""Machines as judges: whether one may stand in for a person, and what its answers add to those of people.

A machine is a program that judges the same outputs as people: a language model, a metric, or a rule such as
*the longest output is the best*. Its answers are never mixed with those of people; functions take them apart.
"""

from ranking.machines.alternative_annotator import (
    EPSILONS,
    AlternativeAnnotatorTest,
    Contest,
    Contests,
    PersonTest,
    alternative_annotator_test,
    benjamini_yekutieli,
    winning_rates,
)
from ranking.machines.label_contests import LabelAgreement, contests_over_labels, label_contests

__all__ = [
    "EPSILONS",
    "AlternativeAnnotatorTest",
    "Contest",
    "Contests",
    "LabelAgreement",
    "PersonTest",
    "alternative_annotator_test",
    "benjamini_yekutieli",
    "contests_over_labels",
    "label_contests",
    "winning_rates",
]
