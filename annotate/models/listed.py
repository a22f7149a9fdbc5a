"""Corpora and campaigns for lists."""

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from annotate.models import (
    AuditAction,
    AuditEntry,
    Campaign,
    CampaignState,
    Corpus,
    CorpusState,
    JudgmentState,
    User,
)

BY_PEOPLE = Q(annotators__kind="person")
"""Those annotators of campaigns who are people; a join does not go through their usual manager."""


def corpora() -> QuerySet[Corpus]:
    """All complete corpora with texts, sorted by name, with their numbers of sentences and systems."""
    return (
        Corpus.objects.filter(state=CorpusState.READY, has_texts=True)
        .annotate(system_count=Count("systems", filter=Q(systems__withdrawn_at=None)))
        .order_by("name")
    )


def campaigns() -> QuerySet[Campaign]:
    """All campaigns that are not being imported or deleted, with their corpus and number of judgments."""
    return (
        Campaign.objects.exclude(state__in=(CampaignState.IMPORTING, CampaignState.DELETING))
        .select_related("corpus")
        .annotate(judgment_count=_judgment_count())
        .order_by("name")
    )


def _judgment_count() -> Coalesce:
    """Number of judgments of a campaign, from the counts stored with its annotators."""
    counts = sum((F(f"annotators__{state}") for state in JudgmentState.values), Value(0))
    return Coalesce(Sum(counts, filter=BY_PEOPLE), 0)


def with_exports(rows: QuerySet[Campaign]) -> QuerySet[Campaign]:
    """The campaigns sorted by name, with their number of judgments and the time of their last export."""
    exports = AuditEntry.objects.filter(uuid=OuterRef("uuid"), action=AuditAction.EXPORT).order_by("-at")
    return rows.annotate(
        judgment_count=_judgment_count(), exported_at=Subquery(exports.values("at")[:1])
    ).order_by("name")


def campaigns_of(user: User) -> QuerySet[Campaign]:
    """The running campaigns to which the account is invited."""
    return Campaign.objects.filter(state=CampaignState.RUNNING, annotators__user=user).order_by("name")
