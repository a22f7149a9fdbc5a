"""Deletion of a corpus with its scores and campaigns, or of a campaign with its judgments, in short pieces.

First everything is marked as *deleting*, in one transaction that also checks that it may be deleted. From
then on no page shows it, nobody can enter, and nothing new can refer to it. A deletion that was killed is
restarted and continues.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.database.audit_log import record
from annotate.database.staging import ABANDONED_AFTER, delete_in_pieces, sweep_abandoned_imports
from annotate.judgments.kept_snapshots import discard_snapshot
from annotate.models import (
    Annotator,
    AuditAction,
    Campaign,
    CampaignState,
    Corpus,
    CorpusState,
    Judgment,
    OutputScore,
    User,
)
from core.progress import Advance
from jobs.refusals import RefusedError

IN_USE = (CampaignState.RUNNING, CampaignState.PAUSED)
IN_THE_MAKING = (CampaignState.IMPORTING, CampaignState.LAUNCHING)


class DeletionRefusedError(RefusedError):
    """The object is in use; the message says by what, and what to do."""


def in_use(campaigns: Sequence[Campaign]) -> list[Campaign]:
    """The campaigns that are running or being created; remains of killed processes do not count."""
    fresh = timezone.now() - ABANDONED_AFTER
    return [
        campaign
        for campaign in campaigns
        if campaign.state in IN_USE or (campaign.state in IN_THE_MAKING and campaign.touched_at > fresh)
    ]


def parts(row: Corpus | Campaign) -> int:
    """The number of parts whose deletion `progress` is told."""
    if isinstance(row, Campaign):
        return sum(rows.count() for rows in _large_tables(row))
    return sum(map(parts, row.campaigns.all())) + _output_scores(row).count() + row.sentences.count()


def delete_corpus(corpus: Corpus, *, by: User | None, progress: Advance) -> None:
    """Delete the corpus with its scores, campaigns and their judgments.

    Raises:
        DeletionRefusedError: a campaign of it is in use.
    """
    with transaction.atomic():
        locked = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
        if locked.state != CorpusState.DELETING:
            others = corpus.campaigns.exclude(state=CampaignState.DELETING)
            campaigns = list(others.select_for_update(no_key=True).order_by("pk"))
            _refuse_if_in_use(campaigns)
            names = [campaign.name for campaign in campaigns]
            details = {"sentences": corpus.sentences.count(), "campaigns": names}
            record(user=by, action=AuditAction.DELETE, subject=corpus, details=details)
            for campaign in campaigns:
                _mark(campaign, by)
            locked.state = CorpusState.DELETING
            locked.save(update_fields=["state"])
    for campaign in corpus.campaigns.all():
        _delete_rows(campaign, progress)
    delete_in_pieces(_output_scores(corpus), progress=progress)
    delete_in_pieces(corpus.sentences.all(), progress=progress)
    corpus.delete()


def delete_campaign(campaign: Campaign, *, by: User | None, progress: Advance) -> None:
    """Delete the campaign with its judgments, and with its corpus if that has no texts and came with them.

    Raises:
        DeletionRefusedError: it is in use.
    """
    with transaction.atomic():
        locked = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        if locked.state != CampaignState.DELETING:
            _refuse_if_in_use([locked])
            _mark(locked, by)
    _delete_rows(campaign, progress)
    sweep_abandoned_imports()


def _refuse_if_in_use(campaigns: Sequence[Campaign]) -> None:
    if busy := in_use(campaigns):
        names = ", ".join(f"{campaign.name!r} ({campaign.get_state_display().lower()})" for campaign in busy)
        raise DeletionRefusedError(f"Still in use: {names}. Close running campaigns, then delete.")


def _mark(campaign: Campaign, by: User | None) -> None:
    """Hide the campaign. The new stamp stops any process that is still creating it."""
    judgments = Judgment.every.filter(campaign=campaign).count()
    record(user=by, action=AuditAction.DELETE, subject=campaign, details={"judgments": judgments})
    campaign.state = CampaignState.DELETING
    campaign.touched_at = timezone.now()
    campaign.save(update_fields=["state", "touched_at"])


def _delete_rows(campaign: Campaign, progress: Advance) -> None:
    for rows in _large_tables(campaign):
        delete_in_pieces(rows, progress=progress)
    discard_snapshot(campaign)
    campaign.delete()


def _output_scores(corpus: Corpus) -> QuerySet[OutputScore]:
    return OutputScore.objects.filter(score_set__corpus=corpus)


def _large_tables(campaign: Campaign) -> list[QuerySet[Any]]:
    """The tables with many rows, ordered so that few rows refer to a row when it is deleted."""
    judgments = Judgment.every.filter(campaign=campaign)
    lists = (campaign.slots, campaign.items, campaign.batches, campaign.suggestions)
    return [judgments, *(rows.all() for rows in lists), Annotator.every.filter(campaign=campaign)]
