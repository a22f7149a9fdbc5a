"""Ways into a campaign: personal links, shared links with a resume code, and accounts."""

import hashlib
import re
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from annotate.judging.handout import take_back
from annotate.models import Annotator, AuditAction, Campaign, Link, User
from annotate.storage.audit import record
from annotate.storage.saving import stored_once

RESUME_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that look alike, since people write the code down."""

RESUME_GROUPS, LETTERS_PER_GROUP = 4, 4
SHARED_LINKS = "annotate.shared-link"
RESUME_CODES = "annotate.resume-code"


@dataclass(frozen=True, slots=True)
class NewVisitor:
    """A new annotator who came by a shared link.

    Attributes:
        annotator: known by a pseudonym.
        resume_code: with it the annotator returns from any browser; only its digest is stored.
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
    with transaction.atomic():
        _lock(campaign)
        return _mint_shared(campaign, by)


def replace_shared_link(campaign: Campaign, *, seen: int | None, by: User | None = None) -> bool:
    """Make a shared link in place of the one that was `seen` on the page, unless that was done already.

    So a form that is sent twice makes one link. Says whether one was made.
    """
    with transaction.atomic():
        _lock(campaign)
        current = shared_link(campaign)
        if (current and current.pk) != seen:
            return False
        _mint_shared(campaign, by)
        return True


def shared_link(campaign: Campaign) -> Link | None:
    """The shared link of the campaign that works."""
    return campaign.links.filter(annotator=None, revoked_at=None).order_by("-pk").first()


def token_of(link: Link) -> str | None:
    """The token of a shared link.

    None if it cannot be told: the link is of an earlier release, or was made with another secret key.
    """
    token = _shared_token(link.campaign, link.generation) if link.generation else ""
    return token if constant_time_compare(_digest(token), link.token_digest) else None


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
        _lock(campaign)
        _revoke_shared(campaign)
        _record(AuditAction.REVOKE_LINK, campaign, by, None)


def valid_link(token: str) -> Link | None:
    """The link of the token, unless it was revoked.

    It is looked up by the digest, so the time that takes says nothing about the token of any link.
    """
    links = Link.objects.select_related("campaign", "annotator")
    return links.filter(token_digest=_digest(token), revoked_at=None).first()


def join(link: Link, key: str = "") -> NewVisitor | None:
    """Make an annotator with a pseudonym, who comes by a shared link for the first time.

    Args:
        link: a shared one.
        key: of the form that was sent, a random one for each; sent twice, it gives one annotator.

    Returns:
        The annotator; None if the link was revoked at the same moment.
    """
    code = _resume_code(link.campaign, key or secrets.token_urlsafe())
    while True:
        try:
            with transaction.atomic():
                _lock(link.campaign)
                if not Link.objects.filter(pk=link.pk, revoked_at=None).exists():
                    return None
                annotator = _annotator_with(link.campaign, code) or Annotator.objects.create(
                    campaign=link.campaign,
                    name=f"visitor-{secrets.token_hex(4)}",
                    resume_digest=_digest(code),
                )
        except IntegrityError:
            continue  # The name is taken.
        return NewVisitor(annotator, code)


def returning(campaign: Campaign, words: str) -> Annotator | None:
    """Whoever the resume code, or the personal link or its token, belongs to."""
    word = words.strip().rstrip("/").rpartition("/")[2]
    link = valid_link(word)
    if link is not None and link.campaign_id == campaign.pk and link.annotator is not None:
        return link.annotator
    return _annotator_with(campaign, _grouped(re.sub("[^a-z0-9]", "", word.lower())))


def _annotator_with(campaign: Campaign, code: str) -> Annotator | None:
    return campaign.annotators.filter(resume_digest=_digest(code)).first()


def _resume_code(campaign: Campaign, key: str) -> str:
    """A code that only somebody who has the secret key can tell from the key."""
    number = int.from_bytes(_keyed(RESUME_CODES, f"{campaign.uuid} {key}"))
    letters = []
    for _ in range(RESUME_GROUPS * LETTERS_PER_GROUP):
        number, place = divmod(number, len(RESUME_ALPHABET))
        letters.append(RESUME_ALPHABET[place])
    return _grouped("".join(letters))


def _grouped(letters: str) -> str:
    """The code as its digest was made: people may leave the hyphens out, or write blanks."""
    groups = range(0, len(letters), LETTERS_PER_GROUP)
    return "-".join(letters[start : start + LETTERS_PER_GROUP] for start in groups)


def _mint_shared(campaign: Campaign, by: User | None) -> str:
    _revoke_shared(campaign)
    generation = secrets.token_hex(16)
    token = _shared_token(campaign, generation)
    Link.objects.create(campaign=campaign, generation=generation, token_digest=_digest(token))
    _record(AuditAction.MAKE_LINK, campaign, by, None)
    return token


def _shared_token(campaign: Campaign, generation: str) -> str:
    digest = _keyed(SHARED_LINKS, f"{campaign.uuid} {generation}")
    return urlsafe_b64encode(digest[:24]).decode()


def _keyed(salt: str, text: str) -> bytes:
    return salted_hmac(salt, text, algorithm="sha256").digest()


def _lock(campaign: Campaign) -> None:
    """Nobody else makes or ends a shared link of the campaign, or joins, until the transaction ends."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


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
