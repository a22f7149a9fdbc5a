"""How an answer is stored in a revision and its ratings, and read from them again."""

from collections.abc import Iterable, Sequence

from annotate.design.protocols import Answer, RatingValue
from annotate.models import Rating, Revision
from formats.snapshot.judgment_columns import RATED


def beside_ratings(answer: Answer) -> dict[str, object]:
    """The values of a revision that hold what the answer says beside its ratings."""
    return {
        "text": answer.texts[0] if answer.texts else None,
        "further_texts": list(answer.texts[1:]) or None,
        "verdict": answer.verdict,
        "details": answer.details or None,
    }


def add_ratings(revision: Revision, answer: Answer, item_outputs: Sequence[int]) -> None:
    """Store the ratings of the answer, in the order in which the outputs with these keys were shown."""
    Rating.objects.bulk_create(ratings_of(revision, answer, item_outputs))


def ratings_of(revision: Revision, answer: Answer, item_outputs: Sequence[int]) -> Iterable[Rating]:
    """The rows of the answer's ratings, not stored; none where the protocol rates no outputs.

    Raises:
        ValueError: it rates outputs, but not as many as there are.
    """
    if not answer.ratings:
        return []
    return [
        Rating(
            revision=revision,
            item_output_id=output,
            position=position,
            **{name: getattr(value, name) for name in RATED},
        )
        for position, (output, value) in enumerate(zip(item_outputs, answer.ratings, strict=True))
    ]


def stored_answer(revision: Revision) -> Answer:
    """The answer in the revision, without what was touched."""
    values = revision.ratings.order_by("position").values(*(name for name in RATED if name != "touched"))
    return Answer(
        ratings=tuple(RatingValue(**rating) for rating in values),
        texts=revision.texts,
        verdict=revision.verdict,
        details=revision.details or {},
    )
