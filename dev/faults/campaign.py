"""Campaigns for simulated annotators, and a comparison of stored with confirmed answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from django.db.models import Count

from annotate.campaigns.lifecycle import create_campaign, launch
from annotate.corpora.importing import plan_corpus, store_corpus
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.models import Campaign, Corpus, Design, Judgment, JudgmentState, Revision
from annotate.models.job_kinds import LAUNCH_CAMPAIGN
from dev.faults.services import wait_until
from formats import CorpusRecord, SentenceRecord
from jobs.models import JobState
from jobs.queue import queue

SENTENCES, OUTPUTS, ITEMS, BATCH = 200, 3, 1500, 10

_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Comparison of stored with confirmed answers.

    Attributes:
        confirmed: number of answers that the server confirmed.
        stored: number of stored answers.
        lost: number of confirmed answers that are not stored.
        doubled: number of answers stored more than once.
        over: number of items filled by more annotators than wanted.
    """

    confirmed: int
    stored: int
    lost: int
    doubled: int
    over: int


def store_sentences() -> Corpus:
    """A corpus for all campaigns."""
    systems = tuple(f"system-{number}" for number in range(OUTPUTS))
    sentences = tuple(
        SentenceRecord(
            f"Sentence {number} is what a learner of English has wrote .",
            {system: f"Sentence {number} is what {system} has written ." for system in systems},
            (),
            f"document-{number // 20}",
            "",
        )
        for number in range(SENTENCES)
    )
    record = CorpusRecord(sentences, systems, ())
    plan = plan_corpus(name="faults", language="en", record=record, roles={})
    return store_corpus(plan, progress=_unseen)


def open_campaign(corpus: Corpus, people: int) -> tuple[Campaign, list[str]]:
    """A running campaign, and a personal link for each of its annotators."""
    campaign = _draft(corpus)
    launch(campaign, progress=_unseen)
    names = [f"person-{number}" for number in range(people)]
    return campaign, [mint_personal_link(add_annotator(campaign, name=name)) for name in names]


def compare(campaign: Campaign, confirmed: set[str]) -> Comparison:
    """Compare confirmed answers with the database."""
    revisions = Revision.objects.filter(judgment__item__campaign=campaign)
    stored = [str(key) for key in revisions.values_list("submission_key", flat=True)]
    judgments = Judgment.objects.filter(item__campaign=campaign)
    complete = judgments.filter(state=JudgmentState.COMPLETE)
    filled = complete.values("item").annotate(number=Count("pk"))
    return Comparison(
        confirmed=len(confirmed),
        stored=len(set(stored)),
        lost=len(confirmed - set(stored)),
        doubled=len(stored) - len(set(stored)) + revisions.filter(number__gt=1).count(),
        over=filled.filter(number__gt=1).count(),
    )


class LaunchJob:
    """A campaign that a job worker launches: the job must end once, and create each slot once."""

    def __init__(self, corpus: Corpus) -> None:
        self._campaign = _draft(corpus)
        self._job = queue(
            kind=LAUNCH_CAMPAIGN,
            title="launch",
            parameters={"campaign": str(self._campaign.uuid)},
            owner=None,
        )

    def has_begun(self) -> bool:
        """Whether a worker has taken it."""
        return self._state() != JobState.QUEUED

    def trouble(self, seconds: float) -> str:
        """Wait for its end and return what is wrong with it, or nothing."""
        ended = wait_until(lambda: self._state() not in (JobState.QUEUED, JobState.RUNNING), seconds)
        if not ended:
            return f"The job has not ended within {seconds:g} s: it is {self._state()}."
        if self._state() != JobState.DONE:
            return f"The job is {self._state()}: {self._job.error}"
        slots = self._campaign.slots.count()
        return "" if slots == ITEMS else f"The job has made {slots} slots for {ITEMS} items."

    def _state(self) -> str:
        self._job.refresh_from_db()
        return self._job.state


def _draft(corpus: Corpus) -> Campaign:
    design = Design(
        items=ITEMS,
        sampling="uniform",
        with_replacement=True,
        outputs_per_screen=OUTPUTS,
        annotators_per_item=1,
        repeat_percent=0,
        batch_size=BATCH,
    )
    systems: Sequence[Any] = list(corpus.systems.all())
    return create_campaign(
        name=f"faults-{next(_numbers)}",
        corpus=corpus,
        protocol="relative-ranking",
        systems=systems,
        design=design,
    )


def _unseen(done: int) -> None:
    """Ignore progress."""
