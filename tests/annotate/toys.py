"""Protocols that only tests know, each a class here and a template in `tests/annotate/templates/toy/`.

- `Thumbs` rates each output by a control of its own.
- `BetterOfTwo` ranks two outputs by one question beside them, and has a yes/no option.
- `Verdict` asks for a verdict on one output.
- `TwoVersions` shows no output, and asks for texts and a detail.

`registered` registers them; `tests.settings` names the folder of their templates.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import patch

from annotate.design.protocols import (
    PROTOCOLS,
    Answer,
    AnswerError,
    NoOptions,
    Practisable,
    Protocol,
    Question,
    RatingProtocol,
    RatingValue,
)
from core.parameters import parameter
from formats.snapshot.vocabulary import AnswerKind


class Thumbs(RatingProtocol):
    """A thumb up is worth 100 points, and a thumb down none."""

    name = "thumbs"
    title = "Thumbs"
    template = "toy/thumbs.html"
    least_outputs = 2
    most_outputs = 2
    least_systems = 2
    auto_answer = None

    def incomplete(self, outputs: int, numbers: str) -> str:
        return f"Up or down?: correction {numbers}."

    def ratings(self, fields: Mapping[str, str], outputs: int) -> tuple[RatingValue, ...]:
        thumbs = [fields.get(f"thumb-{position}") for position in range(outputs)]
        missing = tuple(position for position, thumb in enumerate(thumbs) if thumb not in ("up", "down"))
        if missing:
            raise self.missing(missing, outputs)
        return tuple(RatingValue(score=100 * (thumb == "up"), meaning_changed=False) for thumb in thumbs)

    def fields(self, answer: Answer) -> dict[str, str]:
        return {f"thumb-{place}": self.mark(value) for place, value in enumerate(answer.ratings)}

    def rating(self, mark: str, outputs: int) -> RatingValue:
        return RatingValue(score=100 * (mark == "up"), meaning_changed=False)

    def mark(self, value: RatingValue) -> str:
        return "up" if value.score else "down"

    def agree(self, given: Answer, expected: Answer) -> bool:
        return given == expected


@dataclass(frozen=True, slots=True)
class BetterOfTwoOptions:
    """What a campaign chooses."""

    ties: bool = parameter(False, label="Ties", help="Whether annotators may say that both are equally good.")


class BetterOfTwo(RatingProtocol):
    """Which of two outputs is better? It ranks first, the other second."""

    name = "better-of-two"
    title = "Better of two"
    template = "toy/better_of_two.html"
    least_outputs = 2
    most_outputs = 2
    least_systems = 2
    auto_answer = Answer((RatingValue(rank=1),))
    options = BetterOfTwoOptions

    def incomplete(self, outputs: int, numbers: str) -> str:
        return f"Say which is better: correction {numbers}."

    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        if fields.get("better") == "both" and not question.options.ties:
            raise self.missing([0, 1], question.outputs)
        return super().answer(fields, question)

    def ratings(self, fields: Mapping[str, str], outputs: int) -> tuple[RatingValue, ...]:
        better = fields.get("better")
        if better not in ("0", "1", "both"):
            raise self.missing(range(outputs), outputs)
        return tuple(RatingValue(rank=1 if better in (str(place), "both") else 2) for place in range(outputs))

    def fields(self, answer: Answer) -> dict[str, str]:
        best = [str(place) for place, value in enumerate(answer.ratings) if value.rank == 1]
        return {"better": best[0] if len(best) == 1 else "both"}

    def rating(self, mark: str, outputs: int) -> RatingValue:
        return RatingValue(rank=int(mark))

    def mark(self, value: RatingValue) -> str:
        return str(value.rank)

    def agree(self, given: Answer, expected: Answer) -> bool:
        return given == expected


class TwoVersions(Protocol):
    """Write two versions of a sentence, and say from 1 to 3 how well you know its topic."""

    name = "two-versions"
    title = "Two versions"
    gives = AnswerKind.CORRECTIONS
    template = "toy/two_versions.html"
    least_outputs = 0
    most_outputs = 0
    least_systems = 0
    auto_answer = None

    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        texts = tuple(fields.get(f"version-{place}", "").strip() for place in range(2))
        if not all(texts):
            raise AnswerError("Write two versions.")
        if fields.get("topic") not in ("1", "2", "3"):
            raise AnswerError("Say how well you know the topic.")
        return Answer(texts=texts, details={"topic": int(fields["topic"])})

    def fields(self, answer: Answer) -> dict[str, str]:
        versions = {f"version-{place}": text for place, text in enumerate(answer.texts)}
        return {**versions, "topic": str(answer.details["topic"])}


class Verdict(Practisable):
    """Is this one correction right?"""

    name = "one-verdict"
    title = "One verdict"
    gives = AnswerKind.VERDICTS
    template = "toy/verdict.html"
    least_outputs = 1
    most_outputs = 1
    least_systems = 1
    auto_answer = None

    def incomplete(self, outputs: int, numbers: str) -> str:
        return f"Right or wrong: correction {numbers}."

    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        verdict = fields.get("verdict")
        if verdict not in ("right", "wrong"):
            raise self.missing([0], question.outputs)
        # A rating without a rank and a score says which output the verdict is on.
        return Answer((RatingValue(),), verdict=verdict)

    def fields(self, answer: Answer) -> dict[str, str]:
        return {"verdict": answer.verdict or ""}

    def expected(self, marks: Sequence[str], options: NoOptions) -> Answer:
        return self.answer({"verdict": marks[0]}, Question("", 1))

    def marks(self, answer: Answer) -> Sequence[str]:
        return [answer.verdict or ""]

    def agree(self, given: Answer, expected: Answer) -> bool:
        return given.verdict == expected.verdict


@contextmanager
def registered(*toys: Protocol) -> Iterator[None]:
    """Have the program know these protocols too."""
    with patch.dict(PROTOCOLS, {toy.name: toy for toy in toys}):
        yield
