"""From judgments to agreement, ranks and the quality of annotators. Plain functions over frames and arrays.

Every function starts from the snapshot, a frame of judgments (`ranking.judgments.snapshot` states its
columns), or from the counts of pairwise judgments between systems that `count_pairs` takes from it::

    from ranking import agreement, count_pairs, expected_wins

    counts = count_pairs(snapshot)
    for score in expected_wins(counts).scores:
        print(score.system, score.score)
    print(agreement(snapshot).inter.value)

Scalar judgments are scored by `system_means`, and count as pairs by ``count_pairs(snapshot, by=Scores())``.

Judgments of every state count: leave out beforehand what is not wanted. What cannot be computed is None,
with the reason in words.
"""

from ranking.agreement.against_rest import AgainstRest, annotators_against_rest
from ranking.agreement.agreement_by_document import DocumentAgreement, agreement_by_document
from ranking.agreement.annotator_correlations import (
    AnnotatorCorrelations,
    BothCorrelations,
    MeanCorrelation,
    annotator_correlations,
)
from ranking.agreement.correlation import (
    Coefficient,
    Correlation,
    CorrelationInterval,
    PermutationTest,
    WilliamsTest,
    bootstrap_interval,
    correlation,
    jackknife,
    permutation_test,
    replicate_coefficients,
    replicate_interval,
    williams_test,
)
from ranking.agreement.f_beta import SweepPoint, f_beta, f_beta_sweep
from ranking.agreement.kappa import Agreement, Kappa, PairKappa, agreement, agreement_over
from ranking.agreement.krippendorff import (
    Alpha,
    Level,
    alpha_over_pairs,
    alpha_over_ranks,
    alpha_over_scores,
    krippendorff_alpha,
)
from ranking.agreement.pairwise_tau import PairwiseTau, pairwise_tau
from ranking.agreement.reliability import (
    HalfCorrelation,
    IntraclassCorrelation,
    SplitHalf,
    intraclass_correlation,
    split_half,
    split_half_of_all,
)
from ranking.agreement.scales import ScaleAgreement, ScalePair, agreement_on_scales, scales_compared
from ranking.annotators.annotator_counts import AnnotatorCounts, Tally, annotator_counts
from ranking.annotators.annotator_model import AnnotatorModel, Effect, annotator_model
from ranking.annotators.control_rule import ControlRule
from ranking.annotators.flags import FlagRule, Flags, Habits, flags
from ranking.annotators.peer_agreement import PeerAgreement, peer_agreement
from ranking.annotators.quality import (
    AnnotatorQuality,
    ControlCheck,
    Measure,
    campaign_seconds,
    control_checks,
    quality_of_annotators,
    reasons_to_look,
)
from ranking.annotators.reading import reading_rate
from ranking.annotators.severity import NotLinkedError, SeverityModel, severity_model
from ranking.annotators.verdicts import (
    VerdictCounts,
    gold_cases,
    gold_cases_of_edits,
    verdict_units,
    verdicts_by_annotator,
    verdicts_by_system,
    verdicts_of_all,
)
from ranking.judgments.changes import SystemChanges, system_changes
from ranking.judgments.grouped_pairs import GroupedPairs, Unit, group_pairs
from ranking.judgments.pairs import PairCounts, count_pairs, expanded_pairs, unexpanded_pairs
from ranking.judgments.propensities import holds_propensities
from ranking.judgments.scales import by_scale, scale_values
from ranking.judgments.snapshot import (
    RANKING_COLUMNS,
    SCORING_COLUMNS,
    SNAPSHOT_COLUMNS,
    Basis,
    Ranks,
    Scores,
    SnapshotError,
    holds_scores,
    ranked_outputs,
    scored_outputs,
    without_systems,
)
from ranking.models.bradley_terry import (
    BradleyTerry,
    Difference,
    SystemStrength,
    bradley_terry,
    limiting_strengths,
)
from ranking.models.expected_wins import ExpectedWins, SystemScore, expected_wins, mean_shares_won
from ranking.models.trueskill import (
    Skill,
    TrueSkillParameters,
    trueskill_runs,
    trueskill_scores,
    update_skills,
    wmt_parameters,
)
from ranking.models.trueskill_reference import rate_pairs, rate_rankings
from ranking.planning.informative_pairs import (
    Projection,
    judgments_until_separation,
    match_quality,
    next_pair,
)
from ranking.planning.judgments_needed import Remaining, judgments_until_settled
from ranking.planning.simulation import Design, Plan, plan, simulated_campaign
from ranking.planning.stop_line import JudgedPairs, Look, StopLine, judged_pairs, look_at
from ranking.planning.watching import Watched, WatchedPair, watch
from ranking.uncertainty.aligned_rankings import MethodRank, side_by_side
from ranking.uncertainty.bootstrap import (
    Border,
    ResamplingError,
    bradley_terry_replicates,
    bradley_terry_strengths,
    cluster_borders,
    expected_wins_replicates,
    rank_clusters,
    rank_ranges,
    trueskill_replicates,
    win_probabilities,
)
from ranking.uncertainty.fragility import Fragility, Removals
from ranking.uncertainty.head_to_head import Comparison, HeadToHead, head_to_head, holm_correction
from ranking.uncertainty.joint_replicates import ScoreDraws, scores_of_draws
from ranking.uncertainty.methods import (
    PAIRWISE_METHODS,
    WEIGHTED_METHODS,
    Method,
    point_scores,
    replicate_scores,
)
from ranking.uncertainty.model_choice import Accuracy, Predictions, cross_validate
from ranking.uncertainty.resampling import resampled_counts
from ranking.uncertainty.scalars import (
    MEAN_UNITS,
    Interval,
    MeanReplicates,
    Standardised,
    SystemMean,
    mean_intervals,
    mean_replicates,
    output_means,
    standardised,
    system_means,
)
from ranking.uncertainty.standings import Ranker, Standing, Standings, standings
from ranking.uncertainty.two_systems import Lead, TwoSystems, two_systems

