"""Submission links: an admin makes and revokes them."""

import secrets
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from annotate.database.audit_log import record
from annotate.models import AuditAction, Corpus, SubmissionLink, User
from annotate.web.link_tokens import derived_token, digest_of

LINKS = "annotate.submission-link"


def make_link(
    corpus: Corpus, *, task: str, ends_at: datetime, accepts_by_itself: bool, by: User | None
) -> SubmissionLink:
    """Make a link.

    Raises:
        ValidationError: the name of the task is malformed.
    """
    generation = secrets.token_hex(16)
    link = SubmissionLink(
        corpus=corpus,
        task=task,
        ends_at=ends_at,
        accepts_by_itself=accepts_by_itself,
        generation=generation,
        token_digest=digest_of(_token(corpus, generation)),
        owner=by,
    )
    link.full_clean()
    with transaction.atomic():
        link.save()
        _record(AuditAction.MAKE_LINK, link, by)
    return link


def token_of(link: SubmissionLink) -> str:
    """The token; empty if it was made with another secret key."""
    token = _token(link.corpus, link.generation)
    return token if constant_time_compare(digest_of(token), link.token_digest) else ""


def link_of(token: str) -> SubmissionLink | None:
    """The link of the token, unless it was revoked."""
    links = SubmissionLink.objects.select_related("corpus")
    return links.filter(token_digest=digest_of(token), revoked_at=None).first()


def revoke_link(link: SubmissionLink, *, by: User | None) -> None:
    """Nobody can submit by the link, or replace what was submitted by it, from now on."""
    with transaction.atomic():
        revoked = SubmissionLink.objects.filter(pk=link.pk, revoked_at=None)
        if revoked.update(revoked_at=timezone.now()):
            _record(AuditAction.REVOKE_LINK, link, by)


def _token(corpus: Corpus, generation: str) -> str:
    return derived_token(LINKS, f"{corpus.uuid} {generation}")


def _record(action: AuditAction, link: SubmissionLink, by: User | None) -> None:
    record(user=by, action=action, subject=link.corpus, details={"submissions": link.task})
