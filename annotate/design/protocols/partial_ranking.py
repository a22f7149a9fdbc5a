"""Partial ranking with scalars (PRWS): a score from 0 to 100 for each output."""

import re
from collections.abc import Mapping

from annotate.design.protocols.base import Answer, AnswerError, RatingProtocol, RatingValue
from annotate.design.protocols.defaults import Defaults, guidelines_template
from core.translations import gettext, translatable
from formats.snapshot.vocabulary import ProtocolName

NEAR = 10
"""Largest difference of two scores of a practice item that counts as agreement."""


class PartialRankingWithScalars(RatingProtocol):
    """Score each output beside the others from 0 to 100, and say if the meaning changed (GMEG, section 4.2).

    PRWS is from Sakaguchi and Van Durme 2018: scoring up to five outputs together ranks them implicitly. The
    number box holds the score. A score is *touched* if the annotator entered it on this screen, not if it was
    kept from the answer being revised.
    """

    name = ProtocolName.PARTIAL_RANKING_WITH_SCALARS.value
    title = "Partial ranking with scalars (PRWS)"
    purpose = (
        "Annotators score the corrections of a sentence from 0 to 100. To rank systems, and to say how good "
        "they are."
    )
    task = translatable("You read sentences and score corrections of them from 0 to 100.")
    template = "annotate/protocols/partial_ranking.html"
    least_outputs = 2
    most_outputs = 5
    least_systems = 2
    auto_answer = None
    defaults = Defaults(separates_domains=True)
    guidelines = guidelines_template(name)
    scripts = ("js/scale.js",)
    styles = ("css/outputs.css", "css/scalars.css")

    def incomplete(self, outputs: int, numbers: str) -> str:
        """Scores go from 0 to 100, however many outputs there are."""
        return gettext("Still to score from 0 to 100: correction %(numbers)s.") % {"numbers": numbers}

    def ratings(self, fields: Mapping[str, str], outputs: int) -> tuple[RatingValue, ...]:
        """Fields `score-0`, `before-0` (the score as it stood until touched) and `meaning-0`, and so on."""
        scores = [_score(fields.get(f"score-{position}", "")) for position in range(outputs)]
        if None in scores:
            raise self.missing([place for place, score in enumerate(scores) if score is None], outputs)
        return tuple(
            RatingValue(
                score=score,
                meaning_changed=fields.get(f"meaning-{position}") == "changed",
                touched=str(score) != fields.get(f"before-{position}"),
            )
            for position, score in enumerate(scores)
        )

    def fields(self, answer: Answer) -> dict[str, str]:
        """Scores and “meaning changed”; a score counts as untouched until the annotator changes it."""
        fields: dict[str, str] = {}
        for position, value in enumerate(answer.ratings):
            fields |= {f"score-{position}": str(value.score), f"before-{position}": str(value.score)}
            if value.meaning_changed:
                fields[f"meaning-{position}"] = "changed"
        return fields

    def rating(self, mark: str, outputs: int) -> RatingValue:
        """A score, and “meaning changed” behind it where it is."""
        parts = re.fullmatch("([0-9]+)( meaning changed)?", mark)
        score = _score(parts[1]) if parts else None
        if parts is None or score is None:
            raise AnswerError(f"“{mark}” is not a score from 0 to 100, like 85 or 40 meaning changed.")
        return RatingValue(score=score, meaning_changed=parts[2] is not None)

    def mark(self, value: RatingValue) -> str:
        """The score, and whether the meaning changed."""
        return f"{value.score} meaning changed" if value.meaning_changed else str(value.score)

    def agree(self, given: Answer, expected: Answer) -> bool:
        """Whether the scores are near each other, and the meaning changed in the same outputs."""
        return all(
            abs((ours.score or 0) - (theirs.score or 0)) <= NEAR
            and ours.meaning_changed == theirs.meaning_changed
            for ours, theirs in zip(given.ratings, expected.ratings, strict=True)
        )


def _score(text: str) -> int | None:
    """The whole number from 0 to 100 that the text is, or None."""
    return int(text) if re.fullmatch("[0-9]{1,4}", text) and int(text) <= 100 else None
