"""Jobs that make and remove references, and draft campaigns about outputs that no reference contains."""

from annotate.models import Campaign, Corpus, ReferenceSet, User
from annotate.models.job_kinds import DRAFT_VALIDITY, MAKE_REFERENCES, REMOVE_REFERENCES
from jobs.models import Job
from jobs.queue import queue

AS_REFERENCES, AS_SYSTEM, AS_VALID, AS_ACCEPTED = "references", "system", "valid", "accepted"


def queue_making(campaign: Campaign, what: str, *, name: str = "", by: User) -> Job:
    """Queue a job that makes references or a system of a campaign's answers.

    Args:
        campaign: the campaign.
        what: one of `AS_REFERENCES`, `AS_SYSTEM`, `AS_VALID` and `AS_ACCEPTED`.
        name: of the system.
        by: the admin.
    """
    return queue(
        kind=MAKE_REFERENCES,
        title=f"References from campaign {campaign}",
        parameters={"campaign": str(campaign.uuid), "what": what, "name": name},
        owner=by,
    )


def queue_removal(made: ReferenceSet, *, by: User) -> Job:
    """Queue a job that removes references or a system."""
    return queue(
        kind=REMOVE_REFERENCES,
        title=f"Removal of references of corpus {made.corpus}",
        parameters={"corpus": str(made.corpus.uuid), "references": str(made.uuid)},
        owner=by,
    )


def queue_draft(corpus: Corpus, *, name: str, most: int, annotators: int, by: User) -> Job:
    """Queue a job that drafts a campaign of judgments of validity."""
    return queue(
        kind=DRAFT_VALIDITY,
        title=f"Draft {name} about outputs of corpus {corpus}",
        parameters={
            "corpus": str(corpus.uuid),
            "name": name,
            "most": most,
            "annotators": annotators,
        },
        owner=by,
    )
