from collections.abc import Mapping, Sequence

from annotate.protocols.base import AnswerError, Protocol, RatingValue


class RelativeRanking(Protocol):
    """Rank the outputs from best to worst; ties and gaps are allowed (GJG15, section 4.2)."""

    name = "relative-ranking"
    title = "Relative ranking"
    template = "annotate/protocols/relative_ranking.html"
    most_outputs = 9
    marks_edits = True

    def ratings(self, answer: Mapping[str, str], outputs: int) -> tuple[RatingValue, ...]:
        """One rank for each output: field `rank-0` for the first shown, and so on."""
        legal = {str(rank): rank for rank in range(1, outputs + 1)}
        ranks = [legal.get(answer.get(f"rank-{position}", "")) for position in range(outputs)]
        missing = tuple(position for position, rank in enumerate(ranks) if rank is None)
        if missing:
            numbers = ", ".join(str(position + 1) for position in missing)
            raise AnswerError(f"Still to rank from 1 to {outputs}: correction {numbers}.", missing)
        return tuple(RatingValue(rank=rank) for rank in ranks)

    def fields(self, ratings: Sequence[RatingValue]) -> dict[str, str]:
        """Field `rank-0` for the first shown output, and so on."""
        return {f"rank-{position}": str(value.rank) for position, value in enumerate(ratings)}
