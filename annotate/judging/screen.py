"""The content of an annotator's screen: never a system, a role or an origin, only texts in a seeded order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import zip_longest
from uuid import uuid4

from django.db.models import Prefetch, QuerySet

from annotate.design.protocols import (
    PROTOCOLS,
    Answer,
    AnswerError,
    Practisable,
    Prepared,
    Protocol,
    Question,
)
from annotate.judging.answers_in_words import mark_in_words, note_in_words, verdict_in_words
from annotate.judging.handout import Screen, ShownOpinion
from annotate.judging.stored_answers import stored_answer
from annotate.judging.work_time import time_left
from annotate.models import Annotator, Campaign, Judgment, JudgmentState, Revision, Showing
from core.translations import translatable
from core.wording import beginning
from formats.text.tokens_back import rules_on_screen

ANSWERS_TO_REVISE = 10

SKIP_REASONS = (
    translatable("I do not understand it"),
    translatable("The text is broken"),
    translatable("Wrong language"),
    translatable("Upsetting content"),
)
"""Reasons to skip an item that take one tap or key, stored in English; annotators may write another."""


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How far the annotator is in the batch.

    Attributes:
        done: screens that they have answered.
        screens: in the batch; skipped ones are no longer part of it.
        time_left: for the others, in words; empty while unknown.
    """

    done: int
    screens: int
    time_left: str


@dataclass(frozen=True, slots=True)
class EarlierAnswer:
    """The current answer to a screen that is opened again.

    Attributes:
        number: of its revision.
        given_at: when it arrived.
        is_skip: whether the annotator skipped the item.
        note: that they wrote, after the reason of a skip.
        fields: of the form that holds the answer.
        marks: what was given for each output, as people write it; empty if the protocol has no marks.
    """

    number: int
    given_at: datetime | None
    is_skip: bool
    note: str
    fields: Mapping[str, str]
    marks: Sequence[str]


def screen_of(
    screen: Screen,
    fields: Mapping[str, str],
    *,
    revises: int = 0,
    earlier: EarlierAnswer | None = None,
    fault: AnswerError | None = None,
) -> dict[str, object]:
    """The context of the screen's template: `fields` is what the form holds, `fault` why it was refused.

    The form `revises` the answer with that number, 0 if there is none; its drafts belong to that revision
    only. `earlier` is that answer. Each call makes a new key, under which the answer will be stored once.
    """
    annotator = screen.showing.annotator
    return {
        **form_of(
            annotator.campaign,
            screen.texts,
            fields,
            source=screen.source,
            prepared=screen.prepared,
            given=earlier.marks if earlier else (),
            fault=fault,
        ),
        "frame": "annotate/judging/screen.html",
        "showing": screen.showing,
        "key": uuid4(),
        "revises": revises,
        "earlier": earlier,
        "previous": screen.previous,
        "following": screen.following,
        "annotator": annotator,
        "progress": batch_progress(screen),
        "skip_reasons": SKIP_REASONS,
    }


def batch_progress(screen: Screen) -> BatchProgress | None:
    """How far the screen's annotator is; None for a batch of one screen."""
    if screen.batch_screens < 2:
        return None
    left = screen.left_in_batch
    return BatchProgress(
        screen.batch_screens - left, screen.batch_screens, time_left(screen.showing.annotator, left)
    )


def form_of(
    campaign: Campaign,
    texts: Sequence[str],
    fields: Mapping[str, str],
    *,
    source: str,
    prepared: Sequence[Prepared] = (),
    given: Sequence[str] = (),
    fault: AnswerError | None = None,
) -> dict[str, object]:
    """The context of a protocol's form: the texts as shown, its entries, and the answer `given` before.

    `prepared` is what the protocol has fixed about each text, and `begun` what an untouched form begins with.
    Texts are as stored; `rules` say how the templates write them, all in the same way.
    """
    protocol = PROTOCOLS[campaign.protocol]
    begun = protocol.begins_with(prepared)
    return {
        "page": "base.html",
        "campaign": campaign,
        "design": campaign.design,
        "protocol": protocol,
        "options": campaign.options,
        "rules": rules_on_screen(campaign.text_rules, source, texts),
        "sentence": {"text": source},
        "fields": {**begun, **fields},
        "begun": begun,
        "fault": fault,
        "incomplete": protocol.incomplete(len(texts), "{numbers}"),
        "outputs": [
            {"text": text, "position": position, "number": position + 1, "given": mark, "prepared": fixed}
            for position, (text, mark, fixed) in enumerate(zip_longest(texts, given, prepared, fillvalue=""))
        ],
    }


