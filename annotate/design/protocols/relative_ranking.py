"""Relative ranking: a rank for each output, 1 the best, ties allowed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from annotate.design.protocols.base import Answer, AnswerError, Question, RatingProtocol, RatingValue
from annotate.design.protocols.defaults import Defaults, guidelines_template
from core.parameters import parameter
from core.translations import gettext, translatable
from formats.snapshot.vocabulary import ProtocolName

CONFIDENCE = {str(number): number for number in range(1, 6)}


@dataclass(frozen=True, slots=True)
class RankingOptions:
    """Options of a campaign. Attributes: see each parameter's help."""

    confidence: bool = parameter(
        False,
        label="Ask for confidence",
        help="After ranking, annotators say how sure they are, from 1 (a guess) to 5 (certain).",
    )


class RelativeRanking(RatingProtocol):
    """Rank the outputs from best to worst; ties and gaps are allowed (GJG15, section 4.2).

    If the campaign asks for it, the answer has the annotator's `confidence` as details.
    """

    name = ProtocolName.RELATIVE_RANKING.value
    title = "Relative ranking"
    purpose = "Annotators rank the corrections of a sentence from best to worst. To rank systems."
    task = translatable("You read sentences and rank corrections of them from best to worst.")
    template = "annotate/protocols/relative_ranking.html"
    least_outputs = 2
    most_outputs = 9
    least_systems = 2
    auto_answer = Answer((RatingValue(rank=1),))
    defaults = Defaults(sampling="diverse", marks_edits=True)
    guidelines = guidelines_template(name)
    options = RankingOptions

    def incomplete(self, outputs: int, numbers: str) -> str:
        """Ranks go from 1 to the number of outputs."""
        return gettext("Still to rank from 1 to %(outputs)s: correction %(numbers)s.") % {
            "outputs": outputs,
            "numbers": numbers,
        }

    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        """The ranks, and field `confidence` if the campaign asks for it."""
        answer = super().answer(fields, question)
        if not question.options.confidence:
            return answer
        confidence = CONFIDENCE.get(fields.get("confidence", ""))
        if confidence is None:
            raise AnswerError(gettext("Say how sure you are of this ranking, from 1 to 5."))
        return replace(answer, details={"confidence": confidence})

    def ratings(self, fields: Mapping[str, str], outputs: int) -> tuple[RatingValue, ...]:
        """One rank for each output: field `rank-0` for the first shown, and so on."""
        legal = {str(rank): rank for rank in range(1, outputs + 1)}
        ranks = [legal.get(fields.get(f"rank-{position}", "")) for position in range(outputs)]
        if None in ranks:
            raise self.missing([place for place, rank in enumerate(ranks) if rank is None], outputs)
        return tuple(RatingValue(rank=rank) for rank in ranks)

    def fields(self, answer: Answer) -> dict[str, str]:
        """Field `rank-0` for the first shown output, and so on, and `confidence` if it was given."""
        ranks = {f"rank-{position}": str(value.rank) for position, value in enumerate(answer.ratings)}
        return ranks | {name: str(value) for name, value in answer.details.items() if name == "confidence"}

    def rating(self, mark: str, outputs: int) -> RatingValue:
        """A rank from 1, the best."""
        if mark not in {str(rank) for rank in range(1, outputs + 1)}:
            raise AnswerError(f"“{mark}” is not a rank from 1 to {outputs}.")
        return RatingValue(rank=int(mark))

    def mark(self, value: RatingValue) -> str:
        """The rank."""
        return str(value.rank)

    def agree(self, given: Answer, expected: Answer) -> bool:
        """Whether the order is the same, ties included; gaps do not count."""
        return _order(given.ratings) == _order(expected.ratings)


def _order(ratings: Sequence[RatingValue]) -> list[int]:
    ranks = [value.rank or 0 for value in ratings]
    return [sorted(set(ranks)).index(rank) for rank in ranks]
