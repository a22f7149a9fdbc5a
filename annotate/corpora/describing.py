"""Changes of what a corpus is described by: title, language, tokenisation, its systems, domains."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotate.database.audit_log import record
from annotate.database.staging import pieces
from annotate.models import AuditAction, Corpus, Production, Sentence, System, SystemRole, User
from formats.naming import SystemNames

SENTENCES_PER_PIECE = 500
DESCRIBED = ("name", "language", "tokenisation", "holds_essays")


def changes_source(system: System) -> bool:
    """Whether an output of the system differs from its source sentence, so that it cannot be the source."""
    produced = Production.objects.filter(system=system)
    return produced.exclude(output__text=F("sentence__text")).exists()


def describe(
    corpus: Corpus,
    *,
    name: str,
    language: str,
    tokenisation: str,
    holds_essays: bool,
    systems: Mapping[str, SystemNames],
    domains: Sequence[str] | None,
    by: User | None,
) -> None:
    """Change the description. Texts, judgments, scores and published results stay as they are.

    Results that depend on language, roles, families or domains are computed anew when next asked for.

    Args:
        corpus: whose description changes.
        name: its title.
        language: a BCP 47 tag.
        tokenisation: a value of `Tokenisation`.
        holds_essays: whether its sentences are whole essays.
        systems: label, role and family of systems by name; others stay as they are.
        domains: of the sentences in order; None if they stay.
        by: who changes it; None for a command.

    Raises:
        ValidationError: a field is malformed, or the title is taken.
    """
    before = corpus.language
    corpus.name, corpus.language, corpus.tokenisation = name, language, tokenisation
    corpus.holds_essays = holds_essays
    corpus.full_clean()
    changed = _changed(corpus)
    with transaction.atomic():
        changed |= _describe_systems(corpus, systems) | _set_domains(corpus, domains)
        if changed & {"language", "roles", "families", "domains"}:
            corpus.described_at = timezone.now()
        corpus.save(update_fields=[*DESCRIBED, "described_at"])
        if changed:
            details = {"changed": sorted(changed), "language before": before if "language" in changed else ""}
            record(user=by, action=AuditAction.DESCRIBE, subject=corpus, details=details)


def _changed(corpus: Corpus) -> set[str]:
    """The fields that differ from what is stored."""
    stored = Corpus.objects.get(pk=corpus.pk)
    return {field for field in DESCRIBED if getattr(corpus, field) != getattr(stored, field)}


def _describe_systems(corpus: Corpus, systems: Mapping[str, SystemNames]) -> set[str]:
    changed = set()
    # The source is one at any moment: others give the role up first.
    rows = sorted(
        corpus.systems.filter(name__in=systems), key=lambda row: systems[row.name].role == SystemRole.SOURCE
    )
    for system in rows:
        wanted = systems[system.name]
        changed |= {"labels"} if system.label != wanted.label else set()
        changed |= {"roles"} if system.role != wanted.role else set()
        changed |= {"families"} if system.family != wanted.family else set()
        system.label, system.role, system.family = wanted.label, SystemRole(wanted.role), wanted.family
        system.save(update_fields=["label", "role", "family"])
    return changed


def _set_domains(corpus: Corpus, domains: Sequence[str] | None) -> set[str]:
    if domains is None:
        return set()
    rows = corpus.sentences.order_by("position").only("pk", "domain", "position")
    differing = [row for row in rows if row.domain != domains[row.position]]
    for row in differing:
        row.domain = domains[row.position]
    for piece in pieces(differing, SENTENCES_PER_PIECE):
        Sentence.objects.bulk_update(piece, ["domain"])
    return {"domains"} if differing else set()
