"""Removes a system from a corpus."""

from annotate.database.corpus_counts import COUNTED_FIELDS, count_corpus
from annotate.models import Output, Production, System


def remove_system(system: System) -> None:
    """Delete a system that no campaign has, with the outputs that no other system wrote.

    Part of the caller's transaction.
    """
    corpus = system.corpus
    outputs = list(Production.every.filter(system=system).values_list("output", flat=True))
    system.delete()
    Output.objects.filter(pk__in=outputs, productions=None, item_outputs=None).delete()
    count_corpus(corpus)
    corpus.save(update_fields=COUNTED_FIELDS)
