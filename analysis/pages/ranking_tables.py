"""The tables of the ranking page as files."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from analysis.analyses.agreement import Judging
from analysis.analyses.base import Table
from analysis.analyses.ranking import Ranking
from analysis.pages.tables import in_order, methods_side_by_side
from core.formulas import guarded
from core.latex import escaped, number, tabular
from core.names import Judges
from core.tables import csv_lines

DIGITS = 3
"""Decimals of numbers in LaTeX; CSV has all of them."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownJudging:
    """The data of the tables of agreement.

    Attributes:
        judging: the annotators, and systems head to head.
        judges: annotators by pseudonym; files name them by number.
    """

    judging: Judging
    judges: Judges


@dataclass(frozen=True, slots=True, eq=False)
class Shown(ShownJudging):
    """The data of the tables of a ranking.

    Attributes:
        ranking: the systems.
        score_name: name of the ranking's scores.
    """

    ranking: Ranking
    score_name: str


def systems(shown: Shown) -> Table:
    """Each system with score, interval, ranks and cluster."""
    columns = ["system", "score", "low", "high", "deviation", "first_rank", "last_rank", "cluster", "remark"]
    rows = tuple(
        (
            row.system,
            row.score,
            row.score_low,
            row.score_high,
            row.spread,
            row.rank_low,
            row.rank_high,
            row.cluster,
            row.reason,
        )
        for row in shown.ranking.standings.systems
    )
    return Table("Systems", tuple(columns), rows)


def methods(shown: Shown) -> Table:
    """Score and rank of each system by each method."""
    names, places = methods_side_by_side(shown.ranking.standings, shown.score_name, shown.judging)
    columns = ("system", *(column for name in names for column in (name, f"{name} rank")))
    rows = tuple(
        (system, *(value for place in row for value in (place.score, place.rank))) for system, row in places
    )
    return Table("Systems by method", columns, rows)


def head_to_head(shown: Shown) -> Table:
    """Each pair of systems, once from either side."""
    columns = ["system", "opponent", "wins", "losses", "ties", "share", "p_value", "holm_p_value", "remark"]
    order = [row.system for row in shown.ranking.standings.systems]
    comparisons = shown.judging.head_to_head.comparisons
    rows = tuple(
        (
            system,
            opponent,
            versus.wins,
            versus.losses,
            versus.ties,
            versus.share,
            versus.p_value,
            versus.holm_p_value,
            versus.reason,
        )
        for system in order
        for opponent in order
        if system != opponent and (versus := comparisons.get((system, opponent)))
    )
    return Table("Systems head to head", tuple(columns), rows)


def agreement(shown: ShownJudging) -> Table:
    """The figures of agreement, and for scores those of reliability."""
    judging, kappas = shown.judging, shown.judging.agreement
    rows: list[tuple[str | float | None, ...]] = [
        (f"kappa {name}", kappa.value, kappa.n, kappa.reason)
        for name, kappa in {
            "between annotators": kappas.inter,
            "of annotators with themselves": kappas.intra,
            "between annotators, pooled": kappas.inter_pooled,
            "of annotators with themselves, pooled": kappas.intra_pooled,
        }.items()
    ]
    over = "scores, interval" if judging.is_scored else "ranks, ordinal"
    for name, alpha in {
        "pairs, nominal": judging.alpha_of_pairs,
        over: judging.alpha_of_ratings,
    }.items():
        rows.append((f"alpha over {name}", alpha.value, alpha.units, alpha.reason))
    if judging.is_scored:
        halves = {"outputs": judging.split_half.sentence, "systems": judging.split_half.system}
        for name, half in halves.items():
            rows.append((f"split halves, Pearson, {name}", half.pearson, half.n, half.reason))
            rows.append((f"split halves, Spearman, {name}", half.spearman, half.n, half.reason))
        icc = judging.intraclass
        rows.append(("ICC of one score", icc.single, icc.outputs, icc.reason))
        rows.append(("ICC of the mean", icc.average, icc.outputs, icc.reason))
    return Table("Agreement", ("figure", "value", "n", "remark"), tuple(rows))


