"""Descriptions of methods, units and scores for pages and commands."""

from ranking import Method, Unit

PAIRWISE = {
    Method.EXPECTED_WINS: "ExpectedWins",
    Method.TRUESKILL: "TrueSkill",
    Method.BRADLEY_TERRY: "Bradley-Terry",
}
"""Methods for rankings; also for scores, through the pairs that they imply."""

METHODS = {Method.MEAN_SCORE: "Mean score", **PAIRWISE}
MEANINGS = {
    Method.MEAN_SCORE: (
        "The score of a system is the mean of its sentences’ scores, that of a sentence the mean of the "
        "scores its output was given; so each sentence weighs the same."
    ),
    Method.EXPECTED_WINS: (
        "The score is the chance that a system is judged better than another one, picked at random from "
        "those it met; ties are left out."
    ),
    Method.TRUESKILL: (
        "The score is the mean of a system’s skill, learnt comparison by comparison from 0 on, ties included."
    ),
    Method.BRADLEY_TERRY: (
        "The score is the logarithm of a system’s strength under the model of Bradley and Terry, "
        "ties included; 0 is the average."
    ),
}
Z_SCORES_MEANING = (
    "Scores are z-scores, by how many standard deviations they lie above the mean of their judge’s scores; "
    "judges who gave a single score, or all the same, are left out."
)
UNIT_MEANINGS = {
    Unit.PAIR: (
        "Pairs are drawn one by one, as for most published rankings, which takes those of one sentence for "
        "independent: for a claim about systems, resample by sentence."
    ),
    Unit.JUDGMENT: (
        "Whole screens are drawn, each with all its pairs. That says how the ranking would be with other "
        "looks at the same sentences."
    ),
    Unit.SENTENCE: (
        "Whole sentences are drawn, each with all its judgments. That says how the ranking would be on other "
        "sentences of the kind."
    ),
    Unit.JUDGE: (
        "Annotators are drawn, each with all their judgments. That says how the ranking would be with "
        "other annotators; with few of them it is rough."
    ),
}
"""What is resampled, and the meaning of the ranges."""

TRUESKILL_BY_PAIR = (
    "TrueSkill’s scores are means over replicates, so they depend on the unit. By pair they follow the "
    "procedure of WMT (Sakaguchi et al. 2014), as published scores do: each step takes the least certain "
    "system, an opponent of similar skill, and one of their comparisons at random."
)
TRUESKILL_BY_GROUP = (
    "TrueSkill’s scores are means over replicates, so they depend on the unit. Here the drawn comparisons "
    "are played in their order; by pair, the procedure of WMT (Sakaguchi et al. 2014) chooses them itself, "
    "as for published scores. Compare scores of one unit only."
)
"""Only TrueSkill's score is the mean of its replicates (`ranking.methods`)."""
