"""Short helpers for crowds of campaigns and workers from a platform."""

from typing import Any

from annotate.crowd.visits import agree, set_up
from annotate.design.platforms import Arrival
from annotate.models import Campaign, Crowd, Visit


def crowd_of(campaign: Campaign, **options: Any) -> Crowd:
    """A crowd of Prolific's, unless the options say more."""
    crowd = Crowd(
        campaign=campaign,
        **{
            "consent": "I *agree*.",
            "code_passed": "PASSED",
            "code_failed": "FAILED",
            "code_returned": "RETURNED",
            **options,
        },
    )
    set_up(crowd)
    return crowd


def visit_of(crowd: Crowd, worker: str = "w1", visit: str = "s1", **parameters: str) -> Visit:
    """The worker comes, and agrees."""
    return agree(crowd, Arrival(worker, visit, parameters), digest=crowd.consent_digest)
