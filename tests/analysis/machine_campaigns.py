"""Imported campaigns in which people judge some sentences, and a machine all of them."""

from dataclasses import replace
from random import Random

from annotate.models import Campaign, Corpus
from formats import SentenceRecord
from formats.records import RankingRecord
from tests.annotate.samples import ranking, sentence, small_campaign, small_corpus

GPT = {"model": "gpt-4o", "version": "2024-08-06"}
EDITS = {"model": "edits"}
JUDGES = ("Annabel", "Benedikt")
"""Names so long that no random token holds one by chance."""

SYSTEMS = ("Alder", "Birch", "Cedar", "INPUT")
LUCK = (0.9, 0.5, 0.3, 0.0)


def sentences(number: int) -> list[SentenceRecord]:
    """Sentences, each with another output of each system."""
    return [
        sentence(
            f"It be number {place} .",
            *(f"It {verb} number {place} ." for verb in ("is", "was", "were")),
            domain="mail" if place % 2 else "news",
        )
        for place in range(number)
    ]


def rankings(number: int, *, by_people: int) -> list[RankingRecord]:
    """People judge the first sentences, machines all of them: one like people, one the other way round."""
    rng = Random(5)  # noqa: S311 - nothing is secret
    records = []
    for place in range(number):
        quality = {name: luck + rng.gauss(0, 1) for name, luck in zip(SYSTEMS, LUCK, strict=True)}

        def seen(
            judge: str, sign: int, quality: dict[str, float] = quality, place: int = place
        ) -> RankingRecord:
            noted = {name: sign * value + rng.gauss(0, 0.4) for name, value in quality.items()}
            return ranking(judge, place, " > ".join(sorted(noted, key=noted.__getitem__, reverse=True)))

        if place < by_people:
            records.append(seen(JUDGES[place % 2], 1))
        records.append(replace(seen("machine-a", 1), machine=GPT))
        records.append(replace(seen("machine-b", -1), machine=EDITS))
    return records


def corpus_for_machines(number: int = 80, name: str = "of machines") -> Corpus:
    """The corpus of these sentences."""
    return small_corpus(name, sentences=sentences(number))


def campaign_with_machines(
    corpus: Corpus, name: str = "with machines", *, by_people: int = 40, number: int = 80
) -> Campaign:
    """The campaign of these rankings."""
    return small_campaign(corpus, name, rankings=rankings(number, by_people=by_people))
