"""Each annotator against the rest: who agrees with the others, and who lowers the agreement of all."""

from __future__ import annotations

from dataclasses import dataclass

from core.later import pd
from ranking.agreement.kappa import Kappa, agreement
from ranking.agreement.krippendorff import Alpha, alpha_over_pairs, alpha_over_ranks
from ranking.judgments.pairs import BY_RANKS
from ranking.judgments.snapshot import Basis


@dataclass(frozen=True, slots=True)
class AgainstRest:
    """One annotator against all others.

    Attributes:
        annotator: the annotator.
        kappa: between the annotator and all others together, over unexpanded pairs.
        pairs_without: alpha over pairs of the others among themselves; higher than that of all where the
            annotator disagrees with them.
        ranks_without: alpha over ranks of the others among themselves; undefined where scores are compared.
    """

    annotator: str
    kappa: Kappa
    pairs_without: Alpha
    ranks_without: Alpha


def annotators_against_rest(snapshot: pd.DataFrame, by: Basis = BY_RANKS) -> tuple[AgainstRest, ...]:
    """Kappa of each annotator with the rest, and alpha without the annotator, in alphabetical order.

    Kappa is that of `ranking.agreement.kappa`, all others being one annotator; a comparison is one outcome of
    the annotator with one of another annotator (GJG15, section 4.4).

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    return tuple(
        AgainstRest(
            annotator=annotator,
            kappa=kappa,
            pairs_without=alpha_over_pairs(snapshot[snapshot["annotator"] != annotator], by),
            ranks_without=alpha_over_ranks(snapshot[snapshot["annotator"] != annotator], by),
        )
        for annotator, kappa in agreement(snapshot, by=by).rest.items()
    )
