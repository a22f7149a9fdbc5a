"""Pairs: which of two outputs is better, or that they are equally good, by one key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from annotate.design.protocols.base import Answer, AnswerError, Question, RatingProtocol, RatingValue
from annotate.design.protocols.defaults import Defaults, guidelines_template
from core.parameters import parameter
from core.translations import gettext, translatable
from formats.snapshot.vocabulary import ProtocolName

RANKS = {"1": (1, 2), "0": (1, 1), "2": (2, 1)}
"""The ranks of both outputs by which of them is better, 0 for neither."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A button of the screen.

    Attributes:
        value: of field `better`.
        key: that clicks it.
        label: what it says; translated where it is shown.
        ranks: of both outputs.
        strength: how much better one is; empty if that is not asked, and for equal outputs.
    """

    value: str
    key: str
    label: str
    ranks: tuple[int, int]
    strength: str = ""


EQUAL = Choice("0", "0", translatable("Equally good"), RANKS["0"])
PLAIN = (
    Choice("1", "1", translatable("1 is better"), RANKS["1"]),
    EQUAL,
    Choice("2", "2", translatable("2 is better"), RANKS["2"]),
)
BY_STRENGTH = (
    Choice("1-clearly", "1", translatable("1 clearly better"), RANKS["1"], "clearly"),
    Choice("1-slightly", "q", translatable("1 slightly better"), RANKS["1"], "slightly"),
    EQUAL,
    Choice("2-slightly", "w", translatable("2 slightly better"), RANKS["2"], "slightly"),
    Choice("2-clearly", "2", translatable("2 clearly better"), RANKS["2"], "clearly"),
)


@dataclass(frozen=True, slots=True)
class PairsOptions:
    """Options of a campaign. Attributes: see each parameter's help."""

    strength: bool = parameter(
        False,
        label="Ask how much better",
        help="Annotators say whether the better correction is clearly or slightly better, still by one key.",
    )

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The buttons of the screen, from the first output to the second."""
        return BY_STRENGTH if self.strength else PLAIN


class Pairs(RatingProtocol):
    """Say which of two outputs is better, or that they are equally good.

    Both outputs get ranks, equal ones for a tie, so that a pair is a ranking of two. If the campaign asks for
    it, the answer has the `strength` of the preference, *clearly* or *slightly*, as details. An answer is one
    key, and the next pairs are in the page before they are asked (`ahead`).
    """

    name = ProtocolName.PAIRS.value
    title = "Pairs"
    purpose = (
        "Annotators say which of two corrections is better, by one key. To rank systems with the fastest "
        "judgments."
    )
    task = translatable("You read sentences and choose the better of two corrections.")
    template = "annotate/protocols/pairs.html"
    least_outputs = 2
    most_outputs = 2
    least_systems = 2
    auto_answer = Answer((RatingValue(rank=1),))
    # Few pairs of a sentence would be asked if it were drawn only once.
    defaults = Defaults(
        outputs_per_screen=2, sampling="diverse", with_replacement=True, batch_size=50, marks_edits=True
    )
    guidelines = guidelines_template(name)
    options = PairsOptions
    scripts = ("js/at_once.js", "js/ahead.js")
    styles = ("css/outputs.css", "css/pairs.css")
    ahead = 30

    def incomplete(self, outputs: int, numbers: str) -> str:
        """The question has three answers."""
        return gettext("Still to compare: correction %(numbers)s.") % {"numbers": numbers}

    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        """Field `better`: a value of the campaign's choices."""
        options: PairsOptions = question.options
        given = fields.get("better")
        choice = next((each for each in options.choices if each.value == given), None)
        if choice is None:
            raise AnswerError(gettext("Say which correction is better."))
        details = {"strength": choice.strength} if choice.strength else {}
        return Answer(_rated(choice.ranks), details=details)

    def ratings(self, fields: Mapping[str, str], outputs: int) -> tuple[RatingValue, ...]:
        """The ranks, whatever the strength."""
        better = fields.get("better", "").partition("-")[0]
        if better not in RANKS:
            raise AnswerError(gettext("Say which correction is better."))
        return _rated(RANKS[better])

    def fields(self, answer: Answer) -> dict[str, str]:
        """Field `better`."""
        first, second = (value.rank or 0 for value in answer.ratings)
        better = "0" if first == second else "1" if first < second else "2"
        strength = answer.details.get("strength")
        return {"better": f"{better}-{strength}" if strength else better}

    def rating(self, mark: str, outputs: int) -> RatingValue:
        """A rank: 1 for the better one, or for both."""
        if mark not in {"1", "2"}:
            raise AnswerError(f"“{mark}” is not a rank: write 1 for the better correction, 2 for the other.")
        return RatingValue(rank=int(mark))

    def mark(self, value: RatingValue) -> str:
        """The rank."""
        return str(value.rank)

    def expected(self, marks: Sequence[str], options: PairsOptions) -> Answer:
        """The ranks of both; two second ones are a tie, too."""
        if len(marks) != 2:
            raise AnswerError(f"A pair has two corrections, not {len(marks)}.")
        answer = super().expected(marks, options)
        tied = answer.ratings[0] == answer.ratings[1]
        return replace(answer, ratings=_rated(RANKS["0"])) if tied else answer

    def agree(self, given: Answer, expected: Answer) -> bool:
        """Whether the ranks are the same; the strength does not count."""
        return given.ratings == expected.ratings


def _rated(ranks: tuple[int, int]) -> tuple[RatingValue, ...]:
    return tuple(RatingValue(rank=rank) for rank in ranks)
