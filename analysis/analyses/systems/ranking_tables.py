"""Tables and figures of a ranking, and of its systems head to head."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from analysis.analyses.ranking_words import METHODS
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from core.columns import Amount, Column, Count, Estimated, Number, PValue, Spread, System, Text
from core.names import Naming
from core.results import Computed, Figure, Layout
from core.tables import Table
from core.wording import with_interval
from figures.drawing import Chart
from figures.systems.head_to_head import LEVEL, MARK, head_to_head_figure, is_significant
from figures.systems.ranking import ranking_figure, ranks_text
from ranking import Comparison, MethodRank, Standing, side_by_side

MOST_IN_A_MATRIX = 60
"""Maximum number of systems or annotators; a larger matrix would make a page of megabytes."""


def _standings(computed: Computed) -> Sequence[Standing]:
    systems: Sequence[Standing] = computed.result.standings.systems
    return systems


SYSTEMS = Table(
    rows=_standings,
    columns=lambda computed: (
        System("system", "system", heading="System"),
        Estimated(
            "score",
            "score",
            lambda row: Spread(row.score, row.score_low, row.score_high),
            heading="Score",
            ends=("low", "high"),
            ends_on_paper=("low", "high"),
            drawn=with_interval(computed.parameters.score_name, computed.result.standings.confidence),
        ),
        Number("deviation", "deviation", attrgetter("spread"), heading="±"),
        Text("", "Ranks", lambda row: ranks_text(row) or None, on_paper=False),
        Count("first_rank", "first rank", attrgetter("rank_low"), on_page=False),
        Count("last_rank", "last rank", attrgetter("rank_high"), on_page=False),
        Count("cluster", "cluster", heading="Cluster"),
        Text("remark", "Remark", attrgetter("reason"), on_paper=False),
    ),
    caption="Score, interval and ranks of each system",
    comment="Systems",
)
"""Each system with score, interval, ranks and cluster."""


class Places(NamedTuple):
    """The scores and ranks of a system.

    Attributes:
        system: its name.
        by_method: in the order of the methods.
    """

    system: str
    by_method: Sequence[MethodRank]


def methods_side_by_side(computed: Computed) -> tuple[list[str], list[Places]]:
    """The names of the methods with scores, the chosen one first, and the ranks by each.

    Systems are sorted best first by the chosen method.
    """
    standings = computed.result.standings
    scores = {computed.parameters.score_name: {row.system: row.score for row in standings.systems}}
    for method, of_systems in computed.beside.scores.items():
        if method is not standings.method:
            scores[METHODS[method]] = dict(of_systems)
    ranked = side_by_side(scores)
    return list(scores), [Places(system, list(by_method.values())) for system, by_method in ranked.items()]


def _of_methods(computed: Computed) -> list[Column]:
    names, _ = methods_side_by_side(computed)
    columns: list[Column] = [System("system", "system", heading="System")]
    for place, name in enumerate(names):
        columns += _of_method(name, place)
    return columns


def _of_method(name: str, place: int) -> tuple[Column, Column]:
    def rank(row: Places) -> int | None:
        return row.by_method[place].rank

    return (
        Number(name, name, lambda row: row.by_method[place].score, note=lambda row: str(rank(row) or "")),
        Count(f"{name} rank", f"{name} rank", rank, on_page=False),
    )


BY_METHOD = Table(
    rows=lambda computed: methods_side_by_side(computed)[1],
    columns=_of_methods,
    caption="Score and rank of each system by method",
    comment="Systems by method",
)
"""Score and rank of each system by each method."""


class Versus(NamedTuple):
    """A system against another one.

    Attributes:
        system: the first.
        opponent: the other.
        comparison: how often it won.
    """

    system: str
    opponent: str
    comparison: Comparison


def _head_to_head(computed: Computed) -> Iterator[Versus]:
    order = [row.system for row in _standings(computed)]
    comparisons: Mapping[tuple[str, str], Comparison] = computed.beside.head_to_head.comparisons
    for system in order:
        for opponent in order:
            if system != opponent and (comparison := comparisons.get((system, opponent))):
                yield Versus(system, opponent, comparison)


class Won(NamedTuple):
    """A row of the matrix: place and name of a system, and its comparisons by opponent."""

    place: int
    system: str
    against: Mapping[str, Comparison]


def _matrix(computed: Computed) -> list[Won]:
    against: dict[str, dict[str, Comparison]] = {row.system: {} for row in _standings(computed)}
    for versus in _head_to_head(computed):
        against[versus.system][versus.opponent] = versus.comparison
    return [Won(place, *row) for place, row in enumerate(against.items(), start=1)]


def _matrix_columns(computed: Computed) -> Sequence[Column]:
    return (
        System("", "system", attrgetter("system"), on_page=False),
        Count("", "no.", attrgetter("place"), on_page=False),
        *(
            Amount("", str(row.place), partial(_share_won, opponent=row.system), on_page=False)
            for row in _matrix(computed)
        ),
    )


def _share_won(row: Won, *, opponent: str) -> str | None:
    """The share of decided comparisons in percent, marked if it differs from one half."""
    comparison = row.against.get(opponent)
    if comparison is None or comparison.share is None:
        return None
    return f"{100 * comparison.share:.0f}{MARK if is_significant(comparison.holm_p_value) else ''}"


HEAD_TO_HEAD = Table(
    rows=_matrix,
    columns=_matrix_columns,
    long=Table(
        rows=_head_to_head,
        columns=(
            System("system"),
            System("opponent"),
            Count("wins", value=attrgetter("comparison.wins")),
            Count("losses", value=attrgetter("comparison.losses")),
            Count("ties", value=attrgetter("comparison.ties")),
            Number("share", value=attrgetter("comparison.share")),
            PValue("p_value", value=attrgetter("comparison.p_value")),
            PValue("holm_p_value", value=attrgetter("comparison.holm_p_value")),
            Text("remark", value=attrgetter("comparison.reason")),
        ),
        caption="",
    ),
    caption="Systems head to head",
    comment="Head to head: % of decided comparisons that the row won; columns have the numbers of rows. "
    f"{MARK} p <= {LEVEL} after Holm's correction.",
    is_of_beside=True,
)
"""Systems against each other: in LaTeX a matrix, in other files a row for each pair, once from either side.

