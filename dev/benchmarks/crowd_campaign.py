"""A simulated crowd in a real campaign: it is launched, and its workers answer.

`python -m dev.benchmarks.simulated_crowd` runs it in a separate process, with a new SQLite file.
"""

from collections.abc import Sequence
from uuid import uuid4

import numpy as np
from django.core.management import call_command

from annotate.campaigns.lifecycle import create_campaign, launch
from annotate.corpora.importing import plan_corpus, store_corpus
from annotate.design.protocols import Answer, PartialRankingWithScalars, RatingValue
from annotate.judging.handout import Submission, give_next_showing, shown_outputs, submit
from annotate.judgments.queries import snapshot
from annotate.models import Annotator, Campaign, Design, Showing
from dev.benchmarks.simulated_crowd import (
    JUDGES_PER_SCREEN,
    OUTPUTS_PER_SCREEN,
    ROLES,
    SYSTEMS,
    Corpus,
    Outcome,
    Worker,
    evaluate,
    make_corpus,
    make_workers,
)
from formats import CorpusRecord, SentenceRecord

SECONDS_A_SCREEN = 20


def launched(corpus: Corpus, seed: int) -> Campaign:
    """A campaign with sliders over all outputs of a corpus, each screen for this many different workers."""
    records = tuple(
        SentenceRecord(
            f"Sentence {number} .",
            {name: _text(number, systems) for systems in outputs.values() for name in systems},
            (),
            "",
            "",
        )
        for number, outputs in enumerate(corpus.outputs)
    )
    names = (*ROLES, *SYSTEMS)
    stored = store_corpus(
        plan_corpus(name="crowd", language="en", record=CorpusRecord(records, names, ()), roles=ROLES),
        progress=_unseen,
    )
    campaign = create_campaign(
        name="crowd",
        corpus=stored,
        protocol=PartialRankingWithScalars.name,
        systems=list(stored.systems.all()),
        design=Design(
            items=len(records),
            sampling="uniform",
            covers_outputs=True,
            outputs_per_screen=OUTPUTS_PER_SCREEN,
            annotators_per_item=JUDGES_PER_SCREEN,
            shared_percent=100,
            repeat_percent=0,
        ),
    )
    launch(campaign, progress=_unseen, secret=str(seed))
    return campaign


def work(campaign: Campaign, corpus: Corpus, workers: Sequence[Worker], seed: int) -> None:
    """Let the workers answer in turns, one screen each, until nothing is left for anyone."""
    rng = np.random.default_rng([seed, 2])
    at_work = [(worker, Annotator.objects.create(campaign=campaign, name=worker.name)) for worker in workers]
    while at_work:
        at_work = [
            (worker, annotator)
            for worker, annotator in at_work
            if (showing := give_next_showing(annotator)) is not None and _answer(showing, worker, corpus, rng)
        ]


def _answer(showing: Showing, worker: Worker, corpus: Corpus, rng: np.random.Generator) -> bool:
    sentence = showing.slot.item.sentence.position
    qualities = dict(zip(corpus.outputs[sentence].values(), corpus.qualities[sentence], strict=True))
    values = np.array([qualities[tuple(output.systems)] for output in shown_outputs(showing)])
    ratings = [
        RatingValue(score=score, meaning_changed=False, touched=True) for score in worker.scores(values, rng)
    ]
    submission = Submission(uuid4(), active_ms=1000 * SECONDS_A_SCREEN)
    submit(showing.annotator, showing.uuid, lambda outputs: Answer(tuple(ratings)), submission)
    return True


def _text(sentence: int, systems: Sequence[str]) -> str:
    return (
        f"Sentence {sentence} ." if "source" in systems else f"Sentence {sentence} by {' '.join(systems)} ."
    )


def _unseen(done: int) -> None:
    """Ignore progress."""


def outcome(seed: int) -> Outcome:
    """One crowd on one corpus, as `simulate`, in an empty database."""
    call_command("migrate", verbosity=0)
    rng = np.random.default_rng([seed, 0])
    workers, corpus = make_workers(rng), make_corpus(rng)
    campaign = launched(corpus, seed)
    work(campaign, corpus, workers, seed)
    return evaluate(snapshot(campaign, names=True), corpus.truth(), workers)
