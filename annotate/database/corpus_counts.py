"""Counts of a corpus for pages, made once, when the corpus is complete."""

from collections import Counter

from django.db.models import Count, Q

from annotate.models import Corpus, InsertedError

COUNTED_FIELDS = ("sentence_count", "distinct_outputs", "error_counts")


def count_corpus(corpus: Corpus) -> None:
    """Recount sentences, distinct outputs and inserted errors; the caller saves the `COUNTED_FIELDS`."""
    outputs = Count("outputs")
    if corpus.withdrawn.exists():
        shown = Q(outputs__productions__system__withdrawn_at=None)
        outputs = Count("outputs", filter=shown, distinct=True)
    distinct = Counter(corpus.sentences.annotate(distinct=outputs).values_list("distinct", flat=True))
    errors = InsertedError.objects.filter(production__sentence__corpus=corpus).order_by().values("kind")
    corpus.sentence_count = distinct.total()
    corpus.distinct_outputs = [distinct[number] for number in range(max(distinct, default=-1) + 1)]
    corpus.error_counts = dict(errors.annotate(number=Count("pk")).values_list("kind", "number"))
