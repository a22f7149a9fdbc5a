"""Export of judgments: one function for the page, the API and the command."""

from collections.abc import Iterator
from dataclasses import replace

from django.utils.text import slugify

from annotate.database.audit_log import record
from annotate.design.protocols import kind_of_answers
from annotate.judgments.pseudonyms import naming
from annotate.judgments.queries import holds_rankings
from annotate.judgments.stream import Selection, stream
from annotate.models import AuditAction, Campaign, JudgmentState, Output, SystemRole, User
from core.progress import Advance
from formats.snapshot.vocabulary import AnswerKind
from formats.writers import Format, Heading
from formats.writers.error_spans import counts_differently
from jobs.refusals import RefusedError


class ExportError(RefusedError):
    """A file of this format cannot hold what was requested; the message says why."""


def export_judgments(
    *,
    campaign: Campaign,
    file_format: Format,
    selection: Selection,
    names: bool,
    by: User | None,
    progress: Advance = lambda judgments: None,
) -> Iterator[bytes]:
    """The bytes of a file with the judgments, piece by piece. The audit entry is written at once.

    Formats that hold only rankings or error spans get those that count: current answers, and surplus ones
    only if their state is selected.

    Args:
        campaign: campaign of the judgments.
        file_format: format of the file.
        selection: selects judgments.
        names: whether annotators appear by name (admins only) instead of pseudonym.
        by: the exporting user; None for a command.
        progress: gets the number of judgments written by each step.

    Raises:
        PermissionDenied: a user who is not an admin requests names.
        ExportError: the format holds only rankings or error spans, and there are none or revisions are
            requested.
    """
    named = naming(campaign, names=names, by=by)
    with_machines = any(selection.by_machine)
    if not file_format.holds_all:
        selection = _counting(campaign, file_format, selection)
    record(
        user=by,
        action=AuditAction.EXPORT,
        subject=campaign,
        details={
            "format": file_format.name,
            "states": list(selection.states),
            "from": selection.submitted_from and str(selection.submitted_from),
            "to": selection.submitted_to and str(selection.submitted_to),
            "annotator": selection.annotator and selection.annotator.known_as,
            "sentence": selection.sentence,
            "history": selection.history,
            "left out": _left_out(campaign, selection),
            "names": names,
            **({"machines": with_machines} if with_machines else {}),
        },
    )
    judgments = stream(campaign, selection, named=named, progress=progress)
    heading = Heading(campaign.name, campaign.corpus.language, with_machines)
    if file_format.holds_spans:
        controls = campaign.corpus.systems.filter(role=SystemRole.CONTROL).values_list("name", flat=True)
        heading = replace(heading, controls=frozenset(controls), texts=_texts_counted_differently(campaign))
    return file_format.write(judgments, heading)


def file_name(campaign: Campaign, file_format: Format, selection: Selection) -> str:
    """The file's name, which tells if annotators are left out."""
    filtered = "-filtered" if _left_out(campaign, selection) else ""
    return f"{slugify(campaign.name) or campaign.uuid}-judgments{filtered}{file_format.suffix}"


def _left_out(campaign: Campaign, selection: Selection) -> list[str]:
    """Numbers of the excluded annotators whose judgments the selection leaves out."""
    if selection.excluded or selection.annotator:
        return []
    excluded = campaign.annotators.exclude(excluded_at=None).order_by("number")
    return [annotator.known_as for annotator in excluded]


def _texts_counted_differently(campaign: Campaign) -> dict[str, str]:
    outputs = Output.objects.filter(sentence__corpus=campaign.corpus_id).exclude(text=None)
    texts = outputs.values_list("digest", "text").iterator()
    return {digest: text for digest, text in texts if text and counts_differently(text)}


def _counting(campaign: Campaign, file_format: Format, selection: Selection) -> Selection:
    """The selection of what counts, where the format can hold it."""
    if selection.history:
        raise ExportError(
            f"{file_format.title} holds current answers only; CSV, JSON Lines and Parquet hold all revisions."
        )
    if file_format.holds_spans and kind_of_answers(campaign.protocol) is not AnswerKind.SPANS:
        raise ExportError(
            f"{file_format.title} holds error spans, and campaign {campaign.name!r} has none; "
            "CSV, JSON Lines and Parquet hold judgments of every protocol."
        )
    if not file_format.holds_spans and not holds_rankings(campaign):
        raise ExportError(
            f"{file_format.title} holds rankings, and campaign {campaign.name!r} has none; "
            "CSV, JSON Lines and Parquet hold judgments of every protocol."
        )
    counting = [state for state in JudgmentState.values if state != JudgmentState.SURPLUS]
    return replace(selection, states=selection.states or counting)
