"""Machines whose judgments stand beside those of people."""

from annotate.machines.making import make_machine
from annotate.models import Annotator, Campaign, Judgment, JudgmentState, Machine, Rating, Revision
from formats.digests import text_digest

PROMPT = "Rank these corrections of {source}: {outputs}"


def machine_of(campaign: Campaign, name: str = "gpt", **known: object) -> Annotator:
    """A machine of the campaign that has not answered yet."""
    described = {"model": "gpt-4o", "version": "2024-08-06", "prompt": PROMPT, "temperature": "0", "seed": 7}
    return make_machine(campaign, name=name, machine=Machine(**{**described, **known}), by=None)


def with_machine(campaign: Campaign, name: str = "gpt") -> Annotator:
    """A machine that has answered whatever people have, ranking the other way round."""
    machine = machine_of(campaign, name)
    answered = 0
    for place, judgment in enumerate(Judgment.objects.filter(campaign=campaign).order_by("pk")):
        [current] = judgment.revisions.filter(is_current=True)
        copy = Judgment.every.create(
            campaign=campaign,
            item=judgment.item,
            annotator=machine,
            repetition=place,
            state=judgment.state,
            by_machine=1,
        )
        ratings = list(current.ratings.all())
        current.pk, current.number, current.judgment = None, 1, copy
        current.save(force_insert=True)
        for rating in ratings:
            rating.pk, rating.revision = None, current
            rating.rank = None if rating.rank is None else 6 - rating.rank
            rating.score = None if rating.score is None else 100 - rating.score
        Rating.objects.bulk_create(ratings)
        answered += judgment.state == JudgmentState.COMPLETE
    every = Judgment.every.filter(annotator=machine)
    sent = Revision.objects.filter(judgment__in=every).count()
    Annotator.every.filter(pk=machine.pk).update(complete=answered, answers_sent=sent)
    return machine


def description(machine: Annotator) -> dict[str, object]:
    """What files say of the machine."""
    known = {"model": "gpt-4o", "version": "2024-08-06", "temperature": "0", "seed": 7}
    return {**known, "prompt_sha256": text_digest(PROMPT)}