Pages have a matrix of their own.
"""

CHANGES = Table(
    rows=lambda computed: computed.beside.changes or (),
    columns=(
        System("system", "system", heading="System"),
        Count("sentences", "sentences", heading="Sentences"),
        Number("unchanged", "unchanged", heading="Unchanged"),
        Number("meaning_changed", "meaning changed", attrgetter("flagged"), heading="Meaning changed"),
        Number(
            "meaning_changed_by_most",
            "meaning changed by most",
            attrgetter("flagged_by_most"),
            heading="by most",
        ),
        Text("remark", value=attrgetter("reason")),
    ),
    caption="Changes by system",
    comment="What the systems change",
    note=lambda computed, naming: "\n\n".join(
        f"Some shares are missing: {reason}."
        for reason in dict.fromkeys(row.reason for row in computed.beside.changes or ())
        if reason
    ),
    is_of_beside=True,
)
"""The changes that systems make, for scores."""


def draw_ranking(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Systems with their scores, intervals and ranks."""
    parameters, standings = computed.parameters, computed.result.standings
    labels = naming.distinct_labels(row.system for row in standings.systems)
    labelled = tuple(replace(row, system=labels[row.system]) for row in standings.systems)
    return ranking_figure(
        replace(standings, systems=labelled),
        title=naming.title,
        score_name=f"{parameters.score_name}, {100 * parameters.confidence:g}% interval",
        hollow={label for name, label in labels.items() if naming.roles.get(name) in NO_SYSTEMS},
        layout=layout,
    )


def draw_head_to_head(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Systems against each other, in the order of the ranking."""
    labels = naming.distinct_labels(row.system for row in computed.result.standings.systems)
    return head_to_head_figure(
        computed.beside.head_to_head,
        list(labels),
        labels=labels,
        title=f"{naming.title}: % of decided comparisons won by the row",
    )


TABLES = {"systems": SYSTEMS, "methods": BY_METHOD, "head-to-head": HEAD_TO_HEAD, "changes": CHANGES}

FIGURES = {
    "ranking": Figure(
        caption="Scores of systems with intervals",
        draw=draw_ranking,
        has_content=lambda computed: True,
        of_table="systems",
    ),
    "head-to-head": Figure(
        caption="Share of comparisons won, each system against each other",
        draw=draw_head_to_head,
        has_content=lambda computed: len(_standings(computed)) <= MOST_IN_A_MATRIX,
        is_of_beside=True,
    ),
}
