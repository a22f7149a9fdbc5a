"""Further answers on the large corpus: references with edits, written corrections, judgments of validity."""

import json
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any

import numpy as np

CORRECTIONS, VALIDITY = "Corrections", "Validity"
WRITERS, SENTENCES_WRITTEN = 20, 10_000
JUDGES, OUTPUTS_JUDGED = 3, 100_000
EDITS = (
    (8, 10, "R:VERB:TENSE", "wrote"),
    (14, 15, "R:PREP", "of"),
    (22, 23, "R:VERB:SVA", "has"),
    (18, 19, "U:DET", ""),
)
"""Token spans of each sentence with their corrections; each annotator marks all but one."""
VERDICTS = ("yes", "no", "yes", "cannot-say", "no")


def store_answers() -> None:
    """Store both campaigns unless they are there: 200,000 corrections, 300,000 verdicts."""
    from annotate.models import Campaign, Corpus, ItemOutput, Output, Rating, Sentence
    from dev.benchmarks.bulk_rows import count_keys_on, store
    from dev.benchmarks.large_site.size import NAME

    if Campaign.objects.filter(name=VALIDITY).exists():
        return
    corpus = Corpus.objects.get(name=NAME)
    sentences = list(
        Sentence.objects.filter(corpus=corpus, position__lt=SENTENCES_WRITTEN)
        .order_by("position")
        .values_list("pk", "text")
    )
    written = [
        f"{text} {'.' * (person % 7)}" if person else str(text)
        for _, text in sentences
        for person in range(WRITERS)
    ]
    _campaign(
        corpus, CORRECTIONS, "correction", WRITERS, [key for key, _ in sentences], written, ["corrected"]
    )
    shown = list(
        Output.objects.filter(sentence__corpus=corpus)
        .order_by("pk")
        .values_list("pk", "sentence")[:OUTPUTS_JUDGED]
    )
    items, revisions = _campaign(
        corpus, VALIDITY, "validity", JUDGES, [sentence for _, sentence in shown], None, VERDICTS
    )
    outputs = store(
        ItemOutput,
        len(shown),
        item_id=list(items),
        output_id=[key for key, _ in shown],
        systems='["system-01"]',
    )
    store(
        Rating,
        len(revisions),
        revision_id=list(revisions),
        item_output_id=np.repeat(np.asarray(outputs), JUDGES).tolist(),
        position=0,
    )
    count_keys_on()


def store_references() -> None:
    """Replace the references of the corpus by those of two annotators who marked edits."""
    from annotate.models import Corpus, Reference
    from dev.benchmarks.bulk_rows import count_keys_on, store
    from dev.benchmarks.large_site.size import NAME

    corpus = Corpus.objects.get(name=NAME)
    sentences = list(corpus.sentences.order_by("position").values_list("pk", "text"))
    Reference.objects.filter(sentence__corpus=corpus).delete()
    for number in (0, 1):
        edits = [edit for place, edit in enumerate(EDITS) if place != number]
        store(
            Reference,
            len(sentences),
            sentence_id=[key for key, _ in sentences],
            annotator=str(number),
            text=[_edited(str(text), edits) for _, text in sentences],
            edits=json.dumps(
                [[start, end, kind, [text], "REQUIRED", "-NONE-"] for start, end, kind, text in edits]
            ),
        )
    count_keys_on()


def _edited(text: str, edits: Sequence[tuple[int, int, str, str]]) -> str:
    tokens = text.split(" ")
    for start, end, _, correction in sorted(edits, reverse=True):
        tokens[start:end] = correction.split()
    return " ".join(tokens)


def _campaign(
    corpus: Any,
    name: str,
    protocol: str,
    people: int,
    sentences: list[int],
    texts: list[str] | None,
    verdicts: tuple[str, ...] | list[str],
) -> tuple[range, range]:
    """A closed campaign in which everyone answered an item for each of these sentences; items and answers."""
    from annotate.models import Annotator, Campaign, Design, Item, Judgment, Revision
    from dev.benchmarks.bulk_rows import store

    campaign = Campaign.objects.create(
        name=name, corpus=corpus, protocol=protocol, state="closed", last_annotator_number=people
    )
    campaign.systems.set(corpus.systems.filter(role="system"))
    Design.objects.create(campaign=campaign, items=len(sentences), annotators_per_item=people)
    answers = people * len(sentences)
    annotators = store(
        Annotator,
        people,
        campaign_id=campaign.pk,
        number=list(range(1, people + 1)),
        name=[f"{protocol} {number}" for number in range(people)],
        answers_sent=len(sentences),
        complete=len(sentences),
    )
    items = store(
        Item,
        len(sentences),
        campaign_id=campaign.pk,
        number=list(range(len(sentences))),
        sentence_id=sentences,
    )
    judgments = store(
        Judgment,
        answers,
        campaign_id=campaign.pk,
        item_id=np.repeat(np.asarray(items), people).tolist(),
        annotator_id=list(annotators) * len(sentences),
        repetition=list(range(people)) * len(sentences),
        state="complete",
    )
    of_texts = {} if texts is None else {"text": texts, "further_texts": "[]"}
    revisions = store(
        Revision,
        answers,
        judgment_id=list(judgments),
        started_at="2026-02-01 00:00:00",
        submitted_at="2026-02-01 00:01:00",
        active_ms=30_000,
        verdict=list(islice(cycle(verdicts), answers)),
        **of_texts,
    )
    return items, revisions
