"""How annotators enter a campaign: personal links, shared links with a resume code, and accounts."""

import re
import secrets
from dataclasses import dataclass

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from annotate.database.audit_log import record
from annotate.database.storing_once import stored_once
from annotate.judging.handout import take_back
from annotate.models import Annotator, AuditAction, Campaign, Link, User
from annotate.models.corpora import validate_heading
from annotate.web.link_tokens import derived_token, digest_of, keyed

RESUME_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that look alike, because people write the code down."""

RESUME_GROUPS, LETTERS_PER_GROUP = 4, 4
SHARED_LINKS = "annotate.shared-link"
RESUME_CODES = "annotate.resume-code"


@dataclass(frozen=True, slots=True)
class NewVisitor:
    """A new annotator who came by a shared link.

    Attributes:
        annotator: under a pseudonym.
        resume_code: with it the annotator returns from any browser; only its digest is stored.
    """

    annotator: Annotator
    resume_code: str


def add_annotator(campaign: Campaign, *, name: str, user: User | None = None) -> Annotator:
    """Invite an annotator by name, or by account.

    Raises:
        ValidationError: the name is empty, no name, or taken in this campaign.
    """
    validate_heading(name.strip())
    annotator = Annotator(campaign=campaign, name=name.strip(), user=user)
    annotator.full_clean()
    with stored_once(annotator):
        annotator.save()
    return annotator


def mint_personal_link(annotator: Annotator, *, by: User | None = None) -> str:
    """Create a personal link's token for the annotator; an earlier link or resume code is revoked."""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        _revoke(annotator)
        Link.objects.create(campaign=annotator.campaign, annotator=annotator, token_digest=digest_of(token))
        _record(AuditAction.MAKE_LINK, annotator.campaign, by, annotator)
    return token


def mint_shared_link(campaign: Campaign, *, by: User | None = None) -> str:
    """Create a shared link's token; each visitor becomes a new annotator. An earlier link is revoked."""
    with transaction.atomic():
        _lock(campaign)
        return _mint_shared(campaign, by)


def replace_shared_link(campaign: Campaign, *, seen: int | None, by: User | None = None) -> bool:
    """Make a shared link in place of the one that was `seen` on the page, unless that was done already.

    So a form that is sent twice creates one link. Returns whether one was created.
    """
    with transaction.atomic():
        _lock(campaign)
        current = shared_link(campaign)
        if (current and current.pk) != seen:
            return False
        _mint_shared(campaign, by)
        return True


def shared_link(campaign: Campaign) -> Link | None:
    """The campaign's active shared link."""
    return campaign.links.filter(annotator=None, revoked_at=None).order_by("-pk").first()


def token_of(link: Link) -> str | None:
    """The token of a shared link.

    None if it cannot be derived: the link is from an earlier release, or was made with another secret key.
    """
    token = _shared_token(link.campaign, link.generation) if link.generation else ""
    return token if constant_time_compare(digest_of(token), link.token_digest) else None


def revoke_links(annotator: Annotator, *, by: User | None = None) -> None:
    """Revoke the annotator's links and resume codes, and the access of browsers that entered by them.

    Judgments are kept; open screens go to others at once. An annotator who was invited by account can still
    enter with it.
    """
    with transaction.atomic():
        _revoke(annotator)
        take_back(annotator)
        _record(AuditAction.REVOKE_LINK, annotator.campaign, by, annotator)


def revoke_shared_links(campaign: Campaign, *, by: User | None = None) -> None:
    """Revoke the shared links. Annotators who entered by one continue with their resume codes."""
    with transaction.atomic():
        _lock(campaign)
        _revoke_shared(campaign)
        _record(AuditAction.REVOKE_LINK, campaign, by, None)


def valid_link(token: str) -> Link | None:
    """The link of the token, unless it was revoked.

    The lookup is by digest, so its duration reveals nothing about any token.
    """
    links = Link.objects.select_related("campaign__corpus", "campaign__design", "annotator")
    return links.filter(token_digest=digest_of(token), revoked_at=None).first()


def join(link: Link, key: str = "") -> NewVisitor | None:
    """Create an annotator with a pseudonym, who enters by a shared link for the first time.

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
                    resume_digest=digest_of(code),
                )
        except IntegrityError:
            continue  # The name is taken.
        return NewVisitor(annotator, code)


def returning(campaign: Campaign, words: str) -> Annotator | None:
    """The annotator that the resume code, the personal link or its token belongs to."""
    word = words.strip().rstrip("/").rpartition("/")[2]
    link = valid_link(word)
    if link is not None and link.campaign_id == campaign.pk and link.annotator is not None:
        return link.annotator
    return _annotator_with(campaign, _grouped(re.sub("[^a-z0-9]", "", word.lower())))


def _annotator_with(campaign: Campaign, code: str) -> Annotator | None:
    return campaign.annotators.filter(resume_digest=digest_of(code)).first()


def _resume_code(campaign: Campaign, key: str) -> str:
    """A code derived from the key, which only the holder of the secret key can derive."""
    number = int.from_bytes(keyed(RESUME_CODES, f"{campaign.uuid} {key}"))
    letters = []
    for _ in range(RESUME_GROUPS * LETTERS_PER_GROUP):
        number, place = divmod(number, len(RESUME_ALPHABET))
        letters.append(RESUME_ALPHABET[place])
    return _grouped("".join(letters))


def _grouped(letters: str) -> str:
    """The code in the form of which the digest was made: people may omit the hyphens or add spaces."""
    groups = range(0, len(letters), LETTERS_PER_GROUP)
    return "-".join(letters[start : start + LETTERS_PER_GROUP] for start in groups)


def _mint_shared(campaign: Campaign, by: User | None) -> str:
    _revoke_shared(campaign)
    generation = secrets.token_hex(16)
    token = _shared_token(campaign, generation)
    Link.objects.create(campaign=campaign, generation=generation, token_digest=digest_of(token))
    _record(AuditAction.MAKE_LINK, campaign, by, None)
    return token


def _shared_token(campaign: Campaign, generation: str) -> str:
    return derived_token(SHARED_LINKS, f"{campaign.uuid} {generation}")


def _lock(campaign: Campaign) -> None:
    """Lock the campaign: nobody else changes its shared links, or joins, until the transaction ends."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


def note_guidelines_read(annotator: Annotator) -> None:
    """No longer show the annotator the guidelines before the first screen."""
    Annotator.objects.filter(pk=annotator.pk).update(has_read_guidelines=True)


def choose_language(annotator: Annotator, tag: str) -> None:
    """Show the annotator their pages in the language with this tag, if there is a translation."""
    if tag in settings.INTERFACE_LANGUAGES and tag != annotator.interface_language:
        Annotator.objects.filter(pk=annotator.pk).update(interface_language=tag)


def _revoke(annotator: Annotator) -> None:
    Annotator.objects.filter(pk=annotator.pk).update(revocations=F("revocations") + 1, resume_digest="")
    Link.objects.filter(annotator=annotator, revoked_at=None).update(revoked_at=timezone.now())


def _revoke_shared(campaign: Campaign) -> None:
    Link.objects.filter(campaign=campaign, annotator=None, revoked_at=None).update(revoked_at=timezone.now())


def _record(action: AuditAction, campaign: Campaign, by: User | None, annotator: Annotator | None) -> None:
    whose = {"annotator": annotator.in_full} if annotator else {"shared": True}
    record(user=by, action=action, subject=campaign, details=whose)
