"""The tables of GMEG (Napoles et al. 2019) that its released mean scores and texts allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.reproduction import published_gmeg as published
from analysis.reproduction.cells import EPSILON, Cell, Table
from core.later import pd
from ranking import system_changes, system_means

RELEASED = 1e-9
"""Tolerance of the released system scores, which are printed with all digits."""

TABLES = ("released scores", "6: % of sentences unchanged")
DEVELOPMENT = "of development sentences; in the paper also of test sentences"

REFERENCES = ("ref0", "ref1", "ref2", "ref3")


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """The development sentences of one domain.

    Attributes:
        snapshot: the mean of the eight human scores as one judgment per sentence; texts without one, such as
            those of source+error and the references, have a missing score.
        published: the released score of each system.
        has_texts: whether the texts are public, so that identical outputs can be identified.
    """

    snapshot: pd.DataFrame
    published: Mapping[str, float]
    has_texts: bool


def reproduce(domains: Mapping[str, Domain]) -> dict[str, Table]:
    """`TABLES`, each by domain and system, such as "fce marian".

    Raises `ranking.SnapshotError` for a frame that is not a snapshot.
    """
    return dict(zip(TABLES, (released_scores(domains), table_6(domains)), strict=True))


def released_scores(domains: Mapping[str, Domain]) -> Table:
    """The mean of the released sentence scores and the released score of each system: equal to 1e-9."""
    cells = {}
    for name, domain in domains.items():
        means = {mean.system: mean for mean in system_means(domain.snapshot)}
        for system, score in domain.published.items():
            mean = means.get(system)
            ours = mean.score if mean else None
            ok = ours is not None and abs(ours - score) <= RELEASED + EPSILON
            note = f"mean of {mean.sentences} sentences" if mean else "no sentence has a score of it"
            cells[f"{name} {system}"] = Cell(score, ours, RELEASED, ok, note)
    return cells


def table_6(domains: Mapping[str, Domain]) -> Table:
    """Percentages of unchanged sentences: known deviations, because half of the sentences are not public."""
    return {
        f"{name} {system}": _unchanged(domain, name, system)
        for name, domain in domains.items()
        for system in published.UNCHANGED
    }


def _unchanged(domain: Domain, name: str, system: str) -> Cell:
    figure = published.UNCHANGED[system][name]
    if not domain.has_texts:
        return Cell(figure, None, 0.0, None, "the texts of this domain are not public")
    changes = system_changes(domain.snapshot, "source")
    systems = REFERENCES if system == "ref" else (system,)
    shares = [
        change.unchanged for change in changes if change.system in systems and change.unchanged is not None
    ]
    drawn = (
        "; mean of its four references, of which one was drawn for each sentence" if system == "ref" else ""
    )
    return Cell(figure, 100 * sum(shares) / len(shares), 0.0, None, DEVELOPMENT + drawn)
