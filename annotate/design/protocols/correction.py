"""Correction: write the sentence without its errors."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.design.protocols.base import Answer, AnswerError, Protocol, Question
from annotate.design.protocols.correction_warnings import warnings
from annotate.design.protocols.defaults import Defaults, guidelines_template
from core.parameters import parameter
from core.translations import gettext, translatable
from formats.snapshot.vocabulary import AnswerKind, CorrectionVerdict, Instruction, ProtocolName
from formats.text.characters import composed

MOST_VERSIONS = 5
BREAKS = re.compile("[\t\n\r\v\f\x85\u2028\u2029]+")
WITHOUT_TEXT = (CorrectionVerdict.FRAGMENT, CorrectionVerdict.NOT_ANNOTATABLE)

NOTHING_CHANGED = translatable(
    "You have changed nothing. Choose “No correction needed” if the sentence is right, or else correct it."
)
ONLY_BLANKS = translatable(
    "Only blanks differ from the sentence, and they are not stored. Reset to the sentence if it is right, or "
    "else correct it."
)


@dataclass(frozen=True, slots=True)
class CorrectionOptions:
    """Options of a campaign. Attributes: see each parameter's help."""

    instruction: Instruction = parameter(
        Instruction.MINIMAL,
        label="How far to correct",
        help="Minimal corrections repair errors and keep all else; fluency corrections may rephrase.",
        labels={
            Instruction.MINIMAL: "Minimal: only errors",
            Instruction.FLUENCY: "Fluency: until it sounds natural",
        },
    )
    versions: int = parameter(
        1,
        label="Versions of a correction",
        help=f"How many different corrections of a sentence one person may write, at most {MOST_VERSIONS}.",
        minimum=1,
        maximum=MOST_VERSIONS,
    )

    @property
    def places(self) -> range:
        """The versions, counted from 0."""
        return range(self.versions)


class Correction(Protocol):
    """Write a correction of the sentence (Choshen and Abend 2018, appendix D; GMEG, section 3.1).

    The answer has the verdict (`formats.snapshot.vocabulary.CorrectionVerdict`), the texts that go with it,
    and as details the campaign's `instruction` and, if there are any, the `warnings` that the texts give rise
    to as they were written. Versions that are equal, or equal to the source beside one that is not, are
    stored once. A text is one line without blanks at its ends; of natural text, its tokens are stored.
    """

    name = ProtocolName.CORRECTION.value
    title = "Correction"
    purpose = "Annotators correct the sentences. To collect references, and to see how well people do."
    task = translatable("You read sentences and correct them.")
    gives = AnswerKind.CORRECTIONS
    template = "annotate/protocols/correction.html"
    least_outputs = 0
    most_outputs = 0
    least_systems = 0
    auto_answer = None
    defaults = Defaults(outputs_per_screen=0, shared_percent=100, repeat_percent=0, batch_size=10)
    not_for_essays = "It is for writing one sentence."
    guidelines = guidelines_template(name)
    pace = translatable("the median time of published crowd corrections")
    options = CorrectionOptions
    first_options = ("instruction",)
    scripts = ("js/correction.js",)
    styles = ("css/correction.css",)

    def usual_seconds(self, outputs: int) -> float:
        """The median of the 3,009 timed answers of Choshen and Abend 2018."""
        return 37

    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        """Fields `version-0` and so on, and `verdict`; without it, a changed sentence is a correction."""
        source, options = one_line(question.source), question.options
        entered = (one_line(fields.get(f"version-{place}", "")) for place in options.places)
        texts = (composed(text, beside=source) for text in entered if text)
        written = {question.stored(text): text for text in texts}
        changed = [text for text in written if text != source]
        verdict = _verdict(fields.get("verdict", ""), is_changed=bool(changed))
        details: dict[str, object] = {"instruction": str(options.instruction)}
        if verdict in WITHOUT_TEXT:
            return Answer(verdict=str(verdict), details=details)
        _check(verdict, list(written.values()), changed, question.shown(source))
        stored = changed or [source]
        shown = [written[text] for text in changed]
        if found := warnings(question.shown(source), shown, options.instruction):
            details["warnings"] = found
        return Answer(texts=tuple(stored), verdict=str(verdict), details=details)

    def fields(self, answer: Answer) -> dict[str, str]:
        """Field `version-0` for the first corrected text, and so on, and `verdict`."""
        versions = {f"version-{place}": text for place, text in enumerate(answer.texts)}
        return {**versions, "verdict": answer.verdict or ""}


def one_line(text: str) -> str:
    """The text as it is stored: line breaks and tabs are blanks, and there are none at its ends."""
    return BREAKS.sub(" ", text).strip()


def _verdict(stated: str, *, is_changed: bool) -> CorrectionVerdict:
    if stated in tuple(CorrectionVerdict):
        return CorrectionVerdict(stated)
    if not is_changed:
        raise AnswerError(gettext(NOTHING_CHANGED))
    return CorrectionVerdict.CORRECTED


def _check(verdict: CorrectionVerdict, written: Sequence[str], changed: Sequence[str], source: str) -> None:
    """Raise `AnswerError` where the texts do not go with the verdict."""
    if not written:
        raise AnswerError(gettext("There is no text. Write the sentence, or undo the changes."))
    if verdict == CorrectionVerdict.NO_CORRECTION_NEEDED and changed:
        raise AnswerError(
            gettext(
                "The text is not the sentence any more. Choose “Corrected”, or undo the changes if the "
                "sentence needs no correction."
            )
        )
    if verdict == CorrectionVerdict.CORRECTED and not changed:
        raise AnswerError(gettext(NOTHING_CHANGED if source in written else ONLY_BLANKS))
