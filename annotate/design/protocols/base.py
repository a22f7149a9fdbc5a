"""Base classes of protocols: how an item is judged, and how the entries become an answer."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from annotate.design.protocols.defaults import Defaults
from core.translations import gettext, translatable
from formats.records import MAX_VERDICT_CHARS
from formats.snapshot.answer_details import Details, details_fault, texts_fault
from formats.snapshot.vocabulary import AnswerKind
from formats.text.edit_spans import SpanEdit
from formats.text.natural import TextRules, natural
from formats.text.tokens_back import keeps_tokens, tokens_back
from jobs.refusals import RefusedError


@dataclass(frozen=True, slots=True)
class RatingValue:
    """The rating of one output in an answer.

    Attributes:
        rank: 1 is best.
        score: 0 to 100.
        meaning_changed: whether the correction's meaning differs from the source's.
        touched: whether the annotator entered it on this screen; None where the protocol does not tell.
        rating_details: anything else that the protocol stores about the output: a small JSON object
            (`formats.snapshot.answer_details`); None for nothing.
    """

    rank: int | None = None
    score: int | None = None
    meaning_changed: bool | None = None
    touched: bool | None = None
    rating_details: Details | None = None


class AnswerError(RefusedError):
    """An answer that is not complete or not legal.

    Attributes:
        positions: the outputs at fault, as shown, counted from 0.
    """

    def __init__(self, message: str, positions: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.positions = positions


@dataclass(frozen=True, slots=True)
class Answer:
    """An annotator's answer to an item. A protocol fills in the parts that it asks for.

    Attributes:
        ratings: of each shown output, in the order shown; empty where outputs are not rated.
        texts: what was written, such as a correction.
        verdict: on the item as a whole, in a word or two of the protocol's.
        details: anything else that the protocol stores: a small JSON object
            (`formats.snapshot.answer_details`).

    Raises:
        AnswerError: a text, the verdict or the details cannot be stored.
    """

    ratings: tuple[RatingValue, ...] = ()
    texts: tuple[str, ...] = ()
    verdict: str | None = None
    details: Details = field(default_factory=dict)

    def __post_init__(self) -> None:
        of_ratings = (value.rating_details for value in self.ratings if value.rating_details is not None)
        faults = (*map(details_fault, (self.details, *of_ratings)), self._verdict_fault())
        if fault := texts_fault(self.texts) or next(filter(None, faults), None):
            raise AnswerError(gettext("This cannot be stored: %(fault)s.") % {"fault": fault})

    def _verdict_fault(self) -> str | None:
        if self.verdict is None or 0 < len(self.verdict) <= MAX_VERDICT_CHARS:
            return None
        return f"a verdict of {len(self.verdict)} characters, where 1 to {MAX_VERDICT_CHARS} are allowed"

    def with_outputs_in_order(self, order: Sequence[int]) -> "Answer":
        """This answer for outputs shown in another order: the one at `order[0]` now comes first."""
        return replace(self, ratings=tuple(self.ratings[place] for place in order)) if self.ratings else self


Prepared = Details | None
"""What a protocol fixes about an output: a JSON object, or None for nothing."""


@dataclass(frozen=True, slots=True)
class NoOptions:
    """A protocol that is the same in all campaigns."""


@dataclass(frozen=True, slots=True)
class KnownEdits:
    """Edits of an output that the corpus has.

    Attributes:
        extractor: "m2" if an annotator marked them, "errant" if ERRANT extracted them.
        edits: in the order of the source.
    """

    extractor: str
    edits: Sequence[SpanEdit]


@dataclass(frozen=True, slots=True)
class Question:
    """The question that an answer is given to.

    Attributes:
        source: the sentence; empty where its text is not known.
        outputs: how many of its outputs are shown.
        options: what the campaign has chosen, as an instance of the protocol's `options`.
        rules: by which the screen shows natural text; None if it shows the stored text.
        prepared: what the protocol has fixed about each shown output (`Protocol.prepared`); empty if it fixes
            nothing.
        texts: of these outputs as stored, in the order shown; empty where they are not known.
    """

    source: str
    outputs: int
    options: Any = NoOptions()
    rules: TextRules | None = None
    prepared: Sequence[Prepared] = ()
    texts: Sequence[str] = ()

    def shown(self, text: str) -> str:
        """A correction of the source as the screen shows it, for the annotator to change."""
        if self.rules and keeps_tokens(text, self.source, self.rules):
            return natural(text.split(), self.rules)
        return text

    def stored(self, text: str) -> str:
        """What is stored of a correction that was written on the screen: of natural text, its tokens."""
        return " ".join(tokens_back(text, self.source.split(), self.rules)) if self.rules else text


class Protocol(ABC):
    """How items are judged. All other code uses only these members of protocols.

    Attributes:
        name: as stored and exported.
        title: as admins read it.
        purpose: what annotators do and what for, as admins read it when they choose a protocol.
        task: what annotators do, as they read it before they begin; translated where it is shown.
        gives: what its answers say, which decides the analyses of them.
        template: fills the blocks of `templates/annotate/judging/frame.html`, which lists the attributes by
            which its controls tell the script what they need and which keys they take.
        least_outputs: how many outputs a campaign must show on a screen at least; 0 where it may show none.
        most_outputs: how many outputs a screen can hold; 0 where it shows none.
        least_systems: how many systems a campaign needs.
        auto_answer: what is stored for an item with one output where that leaves nothing to ask, with the
            state *auto*; None where such an item is asked.
        pace: what `usual_seconds` rests on, in words; translated where it is shown.
        options: what a campaign chooses once for all its screens: a frozen dataclass whose fields are
            declared by `core.parameters.parameter`. The form of a campaign shows them, and its design
            keeps them.
        first_options: the attributes of `options` that the form shows first; the others are folded away.
        defaults: the design of a new campaign.
        roles: of the systems that a new campaign asks about, values of `SystemRole`.
        guidelines: a template of its guidelines, in Markdown. Practice items in it are in English.
        scripts: static files that its screen loads beside the common ones; with them it stays under 60 KB.
        styles: style sheets that its screen loads beside the common ones; by default those of a list of
            outputs.
        ahead: how many screens the page of an annotator holds, the current one included, so that the next is
            there at once and answers go out in the background; 0 where each screen comes with the answer
            before. A protocol with screens ahead loads `js/ahead.js`.
        asks_about_edits: whether it asks about what an output changes. `prepared` then gets the output's
            edits, and outputs that change nothing are not drawn.
        not_for_essays: why it is not for corpora of whole essays; empty if it is.
        words: of its own that details of answers hold, which a release without texts keeps.
        suggests: what a program may suggest about outputs, for annotators to begin with, such as “marks”;
            empty for nothing. Campaigns get it from a file (`formats.suggestions`).
    """

    name: ClassVar[str]
    title: ClassVar[str]
    purpose: ClassVar[str] = ""
    task: ClassVar[str] = translatable("You read sentences and judge corrections of them.")
    gives: ClassVar[AnswerKind]
    template: ClassVar[str]
    least_outputs: ClassVar[int]
    most_outputs: ClassVar[int]
    least_systems: ClassVar[int]
    auto_answer: ClassVar[Answer | None]
    pace: ClassVar[str] = translatable("ten seconds for each correction, the pace of published rankings")
    options: ClassVar[type] = NoOptions
    first_options: ClassVar[tuple[str, ...]] = ()
    defaults: ClassVar[Defaults] = Defaults()
    roles: ClassVar[tuple[str, ...]] = ("system", "source", "control")
    guidelines: ClassVar[str] = ""
    scripts: ClassVar[tuple[str, ...]] = ()
    styles: ClassVar[tuple[str, ...]] = ("css/outputs.css",)
    ahead: ClassVar[int] = 0
    asks_about_edits: ClassVar[bool] = False
    not_for_essays: ClassVar[str] = ""
    words: ClassVar[tuple[str, ...]] = ()
    suggests: ClassVar[str] = ""

    @abstractmethod
    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        """The answer in the fields of the form.

        Raises:
            AnswerError: something is missing or out of range; the message says what to do.
        """

    @abstractmethod
    def fields(self, answer: Answer) -> dict[str, str]:
        """The fields of the form that give this answer, for one that is looked at again."""

    def fields_of_shown(self, fields: Mapping[str, str], question: Question) -> Mapping[str, str]:
        """A screen's fields from those of a program, which knows the texts only as the question shows them.

        Raises:
            AnswerError: they cannot be read.
        """
        return fields

    def usual_seconds(self, outputs: int) -> float:
        """How long a screen with this number of outputs takes while a campaign's own pace is unknown.

        The rankings published with GJG15 took a median of 49 s for 4.7 corrections a screen. A screen without
        any takes as long as one correction.
        """
        return 10 * max(outputs, 1)

    def compared_by(self, options: Any) -> Sequence[str]:
        """The numbers in the details of its ratings that analyses may compare outputs by, each by its name.

        Higher ones are better. Without a choice, ranks or scores are compared.
        """
        return ()

    def suggestion(self, content: Mapping[str, object], text: str, options: Any) -> Details:
        """What a program suggests about an output, as it is stored, from the keys of its line in a file.

        Raises:
            AnswerError: it cannot be suggested; the message says why.
        """
        raise AnswerError(f"nothing can be suggested for {self.title}")

    def begins_with(self, prepared: Sequence[Prepared]) -> dict[str, str]:
        """The fields of a form that nobody has filled in, by what is fixed about each shown output."""
        return {}

    def prepared_as_shown(self, prepared: Prepared, text: str, rules: TextRules | None) -> Prepared:
        """What is fixed about an output, for a program that gets its text only as these rules show it."""
        return prepared

    def prepared(
        self,
        source: str,
        text: str,
        known: KnownEdits | None,
        options: Any,
        suggested: Prepared = None,
    ) -> Prepared:
        """What is fixed about an output when its campaign is launched; the same for all annotators.

        Screens show it, and `answer` gets it with the question.

        Args:
            source: the sentence.
            text: the output.
            known: its edits, if the corpus has them; always None unless the protocol `asks_about_edits`.
            options: what the campaign has chosen, as an instance of the protocol's `options`.
            suggested: what a program suggests about it, as `suggestion` gave it; None for nothing.

        Raises:
            AnswerError: nothing can be asked about it; the message says why.
        """
        return suggested

    def incomplete(self, outputs: int, numbers: str) -> str:
        """The message if the outputs with these numbers, of those shown, are not judged."""
        return gettext("Still to do: correction %(numbers)s.") % {"numbers": numbers}

    def missing(self, positions: Sequence[int], outputs: int) -> AnswerError:
        """The error that the outputs at these positions are not judged completely."""
        numbers = ", ".join(str(position + 1) for position in positions)
        return AnswerError(self.incomplete(outputs, numbers), tuple(positions))


class Practisable(Protocol):
    """A protocol whose guidelines may hold practice items."""

    @abstractmethod
    def expected(self, marks: Sequence[str], options: Any) -> Answer:
        """The answer to a practice item that is written with a mark before each of its corrections.

        Args:
            marks: as they are written.
            options: what the campaign has chosen, as an instance of the protocol's `options`.

        Raises:
            AnswerError: one is not a mark of this protocol; the message says what to write.
        """

    @abstractmethod
    def marks(self, answer: Answer) -> Sequence[str]:
        """The marks of an answer, as people write them before each correction."""

    @abstractmethod
    def agree(self, given: Answer, expected: Answer) -> bool:
        """Whether an answer agrees with the expected one for the same outputs."""

    def check_expected(self, expected: Answer, question: Question) -> None:
        """Check that the answer to a practice item answers its question; most protocols cannot be wrong.

        Raises:
            AnswerError: it does not; the message says what to write.
        """

    def expected_for(self, texts: Sequence[str], marks: Sequence[str], options: Any) -> Answer:
        """`expected`, for a protocol whose marks mean something only beside the texts of the corrections."""
        return self.expected(marks, options)

    def marks_for(self, texts: Sequence[str], answer: Answer) -> Sequence[str]:
        """`marks`, for a protocol that writes them better beside the texts of the outputs."""
        return self.marks(answer)


class RatingProtocol(Practisable):
    """A protocol whose answer is a rating for each shown output, and nothing else."""

    gives = AnswerKind.RATINGS

    @abstractmethod
    def ratings(self, fields: Mapping[str, str], outputs: int) -> tuple[RatingValue, ...]:
        """The rating of each of the shown outputs, from the fields of the form.

        Raises:
            AnswerError: something is missing or out of range; the message says what to do.
        """

    @abstractmethod
    def rating(self, mark: str, outputs: int) -> RatingValue:
        """The rating written as `mark`, for one of this number of outputs.

        Raises:
            AnswerError: it is not a rating; the message says what to write.
        """

    @abstractmethod
    def mark(self, value: RatingValue) -> str:
        """A rating as people write it."""

    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        """The ratings."""
        return Answer(self.ratings(fields, question.outputs))

    def expected(self, marks: Sequence[str], options: Any) -> Answer:
        """A rating for each mark."""
        return Answer(tuple(self.rating(mark, len(marks)) for mark in marks))

    def marks(self, answer: Answer) -> Sequence[str]:
        """A mark for each rating."""
        return [self.mark(value) for value in answer.ratings]
