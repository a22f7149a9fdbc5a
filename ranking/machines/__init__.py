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
    winning_rates,
)
from ranking.machines.baselines import (
    BASELINES,
    OutputLooks,
    baseline_values,
    output_edits,
    output_lengths,
    output_looks,
    token_edits,
    values_of_looks,
)
from ranking.machines.beside_people import (
    DISTANCES,
    BesidePeople,
    PairAccuracy,
    PersonBeside,
    beside_people,
    cluster_distances,
    pair_accuracies,
)
from ranking.machines.compared_sentences import compared_sentences
from ranking.machines.label_contests import LabelAgreement, contests_over_labels, label_contests
from ranking.machines.output_contests import contests_over_scores, contests_over_verdicts
from ranking.machines.output_verdicts import OutputVerdicts, contests_over_answers, output_verdicts
from ranking.machines.pair_contests import PairComparisons, contests_over_pairs
from ranking.machines.powered_ranking import (
    PoweredRanking,
    PoweredStanding,
    RankedScore,
    prediction_powered_ranking,
)
from ranking.machines.prediction_powered import (
    Powered,
    Spread,
    Tallies,
    Tuning,
    Units,
    actively_sampled_mean,
    correlation_of,
    prediction_powered_means,
    prediction_powered_ratios,
    share_needed,
    stratified,
    worth,
)
from ranking.machines.preferences import (
    Consistency,
    Preference,
    ScreenHabits,
    consistency,
    own_family,
    position_preference,
    preferences,
)
from ranking.machines.rank_sets import chi_square_quantile, rank_sets, tukey_quantile
from ranking.machines.screen_pairs import (
    NO_ANSWER,
    JudgedUnits,
    Outcomes,
    ScreenPairs,
    answers_of_machine,
    answers_of_values,
    parts_of_machine,
    screen_pairs,
)
from ranking.machines.shares import Share
from ranking.machines.system_level import SystemBeside, SystemLevel, system_level
from ranking.machines.which_to_ask import change_by_sentence

__all__ = [
    "BASELINES",
    "DISTANCES",
    "EPSILONS",
    "NO_ANSWER",
    "AlternativeAnnotatorTest",
    "BesidePeople",
    "Consistency",
    "Contest",
    "Contests",
    "JudgedUnits",
    "LabelAgreement",
    "Outcomes",
    "OutputLooks",
    "OutputVerdicts",
    "PairAccuracy",
    "PairComparisons",
    "PersonBeside",
    "PersonTest",
    "Powered",
    "PoweredRanking",
    "PoweredStanding",
    "Preference",
    "RankedScore",
    "ScreenHabits",
    "ScreenPairs",
    "Share",
    "Spread",
    "SystemBeside",
    "SystemLevel",
    "Tallies",
    "Tuning",
    "Units",
    "actively_sampled_mean",
    "alternative_annotator_test",
    "answers_of_machine",
    "answers_of_values",
    "baseline_values",
    "beside_people",
    "change_by_sentence",
    "chi_square_quantile",
    "cluster_distances",
    "compared_sentences",
    "consistency",
    "contests_over_answers",
    "contests_over_labels",
    "contests_over_pairs",
    "contests_over_scores",
    "contests_over_verdicts",
    "correlation_of",
    "label_contests",
    "output_edits",
    "output_lengths",
    "output_looks",
    "output_verdicts",
    "own_family",
    "pair_accuracies",
    "parts_of_machine",
    "position_preference",
    "prediction_powered_means",
    "prediction_powered_ranking",
    "prediction_powered_ratios",
    "preferences",
    "rank_sets",
    "screen_pairs",
    "share_needed",
    "stratified",
    "system_level",
    "token_edits",
    "tukey_quantile",
    "values_of_looks",
    "winning_rates",
    "worth",
]
