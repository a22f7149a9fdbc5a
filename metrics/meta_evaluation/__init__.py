"""Automatic metrics against people: how far metrics agree with human judgments, and how certain this is.

Judgments and scores are aligned to the same sentences and systems, and compared by systems and by sentences::

    from metrics.meta_evaluation import HumanScore, MetricsAndPeople, people, scores_of_metric
    from metrics.meta_evaluation import system_agreement, system_scores

    judged = people(snapshot, len(data.sources))
    metrics = (scores_of_metric("gleu", score(metric_from_text("gleu"), data, outputs), judged.systems),)
    both = MetricsAndPeople(judged, metrics)
    scores = system_scores(both, HumanScore.EXPECTED_WINS, seed=1)
    print(system_agreement(both, scores)[0].correlations)

Undefined values are None, with the reason in words; only arrays hold NaN.
"""

from metrics.meta_evaluation.advice import Advice, Check, CheckLine, Counted, advice, deciding
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.comparison import Outcome
from metrics.meta_evaluation.disagreement import Disagreement, disagreements
from metrics.meta_evaluation.estimates import Estimate
from metrics.meta_evaluation.first_place import FirstPlace, first_place
from metrics.meta_evaluation.human_ceiling import SystemCeiling, ceiling_of_systems
from metrics.meta_evaluation.human_judgments import HumanScore, People, people, together
from metrics.meta_evaluation.judged_pairs import JudgedPairs
from metrics.meta_evaluation.mean_ranks import MeanRank, mean_ranks
from metrics.meta_evaluation.metric_scores import (
    MetricScores,
    scored_by_comparisons,
    scores_of_metric,
    scores_of_part,
    scores_of_sentences,
    scores_of_systems,
)
from metrics.meta_evaluation.sensitivity.causes import Cause, Causes, Variant, causes
from metrics.meta_evaluation.sensitivity.hybrids import (
    Hybrids,
    MixedAgreement,
    MixedScores,
    mixed_agreement,
    mixed_bootstrap,
    mixed_scores,
    mixed_systems,
    mixed_williams,
)
from metrics.meta_evaluation.sensitivity.rank_pairs import (
    MetricByRanks,
    PairShare,
    RankPair,
    RankPairs,
    rank_pairs,
)
from metrics.meta_evaluation.sensitivity.sweep import BestValue, Sweep, sweep, swept_parameters, usual_values
from metrics.meta_evaluation.sensitivity.ties_of_people import TiesBySentence
from metrics.meta_evaluation.sensitivity.windows import (
    MetricInWindows,
    Window,
    WindowAgreement,
    in_human_order,
    system_windows,
    window_agreement,
)
from metrics.meta_evaluation.sentence_level import (
    PartAgreement,
    SentenceAgreement,
    calibrated_tests,
    ceiling_of_sentences,
    sentence_agreement,
    swapped_outcomes,
)
from metrics.meta_evaluation.significance import (
    PairwiseTests,
    SwappedOutcomes,
    SwappedScores,
    bootstrap_tests,
    calibrated_accuracy_tests,
    clusters,
    soft_accuracy_tests,
    williams_tests,
)
from metrics.meta_evaluation.soft_accuracy import (
    p_values_of_metric,
    p_values_of_people,
    sign_flips,
    soft_accuracy,
)
from metrics.meta_evaluation.system_level import (
    Jackknife,
    SystemAgreement,
    bootstrap_of_differences,
    estimates,
    soft_tests,
    swapped_scores,
    system_agreement,
    williams,
)
from metrics.meta_evaluation.system_scores import (
    Replicates,
    ResampledScores,
    SystemScores,
    judged_anew,
    system_scores,
)
from metrics.meta_evaluation.tie_calibration import (
    ItemPairs,
    TieCalibration,
    item_pairs,
    ordered_as_people,
    tie_calibration,
)
from metrics.meta_evaluation.tie_rules import OrderedPairs, TieRule, accuracy_tests, ordered_pairs

__all__ = [
    "Advice",
    "BestValue",
    "Cause",
    "Causes",
    "Check",
    "CheckLine",
    "Counted",
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
    "OrderedPairs",
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
    "SystemCeiling",
    "SystemScores",
    "TieCalibration",
    "TieRule",
    "TiesBySentence",
    "Variant",
    "Window",
    "WindowAgreement",
    "accuracy_tests",
    "advice",
    "bootstrap_of_differences",
    "bootstrap_tests",
    "calibrated_accuracy_tests",
    "calibrated_tests",
    "causes",
    "ceiling_of_sentences",
    "ceiling_of_systems",
    "clusters",
    "deciding",
    "disagreements",
    "estimates",
    "first_place",
    "in_human_order",
    "item_pairs",
    "judged_anew",
    "mean_ranks",
    "mixed_agreement",
    "mixed_bootstrap",
    "mixed_scores",
    "mixed_systems",
    "mixed_williams",
    "ordered_as_people",
    "ordered_pairs",
    "p_values_of_metric",
    "p_values_of_people",
    "people",
    "rank_pairs",
    "scored_by_comparisons",
    "scores_of_metric",
    "scores_of_part",
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
