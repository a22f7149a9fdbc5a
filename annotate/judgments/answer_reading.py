"""Reads stored answers, for snapshots, exports, the API and the page of judgments.

An answer is a revision of a judgment. Answers and their ratings are read as columns, in one statement each,
and a caller names the columns that it needs. `OF_ANSWERS` and `OF_RATINGS` list the columns; those that are
fields of an answer or of a rating follow from the schema of a judgment.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import F, QuerySet
from numpy.typing import NDArray

from annotate.database.column_reading import (
    FLAG,
    JSON,
    NUMBER,
    TEXT,
    TIME,
    UUID,
    Among,
    Kind,
    python_values,
    read_columns,
)
from annotate.models import Rating, Revision
from core.arrays import AnyArray
from formats.snapshot import judgment_columns
from formats.snapshot.judgment_columns import Part, columns_of

Known = Mapping[str, tuple[str, Kind]]
"""Columns by name: the path from the model that is read, and the kind of value.

Names follow `formats.records` where it has the same value; names of database keys end in `_key`.
"""

_KINDS = {
    judgment_columns.Kind.TEXT: TEXT,
    judgment_columns.Kind.NUMBER: NUMBER,
    judgment_columns.Kind.FLAG: FLAG,
    judgment_columns.Kind.TIME: TIME,
}


def _stored(part: Part, elsewhere: Known) -> Known:
    """The columns that are read from elsewhere, and the others of the part, which are fields of its model."""
    columns = {column.field: column.kind for column in columns_of(part).values()}
    own = {field: (field, _KINDS.get(kind, JSON)) for field, kind in columns.items()}
    return {**elsewhere, **{field: read for field, read in own.items() if field not in elsewhere}}


OF_ANSWERS = _stored(
    Part.ANSWER,
    {
        "judgment_key": ("judgment_id", NUMBER),
        "answer_key": ("pk", NUMBER),
        "uuid": ("judgment__uuid", UUID),
        "annotator_key": ("judgment__annotator_id", NUMBER),
        "annotator": ("judgment__annotator__name", TEXT),
        "annotator_number": ("judgment__annotator__number", NUMBER),
        "by_machine": ("judgment__by_machine", NUMBER),
        "item_key": ("judgment__item_id", NUMBER),
        "item": ("judgment__item__number", NUMBER),
        "sentence": ("judgment__item__sentence__position", NUMBER),
        "source": ("judgment__item__sentence__text", TEXT),
        "repetition": ("judgment__repetition", NUMBER),
        "propensities": ("judgment__item__propensities", JSON),
        "state": ("judgment__state", TEXT),
    },
)
OF_RATINGS = _stored(
    Part.RATING,
    {
        "answer_key": ("revision_id", NUMBER),
        "position": ("position", NUMBER),
        "output_key": ("item_output_id", NUMBER),
        "output": ("item_output__output__digest", TEXT),
        "output_text": ("item_output__output__text", TEXT),
        "systems": ("item_output__systems", JSON),
    },
)

Columns = Mapping[str, AnyArray]


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Answers with their ratings.

    Attributes:
        columns: one value per answer, ordered by judgment and then by revision.
        ratings: one value per rating, grouped by answer, in the order shown.
        sizes: the number of each answer's ratings.
    """

    columns: Columns
    ratings: Columns
    sizes: NDArray[np.int64]

    def values(self, name: str) -> list[Any]:
        """A column of the answers as Python values."""
        return python_values(self.columns[name])

    def rating_values(self, name: str) -> list[Any]:
        """A column of the ratings as Python values."""
        return python_values(self.ratings[name])


def read_answers(
    revisions: QuerySet[Revision], of_answers: Iterable[str], of_ratings: Iterable[str]
) -> Answers:
    """These answers with all their ratings, in the named columns and those that define the order.

    An answer is stored together with its ratings, and neither ever changes. So the second statement sees all
    ratings of the answers that the first has read, unless they are deleted in between.
    """
    columns = _read(revisions, OF_ANSWERS, {"judgment_key", "answer_key", "number", *of_answers})
    columns = _in_order(columns, np.lexsort((columns["number"], columns["judgment_key"])))
    keys = columns["answer_key"]
    rows = Rating.objects.filter(Among(F("revision_id"), keys.tolist()))
    ratings = _read(rows, OF_RATINGS, {"answer_key", "position", *of_ratings})
    by_key = np.argsort(keys)
    answers = by_key[np.searchsorted(keys, ratings["answer_key"], sorter=by_key)]
    ratings = _in_order(ratings, np.lexsort((ratings["position"], answers)))
    return Answers(columns, ratings, sizes=np.bincount(answers, minlength=len(keys)))


def _read(rows: QuerySet[Any], known: Known, wanted: set[str]) -> Columns:
    names = [name for name in known if name in wanted]
    paths, kinds = zip(*(known[name] for name in names), strict=True)
    return dict(zip(names, read_columns(rows.values_list(*paths), kinds), strict=True))


def _in_order(columns: Columns, order: NDArray[np.int64]) -> Columns:
    return {name: column[order] for name, column in columns.items()}
