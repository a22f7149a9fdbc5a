"""Low coverage bias: how far references that miss valid corrections lower a perfect corrector's score.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and
Text Simplification". From several people's corrections of each sentence::

    from metrics.meta_evaluation.coverage import AnsweredSentence, coverages, distributions, expected_accuracy

    estimated = distributions([AnsweredSentence(source, answers) for source, answers in pilot.items()])
    print(expected_accuracy(coverages(estimated, [10])[:, 0]))
"""

from metrics.meta_evaluation.coverage.accuracy import (
    AccuracyDistribution,
    accuracy_distribution,
    coverage_without_replacement,
    expected_coverage,
    matches_of_test_set,
)
from metrics.meta_evaluation.coverage.collected_corrections import (
    AnsweredSentence,
    Match,
    Normalisation,
    corrections,
    distributions,
    in_need_of_correction,
    variants_and_mass,
    words_of,
)
from metrics.meta_evaluation.coverage.references_needed import (
    ReferencesNeeded,
    coverages,
    expected_accuracy,
    references_needed,
)
from metrics.meta_evaluation.coverage.unseen import (
    CorrectionDistribution,
    CoverageError,
    answer_histogram,
    unseen_distribution,
)

__all__ = [
    "AccuracyDistribution",
    "AnsweredSentence",
    "CorrectionDistribution",
    "CoverageError",
    "Match",
    "Normalisation",
    "ReferencesNeeded",
    "accuracy_distribution",
    "answer_histogram",
    "corrections",
    "coverage_without_replacement",
    "coverages",
    "distributions",
    "expected_accuracy",
    "expected_coverage",
    "in_need_of_correction",
    "matches_of_test_set",
    "references_needed",
    "unseen_distribution",
    "variants_and_mass",
    "words_of",
]
