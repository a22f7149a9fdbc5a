"""Accepted submissions join the corpus as systems."""

from collections.abc import Mapping
from itertools import count

from django.db import transaction
from django.utils import timezone

from annotate.corpora.additions import plan_addition, sources_of, store_addition
from annotate.corpora.removal import remove_system
from annotate.database.audit_log import record
from annotate.models import AuditAction, Corpus, Submission, SubmittedFile, System, SystemRole, User
from annotate.submissions.submitting import confirmed_file, refuse_if_judged
from core.progress import Advance
from formats import MAX_NAME_CHARS, CorpusRecord, SentenceRecord
from formats.naming import SystemNames, clashes, identifier_of

ROOM_FOR_NUMBER = 10


def accept(
    submission: Submission, *, by: User | None, progress: Advance, takes_over: bool = False
) -> System | None:
    """Add the confirmed file to the corpus, in place of one that was accepted before.

    Args:
        submission: the submission.
        by: the admin; None if the link accepts by itself.
        progress: gets the number of sentences stored by each piece.
        takes_over: whether an earlier attempt was killed.

    Returns:
        The system; None if nothing is confirmed that was not accepted.

    Raises:
        SubmissionRefusedError: a campaign has the system that would be replaced.
        ImportRefusedError: something else is being added, or the corpus is being deleted.
    """
    file = confirmed_file(submission)
    if file is None or file.accepted_at is not None:
        return None
    corpus = submission.link.corpus
    names = _replaced(submission) or _free_names(corpus, submission.name)
    plan = plan_addition(corpus=corpus, record=_record(corpus, file, names.name), names={names.name: names})
    store_addition(plan, by=by, progress=progress, takes_over=takes_over)
    with transaction.atomic():
        submission.system = System.objects.get(corpus=corpus, name=names.name)
        submission.save(update_fields=["system"])
        file.accepted_at = timezone.now()
        file.save(update_fields=["accepted_at"])
        details = {"task": submission.link.task, "system": names.name, "file": file.file_name}
        record(user=by, action=AuditAction.ACCEPT, subject=corpus, details=details)
    return submission.system


def _replaced(submission: Submission) -> SystemNames | None:
    """The names of the system of an earlier file, which is removed."""
    system = submission.system
    if system is None:
        return None
    refuse_if_judged(submission)
    names = SystemNames(system.name, system.label, system.role)
    with transaction.atomic():
        submission.system = None
        submission.save(update_fields=["system"])
        remove_system(system)
    return names


def _free_names(corpus: Corpus, wanted: str) -> SystemNames:
    """Names like the wanted one that no other system could be mistaken for; nobody is told of the others."""
    stored = {
        f"stored {each.name}": SystemNames(each.name, each.label, each.role)
        for each in System.every.filter(corpus=corpus)
    }
    label = wanted[: MAX_NAME_CHARS - ROOM_FOR_NUMBER]
    identifier = identifier_of(label, len(stored) + 1)[: MAX_NAME_CHARS - ROOM_FOR_NUMBER]
    for number in count(1):
        name = identifier if number == 1 else f"{identifier}-{number}"
        shown = label if number == 1 else f"{label} ({number})"
        names = SystemNames(name, "" if shown == name else shown, SystemRole.SYSTEM)
        if not _clashes(stored, names):
            return names
    raise AssertionError


def _clashes(stored: Mapping[str, SystemNames], names: SystemNames) -> bool:
    return any(key == "new" for key, *_ in clashes({**stored, "new": names}))


def _record(corpus: Corpus, file: SubmittedFile, name: str) -> CorpusRecord:
    outputs = file.text.split("\n")
    return CorpusRecord(
        tuple(
            SentenceRecord(source, {name: output}, (), "", "")
            for source, output in zip(sources_of(corpus), outputs, strict=True)
        ),
        (name,),
        (),
    )
