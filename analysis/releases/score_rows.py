"""Metric scores of a release: of systems, and of outputs a sentence at a time."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from analysis.releases.text_rows import systems_of
from annotate.models import Campaign, OutputScore, Production, ScoreSet, SystemScore
from annotate.scores.queries import finished_sets
from core.progress import Progress

SENTENCES_AT_ONCE = 500

Row = tuple[object, ...]


def released_sets(campaigns: Sequence[Campaign]) -> Sequence[ScoreSet]:
    """The scores that analyses of the campaigns read, by name."""
    return sorted(finished_sets(campaigns[0].corpus), key=lambda each: (each.name, each.signature))


def system_score_rows(campaigns: Sequence[Campaign], sets: Sequence[ScoreSet]) -> Iterator[Row]:
    """The scores of the campaigns' systems in `tables.SYSTEM_SCORES`."""
    systems = list(systems_of(campaigns).values_list("pk", flat=True))
    for score_set in sets:
        scores = SystemScore.objects.filter(score_set=score_set, system__in=systems).order_by("system__name")
        for values in scores.values_list("system__name", "value", "low", "high", "scored"):
            yield score_set.name, score_set.signature or None, *values


def output_score_rows(
    campaigns: Sequence[Campaign], sets: Sequence[ScoreSet], progress: Progress
) -> Iterator[Row]:
    """The scores of the outputs of the campaigns' systems in `tables.OUTPUT_SCORES`."""
    systems = list(systems_of(campaigns).values_list("pk", flat=True))
    judged = set(
        Production.objects.filter(system__in=systems).order_by().values_list("output", flat=True).iterator()
    )
    progress.begin("Writing metric scores", total=len(sets))
    for score_set in sets:
        for first in range(0, campaigns[0].corpus.sentence_count, SENTENCES_AT_ONCE):
            some = (first, first + SENTENCES_AT_ONCE - 1)
            scores = OutputScore.objects.filter(score_set=score_set, position__range=some)
            rows = scores.order_by("position", "pk").values_list(
                "position", "output__digest", "score", "output"
            )
            for position, of_sentence in groupby(rows, key=itemgetter(0)):
                kept = sorted((digest, score) for _, digest, score, output in of_sentence if output in judged)
                for digest, score in kept:
                    yield score_set.name, score_set.signature or None, position, digest, score
            progress.step()
        progress.advance(1)
