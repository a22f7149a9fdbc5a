"""Automatic metrics against people: how far metrics agree with human judgments, and how certain this is.

Judgments and scores are aligned to the same sentences and systems, and compared by systems and by sentences::

    from metrics.validation import HumanScore, MetricsAndPeople, people, scores_of_metric
    from metrics.validation import system_agreement, system_scores

    judged = people(snapshot, len(data.sources))
    metrics = (scores_of_metric("gleu", score(metric_from_text("gleu"), data, outputs), judged.systems),)
    both = MetricsAndPeople(judged, metrics)
    scores = system_scores(both, HumanScore.EXPECTED_WINS, seed=1)
    print(system_agreement(both, scores)[0].correlations)

Undefined values are None, with the reason in words; only arrays hold NaN.
"""

from metrics.validation.across import MeanRank, mean_ranks
from metrics.validation.advice import Advice, Check, CheckLine, advice
from metrics.validation.automatic import (
    MetricScores,
    scored_by_comparisons,
    scores_of_metric,
    scores_of_sentences,
    scores_of_systems,
)
from metrics.validation.comparison import Outcome
from metrics.validation.disagreement import Disagreement, disagreements
from metrics.validation.estimates import Estimate
from metrics.validation.first_place import FirstPlace, first_place
from metrics.validation.hybrids import (
    Hybrids,
    MixedAgreement,
    MixedScores,
    mixed_agreement,
    mixed_scores,
    mixed_systems,
    mixed_williams,
)
from metrics.validation.inputs import MetricsAndPeople
from metrics.validation.people import HumanScore, JudgedPairs, People, people, together
from metrics.validation.rank_pairs import MetricByRanks, PairShare, RankPair, RankPairs, rank_pairs
from metrics.validation.sentence_level import (
    PartAgreement,
    SentenceAgreement,
    calibrated_tests,
    sentence_agreement,
    swapped_outcomes,
)
from metrics.validation.significance import (
    PairwiseTests,
    SwappedOutcomes,
    SwappedScores,
    bootstrap_tests,
    calibrated_accuracy_tests,
    clusters,
    soft_accuracy_tests,
    williams_tests,
)
from metrics.validation.soft_accuracy import (
    p_values_of_metric,
    p_values_of_people,
    sign_flips,
    soft_accuracy,
)
from metrics.validation.sweep import BestValue, Sweep, sweep, swept_parameters, usual_values
from metrics.validation.system_level import (
    Jackknife,
    SystemAgreement,
    bootstrap_of_differences,
    soft_tests,
    swapped_scores,
    system_agreement,
    williams,
)
from metrics.validation.system_scores import Replicates, ResampledScores, SystemScores, system_scores
from metrics.validation.tie_calibration import (
    ItemPairs,
    TieCalibration,
    item_pairs,
    ordered_as_people,
    tie_calibration,
)
from metrics.validation.windows import (
    MetricInWindows,
    Window,
    WindowAgreement,
    in_human_order,
    system_windows,
    window_agreement,
)

__all__ = [
    "Advice",
    "BestValue",
    "Check",
    "CheckLine",
    "Disagreement",
    "Estimate",
    "FirstPlace",
    "HumanScore",
    "Hybrids",
    "ItemPairs",
    "Jackknife",
    "JudgedPairs",
    "MeanRank",
    "MetricByRanks",
    "MetricInWindows",
    "MetricScores",
    "MetricsAndPeople",
    "MixedAgreement",
    "MixedScores",
    "Outcome",
    "PairShare",
    "PairwiseTests",
    "PartAgreement",
    "People",
    "RankPair",
    "RankPairs",
    "Replicates",
    "ResampledScores",
    "SentenceAgreement",
    "SwappedOutcomes",
    "SwappedScores",
    "Sweep",
    "SystemAgreement",
    "SystemScores",
    "TieCalibration",
    "Window",
    "WindowAgreement",
    "advice",
    "bootstrap_of_differences",
    "bootstrap_tests",
    "calibrated_accuracy_tests",
    "calibrated_tests",
    "clusters",
    "disagreements",
    "first_place",
    "in_human_order",
    "item_pairs",
    "mean_ranks",
    "mixed_agreement",
    "mixed_scores",
    "mixed_systems",
    "mixed_williams",
    "ordered_as_people",
    "p_values_of_metric",
    "p_values_of_people",
    "people",
    "rank_pairs",
    "scored_by_comparisons",
    "scores_of_metric",
    "scores_of_sentences",
    "scores_of_systems",
    "sentence_agreement",
    "sign_flips",
    "soft_accuracy",
    "soft_accuracy_tests",
    "soft_tests",
    "swapped_outcomes",
    "swapped_scores",
    "sweep",
    "swept_parameters",
    "system_agreement",
    "system_scores",
    "system_windows",
    "tie_calibration",
    "together",
    "usual_values",
    "williams",
    "williams_tests",
    "window_agreement",
]
