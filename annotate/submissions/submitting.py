"""Actions of a participant: submit a file, confirm it, replace it."""

import secrets
import tempfile
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone

from annotate.corpora.additions import sources_of
from annotate.database.audit_log import record
from annotate.models import AuditAction, Submission, SubmissionLink, SubmittedFile
from annotate.models.job_kinds import ACCEPT_SUBMISSION
from annotate.web.link_tokens import digest_of
from formats import FormatError, read_beside
from jobs.queue import queue
from jobs.refusals import RefusedError

MOST_BYTES = 10 * 2**20
MOST_SUBMISSIONS = 500
"""Submissions by one link, confirmed or waiting for it."""

UNCONFIRMED_FOR = timedelta(days=1)
UPLOADS_PER_HOUR = 30
"""Files that one address may send within an hour."""

ANY_SYSTEM = "system"
SENTENCES = Path("sentences")
"""Name of the file of the source sentences in messages."""


class SubmissionRefusedError(RefusedError):
    """A submission that is not possible; the message is for the participant."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that fits the corpus.

    Attributes:
        name: as it was sent.
        outputs: one for each sentence.
        unchanged: how many are the source sentence.
    """

    name: str
    outputs: tuple[str, ...]
    unchanged: int


def check_file(link: SubmissionLink, file: "UploadedFile[bytes]") -> CheckedFile:
    """Read a file of outputs. Messages say nothing about the sentences or other systems.

    Raises:
        FormatError: names file, line and cause.
    """
    name = str(file.name)
    if (file.size or 0) > MOST_BYTES:
        raise FormatError(Path(name), None, f"the file is larger than {MOST_BYTES // 2**20} MB")
    sources = sources_of(link.corpus)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "outputs"
        path.write_bytes(b"".join(file.chunks()))
        try:
            record = read_beside(sources, SENTENCES, {ANY_SYSTEM: path})
        except FormatError as error:
            cause = error.cause.replace(str(path), name)
            raise FormatError(Path(name), error.line, cause) from None
    outputs = tuple(sentence.outputs[ANY_SYSTEM] for sentence in record.sentences)
    return CheckedFile(
        name, outputs, sum(source == output for source, output in zip(sources, outputs, strict=True))
    )


def submit(link: SubmissionLink, *, name: str, checked: CheckedFile) -> str:
    """Keep a checked file until it is confirmed; returns the token of the participant's private link.

    Raises:
        SubmissionRefusedError: the link is closed, or too much was submitted by it.
    """
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        _lock_open(link)
        _discard_unconfirmed(link)
        if link.submissions.count() >= MOST_SUBMISSIONS:
            raise SubmissionRefusedError(
                "There are too many submissions to this task. Write to its organisers, or try tomorrow."
            )
        submission = Submission.objects.create(link=link, name=name, token_digest=digest_of(token))
        _keep(submission, checked)
    return token


def replace_file(submission: Submission, checked: CheckedFile) -> str:
    """Keep another file until it is confirmed; an earlier one that is not confirmed is dropped.

    Returns:
        The name of the file.

    Raises:
        SubmissionRefusedError: the link is closed, or the system is being judged.
    """
    with transaction.atomic():
        _lock_open(submission.link)
        refuse_if_judged(submission)
        _keep(submission, checked)
    return checked.name


def confirm(submission: Submission) -> None:
    """The checked file is the one that counts from now on. Confirming again changes nothing.

    Raises:
        SubmissionRefusedError: the link is closed, or the system is being judged.
    """
    with transaction.atomic():
        _lock_open(submission.link)
        refuse_if_judged(submission)
        file = pending_file(submission)
        if file is None:
            return
        submission.files.exclude(pk=file.pk).delete()
        file.confirmed_at = timezone.now()
        file.save(update_fields=["confirmed_at"])
        record(
            user=None,
            action=AuditAction.SUBMIT,
            subject=submission.link.corpus,
            details={"task": submission.link.task, "system": submission.name, "file": file.file_name},
        )
        if submission.link.accepts_by_itself:
            queue_acceptance(submission, by=None)


def queue_acceptance(submission: Submission, *, by: object) -> None:
    """Queue the job that adds a confirmed submission to the corpus."""
    queue(
        kind=ACCEPT_SUBMISSION,
        title=f"Submission to corpus {submission.link.corpus}",
        parameters={"submission": str(submission.uuid)},
        owner=by,
    )


def submission_of(token: str) -> Submission | None:
    """The submission of a private link."""
    submissions = Submission.objects.select_related("link__corpus", "system")
    return submissions.filter(token_digest=digest_of(token)).first()


def pending_file(submission: Submission) -> SubmittedFile | None:
    """The checked file that waits for confirmation."""
    return submission.files.filter(confirmed_at=None).order_by("-pk").first()


def confirmed_file(submission: Submission) -> SubmittedFile | None:
    """The file that counts."""
    return submission.files.exclude(confirmed_at=None).order_by("-pk").first()


def refuse_if_judged(submission: Submission) -> None:
    """Refuse a change of a system that a campaign has.

    Raises:
        SubmissionRefusedError: one has.
    """
    if submission.system is not None and submission.system.campaigns.exists():
        raise SubmissionRefusedError(
            "Your system is being judged already, so it cannot be replaced. Write to the organisers."
        )


def _keep(submission: Submission, checked: CheckedFile) -> None:
    submission.files.filter(confirmed_at=None).delete()
    SubmittedFile.objects.create(
        submission=submission,
        file_name=checked.name[-200:],
        text="\n".join(checked.outputs),
        lines=len(checked.outputs),
        unchanged=checked.unchanged,
        empty=checked.outputs.count(""),
    )


def _lock_open(link: SubmissionLink) -> None:
    locked = SubmissionLink.objects.select_for_update(no_key=True).get(pk=link.pk)
    if not locked.is_open:
        raise SubmissionRefusedError("Submissions to this task are closed.")


def _discard_unconfirmed(link: SubmissionLink) -> None:
    old = link.submissions.filter(created_at__lt=timezone.now() - UNCONFIRMED_FOR)
    old.exclude(files__confirmed_at__isnull=False).delete()
