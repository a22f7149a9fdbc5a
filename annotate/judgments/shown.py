"""Judgments as the page of a campaign's judgments shows them: records with the texts that were judged."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.judgments.records import read_judgments, records_of
from annotate.models import Annotator, Campaign, JudgmentState
from formats import AnswerRecord, RatingRecord


@dataclass(frozen=True, slots=True)
class ShownJudgment:
    """A judgment on the page.

    Attributes:
        key: what tells it from the others.
        annotator: the judge, as far as pages name them; not the stored row.
        state: as people read it.
        sentence: position of the sentence.
        source: the sentence; None where its text is not known.
        answer: the current one.
        outputs: its ratings, each with the text of the output, None where that is not known.
    """

    key: str
    annotator: Annotator
    state: str
    sentence: int
    source: str | None
    answer: AnswerRecord
    outputs: tuple[tuple[RatingRecord, str | None], ...]


def shown_judgments(campaign: Campaign, keys: Sequence[int]) -> list[ShownJudgment]:
    """The judgments with these keys in their order, but for those that are deleted meanwhile."""
    read = read_judgments(keys, history=False, texts=True)
    sources = dict(zip(read.values("sentence"), read.values("source"), strict=True))
    texts = dict(zip(read.rating_values("output"), read.rating_values("output_text"), strict=True))
    return [
        ShownJudgment(
            key=record.key,
            annotator=Annotator(number=record.annotator_number, name=record.annotator),  # type: ignore[misc]
            state=JudgmentState(record.state).label,
            sentence=record.sentence,
            source=sources[record.sentence],
            answer=record.current,
            outputs=tuple((rating, texts[rating.output]) for rating in record.current.ratings),
        )
        for record in records_of(campaign, read, named=str)
    ]