def sample_of(
    campaign: Campaign,
    *,
    source: str,
    texts: Sequence[str],
    prepared: Sequence[Prepared] = (),
    previous: str = "",
    following: str = "",
    fields: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """The context of a screen that nobody is shown: for previews and trials of a draft."""
    return {
        **form_of(campaign, texts, fields or {}, source=source, prepared=prepared),
        "frame": "annotate/judging/sample.html",
        "page": "annotate/judging/screen_alone.html",
        "is_sample": True,
        "previous": previous,
        "following": following,
    }


def opinion_of(shown: ShownOpinion) -> dict[str, object]:
    """The context of the page of a machine's opinion: both answers to a screen.

    Outputs are those of the screen with both marks. Where a protocol has no marks, the answers are `written`:
    their texts and their verdicts in words, the annotator's first.
    """
    screen, answers = shown.screen, (shown.own, shown.answer)
    campaign = screen.showing.annotator.campaign
    protocol = PROTOCOLS[campaign.protocol]
    own, theirs = (
        [
            verdict_in_words(mark) if mark == answer.verdict else mark_in_words(mark)
            for mark in _marks(protocol, answer, screen.texts)
        ]
        for answer in answers
    )
    written = [
        {"texts": answer.texts, "verdict": beginning(verdict_in_words(answer.verdict or ""))}
        for answer in answers
    ]
    shown_texts = [*screen.texts, *(text for answer in answers for text in answer.texts)]
    return {
        **form_of(campaign, screen.texts, {}, source=screen.source),
        "rules": rules_on_screen(campaign.text_rules, screen.source, shown_texts),
        "outputs": _beside_opinions(screen.texts, own, theirs) if theirs else [],
        "written": [] if theirs else written,
        "showing": screen.showing,
        "shows_source": _shows_source(campaign),
        "previous": screen.previous,
        "following": screen.following,
    }


def _beside_opinions(
    texts: Sequence[str], own: Sequence[str], theirs: Sequence[str]
) -> list[dict[str, object]]:
    """Outputs as `_opinion.html` shows them, each with the marks of the annotator and of the machine."""
    return [
        {"text": text, "number": number, "given": given, "opinion": opinion}
        for number, (text, given, opinion) in enumerate(zip(texts, own, theirs, strict=True), start=1)
    ]


def _shows_source(campaign: Campaign) -> bool:
    """Whether screens show the sentence, which a protocol may leave to an option."""
    return bool(getattr(campaign.options, "shows_source", True))


def _marks(protocol: Protocol, answer: Answer, texts: Sequence[str]) -> Sequence[str]:
    return protocol.marks_for(texts, answer) if isinstance(protocol, Practisable) else ()


def sample_of_opinion(
    campaign: Campaign,
    *,
    source: str,
    texts: Sequence[str],
    prepared: Sequence[Prepared] = (),
    previous: str = "",
    following: str = "",
) -> dict[str, object]:
    """The context of an opinion on a screen that nobody is shown: dashes in place of both answers."""
    dashes = ["–"] * len(texts)
    return {
        **sample_of(
            campaign, source=source, texts=texts, prepared=prepared, previous=previous, following=following
        ),
        "shows_source": _shows_source(campaign),
        "outputs": _beside_opinions(texts, dashes, dashes),
        "written": [] if texts else [{"texts": ["…"], "verdict": ""}] * 2,
    }


def recent_answers(annotator: Annotator) -> QuerySet[Judgment]:
    """The annotator's last answers, newest first."""
    current = Revision.objects.filter(is_current=True)
    return (
        Judgment.objects.filter(annotator=annotator, showing__isnull=False)
        .select_related("item__sentence", "showing")
        .prefetch_related(Prefetch("revisions", current, to_attr="current_revisions"))
        .order_by("-pk")[:ANSWERS_TO_REVISE]
    )


def last_showing(annotator: Annotator) -> Showing | None:
    """The screen that the annotator answered or skipped last."""
    answered = Showing.objects.filter(annotator=annotator, judgment__annotator=annotator)
    return answered.order_by("-judgment__pk").first()


def earlier_answer(screen: Screen) -> EarlierAnswer | None:
    """The current answer to the screen; None where nothing was answered yet."""
    showing, campaign = screen.showing, screen.showing.annotator.campaign
    answers = Revision.objects.filter(judgment__showing=showing, is_current=True)
    revision = answers.select_related("judgment").first()
    if revision is None:
        return None
    protocol = PROTOCOLS[campaign.protocol]
    fields: dict[str, str] = {}
    marks: Sequence[str] = ()
    is_skip = revision.judgment.state == JudgmentState.SKIPPED
    if not is_skip:
        answer = stored_answer(revision)
        rules = rules_on_screen(campaign.text_rules, screen.source, screen.texts)
        question = Question(screen.source, len(screen.texts), campaign.options, rules, texts=screen.texts)
        fields = protocol.fields(replace(answer, texts=tuple(map(question.shown, answer.texts))))
        marks = _marks(protocol, answer, screen.texts)
    return EarlierAnswer(
        number=revision.number,
        given_at=revision.submitted_at,
        is_skip=is_skip,
        note=note_in_words(revision.note, SKIP_REASONS) if is_skip else revision.note,
        # Why they skipped it is no report on what they judge after all.
        fields={**fields, "note": "" if is_skip else revision.note},
        marks=marks,
    )


def form_again(showing: Showing, earlier: EarlierAnswer | None) -> Mapping[str, str]:
    """The draft of the screen or of the answer's revision, or else the answer itself."""
    number = earlier.number if earlier else 0
    if showing.draft and showing.draft.get("revises", "0") == str(number):
        draft: dict[str, str] = showing.draft
        return draft
    return earlier.fields if earlier else {}
