"""How long an annotator's work will take, and the basis of the estimate."""

import math
from dataclasses import dataclass

from django.db.models import Sum
from django.utils.formats import localize
from django.utils.translation import gettext, ngettext

from annotate.design.protocols import PROTOCOLS
from annotate.judging.usual_pace import UsualPace, usual_pace
from annotate.models import Annotator, Campaign

FEWEST_ANSWERS = 50
"""Number of answers from which a campaign's own pace is used."""

FEWEST_OWN_SCREENS = 5
"""Number of screens from which an annotator's own pace is used."""


@dataclass(frozen=True, slots=True)
class TimeEstimate:
    """The expected time of one sitting.

    Attributes:
        screens: in a batch, or in a visit of a crowd worker.
        is_visit: whether it is one.
        seconds: for a screen.
        answers: number of the campaign's answers used; 0 if there were too few.
        pace: what `seconds` rests on then, in words; empty otherwise.
    """

    screens: int
    is_visit: bool
    seconds: float
    answers: int
    pace: str

    @property
    def in_all(self) -> str:
        """The time for all these screens, in words."""
        return duration(self.screens * self.seconds)

    @property
    def of_screen(self) -> str:
        """The time for one, in words."""
        if self.seconds >= 90:
            return duration(self.seconds)
        seconds = round(self.seconds)
        return ngettext("%(seconds)s second", "%(seconds)s seconds", seconds) % {"seconds": seconds}


def time_estimate(annotator: Annotator) -> TimeEstimate:
    """The time that the annotator's batch or visit takes at the campaign's pace so far."""
    campaign = annotator.campaign
    batches = annotator.worker.crowd.batches_per_visit if hasattr(annotator, "worker") else None
    (seconds, pace), answers = _pace(campaign)
    return TimeEstimate(
        screens=min(campaign.design.batch_size * (batches or 1), max(campaign.slot_count, 1)),
        is_visit=batches is not None,
        seconds=seconds,
        answers=answers,
        pace=pace,
    )


def time_left(annotator: Annotator, screens: int) -> str:
    """The time for this many screens at the annotator's own pace, in words; empty while that is unknown."""
    seconds = own_pace(annotator)
    if not screens or seconds is None:
        return ""
    if screens * seconds < 60:
        return gettext("less than a minute")
    return gettext("about %(time)s") % {"time": duration(screens * seconds)}


def own_pace(annotator: Annotator) -> float | None:
    """Seconds that the annotator has needed for a screen, revisions included; None after too few screens.

    Unknown, too, if their browser measures no times.
    """
    if annotator.screens < FEWEST_OWN_SCREENS or not annotator.active_ms:
        return None
    return annotator.active_ms / 1000 / annotator.screens


def duration(seconds: float) -> str:
    """A rough time in words: minutes, in fives from ten on, and half hours from ninety minutes on."""
    minutes = max(round(seconds / 60), 1)
    if minutes > 10:
        minutes = 5 * round(minutes / 5)
    if minutes < 90:
        return ngettext("%(minutes)s minute", "%(minutes)s minutes", minutes) % {"minutes": minutes}
    hours = round(minutes / 30) / 2
    return ngettext("%(hours)s hour", "%(hours)s hours", math.ceil(hours)) % {
        "hours": localize(hours if hours % 1 else int(hours))
    }


def _pace(campaign: Campaign) -> tuple[UsualPace, int]:
    """The pace, and the number of answers on which it rests; 0 for the usual one."""
    sums = campaign.annotators.aggregate(answers=Sum("answers_sent"), active_ms=Sum("active_ms"))
    answers, active_ms = sums["answers"] or 0, sums["active_ms"] or 0
    if answers >= FEWEST_ANSWERS and active_ms:
        return UsualPace(active_ms / 1000 / answers, ""), answers
    protocol = PROTOCOLS[campaign.protocol]
    return usual_pace(protocol, campaign.corpus, campaign.design.outputs_per_screen), 0
