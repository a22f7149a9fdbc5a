"""Helpers for scoring: small corpora, and a record of progress reports."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.test import Client

from annotate.models import Corpus, ScoreSet
from annotate.scores.scoring import ScoredCorpus, score_corpus
from core.progress import Progress
from formats import Edit, Reference, SentenceRecord
from metrics import metric_from_text
from tests.annotate.samples import sentence, small_corpus

GOES = Reference("0", "She goes home .", (Edit(1, 2, "R:VERB:SVA", ("goes",), "REQUIRED", ""),))
CATS = Reference("0", "I have two cats .", (Edit(1, 2, "R:VERB:SVA", ("have",), "REQUIRED", ""),))
FINE = Reference("0", "It is fine .", ())

EDITED: Sequence[SentenceRecord] = (
    sentence(
        "She go home .",
        "She goes home .",
        "She goes home .",
        "She went home .",
        references=[GOES],
        document="letter",
    ),
    sentence(
        "I has two cats .", "I have two cats .", "I has two cat .", "", references=[CATS], document="letter"
    ),
    sentence(
        "It is fine .", "It is fine .", "It was fine .", "It is fine .", references=[FINE], document="letter"
    ),
)
"""Three sentences of a document with the gold edits of one annotator, and 3, 4 and 2 distinct outputs."""


@dataclass
class Told(Progress):
    """Notes the steps that it is told of, and how many parts of each were done."""

    steps: list[str] = field(default_factory=list)
    done: int = 0

    def begin(self, step: str, *, total: int = 0) -> None:
        self.steps.append(step)

    def advance(self, parts: int) -> None:
        self.done += parts


def edited_corpus(name: str = "edited", *, language: str = "en") -> Corpus:
    """A corpus of `EDITED`."""
    return small_corpus(name, language=language, sentences=EDITED)


def scored(corpus: Corpus, *metrics: str) -> ScoredCorpus:
    """The corpus scored by metrics as they are written on a command line."""
    return score_corpus(
        corpus=corpus, metrics=[metric_from_text(text) for text in metrics], by=None, steps=Told()
    )


def scores_of(corpus: Corpus, metric: str) -> ScoreSet:
    """The scores of a corpus by one metric."""
    [score_set] = scored(corpus, metric).sets
    return score_set


def values_of(score_set: ScoreSet) -> dict[str, float | None]:
    """Scores of systems by name."""
    return dict(score_set.system_scores.order_by("system__name").values_list("system__name", "value"))


def address(corpus: Corpus) -> str:
    """The page of its scores."""
    return f"/corpora/{corpus.uuid}/scores/"


def page(client: Client, path: str) -> str:
    """The text of a page that is there."""
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()
