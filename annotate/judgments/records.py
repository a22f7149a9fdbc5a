"""Judgments as records of `formats`, for exports, the API and the page of judgments."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from itertools import pairwise

import numpy as np
from django.db.models import F

from annotate.database.column_reading import Among
from annotate.judgments.answer_reading import Answers, read_answers
from annotate.judgments.queries import machines
from annotate.models import Campaign, Revision
from formats import AnswerRecord, JudgmentRecord, RatingRecord
from formats.machines import AnnotatorKind, Description
from formats.snapshot.judgment_columns import Part, columns_of

_OF_JUDGMENTS = (
    *("uuid", "annotator", "annotator_number", "by_machine"),
    *("sentence", "item", "repetition", "propensities", "state"),
)
_, *_OF_ANSWERS = (field.name for field in fields(AnswerRecord))
"""All columns of a record except its ratings, which come first."""
_OF_RATINGS = tuple(field.name for field in fields(RatingRecord))


def judgment_records(
    campaign: Campaign, keys: Sequence[int], *, history: bool, named: Callable[[str], str]
) -> Iterator[JudgmentRecord]:
    """The judgments with these keys in their order. For large numbers, use `stream`."""
    return records_of(campaign, read_judgments(keys, history=history), named=named)


def read_judgments(keys: Sequence[int], *, history: bool, texts: bool = False) -> Answers:
    """The answers to the judgments with these keys, in the columns of records.

    Args:
        keys: keys of the judgments.
        history: whether to read all answers instead of the current ones.
        texts: whether to read the texts of sentences and outputs too, which records do not have.
    """
    revisions = Revision.objects.filter(Among(F("judgment_id"), keys))
    if not history:
        revisions = revisions.filter(is_current=True)
    of_answers, of_ratings = (*_OF_JUDGMENTS, *_OF_ANSWERS), _OF_RATINGS
    if texts:
        return read_answers(revisions, (*of_answers, "source"), (*of_ratings, "output_text"))
    return read_answers(revisions, of_answers, of_ratings)


def records_of(campaign: Campaign, read: Answers, *, named: Callable[[str], str]) -> Iterator[JudgmentRecord]:
    """The judgments of answers read by `read_judgments`; `named` gives an annotator's shown name."""
    answers = _answers(read)
    uuids, annotators, numbers, by_machine, sentences, items, repetitions, propensities, states = map(
        read.values, _OF_JUDGMENTS
    )
    described = _descriptions(campaign) if any(by_machine) else {}
    marks_edits = campaign.design.marks_edits if hasattr(campaign, "design") else None
    first_ones = np.flatnonzero(np.diff(read.columns["judgment_key"], prepend=-1)).tolist()
    for first, end in pairwise([*first_ones, len(answers)]):
        yield JudgmentRecord(
            key=uuids[first],
            protocol=campaign.protocol,
            annotator=named(annotators[first]),
            sentence=sentences[first],
            item=items[first],
            repetition=repetitions[first],
            state=states[first],
            answers=tuple(answers[first:end]),
            annotator_number=numbers[first],
            marks_edits=marks_edits,
            propensities=propensities[first],
            annotator_kind=AnnotatorKind.MACHINE.value if by_machine[first] else None,
            machine=described[annotators[first]] if by_machine[first] else None,
        )


def _descriptions(campaign: Campaign) -> dict[str, Description]:
    """The descriptions of the machines by name."""
    return {each.name: each.machine.description for each in machines(campaign)}


def _answers(read: Answers) -> list[AnswerRecord]:
    ratings = list(map(RatingRecord, *map(read.rating_values, _OF_RATINGS)))
    bounds = pairwise([0, *np.cumsum(read.sizes).tolist()])
    rated = (tuple(ratings[first:end]) for first, end in bounds)
    values = {name: read.values(name) for name in _OF_ANSWERS}
    for column in columns_of(Part.ANSWER).values():
        if (empty := column.empty) is not None:
            values[column.field] = [empty if value is None else value for value in values[column.field]]
    return list(map(AnswerRecord, rated, *values.values()))
