"""Reads of judgments, shared by pages, commands, the API and analyses."""

from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet, Sum

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

if TYPE_CHECKING:
    import pandas as pd

ANSWERED = (JudgmentState.COMPLETE, JudgmentState.SURPLUS)


TELLING = 50
"""Number of judgments that tell by which kind of value a campaign is judged."""


def narrowest(campaign: Campaign, *, annotator: Annotator | None, sentence: int | None) -> Q:
    """Condition on judgments: of the campaign, or rather of an annotator or of the items of a sentence in it.

    It does not name the campaign beside these, so that no database goes through the campaign's judgments.
    """
    of_annotator = Q(annotator=annotator) if annotator is not None else Q()
    if sentence is not None:
        # Step by step, each by the one index that there is for it, whatever a database knows of its tables.
        sentences = Sentence.objects.filter(corpus=campaign.corpus_id, position=sentence)
        items = Item.objects.filter(sentence__in=list(sentences)).values_list("pk", "campaign")
        return of_annotator & Q(
            item__in=[item for item, its_campaign in items if its_campaign == campaign.pk]
        )
    return of_annotator or Q(campaign=campaign)


def annotators(campaign: Campaign) -> QuerySet[Annotator]:
    """The judges of a campaign by number; the number of their judgments in each state is kept with them."""
    return campaign.annotators.order_by("number")


def roles_of(campaign: Campaign) -> dict[str, str]:
    """The role of each system of a campaign, by name."""
    return dict(campaign.systems.values_list("name", "role"))


def labels_of(corpus: Corpus) -> dict[str, str]:
    """What people read instead of the names of its systems, by name; systems without a label are left out."""
    return dict(corpus.systems.exclude(label="").values_list("name", "label"))


def answers_version(campaign: Campaign) -> tuple[int, int]:
    """Changes whenever an answer is added: number of the revisions, and newest key of the judgments."""
    number = campaign.annotators.aggregate(number=Sum("answers_sent", default=0))["number"]
    newest = campaign.judgments.order_by("-pk").values_list("pk", flat=True).first()
    return number, newest or 0


def rated_by_score(campaign: Campaign) -> bool | None:
    """Whether outputs of the campaign were given scores, and no ranks; None while there is neither.

    The first judgments tell, for all judgments of a campaign are given by one protocol.
    """
    rated = Rating.objects.filter(revision__judgment__in=_first_answered(campaign))
    values = list(rated.values_list("rank", "score"))
    if any(rank is not None for rank, _ in values):
        return False
    return any(score is not None for _, score in values) or None


def holds_rankings(campaign: Campaign) -> bool:
    """Whether outputs of the campaign were ranked, or may still be: there is no answer yet."""
    answered = _first_answered(campaign)
    ranked = Rating.objects.filter(revision__judgment__in=answered, rank__isnull=False)
    return not answered or ranked.exists()


def _first_answered(campaign: Campaign) -> list[int]:
    """Keys of the first judgments, which tell for all."""
    answered = Judgment.objects.filter(campaign=campaign, state__in=ANSWERED).order_by("pk")
    return list(answered.values_list("pk", flat=True)[:TELLING])


def snapshot(
    campaign: Campaign, *, annotator: Annotator | None = None, names: bool = False, by: User | None = None
) -> "pd.DataFrame":
    """The snapshot of a campaign as it stands, or of one annotator in it: current answers, none surplus.

    For large campaigns there is `kept_snapshots.kept_snapshot`.

    Args:
        campaign: whose judgments.
        annotator: only the judgments of this one.
        names: whether annotators appear by name, which is for admins; else by pseudonym.
        by: who asks; None for the program itself.

    Raises:
        PermissionDenied: somebody who is no admin asks for names.
    """
    # Loaded here, since pandas and PyArrow take longer to load than all that judging needs.
    from annotate.judgments.snapshot_reading import answer_keys, frame_of_tables, tables_of
    from formats.snapshot_tables import empty_tables

    keys = answer_keys(campaign, annotator)
    tables = tables_of(campaign, keys, beside=empty_tables(), progress=lambda answers, ratings: None)
    return frame_of_tables(campaign, tables, names=names, by=by)
