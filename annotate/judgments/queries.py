"""Reads of judgments, shared by pages, commands, the API and analyses."""

from typing import TYPE_CHECKING

from django.db.models import Max, Q, QuerySet, Subquery, Sum

from annotate.design.protocols import PROTOCOLS, kind_of_answers
from annotate.design.protocols.edits import WORDS
from annotate.models import (
    Annotator,
    Campaign,
    Corpus,
    Item,
    Judgment,
    JudgmentState,
    Rating,
    Sentence,
    User,
)
from formats.machines import AnnotatorKind
from formats.snapshot.vocabulary import AnswerKind

if TYPE_CHECKING:
    import pandas as pd

ANSWERED = (JudgmentState.COMPLETE, JudgmentState.SURPLUS)


TELLING = 50
"""Number of judgments that show what all judgments of a campaign are like."""


def narrowest(campaign: Campaign, *, annotator: Annotator | None, sentence: int | None) -> Q:
    """Condition on judgments: all of the campaign, or those of an annotator or a sentence in it.

    With an annotator or a sentence, it omits the campaign, so that no database scans all its judgments.
    """
    of_annotator = Q(annotator=annotator) if annotator is not None else Q()
    if sentence is not None:
        # In steps, each with only one usable index, so that the plan does not depend on table statistics.
        sentences = Sentence.objects.filter(corpus=campaign.corpus_id, position=sentence)
        items = Item.objects.filter(sentence__in=list(sentences)).values_list("pk", "campaign")
        return of_annotator & Q(
            item__in=[item for item, its_campaign in items if its_campaign == campaign.pk]
        )
    return of_annotator or Q(campaign=campaign)


def annotators(campaign: Campaign) -> QuerySet[Annotator]:
    """The judges of a campaign by number, with stored numbers of judgments in each state."""
    return campaign.annotators.order_by("number")


def machines(campaign: Campaign) -> QuerySet[Annotator]:
    """The machines of a campaign by number, with what is known of them."""
    of_kind = Annotator.every.filter(campaign=campaign, kind=AnnotatorKind.MACHINE.value)
    return of_kind.select_related("machine").order_by("number")


def roles_of(campaign: Campaign) -> dict[str, str]:
    """The role of each system of a campaign, by name."""
    return dict(campaign.systems.values_list("name", "role"))


def roles_and_labels_of(campaign: Campaign) -> tuple[dict[str, str], dict[str, str]]:
    """The role of each system of a campaign, and the labels of those that have one, by name."""
    rows = list(campaign.systems.values_list("name", "role", "label"))
    return {name: role for name, role, _ in rows}, {name: label for name, _, label in rows if label}


def labels_of(corpus: Corpus) -> dict[str, str]:
    """Labels of systems by name, without systems that have none."""
    return dict(corpus.systems.exclude(label="").values_list("name", "label"))


def answers_version(campaign: Campaign) -> tuple[int, int]:
    """Value that changes whenever an answer is added: number of revisions and newest judgment key."""
    newest = campaign.judgments.order_by("-pk").values("pk")[:1]
    counted = campaign.annotators.aggregate(
        number=Sum("answers_sent", default=0), newest=Max(Subquery(newest), default=0)
    )
    return counted["number"], counted["newest"]


def answers_of_machines(campaign: Campaign) -> int:
    """The number of answers of machines, which grows whenever one is added."""
    counted = machines(campaign).order_by().aggregate(number=Sum("answers_sent", default=0))
    number: int = counted["number"]
    return number


def rated_by_score(campaign: Campaign) -> bool | None:
    """Whether outputs of the campaign have scores and no ranks; None while they have neither.

    The first judgments are enough, because all judgments of a campaign follow one protocol.
    """
    rated = Rating.objects.filter(revision__judgment__in=_first_answered(campaign))
    values = list(rated.values_list("rank", "score"))
    if any(rank is not None for rank, _ in values):
        return False
    return any(score is not None for _, score in values) or None


def compared_by(campaign: Campaign) -> tuple[str, ...]:
    """The names of numbers in the details of ratings by which outputs can be compared.

    Of an imported campaign, those that occur in the first judgments.
    """
    if kind_of_answers(campaign.protocol) not in (AnswerKind.SCALES, AnswerKind.SPANS):
        return ()
    protocol = PROTOCOLS[campaign.protocol]
    if hasattr(campaign, "design"):
        return tuple(protocol.compared_by(campaign.options))
    if protocol.gives is AnswerKind.SPANS:
        return tuple(protocol.compared_by(protocol.options()))
    rated = Rating.objects.filter(revision__judgment__in=_first_answered(campaign))
    details = rated.exclude(rating_details=None).values_list("rating_details", flat=True)
    named = (each.items() for each in details if each is not None)
    return tuple(sorted({name for items in named for name, value in items if type(value) is int}))


def edit_extractors(campaign: Campaign) -> set[str]:
    """What found the edits in the first judgments of edits one by one; words where nothing is said."""
    rated = Rating.objects.filter(revision__judgment__in=_first_answered(campaign))
    found = rated.exclude(rating_details=None).values_list("rating_details__extractor", flat=True)
    return {each or WORDS for each in found}


def holds_rankings(campaign: Campaign) -> bool:
    """Whether outputs of the campaign are ranked, or may be because there is no answer yet."""
    answered = _first_answered(campaign)
    ranked = Rating.objects.filter(revision__judgment__in=answered, rank__isnull=False)
    return not answered or ranked.exists()


def _first_answered(campaign: Campaign) -> list[int]:
    """Keys of the first judgments, which represent all."""
    answered = Judgment.objects.filter(campaign=campaign, state__in=ANSWERED).order_by("pk")
    return list(answered.values_list("pk", flat=True)[:TELLING])


def snapshot(
    campaign: Campaign,
    *,
    annotator: Annotator | None = None,
    kind: AnnotatorKind = AnnotatorKind.PERSON,
    names: bool = False,
    by: User | None = None,
) -> "pd.DataFrame":
    """The current snapshot of a campaign, or of one of its annotators: current answers without surplus ones.

    For large campaigns, use `kept_snapshots.kept_snapshot`.

    Args:
        campaign: campaign of the judgments.
        annotator: only this annotator's judgments.
        kind: of the annotators.
        names: whether annotators appear by name (admins only) instead of pseudonym.
        by: the requesting user; None for the program itself.

    Raises:
        PermissionDenied: a user who is not an admin requests names.
    """
    # Imported here because pandas and PyArrow take longer to load than everything that judging needs.
    from annotate.judgments.snapshot_reading import answer_keys, frame_of_tables, tables_of
    from formats.snapshot.snapshot_tables import empty_tables

    keys = answer_keys(campaign, annotator, kind=kind)
    tables = tables_of(campaign, keys, beside=empty_tables(), progress=lambda answers, ratings: None)
    return frame_of_tables(campaign, tables, kind=kind, names=names, by=by)
