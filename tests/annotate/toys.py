"""Protocols that only tests know: an answer without outputs or ratings, and a verdict on one output.

Each is one class here and one template in `tests/annotate/templates/toy/`. The fixture `toys` registers them.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.test import override_settings

from annotate.design.protocols import (
    PROTOCOLS,
    Answer,
    AnswerError,
    Practisable,
    Protocol,
    Question,
    RatingValue,
)
from formats.snapshot.vocabulary import AnswerKind

TEMPLATES = Path(__file__).parent / "templates"


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
    marks_edits = False
    separates_domains = False

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
    marks_edits = False
    separates_domains = False

    def incomplete(self, outputs: int) -> str:
        return "Right or wrong"

    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        verdict = fields.get("verdict")
        if verdict not in ("right", "wrong"):
            raise self.missing([0], question.outputs)
        # A rating without a rank and a score says which output the verdict is on.
        return Answer((RatingValue(),), verdict=verdict)

    def fields(self, answer: Answer) -> dict[str, str]:
        return {"verdict": answer.verdict or ""}

    def expected(self, marks: Sequence[str]) -> Answer:
        return self.answer({"verdict": marks[0]}, Question("", 1))

    def marks(self, answer: Answer) -> Sequence[str]:
        return [answer.verdict or ""]

    def agree(self, given: Answer, expected: Answer) -> bool:
        return given.verdict == expected.verdict


@contextmanager
def registered(*toys: Protocol) -> Iterator[None]:
    """Have the program know these protocols too."""
    engine: dict[str, Any] = settings.TEMPLATES[0]
    templates = [{**engine, "DIRS": [*engine["DIRS"], TEMPLATES]}]
    by_name = {toy.name: toy for toy in toys}
    with patch.dict(PROTOCOLS, by_name), override_settings(TEMPLATES=templates):
        yield
