"""Withdraws systems of a corpus, and takes withdrawals back (`annotate.models.withdrawal`)."""

from django.db import transaction
from django.utils import timezone

from annotate.database.audit_log import record
from annotate.database.corpus_counts import COUNTED_FIELDS, count_corpus
from annotate.models import AuditAction, Corpus, System, SystemRole, User
from jobs.refusals import RefusedError

WITHDRAWABLE = (SystemRole.SYSTEM, SystemRole.REFERENCE)
"""The source and controls check annotators."""


class WithdrawalRefusedError(RefusedError):
    """The system cannot be withdrawn, or taken back; the message says why."""


def withdraw(corpus: Corpus, name: str, *, by: User | None) -> None:
    """Hide a system from pages, metrics and rankings from now on.

    Judgments, exports and published results keep it, and running campaigns go on asking about its outputs.

    Raises:
        WithdrawalRefusedError: there is no such system, or it checks annotators.
    """
    with transaction.atomic():
        shown = corpus.systems.filter(name=name, role__in=WITHDRAWABLE, is_whole=True)
        if not shown.update(withdrawn_at=timezone.now()):
            raise WithdrawalRefusedError(
                f"Corpus {corpus.name!r} has no system {name!r} to withdraw. The source and controls stay, "
                "because they check annotators."
            )
        _finish(corpus, name, AuditAction.WITHDRAW, by)


def take_back(corpus: Corpus, name: str, *, by: User | None) -> None:
    """Show a withdrawn system again.

    Raises:
        WithdrawalRefusedError: no such system is withdrawn.
    """
    with transaction.atomic():
        if not System.every.filter(pk__in=corpus.withdrawn.filter(name=name)).update(withdrawn_at=None):
            raise WithdrawalRefusedError(f"No system {name!r} of corpus {corpus.name!r} is withdrawn.")
        _finish(corpus, name, AuditAction.TAKE_BACK, by)


def _finish(corpus: Corpus, name: str, action: AuditAction, by: User | None) -> None:
    record(user=by, action=action, subject=corpus, details={"system": name})
    count_corpus(corpus)
    corpus.save(update_fields=COUNTED_FIELDS)
