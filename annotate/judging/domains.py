"""One domain per day: if a campaign separates domains, nobody judges two of them on one calendar day.

The first screen that an annotator answers or skips on a day, while it is theirs, settles the domain of that
day. Until then the domain is open, but an annotator with leased screens of a batch continues with these. An
answer to a screen that has been given to someone else is kept on any day, and does not settle the domain; an
answer to a screen that now belongs to nobody counts, and settles it.
"""

from collections.abc import Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from annotate.models import Annotator, Judgment, Slot, SlotState


def day_of(annotator: Annotator, now: datetime) -> date:
    """The calendar day in the campaign's time zone."""
    return now.astimezone(ZoneInfo(annotator.campaign.design.time_zone)).date()


def domain_of_day(annotator: Annotator, now: datetime) -> str | None:
    """The annotator's domain today; None while it is open, or if domains are not separated."""
    separates = annotator.campaign.design.separates_domains
    return annotator.domain if separates and annotator.domain_day == day_of(annotator, now) else None


def slots_of_day(slots: QuerySet[Slot], *, separates: bool, domain: str | None = None) -> QuerySet[Slot]:
    """The annotator's own slots in today's order; a repeat waits for a day of its domain.

    Args:
        own: due repeats and what is on lease, in order.
        separates: whether the campaign separates domains.
        domain: that of the annotator's day; None while it is open.
    """
    if not separates:
        return slots
    if domain is None:
        return slots.order_by(F("position").asc(nulls_last=True), "pk")
    return slots.filter(Q(state=SlotState.LEASED) | Q(repeats__batch__domain=domain))


def free_of_day(free: QuerySet[Slot], annotator: Annotator, now: datetime) -> QuerySet[Slot]:
    """The free slots that the annotator may be given today."""
    domain = domain_of_day(annotator, now)
    return free if domain is None else free.filter(batch__domain=domain)


def settle_domain(annotator: Annotator, domain: str, now: datetime) -> None:
    """The first screen of a day that is answered or skipped, while it is theirs, settles its domain.

    The annotator's row is not stored.
    """
    if annotator.campaign.design.separates_domains and domain_of_day(annotator, now) is None:
        annotator.domain, annotator.domain_day = domain, day_of(annotator, now)


def left_for_other_days(annotator: Annotator, now: datetime) -> Sequence[str]:
    """The other domains that have work for the annotator on other days."""
    today = domain_of_day(annotator, now)
    if today is None:
        return []
    met = Judgment.objects.filter(annotator=annotator, item=OuterRef("item"))
    waiting = Slot.objects.filter(
        Q(~Exists(met), campaign=annotator.campaign, state=SlotState.FREE)
        | Q(annotator=annotator, state=SlotState.RESERVED, due_at_screen__lte=annotator.screens)
    )
    domains = waiting.order_by().values_list(Coalesce("batch__domain", "repeats__batch__domain"), flat=True)
    return sorted(set(domains.distinct()) - {today})
