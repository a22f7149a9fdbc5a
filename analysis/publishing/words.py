"""A methods paragraph and a data sheet, whose every number comes from the results of a bundle."""

from analysis.analyses.agreement import Judging
from analysis.analyses.ranking import UNITS, Ranking, RankingParameters
from analysis.analyses.ranking_words import METHODS
from assay import __version__
from ranking import Kappa, Method

SOURCES = {
    Method.EXPECTED_WINS: "Bojar et al. 2013; Grundkiewicz et al. 2015",
    Method.TRUESKILL: "Sakaguchi et al. 2014",
    Method.BRADLEY_TERRY: "Davidson 1970",
    Method.MEAN_SCORE: "",
}


def methods_paragraph(parameters: RankingParameters, ranking: Ranking, judging: Judging) -> str:
    """How the ranking was computed, in sentences for a paper."""
    standings, total = ranking.standings, judging.judges.total
    method = METHODS[standings.method]
    source = SOURCES[standings.method]
    cited = f" ({source})" if source else ""
    sentences = [
        f"{len(judging.judges.judges)} annotators judged {total.rankings:,} screens, which compare "
        f"{len(standings.systems)} systems in {total.expanded:,} pairs "
        f"({total.expanded_ties:,} of them ties).",
        f"Systems are ranked by {method}{cited}.",
    ]
    if standings.reason is None:
        sentences.append(
            f"Intervals, rank ranges and clusters are at {standings.confidence:.0%} confidence from "
            f"{standings.replicates:,} bootstrap replicates that resample {UNITS[standings.unit]}s "
            f"(seed {parameters.seed}); systems whose rank ranges overlap form a cluster (Koehn 2012): "
            f"there are {standings.clusters}."
        )
    sentences.append(f"Agreement of annotators: {_kappa('between', judging.agreement.inter)}; ")
    sentences[-1] += f"{_kappa('with themselves', judging.agreement.intra)}."
    sentences.append(f"Computed by Assay {__version__}; signature {ranking.signature}.")
    return " ".join(sentences) + "\n"


def _kappa(between: str, kappa: Kappa) -> str:
    if kappa.value is None:
        return f"kappa {between} them is not defined, since {kappa.reason}"
    return f"kappa {between} them is {kappa.value:.3f} over {kappa.n:,} comparisons"


def facts(ranking: Ranking, judging: Judging, sentences: int) -> list[tuple[str, str]]:
    """What the data are: a name and a figure each."""
    total = judging.judges.total
    return [
        ("Systems", f"{len(ranking.standings.systems)}"),
        ("Sentences judged", f"{sentences:,}"),
        ("Annotators", f"{len(judging.judges.judges)}"),
        ("Screens judged", f"{total.rankings:,}"),
        ("Pairs of outputs", f"{total.unexpanded:,}, of them ties: {total.unexpanded_ties:,}"),
        ("Pairs of systems", f"{total.expanded:,}, of them ties: {total.expanded_ties:,}"),
    ]


def data_sheet(title: str, ranking: Ranking, judging: Judging, sentences: int) -> str:
    """What the data are, as a list."""
    lines = [
        f"# {title}",
        "",
        *(f"- {name}: {figure}" for name, figure in facts(ranking, judging, sentences)),
        f"- Signature of the ranking: `{ranking.signature}`",
        f"- Signature of the agreement: `{judging.signature}`",
        "",
        "`judgments.csv` holds every rating, in the format of exports. Annotators are numbers. Times of day,",
        "notes and texts that annotators wrote are left out. Outputs are SHA-256 digests of their texts.",
        "",
    ]
    return "\n".join(lines)
