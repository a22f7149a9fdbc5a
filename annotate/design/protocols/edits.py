"""Edits: each edit of an output is accepted or rejected on its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from annotate.design.protocols.base import (
    Answer,
    AnswerError,
    KnownEdits,
    Practisable,
    Prepared,
    Question,
    RatingValue,
)
from annotate.design.protocols.defaults import Defaults, guidelines_template
from core.parameters import parameter
from core.translations import gettext, translatable
from core.wording import counted
from formats.snapshot.answer_details import json_text
from formats.snapshot.vocabulary import AnswerKind, EditVerdict, ProtocolName
from formats.text.edit_spans import (
    SpanEdit,
    applied,
    are_unspaced,
    as_one,
    edits_between,
    question_numbers,
    words_of,
)
from metrics.edits.errant_types import TYPES

MARKS = {"accept": EditVerdict.ACCEPTED, "reject": EditVerdict.REJECTED, "cannot-say": EditVerdict.CANNOT_SAY}
"""Verdicts as practice items write them."""

WORDS = "words"
"""The extractor of edits that the corpus does not have: the alignment of words."""

EXTRACTORS = ("m2", "errant", WORDS)

MOST_QUOTED = 60
"""Characters of a sentence in a message about it."""

MOST_EDITS = 80
MOST_CHARS = 8_000
"""Limits on the edits of an output and on their JSON. Beyond them, the whole change is one edit."""


@dataclass(frozen=True, slots=True)
class EditsOptions:
    """Options of a campaign. Attributes: see each parameter's help."""

    edits: str = parameter(
        "corpus",
        label="Edits",
        help="Of the corpus: those marked in an M2 file, where the output is a reference, or else those "
        "labelled by ERRANT (see the page of the corpus); words are aligned where there are none. The launch "
        "fixes them.",
        choices=("corpus", WORDS),
        labels={"corpus": "Of the corpus", WORDS: "By alignment of words"},
    )
    together: bool = parameter(
        True,
        label="Judge dependent edits together",
        help="Adjacent edits, moved words and pairs of brackets or quotation marks are one question, since "
        "one of them alone would break the sentence.",
    )


class Edits(Practisable):
    """Accept or reject each edit of an output, with its other edits in place.

    The details of the rating have the edits with their verdicts, and its score is the share of accepted edits
    among those accepted or rejected, in percent; none if there is no such edit.
    """

    name = ProtocolName.EDITS.value
    title = "Edits"
    purpose = (
        "Annotators accept or reject each edit of a correction. To see the precision of systems as people "
        "see it, and which types of errors they correct well."
    )
    task = translatable("You read corrections of sentences and say of each change whether it is right.")
    gives = AnswerKind.EDITS
    template = "annotate/protocols/edits.html"
    least_outputs = 1
    most_outputs = 1
    least_systems = 1
    auto_answer = None
    options = EditsOptions
    first_options = ("edits",)
    defaults = Defaults(
        outputs_per_screen=1, covers_outputs=True, annotators_per_item=2, shared_percent=100, repeat_percent=0
    )
    roles = ("system", "reference", "control")
    not_for_essays = "It asks about each edit, and an essay has hundreds."
    guidelines = guidelines_template(name)
    pace = translatable("three edits of five seconds each")
    scripts = ("js/edits_one_by_one.js",)
    styles = ("css/edits.css",)
    asks_about_edits = True
    words = (*EditVerdict, *EXTRACTORS, *TYPES)

    def usual_seconds(self, outputs: int) -> float:
        """Three edits of five seconds each."""
        return 15

    def incomplete(self, outputs: int, numbers: str) -> str:
        """What is missing is a verdict on an edit."""
        return gettext("Still to judge: correction %(numbers)s.") % {"numbers": numbers}

    def prepared(
        self,
        source: str,
        text: str,
        known: KnownEdits | None,
        options: EditsOptions,
        suggested: Prepared = None,
    ) -> Prepared:
        """The edits of the output in the order of the sentence, with the question that each belongs to.

        A JSON object of the `extractor` and the `edits`: `start` and `end` in code points of the stored
        sentence, the `original` words there, their `replacement`, the `type` (empty if unknown), and the
        number of the `question`, from 0.
        """
        given = known if known and options.edits != WORDS and _lead_to(source, text, known.edits) else None
        extractor = given.extractor if given else WORDS
        edits = tuple(given.edits) if given else edits_between(source, text)
        fixed = _as_json(source, edits, extractor, together=options.together)
        if len(edits) > MOST_EDITS or len(json_text(fixed)) > MOST_CHARS:
            fixed = _as_json(source, [as_one(source, edits, text)], WORDS, together=True)
            _check_size(source, fixed)
        return fixed

    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        """Field `edit-0` for the verdict on the first question, and so on."""
        [fixed] = question.prepared or [None]
        edits = _edits_of(fixed)
        numbers = sorted({edit["question"] for edit in edits})
        legal = tuple(EditVerdict)
        if missing := [number for number in numbers if fields.get(f"edit-{number}") not in legal]:
            named = ", ".join(gettext("edit %(number)s") % {"number": number + 1} for number in missing)
            raise AnswerError(self.incomplete(1, f"1 ({named})"), (0,))
        return _answer(fixed, {number: EditVerdict(fields[f"edit-{number}"]) for number in numbers})

    def fields(self, answer: Answer) -> dict[str, str]:
        """The field of each question."""
        return {f"edit-{number}": verdict for number, verdict in enumerate(verdicts_of(answer))}

    def expected(self, marks: Sequence[str], options: EditsOptions) -> Answer:
        """The verdicts on the questions in order, separated by commas."""
        [mark] = marks
        written = [each.strip() for each in mark.split(",")]
        if wrong := [each for each in written if each not in MARKS]:
            raise AnswerError(
                f"“{wrong[0]}” is no verdict on an edit: write accept, reject or cannot-say for each, "
                "separated by commas."
            )
        return _expected([MARKS[each] for each in written])

    def check_expected(self, expected: Answer, question: Question) -> None:
        """There must be a verdict on each question."""
        [fixed] = question.prepared
        edits = _edits_of(fixed)
        asked, written = len({edit["question"] for edit in edits}), len(verdicts_of(expected))
        if asked != written:
            changes = "; ".join(f"“{edit['original']}” → “{edit['replacement']}”" for edit in edits)
            raise AnswerError(
                f"the correction asks about {counted(asked, 'edit')} ({changes or 'it is unchanged'}), and "
                f"there are verdicts on {written}."
            )

    def marks(self, answer: Answer) -> Sequence[str]:
        """The verdicts on the questions, separated by commas."""
        words = {verdict: mark for mark, verdict in MARKS.items()}
        return [", ".join(words[EditVerdict(verdict)] for verdict in verdicts_of(answer))]

    def agree(self, given: Answer, expected: Answer) -> bool:
        """Whether the verdicts are the same."""
        return verdicts_of(given) == verdicts_of(expected)


