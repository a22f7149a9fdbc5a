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
from ranking.machines.powered_ranking import (
    PoweredRanking,
    PoweredStanding,
    RankedScore,
    prediction_powered_ranking,
)
from ranking.machines.prediction_powered import (
    Powered,
    Tallies,
    Tuning,
    Units,
    actively_sampled_mean,
    prediction_powered_means,
    prediction_powered_ratios,
    stratified,
    worth,
)
from ranking.machines.rank_sets import chi_square_quantile, rank_sets, tukey_quantile

__all__ = [
    "EPSILONS",
    "AlternativeAnnotatorTest",
    "Contest",
    "Contests",
    "LabelAgreement",
    "PersonTest",
    "Powered",
    "PoweredRanking",
    "PoweredStanding",
    "RankedScore",
    "Tallies",
    "Tuning",
    "Units",
    "actively_sampled_mean",
    "alternative_annotator_test",
    "benjamini_yekutieli",
    "chi_square_quantile",
    "contests_over_labels",
    "label_contests",
    "prediction_powered_means",
    "prediction_powered_ranking",
    "prediction_powered_ratios",
    "rank_sets",
    "stratified",
    "tukey_quantile",
    "winning_rates",
    "worth",
]
