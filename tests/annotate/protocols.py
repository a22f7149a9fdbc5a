"""By which protocol the tests' campaigns are asked, and answers in its terms.

The fixture `protocol` runs a test over all of them; campaigns made meanwhile are of it.
"""

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from annotate.design.protocols import (
    PROTOCOLS,
    Answer,
    PartialRankingWithScalars,
    RatingValue,
    RelativeRanking,
)

RANKING, SCALARS = RelativeRanking.name, PartialRankingWithScalars.name
EACH = (RANKING, SCALARS)
current = RANKING


def rated(ranks: Iterable[int]) -> list[RatingValue]:
    """What somebody says who finds the outputs to be of these ranks, from 1 to 9."""
    if current == RANKING:
        return [RatingValue(rank=rank) for rank in ranks]
    return [RatingValue(score=100 - 10 * rank, meaning_changed=rank % 2 == 0, touched=True) for rank in ranks]


def filled_in(ranks: Iterable[int]) -> dict[str, str]:
    """The same as the fields of a form that was empty."""
    fields = PROTOCOLS[current].fields(Answer(tuple(rated(ranks))))
    return {name: value for name, value in fields.items() if not name.startswith("before-")}


def exported(ratings: Iterable[RatingValue]) -> list[RatingValue]:
    """The ratings as the snapshot has them: it does not tell what was touched."""
    return [replace(value, touched=None) for value in ratings]


def in_frame(frame: pd.DataFrame) -> list[RatingValue]:
    """The ratings of a snapshot, in its order."""
    values = frame[["rank", "score", "meaning_changed"]].astype(object)
    return [RatingValue(*row) for row in values.where(values.notna(), None).itertuples(index=False)]
