"""Systems by domain: whether they rank alike in every domain, and how reliable its judgments are."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from operator import attrgetter
from statistics import fmean

from analysis.analyses.base import WEIGHTED, Analysis, Group, register
from analysis.analyses.from_judgments import check_all_domains
from analysis.analyses.judgment_inputs import DomainJudgments
from analysis.analyses.ranking_words import UNITS
from analysis.analyses.resampling import small_intervals
from analysis.analyses.rules import stated_rule
from analysis.analyses.systems.ranking import (
    THREADS,
    WEIGHTED_COLUMNS,
    RankingParameters,
    resolved,
    too_much,
)
from core.columns import Column, Count, Estimated, Number, Spread, System, Text
from core.names import Naming
from core.parameters import ParameterError
from core.progress import Progress, over
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import MOST_NAMES, briefly, counted, literal, most_often, percent
from figures.drawing import Chart
from figures.panels import panels_figure
from formats.snapshot.vocabulary import AnswerKind
from ranking import (
    Coefficient,
    Correlation,
    HalfCorrelation,
    Kappa,
    Method,
    ResamplingError,
    Scores,
    Standing,
    Standings,
    agreement_by_document,
    correlation,
    split_half_of_all,
    standardised,
    standings,
)

MOST_DOMAINS = 24
"""Domains that are ranked, those with the most judged sentences: each is a panel and a column."""

NOT_SCORED = HalfCorrelation(None, None, 0, "the outputs have no scores")


@dataclass(frozen=True, slots=True, eq=False)
class DomainRanking:
    """The systems of one domain.

    Attributes:
        domain: its name.
        sentences: number of judged sentences.
        standings: the systems, best first.
        kappa: between annotators, pooled over pairs of outputs.
        kappa_low: lower end of its interval over sentences; None without one.
        kappa_high: upper end; None without one.
        outputs: correlation of outputs' scores between halves of the annotators (GMEG, Table 7).
        systems: correlation of systems' scores between these halves.
    """

    domain: str
    sentences: int
    standings: Standings
    kappa: Kappa
    kappa_low: float | None
    kappa_high: float | None
    outputs: HalfCorrelation
    systems: HalfCorrelation


@dataclass(frozen=True, slots=True)
class DomainPair:
    """How far the scores of systems in two domains correlate.

    Attributes:
        first: name of a domain.
        second: name of another.
        pearson: of the systems with a score in both.
        spearman: of these systems.
    """

    first: str
    second: str
    pearson: Correlation
    spearman: Correlation


@dataclass(frozen=True, slots=True, eq=False)
class ByDomain:
    """Rankings of the same systems in each domain.

    Attributes:
        signature: computation and snapshot.
        domains: in alphabetical order.
        pairs: each two of these domains.
        left_out: number of domains beyond `MOST_DOMAINS`.
    """

    signature: str
    domains: tuple[DomainRanking, ...]
    pairs: tuple[DomainPair, ...]
    left_out: int


def resolved_of_all(parameters: RankingParameters, scored: bool) -> RankingParameters:
    """The parameters of a ranking that keeps to no domain.

    Raises:
        ParameterError: as `resolved`, or a single domain is asked for.
    """
    check_all_domains(parameters)
    return resolved(parameters, scored)


def compute(judgments: DomainJudgments, parameters: RankingParameters, progress: Progress) -> ByDomain:
    """Rank the systems on the sentences of each domain (GMEG, section 4.3 and Tables 6 and 7).

    Raises:
        SnapshotError: the judgments lack something.
        ParameterError: the replicates are too few.
    """
    progress.begin("Comparing annotators by domain")
    snapshot = judgments.snapshot
    sentences = Counter(judgments.groups.values())
    ranked_domains = {domain for domain, _ in sentences.most_common(MOST_DOMAINS)}
    kappas = agreement_by_document(
        snapshot,
        {sentence: domain for sentence, domain in judgments.groups.items() if domain in ranked_domains},
        parameters.by,
        confidence=parameters.confidence,
        replicates=parameters.replicates or 0,
        seed=parameters.seed,
        step=progress.step,
    )
    if parameters.method is Method.MEAN_SCORE and parameters.z_scores:
        snapshot = standardised(snapshot).snapshot
    groups = snapshot["sentence"].map(judgments.groups)
    found = []
    for agreed in over(kappas, "Ranking the systems of each domain", progress):
        of_domain = snapshot[groups == agreed.document]
        try:
            ranked = standings(
                of_domain,
                parameters.scored_by,
                parameters.unit,
                by=parameters.by,
                weighted=parameters.weights == WEIGHTED,
                replicates=parameters.replicates or 0,
                confidence=parameters.confidence,
                seed=parameters.seed,
                threads=THREADS,
                progress=lambda parts: progress.step(),
            )
        except ResamplingError as error:
            raise ParameterError(faults={"replicates": str(error)}) from error
        halves = split_half_of_all(of_domain) if isinstance(parameters.by, Scores) else None
        found.append(
            DomainRanking(
                agreed.document,
                sentences[agreed.document],
                ranked,
                agreed.kappa,
                agreed.low,
                agreed.high,
                outputs=halves.sentence if halves else NOT_SCORED,
                systems=halves.system if halves else NOT_SCORED,
            )
        )
    signature = judgments.signature(f"by-domain|{parameters}{stated_rule('by-domain')}")
    return ByDomain(signature, tuple(found), tuple(_pairs(found)), len(sentences) - len(ranked_domains))


def _pairs(domains: Sequence[DomainRanking]) -> Iterator[DomainPair]:
    for one, other in combinations(domains, 2):
        first, second = _scores(one), _scores(other)
        both = sorted(first.keys() & second.keys())
        scores = [first[system] for system in both], [second[system] for system in both]
        yield DomainPair(
            one.domain,
            other.domain,
            correlation(*scores, Coefficient.PEARSON),
            correlation(*scores, Coefficient.SPEARMAN),
        )


def _scores(domain: DomainRanking) -> dict[str, float]:
    return {row.system: row.score for row in domain.standings.systems if row.score is not None}


def _systems(result: ByDomain) -> list[str]:
    """The systems with a score in some domain, by their mean rank over the domains, best first."""
    ranks: dict[str, list[int]] = {}
    for domain in result.domains:
        for rank, system in enumerate(_scores(domain)):
            ranks.setdefault(system, []).append(rank)
    return sorted(ranks, key=lambda system: (fmean(ranks[system]), system))


def _best(domain: DomainRanking) -> list[str]:
    """The systems with the highest score of a domain; none if it has no scores."""
    scores = _scores(domain)
    return [system for system, score in scores.items() if score == max(scores.values())]


def _of_domain(place: int, row: tuple[str, Sequence[Standing | None]]) -> Spread | None:
    standing = row[1][place]
    if standing is None:
        return None
    return Spread(standing.score, standing.score_low, standing.score_high, standing.reason)


def _rows_by_system(computed: Computed) -> Iterator[tuple[str, Sequence[Standing | None]]]:
    domains = [{row.system: row for row in each.standings.systems} for each in computed.result.domains]
    for system in _systems(computed.result):
        yield system, [domain.get(system) for domain in domains]


def _columns_by_system(computed: Computed) -> Sequence[Column]:
    digits = 2 if computed.parameters.scored_by is Method.MEAN_SCORE else 3
    return (
        System("", "System", lambda row: row[0]),
        *(
            Estimated("", each.domain, partial(_of_domain, place), digits=digits, is_shaded=True)
            for place, each in enumerate(computed.result.domains)
        ),
    )


SYSTEMS = Table(
    rows=_rows_by_system,
    columns=_columns_by_system,
    caption="Score of each system in each domain",
    long=Table(
        rows=lambda computed: (
            (each.domain, row) for each in computed.result.domains for row in each.standings.systems
        ),
        columns=(
            Text("domain", value=lambda row: row[0]),
            System("system", value=lambda row: row[1].system),
            Estimated(
                "score",
                value=lambda row: Spread(row[1].score, row[1].score_low, row[1].score_high),
                ends=("low", "high"),
            ),
            Count("first_rank", value=lambda row: row[1].rank_low),
            Count("last_rank", value=lambda row: row[1].rank_high),
            Count("cluster", value=lambda row: row[1].cluster),
            Text("remark", value=lambda row: row[1].reason),
        ),
        caption="",
    ),
    note=lambda computed, naming: small_intervals(computed, "over the sentences of a domain."),
)

OF_KAPPA = "*Kappa* is agreement between annotators on pairs of outputs."
OF_HALVES = (
    " *Halves* is Pearson’s r between mean scores by two halves of the annotators, of outputs and of systems."
)


def _has_halves(result: ByDomain) -> bool:
    """Whether outputs have scores, which rankings do not give."""
    return any(each.outputs.pearson is not None for each in result.domains)


DOMAINS = Table(
    rows=lambda computed: computed.result.domains,
    columns=(
        Text("domain", "Domain"),
        Count("sentences", "Sentences"),
        Count("clusters", "Clusters", attrgetter("standings.clusters")),
        Estimated(
            "kappa",
            "Kappa",
            lambda each: Spread(each.kappa.value, each.kappa_low, each.kappa_high, each.kappa.reason),
            ends_on_paper=("from", "to"),
            drawn="Kappa with interval",
        ),
        Number("halves_outputs", "Halves, outputs", attrgetter("outputs.pearson")),
        Number("halves_systems", "Halves, systems", attrgetter("systems.pearson")),
    ),
    caption="How reliable the judgments of each domain are",
    note=lambda computed, naming: OF_KAPPA + (OF_HALVES if _has_halves(computed.result) else ""),
)

PAIRS = Table(
    rows=lambda computed: computed.result.pairs,
    columns=(
        Text("first", "Domain"),
        Text("second", "And"),
        Count("systems", "Systems", attrgetter("pearson.n")),
        Number("pearson", "Pearson’s r", attrgetter("pearson.value")),
        Number("spearman", "Spearman’s ρ", attrgetter("spearman.value")),
    ),
    caption="Correlation of systems’ scores between domains",
)


def headline(computed: Computed, naming: Naming) -> str:
    """Which systems have the highest score, where, and in which domains that is certain."""
    best = {each.domain: _best(each) for each in computed.result.domains if _best(each)}
    if not best:
        return "No domain has a ranking yet"
    named = {domain: [naming.label(system) for system in systems] for domain, systems in best.items()}
    alone = "All judged sentences with a domain are of {domain}, where {claim}"
    claim = ("has the highest score", "have the highest score")
    return most_often(named, claim, one="system", alone=alone) + _where_clear(computed.result)


def _where_clear(result: ByDomain) -> str:
    """The domains in which one system is in a cluster of its own, as the end of a sentence."""
    ranked = [each for each in result.domains if each.standings.reason is None]
    alone = [each.domain for each in ranked if sum(row.cluster == 1 for row in each.standings.systems) == 1]
    if len(alone) == len(ranked):
        return ", clearly" if len(ranked) == 1 else ", clearly in each"
    return f", clearly only in {briefly(alone)}" if alone else ", but not clearly"


def lead(computed: Computed, naming: Naming) -> str:
    """How alike the domains are."""
    result: ByDomain = computed.result
    said = []
    correlated = [
        (round(pair.spearman.value, 2), f"{literal(pair.first)} and {literal(pair.second)}")
        for pair in result.pairs
        if pair.spearman.value is not None
    ]
    if correlated:
        low, high = min(correlated)[0], max(correlated)[0]
        least = [domains for rho, domains in correlated if rho == low]
        said.append(
            f"The order of systems is least alike in {' or '.join(least[:MOST_NAMES])} (ρ = {low:.2f})"
            + (f"; the highest ρ of two domains is {high:.2f}." if high > low else ".")
        )
    if result.left_out:
        more = counted(result.left_out, "further domain")
        said.append(f"Not ranked: {more} with fewer judged sentences.")
    return " ".join(said)


def methods(parameters: RankingParameters, result: ByDomain) -> list[str]:
    """The computation in sentences for a paper."""
    sentences = sum(each.sentences for each in result.domains)
    said = [
        f"Systems are ranked by {parameters.score_name} in each of {len(result.domains)} domains, on "
        f"{sentences:,} sentences in all."
    ]
    if not parameters.replicates:
        return said
    return [
        *said,
        f"{percent(parameters.confidence)} intervals are percentiles of {parameters.replicates:,} resamples "
        f"of the {UNITS[parameters.unit]}s of each domain.",
    ]


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """A panel for each domain."""
    result: ByDomain = computed.result
    drawn = {
        each.domain: [
            (naming.label(row.system), row.score, row.score_low, row.score_high)
            for row in each.standings.systems
            if row.score is not None
        ]
        for each in result.domains
    }
    return panels_figure(
        {domain: rows for domain, rows in drawn.items() if rows},
        list(map(naming.label, _systems(result))),
        title=f"{naming.title}: systems by domain",
        axis=computed.parameters.score_name,
        layout=layout,
    )


BY_DOMAIN = register(
    Analysis(
        name="by-domain",
        title="By domain",
        group=Group.SYSTEMS,
        question="Do systems rank alike in every domain?",
        defined_in="ranking.md#by-domain",
        help="Ranking, agreement and reliability in each domain, and how alike the domains are.",
        parameters=RankingParameters,
        result=ByDomain,
        inputs=DomainJudgments,
        columns=WEIGHTED_COLUMNS,
        answers=AnswerKind.RATINGS,
        compute=compute,
        resolve=resolved_of_all,
        too_much=too_much,
        tables={"systems": SYSTEMS, "domains": DOMAINS, "pairs": PAIRS},
        figures={
            "systems": Figure(
                caption="Score of each system in each domain",
                draw=draw,
                has_content=lambda computed: any(map(_scores, computed.result.domains)),
                of_table="systems",
            )
        },
        headline=headline,
        lead=lead,
        sections=(
            Section(title="Reliability", tables=("domains",)),
            Section(title="How alike the domains are", tables=("pairs",)),
        ),
        methods=methods,
        nothing="No judged sentence has a domain. Import the corpus with domains.",
        explanation="Each domain is ranked by its own judgments alone, as on *Ranking*. Systems are in the "
        "order of their mean rank over the domains. A system that is first in one domain and not in another "
        "may differ by chance: look at the intervals.",
        fields=("method", "confidence", "controls", "excluded"),
    )
)
