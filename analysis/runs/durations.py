"""Estimated durations of analyses, from the size of their inputs and their parameters.

`SECONDS` has a formula for each analysis. Its numbers were measured on one core, with public data of a few
thousand judgments and with a million of them. Whether a job is short, and what a page says of its time, rests
on nothing else.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from analysis.analyses.metrics.maege.verdict import part_sizes
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.runs.sources import Request
from annotate.scores.queries import finished_sets
from core.wording import counted
from metrics import METRICS
from ranking import Method, Unit

SHORT_SECONDS = 5
"""A job of at most so many seconds starts by itself, and goes before longer ones."""


@dataclass(frozen=True, slots=True)
class Amounts:
    """The amounts that decide how long an analysis takes.

    Attributes:
        size: answers of the campaign, or sentences of the corpus.
        systems: of the campaign or the corpus; at least 1.
        metrics: whose scores are read; 1 if none are.
        in_order: how many of them score a corpus in its order, so that each draw goes through it.
        draws: replicates and permutations; 0 if there are none.
        parameters: of the request.
    """

    size: int
    systems: int
    metrics: int
    in_order: int
    draws: int
    parameters: Any


Seconds = Callable[[Amounts], float]


def _of_a_million(seconds: float) -> Seconds:
    """The formula of an analysis of judgments that takes so long for a million of them."""
    return lambda of: 1 + of.size * seconds / 1_000_000


def _of_scores(milliseconds: float) -> Seconds:
    """The formula of an analysis of scores, by its time for a draw of one metric.

    It goes through the sentences of metrics that are not sums of rows, such as GLEU.
    """
    return lambda of: (
        1 + of.size * 80e-6 + of.draws * (of.metrics * milliseconds / 1_000 + of.in_order * of.size * 0.9e-6)
    )


def _of_texts(microseconds: float) -> Seconds:
    """The formula of an analysis of a corpus that takes so long for each text, of a system or a reference."""
    return lambda of: 2 + of.size * (of.systems + 1) * microseconds / 1_000_000


def _of_ranking(of: Amounts) -> float:
    seconds = 1 + of.size * 22e-6
    if of.parameters.method is not Method.TRUESKILL:
        return seconds
    return seconds + of.draws * (of.size * 4e-6 if of.parameters.unit is Unit.PAIR else 4e-3)


SECONDS: Mapping[str, Seconds] = {
    "agreement": _of_a_million(60),
    "agreement-by-document": _of_a_million(30),
    "answers-per-hour": _of_a_million(25),
    "by-domain": _of_a_million(90),
    "compare-systems": _of_a_million(30),
    "conservatism": _of_texts(1_500),
    "corpus-statistics": lambda of: 2 + of.size * 2e-3,
    "corrections": _of_a_million(5_000),
    "corrections-coverage": _of_a_million(10_000),
    "coverage": lambda of: 1 + of.size * 6e-3,
    "disagreements": _of_a_million(80),
    "edits": _of_a_million(100),
    "fragility": _of_a_million(120),
    "grown-references": _of_texts(100),
    "human-performance": _of_texts(100),
    "hybrids": lambda of: 1 + of.size * (80e-6 + of.systems**2 * of.metrics * 1e-6),
    "judge-model": _of_a_million(80),
    "lattice": lambda of: 1 + of.size * 1e-3,
    "learned-gmeg": lambda of: 20 + of.size * of.systems * of.metrics * 200e-6,
    "learned-mterater": lambda of: 20 + of.size * of.systems * of.metrics * 200e-6,
    "machine-judges": lambda of: 1 + of.size * 0.6e-3 + (of.metrics + 6) * (0.03 + of.size * 0.04e-3),
    "maege": lambda of: 2 + of.size * sum(part_sizes(of.parameters)) * 9e-6,
    "metric-advice": _of_scores(0.1),
    "metric-causes": lambda of: 3 + of.size * 80e-6 + of.draws * (4e-3 + of.size * 0.9e-6),
    "metric-rank-pairs": _of_a_million(80),
    "metric-sweep": lambda of: 1 + of.size * (80e-6 + of.draws * 12e-6),
    "metric-windows": _of_scores(0.1),
    "metrics-by-domain": _of_scores(0.1),
    "metrics-people": lambda of: (
        1 + of.size * 80e-6 + of.draws * (of.metrics**2 * 60e-6 + of.in_order * of.size * 0.45e-6)
    ),
    "new-metric": lambda of: (
        1 + of.size * 80e-6 + of.draws * ((of.metrics + 1) ** 2 * 60e-6 + of.in_order * of.size * 0.45e-6)
    ),
    "oracle-reranking": _of_texts(200),
    "perfect-corrector": lambda of: 1 + of.size * of.draws * 8e-6,
    "quality": _of_a_million(25),
    "ranking": _of_ranking,
    "ranking-with-machine": _of_a_million(25),
    "rejected-edits": _of_a_million(100),
    "error-spans": _of_a_million(150),
    "scales": _of_a_million(100),
    "stopping": _of_a_million(25),
    "stress": lambda of: (
        2 + of.size * 0.5e-3 + min(of.size, of.parameters.sentences) * len(of.parameters.metrics) * 6e-3
    ),
    "valid-outputs": _of_a_million(100),
    "validity": _of_a_million(25),
    "weighted-edits": lambda of: 2 + of.size * (100e-6 + of.draws * 2e-6),
}
"""Seconds of each analysis by its name."""

OF_ANOTHER = _of_a_million(100)
"""Seconds of analyses that are not named."""


@dataclass(frozen=True, slots=True)
class Duration:
    """The duration of a job.

    Attributes:
        seconds: about so many.
        amounts: what the estimate rests on.
    """

    seconds: float
    amounts: Amounts

    @property
    def is_short(self) -> bool:
        """Whether the job starts by itself, and goes before longer ones."""
        return self.seconds <= SHORT_SECONDS

    def __str__(self) -> str:
        """The time in words, as the end of a sentence."""
        if self.is_short:
            return "a few seconds"
        if self.seconds < 50:
            return f"about {10 * max(1, round(self.seconds / 10))} seconds"
        minutes = max(1, round(self.seconds / 60))
        return f"about {counted(minutes, 'minute') if minutes < 90 else counted(round(minutes / 60), 'hour')}"

    @property
    def of(self) -> str:
        """The amounts in words, to follow the number of judgments or sentences."""
        amounts = self.amounts
        of = f" of {counted(amounts.systems, 'system')}" if amounts.systems > 1 else ""
        by = f" by {counted(amounts.metrics, 'metric')}" if amounts.metrics > 1 else ""
        drawn = f" with {amounts.draws:,} random draws" if amounts.draws else ""
        return f"{of}{by}{drawn}"


def together(durations: Iterable[Duration | None]) -> Duration | None:
    """The duration of several jobs of the same inputs, one after the other; None if there are none."""
    known = [each for each in durations if each is not None]
    longest = max(known, key=lambda each: each.seconds, default=None)
    return longest and replace(longest, seconds=sum(each.seconds for each in known))


def duration_of(request: Request, size: int) -> Duration:
    """The time to compute the request from inputs of this size."""
    reads_scores = issubclass(request.analysis.inputs, ScoredJudgments)
    scored = finished_sets(request.corpus) if reads_scores else []
    metrics = [METRICS[each.metric] for each in scored if each.metric in METRICS]
    amounts = Amounts(
        size,
        max(1, request.subject.systems.count()),
        max(1, len(scored)),
        sum(not metric.additive for metric in metrics),
        sum(getattr(request.parameters, name, None) or 0 for name in ("replicates", "permutations")),
        request.parameters,
    )
    return Duration(SECONDS.get(request.analysis.name, OF_ANOTHER)(amounts), amounts)
