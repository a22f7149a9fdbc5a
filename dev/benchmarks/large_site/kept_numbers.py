"""The counts that the program updates with each answer."""

from collections import Counter
from datetime import UTC
from typing import Any

from dev.benchmarks.large_site.size import NAME


def store_kept_numbers() -> None:
    """Store the counts that the program updates with each answer."""
    from django.db.models import Count, Max, Q, Sum
    from django.db.models.functions import TruncHour

    from annotate.database.corpus_counts import COUNTED_FIELDS, count_corpus
    from annotate.models import Annotator, AnsweredHour, Campaign, Corpus, Judgment, JudgmentState, Revision
    from dev.benchmarks.bulk_rows import store

    corpus = Corpus.objects.get()
    count_corpus(corpus)
    corpus.save(update_fields=COUNTED_FIELDS)
    campaign = Campaign.objects.get(name=NAME)
    Campaign.objects.filter(pk=campaign.pk).update(slot_count=campaign.slots.count())
    counts: list[tuple[str, Any]] = [
        (
            "annotator",
            Judgment.objects.order_by()
            .values("annotator")
            .annotate(**{state: Count("pk", filter=Q(state=state)) for state in JudgmentState.values}),
        ),
        (
            "judgment__annotator",
            Revision.objects.order_by()
            .values("judgment__annotator")
            .annotate(answers_sent=Count("pk"), active_ms=Sum("active_ms"), answered_at=Max("submitted_at")),
        ),
    ]
    for name, rows in counts:
        for row in rows:
            Annotator.objects.filter(pk=row.pop(name)).update(**row)
    hours: list[tuple[int, str, int]] = []
    before: Counter[int] = Counter()
    first = Revision.objects.filter(number=1, judgment__state=JudgmentState.COMPLETE)
    for annotator, hour, number in (
        first.annotate(hour=TruncHour("submitted_at", tzinfo=UTC))
        .order_by("judgment__annotator", "hour")
        .values_list("judgment__annotator", "hour")
        .annotate(number=Count("pk"))
    ):
        hours.append((annotator, f"{hour:%Y-%m-%d %H:%M:%S}", before[annotator]))
        before[annotator] += number
    annotators, begins, counts = (list(column) for column in zip(*hours, strict=True))
    store(AnsweredHour, len(hours), annotator_id=annotators, hour=begins, filled_before=counts)
