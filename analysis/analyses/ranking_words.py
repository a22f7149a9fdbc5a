"""Descriptions of methods, units and scores for pages and commands."""

from core.names import Naming
from core.results import Computed
from core.wording import literal, percent
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
        "The score of a system is the mean of its sentences’ scores, and the score of a sentence "
        "is the mean "
        "of its output’s scores, so each sentence weighs the same."
    ),
    Method.EXPECTED_WINS: (
        "The score is the probability that a system is judged better than another, picked at "
        "random from "
        "those it met; ties are left out."
    ),
    Method.TRUESKILL: (
        "The score is the mean of a system’s skill, learnt comparison by comparison from 0, ties included: "
        "its expectation by the procedure of WMT, over all comparisons."
    ),
    Method.BRADLEY_TERRY: (
        "The score is the logarithm of a system’s strength under the model of Bradley and Terry, "
        "ties included; 0 is the average."
    ),
}
Z_SCORES_MEANING = (
    "Scores are z-scores: the number of standard deviations above the mean of the annotator’s scores. "
    "Annotators with a single score, or equal scores throughout, are left out."
)
UNITS = {unit.value: unit.value for unit in Unit} | {Unit.ANNOTATOR.value: "annotator"}
UNIT_MEANINGS = {
    Unit.PAIR: (
        "Pairs are drawn one by one, as in most published rankings. This treats pairs of one "
        "sentence as "
        "independent; for claims about systems, resample by sentence."
    ),
    Unit.JUDGMENT: (
        "Whole screens are drawn, each with all its pairs. This shows how the ranking would vary "
        "with other "
        "judgments of the same sentences."
    ),
    Unit.SENTENCE: (
        "Whole sentences are drawn, each with all its judgments. This shows how the ranking "
        "would vary with "
        "other sentences of the same kind."
    ),
    Unit.ANNOTATOR: (
        "Annotators are drawn, each with all their judgments. This shows how the ranking would "
        "vary with "
        "other annotators; with few annotators it is imprecise."
    ),
}
"""Meanings of the ranges, by the unit that is resampled."""

RANGES_OF_RUNS = "TrueSkill’s ranges are those of runs of WMT’s procedure, as published ranges are."
"""Pairs are drawn by the procedure itself (`ranking.uncertainty.methods`)."""

SOURCES = {
    Method.EXPECTED_WINS: " (Bojar et al. 2013; Grundkiewicz et al. 2015)",
    Method.TRUESKILL: " (Sakaguchi et al. 2014)",
    Method.BRADLEY_TERRY: " (Davidson 1970)",
    Method.MEAN_SCORE: "",
}


def in_words(computed: Computed, naming: Naming) -> str:
    """A summary for terminals in Markdown: data ranked, meaning of the ranges, how far to trust them."""
    parameters, ranking, standings = computed.parameters, computed.result, computed.result.standings
    total = computed.beside.judges.total
    over = (
        f"{total.rankings:,} judgments"
        if standings.method is Method.MEAN_SCORE
        else f"{total.expanded:,} expanded pairs, {total.expanded_ties:,} of them ties"
    )
    if standings.reason:
        ranges = f"No rank ranges: {standings.reason}."
    else:
        ranges = (
            f"Rank ranges at {percent(standings.confidence)} from {standings.replicates:,} replicates, "
            f"resampled by {UNITS[standings.unit]}; ± is the standard deviation of a score over them. "
            f"{parameters.unit_meaning}"
        )
    borders = " ".join(
        f"The border below cluster {border.below} is clean in {100 * border.stability:.1f} % of them."
        for border in standings.borders
    )
    paragraphs = (f"{parameters.score_name} over {over}.", ranges, borders, ranking.warning, ranking.remark)
    return "\n\n".join(literal(text) for text in paragraphs if text)
