"""Streams the judgments of a campaign of any size, for exports.

Keys are read in pieces, each a range of an index, and judgments in chunks of these. So the first bytes of an
export need only one chunk, no statement runs long or holds a transaction open, and memory holds one piece and
one chunk.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from heapq import merge
from itertools import groupby, islice

from django.db.models import Q, QuerySet
from django.utils import timezone

from annotate.judgments.queries import narrowest
from annotate.judgments.records import judgment_records
from annotate.models import Annotator, Campaign, Judgment
from formats import JudgmentRecord
from formats.machines import AnnotatorKind

JUDGMENTS_PER_CHUNK = 1000
KEYS_PER_FETCH = 10_000


@dataclass(frozen=True, slots=True)
class Selection:
    """Selects judgments of a campaign.

    Attributes:
        states: only judgments in these; all if empty.
        submitted_from: only judgments whose current answer came on this day or later, in the settings' time
            zone. Answers without a time, as in many imports, are never selected by day.
        submitted_to: only judgments whose current answer came on this day or earlier.
        annotator: only this annotator's judgments.
        sentence: only judgments of the sentence at this position.
        history: all revisions instead of the current ones.
        excluded: also judgments of excluded annotators; those of `annotator` are never left out.
        kinds: of annotators whose judgments are selected, unless there is an `annotator`.
    """

    states: Sequence[str] = ()
    submitted_from: date | None = None
    submitted_to: date | None = None
    annotator: Annotator | None = None
    sentence: int | None = None
    history: bool = False
    excluded: bool = False
    kinds: Sequence[AnnotatorKind] = (AnnotatorKind.PERSON,)

    @property
    def by_machine(self) -> Sequence[int]:
        """The values of `Judgment.by_machine` that are selected."""
        kinds = [self.annotator.kind] if self.annotator else self.kinds
        return [int(kind == AnnotatorKind.MACHINE) for kind in kinds]


def selected_judgments(campaign: Campaign, selection: Selection) -> QuerySet[Judgment]:
    """The selected judgments of the campaign, in order."""
    wanted = narrowest(campaign, annotator=selection.annotator, sentence=selection.sentence)
    if len(selection.by_machine) == 1:
        wanted &= Q(by_machine=selection.by_machine[0])
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
    return Judgment.every.filter(wanted).order_by("pk")


def _begin_of(day: date, *, days_later: int = 0) -> datetime:
    """Start of the day, or of a later one; databases compare times, not days."""
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
    """The selected judgments, in order.

    Each is as stored when its chunk was read; judgments that arrive after the start are left out.

    Args:
        campaign: campaign of the judgments.
        selection: selects judgments, with or without all revisions.
        named: gives the shown name of an annotator.
        progress: gets the number of judgments of each chunk once the caller has taken them.
    """
    keys = _keys(campaign, selection)
    while chunk := list(islice(keys, JUDGMENTS_PER_CHUNK)):
        yield from judgment_records(campaign, chunk, history=selection.history, named=named)
        progress(len(chunk))


def _keys(campaign: Campaign, selection: Selection) -> Iterator[int]:
    """The keys of the selected judgments that exist at the start, in order."""
    # The index orders the judgments of one kind of annotators and state, but not those of several.
    parts = []
    for by_machine in selection.by_machine:
        of_kind = Judgment.every.filter(campaign=campaign, by_machine=by_machine)
        newest = of_kind.order_by("-pk").values_list("pk", flat=True).first()
        selected = selected_judgments(campaign, replace(selection, states=()))
        rows = selected.filter(by_machine=by_machine, pk__lte=newest or 0)
        parts += [rows.filter(state=state) for state in selection.states] or [rows]
    merged = merge(*map(_in_pieces, parts))
    # Once, even if the judgment changes its state while the export runs.
    return (key for key, _ in groupby(merged))


def _in_pieces(rows: QuerySet[Judgment]) -> Iterator[int]:
    keys = rows.values_list("pk", flat=True)
    piece = list(keys[:KEYS_PER_FETCH])
    while piece:
        yield from piece
        piece = list(keys.filter(pk__gt=piece[-1])[:KEYS_PER_FETCH]) if len(piece) == KEYS_PER_FETCH else []
