"""The page that compares two systems: choosing them, and sentences with both outputs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

from django.urls import reverse

from analysis.analyses.from_judgments import METHODS_OF_NEIGHBOURS
from analysis.analyses.systems.compare_systems import COMPARE_SYSTEMS
from analysis.analyses.systems.compared_systems import (
    ComparedSentence,
    ComparedSystems,
    CompareSystemsParameters,
)
from analysis.analyses.systems.ranking import RankingParameters
from analysis.results.declared_pages import declared_page
from analysis.results.registered_pages import register_page
from analysis.runs.requests import Request
from annotate.corpora.sentences import ShownOutput, ShownSentence, shown
from annotate.models import Campaign, User
from annotate.scores.queries import ShownScore, scores_by_output
from annotate.web.parameter_forms import query_of
from core.results import Computed

EXAMPLES = 5
"""Sentences of a list that the page shows with both outputs."""


@dataclass(frozen=True, slots=True)
class ScoredBoth:
    """The scores of both outputs by a metric.

    Attributes:
        title: of the metric.
        scores: of the output of the first system and of that of the second; None where there is none.
        is_against: whether the metric prefers another output than people.
    """

    title: str
    scores: tuple[float | None, float | None]
    is_against: bool


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence with both outputs.

    Attributes:
        row: what people and metrics say.
        sentence: its texts.
        outputs: name of the system, its output, and how often it was judged better; the first system first.
        scores: by all metrics.
    """

    row: ComparedSentence
    sentence: ShownSentence
    outputs: Sequence[tuple[str, ShownOutput, int]]
    scores: Sequence[ScoredBoth]


def beside(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """The systems to choose from, and the first sentences of both lists."""
    result: ComparedSystems = computed.result
    parameters: CompareSystemsParameters = computed.parameters
    query = parse_qsl(query_of(parameters))
    corpus = request.campaign.corpus
    lists = [
        (
            "Sentences that decide",
            "deciding",
            "Listed by the judgments for one output less those for the other.",
            result.sentences[:EXAMPLES],
        ),
        (
            "Sentences on which people and metrics differ",
            "differing",
            "Listed by the same difference, times the share of metrics that prefer the other output.",
            result.differing[:EXAMPLES],
        ),
    ]
    rows = [row for *_, listed in lists for row in listed] if corpus.has_texts else []
    examples = _examples(request.campaign, result, rows)
    return {
        "corpus": corpus,
        "hidden": [(name, value) for name, value in query if name not in ("first", "second")],
        "offered": [("First system", "first", result.first), ("Second system", "second", result.second)],
        "lists": [
            (title, name, chosen, [examples[row.sentence] for row in listed if row.sentence in examples])
            for title, name, chosen, listed in lists
        ],
    }


def _examples(
    campaign: Campaign, result: ComparedSystems, rows: Sequence[ComparedSentence]
) -> dict[int, Example]:
    """The sentences of these rows by number, in a fixed number of queries."""
    if not rows:
        return {}
    positions = sorted({row.sentence for row in rows})
    scores = scores_by_output(campaign.corpus, positions)
    sentences = {
        each.position: each for each in shown(campaign.corpus.sentences.filter(position__in=positions))
    }
    return {
        row.sentence: _example(row, sentences[row.sentence], result, scores)
        for row in rows
        if row.sentence in sentences
    }


def _example(
    row: ComparedSentence,
    sentence: ShownSentence,
    result: ComparedSystems,
    scores: Mapping[tuple[int, str], Sequence[ShownScore]],
) -> Example:
    outputs = [
        (system, output, better)
        for system, better in ((result.first, row.wins), (result.second, row.losses))
        for output in sentence.outputs
        if system in output.systems
    ]
    by_metric: dict[tuple[str, bool], list[float | None]] = {}
    for place, (_, output, _) in enumerate(outputs):
        for each in scores.get((sentence.position, output.digest), ()):
            by_metric.setdefault((each.title, each.is_uploaded), [None, None])[place] = each.score
    return Example(
        row,
        sentence,
        outputs,
        [
            ScoredBoth(
                f"{title} (uploaded)" if is_uploaded else title,
                (first, second),
                first is not None and second is not None and (first - second) * (row.wins - row.losses) < 0,
            )
            for (title, is_uploaded), (first, second) in by_metric.items()
        ],
    )


def comparing(campaign: Campaign, ranking: RankingParameters) -> str:
    """Beginning of the addresses that compare two systems of a ranking, to which their names are added."""
    usual = CompareSystemsParameters()
    parameters = CompareSystemsParameters(
        method=ranking.scored_by.value if ranking.scored_by.value in METHODS_OF_NEIGHBOURS else usual.method,
        tie_width=ranking.tie_width or None,
        confidence=ranking.confidence,
        controls=ranking.controls,
        excluded=ranking.excluded,
        combined=ranking.combined,
        domain=ranking.domain,
    )
    stated = query_of(parameters)
    address = reverse("analysis", args=[campaign.uuid, COMPARE_SYSTEMS.name])
    return f"{address}?{stated}&" if stated else f"{address}?"


register_page(declared_page(COMPARE_SYSTEMS, beside))
