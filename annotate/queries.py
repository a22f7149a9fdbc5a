"""Reads that pages, commands and analyses share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db.models import Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from annotate.models import (
    Annotator,
    AuditAction,
    AuditEntry,
    Campaign,
    CampaignState,
    Corpus,
    CorpusState,
    InsertedError,
    Item,
    ItemOutput,
    Judgment,
    JudgmentState,
    Output,
    Production,
    Rating,
    Revision,
    Sentence,
    SystemRole,
    User,
)
from annotate.resolution import Texts
from annotate.sentences import ShownOutput

if TYPE_CHECKING:
    import pandas as pd

ANSWERED = (JudgmentState.COMPLETE, JudgmentState.SURPLUS)
TELLING = 50
"""Number of judgments that tell by which kind of value a campaign is judged."""


def corpora() -> QuerySet[Corpus]:
    """All finished corpora with texts by name, with their numbers of sentences and systems."""
    return (
        Corpus.objects.filter(state=CorpusState.READY, has_texts=True)
        .annotate(system_count=Count("systems"))
        .order_by("name")
    )


def campaigns() -> QuerySet[Campaign]:
    """All campaigns that are not being imported or deleted, with their corpus and number of judgments."""
    return (
        Campaign.objects.exclude(state__in=(CampaignState.IMPORTING, CampaignState.DELETING))
        .select_related("corpus")
        .annotate(judgment_count=_judgment_count())
        .order_by("name")
    )


def _judgment_count() -> Coalesce:
    """Of a campaign, from what is kept with its annotators."""
    return Coalesce(Sum(sum((F(f"annotators__{state}") for state in JudgmentState.values), Value(0))), 0)


def with_exports(found: QuerySet[Campaign]) -> QuerySet[Campaign]:
    """The campaigns by name, with their number of judgments, and when judgments were last exported."""
    exports = AuditEntry.objects.filter(uuid=OuterRef("uuid"), action=AuditAction.EXPORT).order_by("-at")
    return found.annotate(
        judgment_count=_judgment_count(), exported_at=Subquery(exports.values("at")[:1])
    ).order_by("name")


def campaigns_of(user: User) -> QuerySet[Campaign]:
    """The running campaigns to which the account is invited."""
    return Campaign.objects.filter(state=CampaignState.RUNNING, annotators__user=user).order_by("name")


def distinct_output_histogram(corpus: Corpus) -> dict[int, int]:
    """Number of sentences by their number of distinct outputs, without gaps from 1 to the largest."""
    return dict(enumerate(corpus.distinct_outputs[1:], start=1))


def inserted_errors(corpus: Corpus) -> QuerySet[InsertedError]:
    """What was put into the sources to make the controls of a corpus, in the order of the sentences."""
    return (
        InsertedError.objects.filter(production__sentence__corpus=corpus, production__system__is_whole=True)
        .select_related("production__sentence", "production__output", "production__system")
        .order_by("production__sentence__position", "start")
    )


def inserted_error_counts(corpus: Corpus) -> dict[str, int]:
    """Number of inserted errors by kind, the most frequent first."""
    return dict(sorted(corpus.error_counts.items(), key=lambda counted: (-counted[1], counted[0])))


def multiplicities(corpus: Corpus, *, roles: tuple[str, ...] = tuple(SystemRole.values)) -> list[list[int]]:
    """Shape of each sentence in order: how many systems of the roles share each of its distinct outputs."""
    shapes: dict[int, list[int]] = {
        position: [] for position in corpus.sentences.values_list("position", flat=True)
    }
    counted = (
        Production.objects.filter(sentence__corpus=corpus, system__role__in=roles)
        .values("sentence__position", "output")
        .annotate(systems=Count("pk"))
        .values_list("sentence__position", "systems")
    )
    for position, systems in counted:
        shapes[position].append(systems)
    return list(shapes.values())


def texts(corpus: Corpus) -> Texts:
    """The texts of a corpus: by the position of the sentence, then by the name of the system."""
    by_sentence: dict[int, dict[str, str]] = {
        position: {} for position in corpus.sentences.values_list("position", flat=True)
    }
    rows = Production.objects.filter(sentence__corpus=corpus).values_list(
        "sentence__position", "system__name", "output__text"
    )
    for position, system, text in rows:
        by_sentence[position][system] = text or ""
    return by_sentence


def judgments(
    campaign: Campaign,
    *,
    annotator: Annotator | None = None,
    state: str = "",
    sentence: int | None = None,
) -> QuerySet[Judgment]:
    """The judgments of a campaign in order, with their current answers and the outputs that these rate."""
    found = Judgment.objects.filter(narrowest(campaign, annotator=annotator, sentence=sentence))
    if state:
        found = found.filter(state=state)
    current = Revision.objects.filter(is_current=True).prefetch_related(
        Prefetch("ratings", Rating.objects.select_related("item_output__output").order_by("position"))
    )
    return (
        found.select_related("annotator", "item__sentence")
        .prefetch_related(Prefetch("revisions", current, to_attr="current_revisions"))
        .order_by("pk")
    )


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


def outputs_of(items: Sequence[Item]) -> dict[int, list[ShownOutput]]:
    """The outputs shown with each of the items, by its key; values, for a page of the API has thousands."""
    outputs: dict[int, list[ShownOutput]] = {item.pk: [] for item in items}
    # By their sentences, whose outputs lie together. PostgreSQL would join with the table of all outputs.
    of_sentences = Output.objects.filter(sentence__in={item.sentence_id for item in items}).order_by()
    texts = {key: values for key, *values in of_sentences.values_list("pk", "digest", "text")}
    rows = ItemOutput.objects.filter(item__in=list(outputs)).order_by("pk")
    for item, output, systems in rows.values_list("item", "output", "systems"):
        digest, text = texts[output]
        outputs[item].append(ShownOutput(digest, text, tuple(systems)))
    return outputs


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
    first = Judgment.objects.filter(campaign=campaign, state__in=ANSWERED).order_by("pk")
    rated = Rating.objects.filter(revision__judgment__in=list(first.values_list("pk", flat=True)[:TELLING]))
    values = list(rated.values_list("rank", "score"))
    if any(rank is not None for rank, _ in values):
        return False
    return any(score is not None for _, score in values) or None


def source_name(corpus: Corpus) -> str | None:
    """The system that leaves each sentence as it is; None where the corpus has none."""
    return corpus.systems.filter(role=SystemRole.SOURCE).values_list("name", flat=True).first()


def snapshot(campaign: Campaign, *, annotator: Annotator | None = None) -> "pd.DataFrame":
    """The snapshot of a campaign as it stands, or of one annotator in it: current answers, none surplus.

    Annotators have their names. For large campaigns there is `annotate.services.snapshots.kept_snapshot`.
    """
    # Loaded here, since pandas and PyArrow take longer to load than all that judging needs.
    from annotate.snapshot_reading import answer_keys, named_frame, read_answers
    from annotate.snapshot_tables import empty_tables

    keys = answer_keys(campaign, annotator)
    tables = read_answers(campaign, keys, beside=empty_tables(), progress=lambda answers, ratings: None)
    return named_frame(campaign, tables)


def accounts(*, name: str = "", role: str = "") -> QuerySet[User]:
    """Accounts by name; only those with these letters in it, upper and lower case alike, or of this role."""
    found = User.objects.order_by("username")
    if name:
        found = found.filter(username__icontains=name)
    if role:
        found = found.filter(role=role)
    return found


def audit_entries(*, action: str = "", who: str = "", about: str = "") -> QuerySet[AuditEntry]:
    """What was done, the newest first.

    Args:
        action: only this one.
        who: only by this account.
        about: only to what has these letters in its name, upper and lower case alike.
    """
    found = AuditEntry.objects.order_by("-at", "-pk")
    if action:
        found = found.filter(action=action)
    if who:
        found = found.filter(who=who)
    if about:
        found = found.filter(name__icontains=about)
    return found
