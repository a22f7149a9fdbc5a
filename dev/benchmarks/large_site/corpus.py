"""The corpus: sentences, outputs, references, controls."""

from hashlib import sha256
from typing import Any

import numpy as np

from dev.benchmarks.large_site.edits import store_edits
from dev.benchmarks.large_site.size import NAME, OUTPUTS, Size

SENTENCES_IN_A_DOCUMENT = 20
SYSTEMS = tuple(f"system-{number:02}" for number in range(1, 11))
SOURCE, CONTROL = "INPUT", "CONTROL"
SENTENCES_AT_ONCE = 50_000
SCORES_AT_ONCE = 100_000


def store_corpus(size: Size) -> None:
    from annotate.models import Corpus, InsertedError, Output, Production, Reference, Sentence, System
    from dev.benchmarks.bulk_rows import store

    corpus = Corpus.objects.create(name=NAME, language="en", state="ready", digest="made up")
    systems = [
        System.objects.create(corpus=corpus, name=name, role=role).pk
        for name, role in ((SOURCE, "source"), (CONTROL, "control"), *((name, "system") for name in SYSTEMS))
    ]
    for begin in range(0, size.sentences, SENTENCES_AT_ONCE):
        positions = np.arange(begin, min(begin + SENTENCES_AT_ONCE, size.sentences))
        texts = [_text(position) for position in positions.tolist()]
        documents = (positions // SENTENCES_IN_A_DOCUMENT).tolist()
        sentences = store(
            Sentence,
            len(positions),
            corpus_id=corpus.pk,
            position=positions.tolist(),
            document=[f"document-{number:05}" for number in documents],
            domain=[f"domain-{number % 5}" for number in documents],
            text=texts,
        )
        references = store(
            Reference,
            len(positions),
            sentence_id=sentences,
            annotator="0",
            text=[f"{text} !" for text in texts],
        )
        distinct = output_counts(positions)
        versions = [
            text if version == 0 else _version(text, version)
            for text, number in zip(texts, distinct.tolist(), strict=True)
            for version in range(number)
        ]
        outputs = store(
            Output,
            len(versions),
            sentence_id=np.repeat(np.asarray(sentences), distinct).tolist(),
            text=versions,
            digest=[sha256(text.encode()).hexdigest() for text in versions],
        )
        numbers = np.concatenate([np.arange(number) for number in distinct.tolist()])
        store_edits(sentences, references, np.asarray(outputs), numbers)
        firsts = np.cumsum(distinct) - distinct + outputs[0]
        made = made_by(positions)
        productions = store(
            Production,
            made.size,
            system_id=systems * len(positions),
            output_id=(made + firsts[:, None]).ravel().tolist(),
            sentence_id=np.repeat(np.asarray(sentences), made.shape[1]).tolist(),
        )
        store(
            InsertedError,
            len(positions),
            production_id=productions[1 :: made.shape[1]],
            kind=[("article", "preposition", "noun-number", "spelling")[number % 4] for number in documents],
            start=0,
            end=8,
            replacement="Sentense",
        )


def store_scores() -> None:
    """Scores of all outputs and systems by one metric; every tenth output has the same score."""
    from annotate.models import Corpus, Output, OutputScore, ScoreSet, SystemScore
    from dev.benchmarks.bulk_rows import store

    corpus = Corpus.objects.get(name=NAME)
    scores = ScoreSet.objects.create(
        corpus=corpus, name="gleu", metric="gleu", signature="made up", references="1"
    )
    outputs = Output.objects.filter(sentence__corpus=corpus).order_by("pk")
    keys = list(outputs.values_list("pk", "sentence__position"))
    for begin in range(0, len(keys), SCORES_AT_ONCE):
        some = keys[begin : begin + SCORES_AT_ONCE]
        store(
            OutputScore,
            len(some),
            score_set_id=scores.pk,
            output_id=[key for key, _ in some],
            position=[position for _, position in some],
            score=[(key * 37 % 1000) / 1000 if key % 10 else 0.5 for key, _ in some],
            reason="",
        )
    for system in corpus.systems.all():
        SystemScore.objects.create(score_set=scores, system=system, value=0.5, low=0.4, high=0.6)


def sentence_of(item: Any) -> Any:
    """Position of the sentence of an item: every tenth sentence is judged."""
    return 10 * item


def output_counts(position: Any) -> Any:
    """Number of distinct outputs of a sentence; at least five if it is judged."""
    return np.where(position % 10 == 0, OUTPUTS + position // 10 % 4, 3 + position % 7)


def made_by(positions: Any) -> Any:
    """The output of each system, counted from 0: rows are sentences; columns are source, control and systems.

    Output 0 is the source's, 1 is only the control's; each other output has at least one system.
    """
    systems = np.arange(len(SYSTEMS))[None, :]
    others = (output_counts(positions) - 2)[:, None]
    drawn = (positions[:, None] * 7 + systems * systems * 13 + systems) % others
    made = np.where(systems < others, systems, drawn) + 2
    made[:, -1] = np.where((positions % 3 == 0) & (others[:, 0] < len(SYSTEMS)), 0, made[:, -1])
    return np.column_stack([np.zeros(len(positions), int), np.ones(len(positions), int), made])


def _text(position: int) -> str:
    return (
        f"Sentence {position} is what a learner of English has wrote yesterday in the evening about a "
        "journey to the mountains which she have made ."
    )


def _version(text: str, version: int) -> str:
    return text.replace("has wrote", ("has write", "wrote", "has written")[version % 3]) + " ." * version
