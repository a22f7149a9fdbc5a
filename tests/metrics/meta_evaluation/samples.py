"""Small sets of judgments and metric scores for the tests."""

from dataclasses import fields, replace

import numpy as np
import pandas as pd

from core.arrays import FloatArray
from metrics.meta_evaluation import (
    JudgedPairs,
    MetricsAndPeople,
    MetricScores,
    people,
    scores_of_sentences,
)
from tests.ranking.frames import snapshot

SYSTEMS = ("A", "B", "C", "D")
SENTENCES = 24


def scored_snapshot(*ratings: tuple[str, int, str, float]) -> pd.DataFrame:
    """A snapshot of ratings (annotator, sentence, the systems of an output, score), one a judgment."""
    rows = [
        {
            "judgment": f"judgment {number}",
            "annotator": annotator,
            "sentence": sentence,
            "output": systems,
            "systems": tuple(systems.split()),
            "score": score,
        }
        for number, (annotator, sentence, systems, score) in enumerate(ratings)
    ]
    return pd.DataFrame(rows).astype({"score": "Int16"})


def rankings(sentences: int = SENTENCES) -> pd.DataFrame:
    """Two judges rank four systems, A mostly before B, before C, before D, with noise of a fixed seed."""
    rng = np.random.default_rng(5)
    judgments = []
    for sentence in range(sentences):
        for judge in ("anna", "ben"):
            quality = rng.normal(loc=[2.0, 1.2, 0.6, 0.0])
            order = [SYSTEMS[place] for place in np.argsort(-quality)]
            judgments.append((judge, sentence, " > ".join(order)))
    return snapshot(*judgments)


def metric_like_people(name: str, noise: float, seed: int, sentences: int = SENTENCES) -> MetricScores:
    """Scores of sentences that follow the quality of the systems, more or less."""
    rng = np.random.default_rng(seed)
    scores = np.array([0.8, 0.6, 0.5, 0.3]) + rng.normal(scale=noise, size=(sentences, 4))
    return scores_of_sentences(name, scores)


def both(*metrics: MetricScores, judged: pd.DataFrame | None = None) -> MetricsAndPeople:
    """The rankings above with metrics; a careful and a careless one unless others are given."""
    chosen = metrics or (metric_like_people("careful", 0.1, 1), metric_like_people("careless", 1.5, 2))
    return MetricsAndPeople(people(rankings() if judged is None else judged, SENTENCES), tuple(chosen))


def sentences_of(scores: FloatArray) -> FloatArray:
    """These scores repeated for each sentence, shape (n, S)."""
    return np.tile(scores, (SENTENCES, 1))


def judged_many_times(data: MetricsAndPeople, pairs: int) -> MetricsAndPeople:
    """The data with the judgments repeated until there are nearly so many pairs."""
    judged = data.people.judged
    times = pairs // len(judged.outcome)
    tiled = {field.name: np.tile(getattr(judged, field.name), times) for field in fields(JudgedPairs)}
    return replace(data, people=replace(data.people, judged=JudgedPairs(**tiled)))
