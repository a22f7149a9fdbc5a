"""Corpora by name, for commands."""

from django.core.management.base import CommandError

from annotate.models import Corpus
from annotate.models.listed import corpora


def corpus_named(name: str) -> Corpus:
    """A finished corpus with texts.

    Raises:
        CommandError: there is none; the message lists those there are.
    """
    try:
        return corpora().get(name=name)
    except Corpus.DoesNotExist as error:
        names = ", ".join(corpora().values_list("name", flat=True)) or "none"
        raise CommandError(f"There is no corpus {name!r}. Corpora are: {names}.") from error
