"""A campaign whose outputs came with suggested marks, judged by one who treats these in every way."""

import json
from collections.abc import Sequence
from uuid import uuid4

from annotate.campaigns.lifecycle import launch
from annotate.campaigns.prepared.suggestions import replace_suggestions
from annotate.design.protocols import Answer, ErrorSpans, Question
from annotate.judging.handout import Submission, give_next_showing, submit
from annotate.models import Campaign, CampaignState, Output, Rating
from tests.annotate.running import NOON, cast, draft
from tests.annotate.samples import no_progress

SUGGESTED = {
    "spans": [
        {"start": 0, "end": 2, "severity": "minor", "type": "Verb"},
        {"start": 3, "end": 5, "severity": "major"},
        {"start": 5, "end": 6, "severity": "minor"},
    ],
    "missing": [{"severity": "minor"}],
}

MADE_OF_IT = {
    "spans": [
        {"start": 0, "end": 2, "severity": "minor", "type": "Verb"},
        {"start": 3, "end": 4, "severity": "minor"},
        {"start": 6, "end": 7, "severity": "major", "type": "Noun"},
    ]
}
"""The first is accepted, the second changed, the third added, and the other suggestions are removed."""


def campaign_with_suggestions() -> Campaign:
    """A closed campaign; outputs of the last sentence, and short ones, came without suggestions."""
    campaign = draft("suggested", protocol=ErrorSpans.name, protocol_options={"types": "Verb\nNoun"})
    outputs = Output.objects.filter(sentence__corpus=campaign.corpus, sentence__position__lt=3)
    replace_suggestions(campaign, {each.pk: SUGGESTED for each in outputs if _is_marked(each.text or "")})
    launch(campaign, progress=no_progress)
    [annotator] = cast(campaign, "anna")
    while (showing := give_next_showing(annotator, now=NOON)) is not None:
        submit(annotator, showing.uuid, _answer, Submission(uuid4()), now=NOON)
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.CLOSED)
    return Campaign.objects.get(pk=campaign.pk)


def _is_marked(text: str) -> bool:
    return len(text) > 6


def _answer(question: Question) -> Answer:
    fields: dict[str, str] = {}
    for place, text in enumerate(question.texts):
        fields |= {
            f"score-{place}": "40",
            f"spans-{place}": json.dumps(MADE_OF_IT) if _is_marked(text) else "",
        }
    return ErrorSpans().answer(fields, question)


def marks_of(campaign: Campaign) -> Sequence[tuple[object, ...]]:
    """Sentence, output, score and details of each rating, in an order that follows from them."""
    ratings = Rating.objects.filter(revision__judgment__campaign=campaign).values_list(
        "revision__judgment__item__sentence__position", "item_output__systems", "score", "rating_details"
    )
    return sorted(tuple(json.dumps(value, sort_keys=True) for value in row) for row in ratings)


def states_of(campaign: Campaign) -> set[str]:
    """What became of the suggestions."""
    states: set[str] = set()
    for *_, text in marks_of(campaign):
        details = json.loads(str(text))
        if "suggested" in details:
            marks = (*details["spans"], *details.get("missing", ()))
            states |= {mark["status"] for mark in marks} | {"removed" for _ in details["removed"]}
    return states
