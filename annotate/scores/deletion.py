"""Deletion of scores: hidden at once, then deleted in short pieces."""

from django.db import transaction

from annotate.database.audit_log import record
from annotate.database.staging import delete_in_pieces
from annotate.models import AuditAction, ScoreSet, ScoreSetState, User
from core.progress import Advance


def hide_scores(score_set: ScoreSet, *, by: User | None) -> None:
    """Write the audit entry and hide the scores; they can be computed again at once."""
    with transaction.atomic():
        locked = ScoreSet.objects.select_for_update(no_key=True).get(pk=score_set.pk)
        if locked.state == ScoreSetState.DELETING:
            return
        record(
            user=by,
            action=AuditAction.DELETE,
            subject=score_set,
            details={"corpus": score_set.corpus.name, "signature": score_set.signature},
        )
        locked.state = ScoreSetState.DELETING
        locked.save(update_fields=["state"])


def delete_scores(score_set: ScoreSet, *, by: User | None, progress: Advance) -> None:
    """Delete the scores; a deletion that was killed midway is continued by the next run."""
    hide_scores(score_set, by=by)
    delete_in_pieces(score_set.output_scores.all(), progress=progress)
    score_set.delete()
