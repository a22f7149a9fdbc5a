"""Judgments for the page of a campaign's judgments: records with the judged texts."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.judgments.records import read_judgments, records_of
from annotate.models import Annotator, Campaign, JudgmentState
from formats import AnswerRecord, RatingRecord


@dataclass(frozen=True, slots=True)
class ShownJudgment:
    """A judgment on the page.

    Attributes:
        key: identifier of the judgment.
        annotator: the judge as shown on pages, not the stored row.
        state: label of the state.
        sentence: position of the sentence.
        source: the sentence; None if its text is not stored.
        answer: the current answer.
        outputs: its ratings, each with the text of the output or None if it is not stored.
    """

    key: str
    annotator: Annotator
    state: str
    sentence: int
    source: str | None
    answer: AnswerRecord
    outputs: tuple[tuple[RatingRecord, str | None], ...]


def shown_judgments(campaign: Campaign, keys: Sequence[int]) -> list[ShownJudgment]:
    """The judgments with these keys in their order, without those deleted meanwhile."""
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