__all__ = [
    "MEAN_UNITS",
    "PAIRWISE_METHODS",
    "RANKING_COLUMNS",
    "SCORING_COLUMNS",
    "SNAPSHOT_COLUMNS",
    "WEIGHTED_METHODS",
    "Accuracy",
    "AgainstRest",
    "Agreement",
    "Alpha",
    "AnnotatorCorrelations",
    "AnnotatorCounts",
    "AnnotatorModel",
    "AnnotatorQuality",
    "Basis",
    "Border",
    "BothCorrelations",
    "BradleyTerry",
    "Coefficient",
    "Comparison",
    "ControlCheck",
    "ControlRule",
    "Correlation",
    "CorrelationInterval",
    "Design",
    "Difference",
    "DocumentAgreement",
    "Effect",
    "ExpectedWins",
    "FlagRule",
    "Flags",
    "Fragility",
    "GroupedPairs",
    "Habits",
    "HalfCorrelation",
    "HeadToHead",
    "Interval",
    "IntraclassCorrelation",
    "JudgedPairs",
    "Kappa",
    "Lead",
    "Level",
    "Look",
    "MeanCorrelation",
    "MeanReplicates",
    "Measure",
    "Method",
    "MethodRank",
    "NotLinkedError",
    "PairCounts",
    "PairKappa",
    "PairwiseTau",
    "PeerAgreement",
    "PermutationTest",
    "Plan",
    "Predictions",
    "Projection",
    "Ranker",
    "Ranks",
    "Remaining",
    "Removals",
    "ResamplingError",
    "ScaleAgreement",
    "ScalePair",
    "ScoreDraws",
    "Scores",
    "SeverityModel",
    "Skill",
    "SnapshotError",
    "SplitHalf",
    "Standardised",
    "Standing",
    "Standings",
    "StopLine",
    "SweepPoint",
    "SystemChanges",
    "SystemMean",
    "SystemScore",
    "SystemStrength",
    "Tally",
    "TrueSkillParameters",
    "TwoSystems",
    "Unit",
    "VerdictCounts",
    "Watched",
    "WatchedPair",
    "WilliamsTest",
    "agreement",
    "agreement_by_document",
    "agreement_on_scales",
    "agreement_over",
    "alpha_over_pairs",
    "alpha_over_ranks",
    "alpha_over_scores",
    "annotator_correlations",
    "annotator_counts",
    "annotator_model",
    "annotators_against_rest",
    "bootstrap_interval",
    "bradley_terry",
    "bradley_terry_replicates",
    "bradley_terry_strengths",
    "by_scale",
    "campaign_seconds",
    "cluster_borders",
    "control_checks",
    "correlation",
    "count_pairs",
    "cross_validate",
    "expanded_pairs",
    "expected_wins",
    "expected_wins_replicates",
    "f_beta",
    "f_beta_sweep",
    "flags",
    "gold_cases",
    "gold_cases_of_edits",
    "group_pairs",
    "head_to_head",
    "holds_propensities",
    "holds_scores",
    "holm_correction",
    "intraclass_correlation",
    "jackknife",
    "judged_pairs",
    "judgments_until_separation",
    "judgments_until_settled",
    "krippendorff_alpha",
    "limiting_strengths",
    "look_at",
    "match_quality",
    "mean_intervals",
    "mean_replicates",
    "mean_shares_won",
    "next_pair",
    "output_means",
    "pairwise_tau",
    "peer_agreement",
    "permutation_test",
    "plan",
    "point_scores",
    "quality_of_annotators",
    "rank_clusters",
    "rank_ranges",
    "ranked_outputs",
    "rate_pairs",
    "rate_rankings",
    "reading_rate",
    "reasons_to_look",
    "replicate_coefficients",
    "replicate_interval",
    "replicate_scores",
    "resampled_counts",
    "scale_values",
    "scales_compared",
    "scored_outputs",
    "scores_of_draws",
    "severity_model",
    "side_by_side",
    "simulated_campaign",
    "split_half",
    "split_half_of_all",
    "standardised",
    "standings",
    "system_changes",
    "system_means",
    "trueskill_replicates",
    "trueskill_runs",
    "trueskill_scores",
    "two_systems",
    "unexpanded_pairs",
    "update_skills",
    "verdict_units",
    "verdicts_by_annotator",
    "verdicts_by_system",
    "verdicts_of_all",
    "watch",
    "williams_test",
    "win_probabilities",
    "without_systems",
    "wmt_parameters",
]
