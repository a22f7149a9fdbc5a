"""The tables of GMEG (Napoles et al. 2019) that its released mean scores and texts allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.reproduction import published_gmeg as published
from analysis.reproduction.cells import Cell, Table, not_comparable, rounded, within
from core.later import pd
from ranking import system_changes, system_means

RELEASED = 1e-9
"""Tolerance of the released system scores, which are printed with all digits."""

MEANS = 0.1
WITHOUT_SCORES = (
    "the release lacks the scores of some sentences (46 of 2,959 in development), which the paper may count"
)

TABLES = ("released scores", "6: mean human score", "6: % of sentences unchanged")
NO_TEXTS = "the texts of this domain are not public"
NOT_RELEASED = "its scores are not released"
FOUR = "mean of four references"

REFERENCES = ("ref0", "ref1", "ref2", "ref3")


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """The sentences of one domain in one split.

    Attributes:
        snapshot: the mean of the eight human scores as one judgment per sentence; texts without one, such as
            those of source+error and the references, have a missing score.
        published: the released score of each system.
        has_texts: whether the texts are public, so that identical outputs can be identified.
    """

    snapshot: pd.DataFrame
    published: Mapping[str, float]
    has_texts: bool


Domains = Mapping[str, Domain]


def reproduce(development: Domains, test: Domains | None = None) -> dict[str, Table]:
    """`TABLES`, each by domain and system, such as "fce marian".

    Table 6 counts the sentences of both splits, so that nothing can be compared without the test split.

    Raises `ranking.SnapshotError` for a frame that is not a snapshot.
    """
    released = _released_scores(development)
    if test is not None:
        released |= {f"test {name}": cell for name, cell in _released_scores(test).items()}
    made = (released, _mean_scores(development, test), _unchanged(development, test))
    return dict(zip(TABLES, made, strict=True))


def _released_scores(domains: Domains) -> Table:
    """The mean of the released sentence scores and the released score of each system: equal to 1e-9."""
    cells = {}
    for name, domain in domains.items():
        means = {mean.system: mean for mean in system_means(domain.snapshot)}
        for system, score in domain.published.items():
            mean = means.get(system)
            note = f"mean of {mean.sentences} sentences" if mean else "no sentence has a score of it"
            cells[f"{name} {system}"] = within(
                score, mean.score if mean else None, RELEASED, f"released; {note}", printed=False
            )
    return cells


def _mean_scores(development: Domains, test: Domains | None) -> Table:
    cells = {}
    for name, splits in _splits(development, test).items():
        of_splits = [{mean.system: mean for mean in system_means(split.snapshot)} for split in splits]
        for system, figures in published.MEAN_SCORES.items():
            means = [means[system] for means in of_splits if system in means]
            parts = [(mean.score, mean.sentences) for mean in means if mean.score is not None]
            cells[f"{name} {system}"] = _mean_score(figures[name], parts, test is not None)
    return cells


def _mean_score(figure: float, parts: Sequence[tuple[float, int]], is_whole: bool) -> Cell:
    if not parts:
        return not_comparable(figure, None, NOT_RELEASED)
    ours, sentences = _together(parts)
    if not is_whole:
        return not_comparable(figure, ours, _half(sentences))
    return within(figure, ours, MEANS, f"mean of {sentences:,} sentences", reason=WITHOUT_SCORES)


def _unchanged(development: Domains, test: Domains | None) -> Table:
    cells = {}
    for name, splits in _splits(development, test).items():
        has_texts = all(split.has_texts for split in splits)
        changes = [system_changes(split.snapshot, "source") for split in splits] if has_texts else []
        for system, figures in published.UNCHANGED.items():
            systems = REFERENCES if system == "ref" else (system,)
            parts = [
                (100 * each.unchanged, each.sentences)
                for of_split in changes
                for each in of_split
                if each.system in systems and each.unchanged is not None
            ]
            cells[f"{name} {system}"] = _share(figures[name], parts, len(systems), test is not None)
    return cells


def _share(figure: float, parts: Sequence[tuple[float, int]], texts: int, is_whole: bool) -> Cell:
    if not parts:
        return not_comparable(figure, None, NO_TEXTS)
    ours, outputs = _together(parts)
    note = FOUR if texts > 1 else ""
    if not is_whole:
        return not_comparable(figure, ours, "; ".join(filter(None, (_half(outputs // texts), note))))
    return rounded(figure, ours, 1, note)


def _splits(development: Domains, test: Domains | None) -> dict[str, list[Domain]]:
    return {name: [domain] if test is None else [domain, test[name]] for name, domain in development.items()}


def _together(parts: Sequence[tuple[float, int]]) -> tuple[float, int]:
    """The mean of means weighted by their numbers, and the sum of these."""
    number = sum(count for _, count in parts)
    return sum(mean * count for mean, count in parts) / number, number


def _half(sentences: int) -> str:
    return f"of {sentences} development sentences; the paper counts those of the test split too (--test)"