def annotator_pairs(shown: ShownJudging) -> Table:
    """Kappa of each pair of annotators with common judgments, and of those with repeats with themselves."""
    judges = shown.judging.agreement.judges
    order = {judge.key: (place, judge.known_as) for place, judge in enumerate(in_order(judges, shown.judges))}
    rows = []
    for pair in shown.judging.agreement.pairs:
        (place, first), (other, second) = sorted((order[pair.first], order[pair.second]))
        rows.append(((place, other), (first, second, pair.kappa.value, pair.kappa.n, pair.kappa.reason)))
    rows.sort(key=lambda row: row[0])
    columns = ("annotator", "with", "kappa", "n", "remark")
    return Table("Agreement of annotators", columns, tuple(row for _, row in rows))


def annotators(shown: ShownJudging) -> Table:
    """How much each annotator judged, and their agreement with all others."""
    columns = (
        *("annotator", "screens", "pairs_of_outputs", "ties_of_outputs"),
        *("pairs_of_systems", "ties_of_systems", "kappa_with_others"),
    )
    counts, rest = shown.judging.judges.judges, shown.judging.agreement.rest
    rows = tuple(
        (
            judge.known_as,
            tally.rankings,
            tally.unexpanded,
            tally.unexpanded_ties,
            tally.expanded,
            tally.expanded_ties,
            rest[judge.key].value,
        )
        for judge in in_order(counts, shown.judges)
        if (tally := counts[judge.key])
    )
    return Table("Counts per annotator", columns, rows)


def changes(shown: ShownJudging) -> Table:
    """The changes that systems make, for scores."""
    columns = ["system", "sentences", "unchanged", "meaning_changed", "meaning_changed_by_most", "remark"]
    rows = tuple(
        (row.system, row.sentences, row.unchanged, row.flagged, row.flagged_by_most, row.reason)
        for row in shown.judging.changes or ()
    )
    return Table("What the systems change", tuple(columns), rows)


OF_AGREEMENT: Mapping[str, Callable[[ShownJudging], Table]] = {
    "agreement": agreement,
    "pairs-of-annotators": annotator_pairs,
    "annotators": annotators,
}
"""By name in addresses."""

TABLES: Mapping[str, Callable[[Shown], Table]] = {
    "systems": systems,
    "methods": methods,
    "head-to-head": head_to_head,
    **OF_AGREEMENT,
    "changes": changes,
}

OF_THE_RANKING = ("systems", "methods")
"""These are signed by the ranking, the others by the agreement."""

NAMES_OF_SYSTEMS = ("system", "opponent")
"""Columns that LaTeX shows by label."""


def signature_of(name: str, shown: Shown) -> str:
    """The signature of the numbers of a table."""
    return shown.ranking.signature if name in OF_THE_RANKING else shown.judging.signature


def csv_of(table: Table, signature: str) -> Iterator[str]:
    """The lines of a table with all decimals, systems by name, the signature in each row."""
    rows = (
        [guarded(value) if isinstance(value, str) else value for value in (*row, signature)]
        for row in table.rows
    )
    return csv_lines((*table.columns, "signature"), rows)


def latex_of(table: Table, signature: str, labels: Mapping[str, str]) -> Iterator[str]:
    """The lines of a table in LaTeX, systems by label, without remarks; the signature is in a comment."""
    kept = [place for place, column in enumerate(table.columns) if column != "remark"]

    def cell(place: int, value: str | int | float | None) -> str:
        if isinstance(value, str):
            is_name = table.columns[place] in NAMES_OF_SYSTEMS
            return escaped(labels.get(value, value) if is_name else value)
        return str(value) if isinstance(value, int) else number(value, DIGITS)

    headings = [table.columns[place].replace("_", " ") for place in kept]
    rows = ([cell(place, row[place]) for place in kept] for row in table.rows)
    return tabular(headings, rows, comments=[table.title, signature])
