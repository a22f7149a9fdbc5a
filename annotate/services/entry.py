"""Ways into a campaign: personal links, shared links with a resume code, and accounts."""

import hashlib
import secrets
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from annotate.models import Annotator, AuditAction, Campaign, Link, User
from annotate.services.audit import record
from annotate.services.handout import take_back
from annotate.services.saving import stored_once

RESUME_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that look alike, since people write the code down."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A new annotator who came by a shared link.

    Attributes:
        annotator: known by a pseudonym.
        resume_code: shown once; with it the annotator returns from any browser.
    """

    annotator: Annotator
    resume_code: str


def add_annotator(campaign: Campaign, *, name: str, user: User | None = None) -> Annotator:
    """Invite somebody by name, or by account.

    Raises:
        ValidationError: the name is empty or taken in this campaign.
    """
    annotator = Annotator(campaign=campaign, name=name.strip(), user=user)
    annotator.full_clean()
    with stored_once(annotator):
        annotator.save()
    return annotator


def mint_personal_link(annotator: Annotator, *, by: User | None = None) -> str:
    """A token for a link that is this annotator's alone; an earlier link, or resume code, is revoked."""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        _revoke(annotator)
        Link.objects.create(campaign=annotator.campaign, annotator=annotator, token_digest=_digest(token))
        _record(AuditAction.MAKE_LINK, annotator.campaign, by, annotator)
    return token


def mint_shared_link(campaign: Campaign, *, by: User | None = None) -> str:
    """A token for a link that makes an annotator of whoever follows it; an earlier one is revoked."""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        _revoke_shared(campaign)
        Link.objects.create(campaign=campaign, token_digest=_digest(token))
        _record(AuditAction.MAKE_LINK, campaign, by, None)
    return token


def revoke_links(annotator: Annotator, *, by: User | None = None) -> None:
    """Let no link and no resume code lead to the annotator any more, nor whoever entered by one go on.

    What was judged stays; the screens that they have open go to others at once. Who was invited by account
    still comes by it.
    """
    with transaction.atomic():
        _revoke(annotator)
        take_back(annotator)
        _record(AuditAction.REVOKE_LINK, annotator.campaign, by, annotator)


def revoke_shared_links(campaign: Campaign, *, by: User | None = None) -> None:
    """Let nobody new in. Whoever came by a shared link goes on with the resume code."""
    with transaction.atomic():
        _revoke_shared(campaign)
        _record(AuditAction.REVOKE_LINK, campaign, by, None)


def valid_link(token: str) -> Link | None:
    """The link of the token, unless it was revoked."""
    found = Link.objects.select_related("campaign", "annotator")
    return found.filter(token_digest=_digest(token), revoked_at=None).first()


def join(link: Link) -> Visit:
    """Make an annotator with a pseudonym, who comes by a shared link for the first time."""
    code = "-".join("".join(secrets.choice(RESUME_ALPHABET) for _ in range(4)) for _ in range(4))
    while True:
        name = f"visitor-{secrets.token_hex(4)}"
        try:
            with transaction.atomic():
                annotator = Annotator.objects.create(
                    campaign=link.campaign, name=name, resume_digest=_digest(code)
                )
        except IntegrityError:
            continue
        return Visit(annotator, code)


def returning(campaign: Campaign, words: str) -> Annotator | None:
    """Whoever the resume code, or the personal link or its token, belongs to."""
    word = words.strip().rstrip("/").rpartition("/")[2]
    link = valid_link(word)
    if link is not None and link.campaign_id == campaign.pk and link.annotator is not None:
        return link.annotator
    return campaign.annotators.filter(resume_digest=_digest(word.lower())).first()


def note_guidelines_read(annotator: Annotator) -> None:
    """Show the annotator the guidelines no more before the first screen."""
    Annotator.objects.filter(pk=annotator.pk).update(has_read_guidelines=True)


def _revoke(annotator: Annotator) -> None:
    Annotator.objects.filter(pk=annotator.pk).update(revocations=F("revocations") + 1, resume_digest="")
    Link.objects.filter(annotator=annotator, revoked_at=None).update(revoked_at=timezone.now())


def _revoke_shared(campaign: Campaign) -> None:
    Link.objects.filter(campaign=campaign, annotator=None, revoked_at=None).update(revoked_at=timezone.now())


def _record(action: AuditAction, campaign: Campaign, by: User | None, annotator: Annotator | None) -> None:
    whose = {"annotator": annotator.in_full} if annotator else {"shared": True}
    record(user=by, action=action, subject=campaign, details=whose)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
