"""The judgments of a campaign one after the other, whatever their number: the read that exports stand on.

Keys come in pieces, each a stretch of an index, and judgments in chunks of these. So the first bytes of an
export need no more than one chunk, no statement runs long or holds a transaction open, and memory holds one
piece and one chunk.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from heapq import merge
from itertools import groupby, islice
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from annotate.judgments.queries import narrowest
from annotate.models import Annotator, Campaign, Judgment, Rating, Revision
from formats import AnswerRecord, JudgmentRecord, RatingRecord

JUDGMENTS_PER_CHUNK = 1000
KEYS_PER_FETCH = 10_000


@dataclass(frozen=True, slots=True)
class Selection:
    """Which judgments of a campaign are wanted.

    Attributes:
        states: only judgments in these; all if empty.
        submitted_from: only judgments whose current answer came on this day or later, in the settings' time
            zone. Answers whose time is not known, as of many imports, are on no day.
        submitted_to: only judgments whose current answer came on this day or earlier.
        annotator: only the judgments of this one.
        sentence: only judgments of the one at this position.
        history: with all their revisions, not the current ones alone.
        excluded: also those of annotators whom an admin has excluded; the one who is asked for is never left
            out.
    """

    states: Sequence[str] = ()
    submitted_from: date | None = None
    submitted_to: date | None = None
    annotator: Annotator | None = None
    sentence: int | None = None
    history: bool = False
    excluded: bool = False


def selected_judgments(campaign: Campaign, selection: Selection) -> QuerySet[Judgment]:
    """The judgments of the campaign that are wanted, in their order."""
    wanted = narrowest(campaign, annotator=selection.annotator, sentence=selection.sentence)
    if selection.states:
        wanted &= Q(state__in=selection.states)
    if not (selection.annotator or selection.excluded):
        excluded = campaign.annotators.exclude(excluded_at=None).values_list("pk", flat=True)
        wanted &= ~Q(annotator__in=list(excluded))
    if selection.submitted_from:
        wanted &= Q(
            revisions__is_current=True, revisions__submitted_at__gte=_begin_of(selection.submitted_from)
        )
    if selection.submitted_to:
        end = _begin_of(selection.submitted_to, days_later=1)
        wanted &= Q(revisions__is_current=True, revisions__submitted_at__lt=end)
    return Judgment.objects.filter(wanted).order_by("pk")


def _begin_of(day: date, *, days_later: int = 0) -> datetime:
    """The first moment of the day, or of one after it: databases compare times by themselves, not days."""
    try:
        moment = datetime.combine(day + timedelta(days=days_later), time.min)
        return timezone.make_aware(moment).astimezone(UTC)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC) if days_later else datetime.min.replace(tzinfo=UTC)


def stream(
    campaign: Campaign,
    selection: Selection,
    *,
    named: Callable[[str], str],
    progress: Callable[[int], None],
) -> Iterator[JudgmentRecord]:
    """The judgments that are wanted, in their order.

    Each is as it stood when its chunk was read; what arrives after the beginning is left out.

    Args:
        campaign: whose judgments.
        selection: which of them, and whether with all revisions.
        named: what to call an annotator of this name.
        progress: is told the number of judgments of each chunk when they have been taken.
    """
    keys = _keys(campaign, selection)
    while chunk := list(islice(keys, JUDGMENTS_PER_CHUNK)):
        yield from judgment_records(campaign, chunk, history=selection.history, named=named)
        progress(len(chunk))


def _keys(campaign: Campaign, selection: Selection) -> Iterator[int]:
    """The keys of the judgments that are wanted and are there at the beginning, in their order."""
    newest = campaign.judgments.order_by("-pk").values_list("pk", flat=True).first()
    rows = selected_judgments(campaign, replace(selection, states=())).filter(pk__lte=newest or 0)
    # The index that holds the judgments of one state in order does not hold those of several in order.
    in_states = [rows.filter(state=state) for state in selection.states] or [rows]
    merged = merge(*(_in_pieces(of_state) for of_state in in_states))
    # Once, even if the judgment changes its state while the export runs.
    return (key for key, _ in groupby(merged))


def _in_pieces(rows: QuerySet[Judgment]) -> Iterator[int]:
    keys = rows.values_list("pk", flat=True)
    piece = list(keys[:KEYS_PER_FETCH])
    while piece:
        yield from piece
        piece = list(keys.filter(pk__gt=piece[-1])[:KEYS_PER_FETCH]) if len(piece) == KEYS_PER_FETCH else []


def judgment_records(
    campaign: Campaign, keys: Iterable[int], *, history: bool, named: Callable[[str], str]
) -> Iterator[JudgmentRecord]:
    """The judgments with these keys in their order, not too many at a time; for the rest see `stream`."""
    answers = _answers(keys, history=history)
    ratings = _ratings(keys)
    for _, revisions in groupby(answers, key=lambda answer: answer["judgment"]):
        yield _record(campaign, list(revisions), ratings, named)


def _answers(keys: Iterable[int], *, history: bool) -> list[Any]:
    """The answers to these judgments as dictionaries, in order."""
    # Read before their ratings, which were stored with them: so none of these can be missed.
    revisions = Revision.objects.filter(judgment__in=keys)
    if not history:
        revisions = revisions.filter(is_current=True)
    return list(
        revisions.order_by("judgment", "number").values(
            "pk",
            "judgment",
            "judgment__uuid",
            "judgment__annotator__name",
            "judgment__annotator__number",
            "judgment__item__sentence__position",
            "judgment__item__number",
            "judgment__repetition",
            "judgment__state",
            "number",
            "text",
            "started_at",
            "submitted_at",
            "active_ms",
            "note",
            "further_texts",
            "verdict",
            "details",
        )
    )


def _ratings(keys: Iterable[int]) -> dict[int, list[RatingRecord]]:
    """The ratings of all answers of these judgments, in the order shown, by the key of the answer."""
    ratings: dict[int, list[RatingRecord]] = {}
    rows = (
        Rating.objects.filter(revision__judgment__in=keys)
        .order_by("revision", "position")
        .values_list(
            "revision",
            "item_output__output__digest",
            "item_output__systems",
            "rank",
            "score",
            "meaning_changed",
            "touched",
        )
    )
    for revision, output, systems, rank, score, meaning_changed, touched in rows:
        rating = RatingRecord(output, tuple(systems), rank, score, meaning_changed, touched)
        ratings.setdefault(revision, []).append(rating)
    return ratings


def _record(
    campaign: Campaign,
    answers: Sequence[Any],
    ratings: dict[int, list[RatingRecord]],
    named: Callable[[str], str],
) -> JudgmentRecord:
    judgment = answers[0]
    return JudgmentRecord(
        key=str(judgment["judgment__uuid"]),
        protocol=campaign.protocol,
        annotator=named(judgment["judgment__annotator__name"]),
        sentence=judgment["judgment__item__sentence__position"],
        item=judgment["judgment__item__number"],
        repetition=judgment["judgment__repetition"],
        state=judgment["judgment__state"],
        answers=tuple(
            AnswerRecord(
                ratings=tuple(ratings.get(answer["pk"], ())),
                number=answer["number"],
                text=answer["text"],
                started_at=answer["started_at"],
                submitted_at=answer["submitted_at"],
                active_ms=answer["active_ms"],
                note=answer["note"],
                further_texts=tuple(answer["further_texts"] or ()),
                verdict=answer["verdict"],
                details=answer["details"],
            )
            for answer in answers
        ),
        annotator_number=judgment["judgment__annotator__number"],
        marks_edits=campaign.design.marks_edits if hasattr(campaign, "design") else None,
    )