def verdicts_of(answer: Answer) -> list[str]:
    """The verdict on each question of an answer, in order."""
    edits = cast(Sequence[Mapping[str, Any]], (answer.ratings[0].rating_details or {}).get("edits", ()))
    by_question = {edit.get("question", place): str(edit["verdict"]) for place, edit in enumerate(edits)}
    return [by_question[number] for number in sorted(by_question)]


def _lead_to(source: str, text: str, edits: Sequence[SpanEdit]) -> bool:
    """Whether these edits, which do not overlap, make the text from the source."""
    unspaced = are_unspaced(source, text)
    in_order = all(one.end <= other.start for one, other in pairwise(edits))
    words = " ".join(word.text for word in words_of(text, unspaced=unspaced))
    made = applied(source, edits, unspaced=unspaced)
    return in_order and " ".join(word.text for word in words_of(made, unspaced=unspaced)) == words


def _as_json(source: str, edits: Sequence[SpanEdit], extractor: str, *, together: bool) -> dict[str, object]:
    numbers = question_numbers(source, edits) if together else tuple(range(len(edits)))
    return {
        "extractor": extractor,
        "edits": [
            {
                "start": edit.start,
                "end": edit.end,
                "original": source[edit.start : edit.end],
                "replacement": edit.replacement,
                "type": edit.type,
                "question": number,
            }
            for edit, number in zip(edits, numbers, strict=True)
        ],
    }


def _check_size(source: str, fixed: Prepared) -> None:
    """Raise `AnswerError` for an output that changes so much that no answer about it could be stored."""
    try:
        _answer(fixed, {0: EditVerdict.CANNOT_SAY})
    except AnswerError as error:
        raise AnswerError(
            f"an output for “{source[:MOST_QUOTED]}” changes too much to be judged edit by edit: leave its "
            "sentence out, or use another protocol"
        ) from error


def _edits_of(fixed: Prepared) -> Sequence[Mapping[str, Any]]:
    return cast(Sequence[Mapping[str, Any]], (fixed or {}).get("edits", ()))


def _answer(fixed: Prepared, verdicts: Mapping[int, EditVerdict]) -> Answer:
    """The answer with each edit's verdict; edits name their question only where some share one."""
    edits = _edits_of(fixed)
    shares = len(verdicts) < len(edits)
    judged = []
    for edit in edits:
        stored: dict[str, object] = {name: edit[name] for name in ("start", "end", "replacement")}
        stored |= {"type": edit["type"]} if edit["type"] else {}
        stored |= {"question": edit["question"]} if shares else {}
        judged.append({**stored, "verdict": str(verdicts[edit["question"]])})
    details = {"extractor": (fixed or {}).get("extractor", WORDS), "edits": judged}
    return Answer((RatingValue(score=_score(verdicts.values()), rating_details=details),))


def _expected(verdicts: Sequence[EditVerdict]) -> Answer:
    details = {"edits": [{"verdict": str(verdict)} for verdict in verdicts]}
    return Answer((RatingValue(score=_score(verdicts), rating_details=details),))


def _score(verdicts: Any) -> int | None:
    """The share of accepted questions among those accepted or rejected, in percent."""
    decided = [verdict == EditVerdict.ACCEPTED for verdict in verdicts if verdict != EditVerdict.CANNOT_SAY]
    return round(100 * sum(decided) / len(decided)) if decided else None
