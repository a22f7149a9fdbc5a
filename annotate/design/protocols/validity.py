"""Validity: is this output a valid correction of the sentence?"""

from collections.abc import Mapping, Sequence

from annotate.design.protocols.base import Answer, AnswerError, NoOptions, Practisable, Question, RatingValue
from annotate.design.protocols.defaults import Defaults, guidelines_template
from core.translations import gettext, translatable
from formats.snapshot.vocabulary import AnswerKind, ProtocolName, ValidityVerdict

WORDS = tuple(ValidityVerdict)


class Validity(Practisable):
    """Say whether one output is a valid correction of the sentence (Choshen and Abend 2018, section 2.1).

    The verdict is *yes*, *no* or *cannot-say*. The answer has one empty rating, which names the output.
    """

    name = ProtocolName.VALIDITY.value
    title = "Validity"
    purpose = (
        "Annotators say of each correction whether it is valid: yes, no or cannot say. To see which outputs "
        "are right, and to add these to the references."
    )
    task = translatable("You read sentences and say whether a correction of them is valid.")
    gives = AnswerKind.VERDICTS
    template = "annotate/protocols/validity.html"
    least_outputs = 1
    most_outputs = 1
    least_systems = 1
    auto_answer = None
    defaults = Defaults(
        outputs_per_screen=1,
        covers_outputs=True,
        annotators_per_item=3,
        shared_percent=100,
        repeat_percent=0,
        marks_edits=True,
    )
    roles = ("system", "reference", "control")
    guidelines = guidelines_template(name)
    pace = translatable("the median time of published judgments of validity")

    def usual_seconds(self, outputs: int) -> float:
        """The median of the 3,264 judgments of Choshen and Abend 2018, appendix E."""
        return 13

    def incomplete(self, outputs: int, numbers: str) -> str:
        """The question has three answers."""
        return gettext("Still to say whether it is valid: correction %(numbers)s.") % {"numbers": numbers}

    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        """Field `verdict`."""
        if fields.get("verdict") not in WORDS:
            raise self.missing([0], question.outputs)
        return _answer(fields["verdict"])

    def fields(self, answer: Answer) -> dict[str, str]:
        """Field `verdict`."""
        return {"verdict": answer.verdict or ""}

    def expected(self, marks: Sequence[str], options: NoOptions) -> Answer:
        """The verdict that is the only mark."""
        [mark] = marks
        if mark not in WORDS:
            raise AnswerError(f"“{mark}” is not a verdict: write {', '.join(WORDS[:-1])} or {WORDS[-1]}.")
        return _answer(mark)

    def marks(self, answer: Answer) -> Sequence[str]:
        """The verdict."""
        return [answer.verdict or ""]

    def agree(self, given: Answer, expected: Answer) -> bool:
        """Whether the verdicts are the same."""
        return given.verdict == expected.verdict


def _answer(verdict: str) -> Answer:
    return Answer((RatingValue(),), verdict=str(ValidityVerdict(verdict)))
