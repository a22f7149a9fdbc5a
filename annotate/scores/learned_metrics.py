"""Offering learned metrics in this installation, with entries in the audit log."""

from collections.abc import Mapping

from django.db import transaction

from annotate.database.audit_log import record
from annotate.models import AuditAction, Campaign, User
from metrics.learned import shelf
from metrics.learned.saved import SavedModel


def offered() -> Mapping[str, SavedModel]:
    """The models that are offered, by the name of their metric."""
    return {name: metric.model for name, metric in shelf.offered().items()}


def offer(model: SavedModel, *, by: User | None, campaign: Campaign | None = None) -> None:
    """Offer a model as a metric; one that is offered already stays.

    Args:
        model: a signed one.
        by: the user who offers it; None for a command.
        campaign: whose judgments it learned from; None if they came from files.

    Raises:
        ModelError: the metrics installed here do not give the features that it has learned.
        OSError: the file cannot be written.
    """
    if model.name in shelf.offered():
        return
    with transaction.atomic():
        details = {"campaign": campaign.name if campaign else "", "digest": model.digest}
        record(user=by, action=AuditAction.OFFER_METRIC, subject=model, details=details)
        shelf.offer(model)


def withdraw(model: SavedModel, *, by: User | None) -> None:
    """Stop offering a model. Scores by it stay.

    Raises:
        OSError: the file cannot be deleted.
    """
    if model.name not in shelf.offered():
        return
    with transaction.atomic():
        record(user=by, action=AuditAction.WITHDRAW_METRIC, subject=model, details={"digest": model.digest})
        shelf.withdraw(model.name)
