"""Export of the corrections of a campaign."""

from collections.abc import Iterator

from annotate.database.audit_log import record
from annotate.models import AuditAction, Campaign, User
from annotate.references.answers import corrections_of
from annotate.scores.metric_setup import english_pipeline
from formats import Edit
from formats.m2_writing import NO_COMMENT, REQUIRED
from formats.writers.corrections import CORRECTIONS_FORMATS, WrittenSentence
from metrics.references import distinct_corrections, edits_between


def export_corrections(campaign: Campaign, file: str, *, by: User | None) -> Iterator[bytes]:
    """The bytes of a file with the corrections that count, annotators by pseudonym.

    The audit entry is written at once. Edits are ERRANT's if the corpus is English, else those of words.

    Args:
        campaign: one in which corrections were written.
        file: one of `CORRECTIONS_FORMATS`.
        by: the exporting user; None for a command.
    """
    details = {"format": f"corrections as {file}"}
    record(user=by, action=AuditAction.EXPORT, subject=campaign, details=details)
    edits = edits_between(english_pipeline() if campaign.corpus.may_be_english else None)

    def edits_of(source: str, text: str) -> tuple[Edit, ...]:
        return tuple(
            Edit(edit.start, edit.end, edit.kind, edit.corrections, REQUIRED, NO_COMMENT)
            for edit in edits(source, text)
        )

    return CORRECTIONS_FORMATS[file].write(written_sentences(campaign), edits_of)


def written_sentences(campaign: Campaign) -> list[WrittenSentence]:
    """The corrected sentences and those that nobody could correct, in the order of the corpus."""
    corrections = corrections_of(campaign)
    sentences = [
        WrittenSentence(
            sentence.places,
            sentence.source,
            sentence.corrections,
            [(each.text, each.annotators) for each in distinct_corrections(sentence)],
            sentence.verdicts,
        )
        for sentence in corrections.sentences
    ]
    left_out = [
        WrittenSentence((sentence.place,), sentence.source, (), (), sentence.verdicts)
        for sentence in corrections.left_out
    ]
    return sorted([*sentences, *left_out], key=lambda sentence: sentence.places)
