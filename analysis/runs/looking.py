"""A look at the ranking of a campaign that stops by itself."""

from collections.abc import Iterator

from analysis.analyses.planning.when_to_stop import STOPPING, StoppingParameters
from analysis.runs.requests import request_of
from annotate.campaigns.watching import due_look, planned_judgments, store_look
from annotate.judgments.kept_snapshots import kept_answers
from annotate.models import Campaign
from core.progress import Progress
from core.wording import counted
from ranking import JudgedPairs, Look, StopLine, judged_pairs, look_at


def look_at_campaign(campaign: Campaign, progress: Progress) -> str:
    """Look at the ranking if a look is due, and close the campaign if it is settled; returns what happened.

    The same judgments count as on the pages *Ranking* and *When to stop*: without controls and without
    excluded annotators.
    """
    watch = due_look(campaign)
    if watch is None:
        return "No look is due."
    look = look_now(campaign, progress)
    stopped = store_look(watch, look)
    settled = f"{look.settled} of {counted(look.borders, 'border')} settled."
    return f"{settled} The campaign is closed." if stopped else settled


def look_now(campaign: Campaign, progress: Progress) -> Look:
    """The pairs that the judgments of the campaign have settled."""
    request = request_of(STOPPING, campaign, StoppingParameters())
    left_out = request.left_out
    systems = campaign.systems.exclude(name__in=left_out.systems)
    progress.begin("Reading the judgments", total=campaign.slot_count)
    answers = kept_answers(campaign, progress=progress.advance)

    def judged() -> Iterator[JudgedPairs]:
        progress.begin("Looking at the ranking", total=campaign.slot_count)
        for piece in answers.pieces():
            pairs = judged_pairs(left_out.counted(piece), request.parameters.by)
            yield pairs
            progress.advance(len(pairs.sentences))

    design = campaign.design
    return look_at(
        judged,
        list(systems.values_list("name", flat=True)),
        StopLine(design.stops_when),
        confidence=design.stop_confidence / 100,
        planned=planned_judgments(campaign),
    )
