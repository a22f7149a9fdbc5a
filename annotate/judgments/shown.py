"""Judgments for the page of a campaign's judgments: records with the judged texts."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from annotate.judgments.records import read_judgments, records_of
from annotate.models import Annotator, Campaign, Item, Judgment, JudgmentState, Sentence
from formats import AnswerRecord, RatingRecord
from formats.machines import AnnotatorKind


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
    withdrawn = set(campaign.corpus.withdrawn.values_list("name", flat=True))
    return [
        ShownJudgment(
            key=record.key,
            annotator=Annotator(  # type: ignore[misc]
                number=record.annotator_number,
                name=record.annotator,
                kind=record.annotator_kind or AnnotatorKind.PERSON.value,
            ),
            state=JudgmentState(record.state).label,
            sentence=record.sentence,
            source=sources[record.sentence],
            answer=record.current,
            outputs=tuple(
                (replace(rating, systems=_without(rating.systems, withdrawn)), texts[rating.output])
                for rating in record.current.ratings
            ),
        )
        for record in records_of(campaign, read, named=str)
    ]


def _without(systems: tuple[str, ...], withdrawn: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in systems if name not in withdrawn)


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """The judgments of a sentence on a page that shows several sentences.

    Attributes:
        judgments: the first ones.
        further: number of judgments that are not shown.
    """

    judgments: Sequence[ShownJudgment] = ()
    further: int = 0


def judged_sentences(
    campaign: Campaign, positions: Sequence[int], *, most: int, excluded: bool
) -> dict[int, JudgedSentence]:
    """The complete judgments of a few sentences, by position, at most `most` of each.

    Args:
        campaign: whose judgments.
        positions: of the sentences; those without judgments are left out of the result.
        most: judgments of a sentence.
        excluded: whether the judgments of excluded annotators are among them.
    """
    # Step by step, each by the one index that there is for it, as in `queries.narrowest`.
    sentences = Sentence.objects.filter(corpus=campaign.corpus_id, position__in=positions)
    of_sentence = dict(sentences.values_list("pk", "position"))
    items = Item.objects.filter(sentence__in=list(of_sentence)).values_list("pk", "sentence", "campaign")
    of_item = {item: of_sentence[key] for item, key, its_campaign in items if its_campaign == campaign.pk}
    excluded_ones = campaign.annotators.exclude(excluded_at=None).values_list("pk", flat=True)
    left_out = set() if excluded else set(excluded_ones)
    keys: dict[int, list[int]] = defaultdict(list)
    answered = Judgment.objects.filter(item__in=list(of_item), state=JudgmentState.COMPLETE).order_by("pk")
    for key, item, annotator in answered.values_list("pk", "item", "annotator"):
        if annotator not in left_out:
            keys[of_item[item]].append(key)
    shown: dict[int, list[ShownJudgment]] = defaultdict(list)
    for judgment in shown_judgments(campaign, [key for each in keys.values() for key in each[:most]]):
        shown[judgment.sentence].append(judgment)
    return {
        position: JudgedSentence(shown[position], max(len(each) - most, 0)) for position, each in keys.items()
    }
