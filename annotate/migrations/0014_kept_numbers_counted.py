from collections import Counter

from django.db import migrations
from django.db.models import Count, Max, OuterRef, Subquery, Sum
from django.db.models.functions import TruncHour
from datetime import UTC

STATES = ("complete", "skipped", "auto", "surplus")
FILLING = ("complete", "auto")


def count(apps, schema_editor):
    """Count once what is kept from now on."""
    _judgments(apps)
    _annotators(apps)
    _hours(apps)
    _campaigns(apps)
    _corpora(apps)


def _judgments(apps):
    Judgment, Item, Revision = (apps.get_model("annotate", name) for name in ("Judgment", "Item", "Revision"))
    campaign = Item.objects.filter(pk=OuterRef("item_id")).values("campaign_id")[:1]
    Judgment.objects.update(campaign_id=Subquery(campaign))
    noted = Revision.objects.filter(is_current=True).exclude(note="").values("judgment")
    Judgment.objects.filter(pk__in=noted, state__in=("complete", "surplus")).update(is_reported=True)


def _annotators(apps):
    Annotator, Judgment, Revision, Showing = (
        apps.get_model("annotate", name) for name in ("Annotator", "Judgment", "Revision", "Showing")
    )
    by_state = {
        (annotator, state): number
        for annotator, state, number in Judgment.objects.order_by()
        .values_list("annotator", "state")
        .annotate(number=Count("pk"))
    }
    sent = {
        annotator: rest
        for annotator, *rest in Revision.objects.order_by()
        .values_list("judgment__annotator")
        .annotate(Count("pk"), Sum("active_ms", default=0), Max("submitted_at"))
    }
    shown = dict(Showing.objects.order_by().values_list("annotator").annotate(Max("shown_at")))
    changed = []
    for annotator in Annotator.objects.only("pk"):
        for state in STATES:
            setattr(annotator, state, by_state.get((annotator.pk, state), 0))
        annotator.answers_sent, annotator.active_ms, annotator.answered_at = sent.get(annotator.pk, (0, 0, None))
        annotator.shown_at = shown.get(annotator.pk)
        changed.append(annotator)
    fields = [*STATES, "answers_sent", "active_ms", "answered_at", "shown_at"]
    Annotator.objects.bulk_update(changed, fields, batch_size=50)


def _hours(apps):
    Revision, AnsweredHour = (apps.get_model("annotate", name) for name in ("Revision", "AnsweredHour"))
    filled = Revision.objects.filter(
        judgment__state__in=FILLING,
        judgment__campaign__design__isnull=False,
        number=1,
        submitted_at__isnull=False,
    )
    before = Counter()
    rows = []
    for annotator, hour, number in (
        filled.annotate(hour=TruncHour("submitted_at", tzinfo=UTC))
        .order_by("judgment__annotator", "hour")
        .values_list("judgment__annotator", "hour")
        .annotate(number=Count("pk"))
    ):
        rows.append(AnsweredHour(annotator_id=annotator, hour=hour, filled_before=before[annotator]))
        before[annotator] += number
    AnsweredHour.objects.bulk_create(rows, batch_size=1000)


def _campaigns(apps):
    Campaign, Slot = (apps.get_model("annotate", name) for name in ("Campaign", "Slot"))
    for campaign, number in Slot.objects.order_by().values_list("campaign").annotate(Count("pk")):
        Campaign.objects.filter(pk=campaign).update(slot_count=number)


def _corpora(apps):
    Corpus, Sentence, InsertedError = (
        apps.get_model("annotate", name) for name in ("Corpus", "Sentence", "InsertedError")
    )
    for corpus in Corpus.objects.all():
        outputs = Sentence.objects.filter(corpus=corpus).order_by().annotate(distinct=Count("outputs"))
        distinct = Counter(outputs.values_list("distinct", flat=True))
        errors = InsertedError.objects.filter(
            production__sentence__corpus=corpus, production__system__is_whole=True
        )
        corpus.sentence_count = sum(distinct.values())
        corpus.distinct_outputs = [distinct[number] for number in range(max(distinct, default=-1) + 1)]
        corpus.error_counts = dict(errors.order_by().values_list("kind").annotate(Count("pk")))
        corpus.save(update_fields=["sentence_count", "distinct_outputs", "error_counts"])


class Migration(migrations.Migration):
    """The numbers that are kept from now on, of what is stored."""

    dependencies = [
        ("annotate", "0013_kept_numbers"),
    ]

    operations = [
        migrations.RunPython(count, migrations.RunPython.noop, elidable=True),
    ]
