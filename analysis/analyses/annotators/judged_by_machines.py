"""Judgments of people, and of machines about the same sentences, with looks and scores of outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields

import numpy as np

from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from core.arrays import FloatArray
from core.later import pd
from formats.digests import content_digest
from formats.snapshot.snapshots import content_hash
from ranking.machines import OutputLooks


@dataclass(frozen=True, slots=True, eq=False)
class JudgedByMachines(ScoredJudgments):
    """Judgments of people and of machines, never mixed, and what other judges need.

    Looks do not enter the digest: outputs are identified by the digests of their texts, and sources do not
    change.

    Attributes:
        machines: snapshot of machines, of the sentences that people judged; `sentence` counts as in
            `judgments`.
        digest_of_machines: SHA-256 of `machines`, in hexadecimal.
        titles: what each machine is called, by its key in `machines`.
        relatives: the systems of its own family, by the key of a machine; without machines that have none.
        looks: of the outputs of `systems`, for all sentences; None if texts are not known.
        knows_places: whether positions are those on screens; in published results they need not be.
    """

    machines: pd.DataFrame = field(kw_only=True)
    digest_of_machines: str = field(kw_only=True)
    titles: Mapping[str, str] = field(kw_only=True)
    relatives: Mapping[str, tuple[str, ...]] = field(kw_only=True)
    looks: OutputLooks | None = field(kw_only=True)
    knows_places: bool = field(kw_only=True)

    @property
    def digest(self) -> str:
        """SHA-256 of judgments, scores, domains, the judgments of machines and families, in hexadecimal."""
        of_machines = [self.digest_of_scores, self.digest_of_machines, dict(self.titles)]
        # Without families, the digest is that from before these existed.
        families = [{key: list(systems) for key, systems in self.relatives.items()}] if self.relatives else []
        return content_digest([*of_machines, *families])

    def metric_values(self) -> Iterator[tuple[str, FloatArray | None]]:
        """Each metric by name, with its scores of sentences, shape (n, S), or None if it has none."""
        for metric in self._read():
            yield metric.name, metric.sentences


def judged_by_machines(
    inputs: ScoredJudgments,
    machines: pd.DataFrame,
    titles: Mapping[str, str],
    looks: OutputLooks | None,
    *,
    relatives: Mapping[str, tuple[str, ...]] | None = None,
    knows_places: bool = True,
) -> JudgedByMachines:
    """The inputs with the judgments of machines, whose sentences are still those of the corpus."""
    digest = content_hash(machines)
    numbers = inputs.positions
    if numbers is not None:
        places = np.searchsorted(numbers, machines["sentence"].to_numpy(dtype=np.int64))
        machines = machines.assign(sentence=places)
    return JudgedByMachines(
        **{each.name: getattr(inputs, each.name) for each in fields(ScoredJudgments)},
        machines=machines,
        digest_of_machines=digest,
        titles=titles,
        relatives=relatives or {},
        looks=looks,
        knows_places=knows_places,
    )
