"""Words that files, tables and pages all use: the states of judgments and the names of protocols."""

from enum import StrEnum


class JudgmentState(StrEnum):
    """The outcome of an item that an annotator was shown.

    *auto*: it has one output, so there was nothing to ask. *surplus*: the answer came after the item had been
    given to somebody else; it is kept, and left out of analyses.
    """

    COMPLETE = "complete"
    SKIPPED = "skipped"
    AUTO = "auto"
    SURPLUS = "surplus"


class Opinion(StrEnum):
    """Whether an annotator knew a machine's answer about the same outputs.

    *shown-after*: it was shown to them once this answer was stored. *shown-before*: they had seen it when
    they gave this answer, which changes an earlier one or is to the same item again.
    """

    NOT_SHOWN = "not-shown"
    SHOWN_AFTER = "shown-after"
    SHOWN_BEFORE = "shown-before"


class ProtocolName(StrEnum):
    """How judgments were asked for. Files may hold names that are not among these."""

    RELATIVE_RANKING = "relative-ranking"
    PARTIAL_RANKING_WITH_SCALARS = "partial-ranking-with-scalars"
    CORRECTION = "correction"
    VALIDITY = "validity"
    SCALES = "scales"
    PAIRS = "pairs"
    EDITS = "edits"
    ERROR_SPANS = "error-spans"


class AnswerKind(StrEnum):
    """The kind of an answer: a rank or score of each output, a corrected sentence, or a verdict.

    *scales* are ratings that also have a value on each of several scales, *spans* those that also have errors
    marked in the output; *edits* are ratings whose score is the share of accepted edits, with a verdict on
    each.
    """

    RATINGS = "ratings"
    CORRECTIONS = "corrections"
    VERDICTS = "verdicts"
    SCALES = "scales"
    EDITS = "edits"
    SPANS = "spans"

    @property
    def is_checked_by_verdicts(self) -> bool:
        """Whether annotators are checked by verdicts on outputs of references, which are right, and controls.

        Others are checked by whether the control is below the source.
        """
        return self in (AnswerKind.VERDICTS, AnswerKind.EDITS)

    def includes(self, kind: "AnswerKind") -> bool:
        """Whether what is about answers of this kind is about those of the other kind, too."""
        with_more = (AnswerKind.SCALES, AnswerKind.EDITS, AnswerKind.SPANS)
        return kind is self or (self is AnswerKind.RATINGS and kind in with_more)


class CorrectionVerdict(StrEnum):
    """An annotator's verdict on a sentence to correct (GMEG, section 3.1).

    *corrected*: the texts are the correction and further versions of it. *no-correction-needed*: the only
    text is the sentence. *fragment* and *not-annotatable*: there is no text. *merge-with-next*: the sentence
    and the next one should be one; the texts are the sentence as corrected so far, or as it is.
    """

    CORRECTED = "corrected"
    NO_CORRECTION_NEEDED = "no-correction-needed"
    FRAGMENT = "fragment"
    NOT_ANNOTATABLE = "not-annotatable"
    MERGE_WITH_NEXT = "merge-with-next"


class Instruction(StrEnum):
    """How far a correction may go: only errors are corrected, or the sentence made to sound natural."""

    MINIMAL = "minimal"
    FLUENCY = "fluency"


class EditVerdict(StrEnum):
    """Whether an edit of an output corrects an error or does no harm, with the other edits in place."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    CANNOT_SAY = "cannot-say"


class ValidityVerdict(StrEnum):
    """Whether a text is a valid correction of a sentence."""

    YES = "yes"
    NO = "no"
    CANNOT_SAY = "cannot-say"
