"""A small corpus with systems of known quality, and people who see it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.arrays import FloatArray
from metrics import Annotation, EvaluationSet, GoldEdit, metric_from_text, score
from metrics.learned.gmeg import Domain
from metrics.meta_evaluation import scores_of_metric
from metrics.meta_evaluation.judged_pairs import JudgedPairs
from metrics.meta_evaluation.output_statistics import statistics_of_metric

SYSTEMS = ("best", "good", "bad", "worst")
RIGHT = (0.9, 0.7, 0.4, 0.2)
WRONG = (0.02, 0.05, 0.1, 0.2)
METRICS = ("chrf", "m2", "imeasure", "gleu:iterations=5", "chargleu:iterations=5")


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Sentences with outputs and human scores.

    Attributes:
        data: sources, references, gold edits, and a checker that counts mistakes.
        outputs: by system.
        human: shape (n, S).
    """

    data: EvaluationSet
    outputs: dict[str, list[str]]
    human: FloatArray

    def domain(self, name: str = "demo", metrics: tuple[str, ...] = METRICS) -> Domain:
        """A domain that GMEG-Metric can learn from; the metrics are rivals as well."""
        scored = [score(metric_from_text(each), self.data, self.outputs) for each in metrics]
        return Domain(
            name,
            SYSTEMS,
            self.human,
            tuple(statistics_of_metric(each, SYSTEMS) for each in scored),
            tuple(scores_of_metric(each.metric.name, each, SYSTEMS) for each in scored),
        )

    def judged(self, seed: int = 0) -> JudgedPairs:
        """Two judges order all pairs of different outputs, by the human score with noise."""
        rng = np.random.default_rng(seed)
        rows = [
            (sentence, judge, first, second, np.sign(lead + rng.normal(scale=5)))
            for sentence in range(len(self.human))
            for judge in range(2)
            for first in range(4)
            for second in range(first + 1, 4)
            for lead in [self.human[sentence, first] - self.human[sentence, second]]
            if self.outputs[SYSTEMS[first]][sentence] != self.outputs[SYSTEMS[second]][sentence]
        ]
        columns = np.array(rows).T
        ranks = np.ones(len(rows), dtype=np.int16)
        sentence, judge, first, second = columns[:4].astype(np.int64)
        return JudgedPairs(sentence, judge, first, second, columns[4].astype(np.int8), ranks, ranks)


class Mistakes:
    """A checker that knows the words that are wrong."""

    signature = "mistakes-1"

    def check(self, texts: Any) -> list[dict[str, int]]:
        found = []
        for text in texts:
            counts = {"WRONG": text.count("x"), "WORSE": text.count("z")}
            found.append({rule: number for rule, number in counts.items() if number})
        return found


def sample(sentences: int = 60, seed: int = 0) -> Sample:
    """Every word with an x is wrong and has one correction; systems also spoil words, with a z."""
    rng = np.random.default_rng(seed)
    sources, references, annotations = [], [], []
    outputs: dict[str, list[str]] = {system: [] for system in SYSTEMS}
    human = np.empty((sentences, len(SYSTEMS)))
    for sentence in range(sentences):
        right = [f"w{word}" for word in rng.integers(30, size=rng.integers(6, 14)).tolist()]
        wrong = rng.random(len(right)) < 0.3
        wrong[rng.integers(len(right))] = True
        source = [f"{word}x" if is_wrong else word for word, is_wrong in zip(right, wrong, strict=True)]
        sources.append(" ".join(source))
        references.append((" ".join(right), " ".join([*right[:-1], f"{right[-1]}y"])))
        edits = tuple(
            GoldEdit(place, place + 1, (right[place],), "R:SPELL") for place in np.flatnonzero(wrong).tolist()
        )
        annotations.append((Annotation("0", edits), Annotation("1", edits[:1])))
        for place, system in enumerate(SYSTEMS):
            corrects = rng.random(len(right)) < RIGHT[place]
            spoils = rng.random(len(right)) < WRONG[place]
            words = [
                f"{word}z" if spoilt else (good if corrected else word)
                for word, good, corrected, spoilt in zip(source, right, corrects, spoils, strict=True)
            ]
            outputs[system].append(" ".join(words))
            solved = np.mean([word == good for word, good in zip(words, right, strict=True)])
            human[sentence, place] = 100 * solved + rng.normal(scale=4)
    data = EvaluationSet(tuple(sources), tuple(references), tuple(annotations), checker=Mistakes())
    return Sample(data, outputs, human)
