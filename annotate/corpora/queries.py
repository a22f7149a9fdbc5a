"""Reads of corpora, shared by pages, commands and the API."""

from django.db.models import Count, QuerySet

from annotate.models import (
    Corpus,
    InsertedError,
    Production,
    SystemRole,
)
from formats.resolution import Texts


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


def source_name(corpus: Corpus) -> str | None:
    """The system that leaves each sentence as it is; None where the corpus has none."""
    return corpus.systems.filter(role=SystemRole.SOURCE).values_list("name", flat=True).first()
