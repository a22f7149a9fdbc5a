"""Export of the corrections of a campaign."""

from collections.abc import Iterator

from annotate.database.audit_log import record
from annotate.models import AuditAction, Campaign, User
from annotate.references.answers import corrections_of, counted_snapshot
from annotate.scores.metric_setup import english_pipeline
from formats import Edit
from formats.m2_writing import NO_COMMENT, REQUIRED, m2_text
from formats.writers.corrections import CORRECTIONS_FORMATS, WrittenSentence
from formats.writers.pieces import in_pieces
from metrics.references import accepted_by_each, distinct_corrections, edits_between, m2_of_accepted

M2 = "m2"
"""The file of `CORRECTIONS_FORMATS` that accepted edits have, too."""


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


def export_accepted_edits(campaign: Campaign, *, by: User | None) -> Iterator[bytes]:
    """The bytes of an M2 file with the edits that each annotator accepted, annotators by pseudonym.

    The audit entry is written at once.

    Args:
        campaign: one in which edits were judged.
        by: the exporting user; None for a command.
    """
    record(user=by, action=AuditAction.EXPORT, subject=campaign, details={"format": "accepted edits as m2"})
    sources = {
        position: text or "" for position, text in campaign.corpus.sentences.values_list("position", "text")
    }
    accepted = accepted_by_each(counted_snapshot(campaign))
    return in_pieces(m2_text(m2_of_accepted(sources, accepted)))


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
