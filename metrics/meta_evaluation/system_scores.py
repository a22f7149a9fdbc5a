"""Scores of systems by people and by metrics, with resamples of sentences that both share."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.resampling import sentence_draws
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.human_judgments import HumanScore


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """Scores of the systems by people and by K metrics, on the compared sentences and on B resamples of them.

    Attributes:
        sentences: shape (m,), numbers of the sentences that metrics score.
        human_sentences: shape (m, S), the human score of each system in each of these sentences; NaN where
            there is none.
        human: shape (S,); NaN where a system has no human score.
        metrics: shape (K, S); NaN where a metric does not score a system.
        human_replicates: shape (B, S).
        metric_replicates: shape (K, B, S).
        faults: of each metric, why it has no scores of systems, in words; None where it may have.
    """

    sentences: IntArray
    human_sentences: FloatArray
    human: FloatArray
    metrics: FloatArray
    human_replicates: FloatArray
    metric_replicates: FloatArray
    faults: tuple[str | None, ...]

    def of(self, places: Sequence[int]) -> "SystemScores":
        """Scores of the systems at these indices, in this order."""
        chosen = list(places)
        return SystemScores(
            sentences=self.sentences,
            human_sentences=self.human_sentences[:, chosen],
            human=self.human[chosen],
            metrics=self.metrics[:, chosen],
            human_replicates=self.human_replicates[:, chosen],
            metric_replicates=self.metric_replicates[:, :, chosen],
            faults=self.faults,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Replicates:
    """Scores of the systems in some resamples.

    Attributes:
        human: shape (B, S).
        metrics: shape (K, B, S).
    """

    human: FloatArray
    metrics: FloatArray


class ResampledScores:
    """Scores of people and metrics, on the compared sentences and on resamples of them that both share."""

    def __init__(
        self, data: MetricsAndPeople, human: HumanScore, *, whole_set: bool = False, threads: int = 1
    ) -> None:
        """Raises `InputError` if nothing was judged, `SnapshotError` for z-scores of rankings."""
        self._metrics = data.metrics
        self._sentences = data.compared_sentences(whole_set=whole_set)
        self._human_sentences = data.people.sentence_scores(human)[self._sentences]
        self._of_people = data.people.scores_of_draws(human, threads=threads)

    def draw(self, replicates: range, seed: int, *, progress: Advance | None = None) -> Replicates:
        """Some replicates; replicate r is the same in any range.

        `progress` gets the number of replicates finished.
        """
        human, metrics = [], []
        for draws in sentence_draws(len(self._sentences), replicates, seed):
            drawn = self._sentences[draws]
            human.append(self._of_people(drawn))
            metrics.append(np.stack([metric.of_draws(drawn) for metric in self._metrics]))
            if progress is not None:
                progress(len(draws))
        return Replicates(np.concatenate(human), np.concatenate(metrics, axis=1))

    def scores(self, parts: Sequence[Replicates]) -> SystemScores:
        """The scores, with the replicates of these parts in their order."""
        every = self._sentences[None]
        human = self._of_people(every)
        metrics = np.stack([metric.of_draws(every) for metric in self._metrics])
        return SystemScores(
            sentences=self._sentences,
            human_sentences=self._human_sentences,
            human=human[0],
            metrics=metrics[:, 0],
            human_replicates=np.concatenate([human[:0], *(part.human for part in parts)]),
            metric_replicates=np.concatenate([metrics[:, :0], *(part.metrics for part in parts)], axis=1),
            faults=tuple(metric.fault for metric in self._metrics),
        )


def system_scores(
    data: MetricsAndPeople,
    human: HumanScore,
    *,
    whole_set: bool = False,
    replicates: int = 1000,
    seed: int = 0,
    threads: int = 1,
    progress: Advance | None = None,
) -> SystemScores:
    """Scores of people and metrics, with resamples of sentences that both share.

    In each replicate as many sentences are drawn with replacement as are compared; the judgments of these
    sentences are scored anew, and so are the outputs by each metric, from statistics. Replicate r is the same
    for any number of workers. `progress` gets the number of replicates finished.

    Raises:
        InputError: nothing was judged.
        SnapshotError: z-scores of rankings.
    """
    resampled = ResampledScores(data, human, whole_set=whole_set, threads=threads)
    drawn = [resampled.draw(range(replicates), seed, progress=progress)] if replicates else []
    return resampled.scores(drawn)


def judged_anew(
    scores: SystemScores,
    systems: Sequence[str],
    data: MetricsAndPeople,
    human: HumanScore,
    *,
    whole_set: bool = False,
    replicates: int = 1000,
    seed: int = 0,
    threads: int = 1,
) -> SystemScores:
    """Scores of some systems whose judgments among themselves alone count, as `system_scores` has them.

    Metrics are not resampled again where the same sentences are compared, which takes most of the time.

    Args:
        scores: of all systems, with the same replicates and seed.
        systems: the names of all systems, in the order of `scores`.
        data: the same metrics, and the judgments of some of these systems without the others.
        human: as of `scores`, as is what follows.
        whole_set: whether metrics score the sentences, too, that nobody judged.
        replicates: how many there are.
        seed: of the resamples.
        threads: how many score the judgments.

    Raises:
        InputError: nothing was judged.
    """
    sentences = data.compared_sentences(whole_set=whole_set)
    if not np.array_equal(sentences, scores.sentences):
        return system_scores(
            data, human, whole_set=whole_set, replicates=replicates, seed=seed, threads=threads
        )
    of_people = data.people.scores_of_draws(human, threads=threads)
    observed = of_people(sentences[None])
    drawn = [of_people(sentences[draws]) for draws in sentence_draws(len(sentences), range(replicates), seed)]
    return replace(
        scores.of([systems.index(system) for system in data.systems]),
        human_sentences=data.people.sentence_scores(human)[sentences],
        human=observed[0],
        human_replicates=np.concatenate([observed[:0], *drawn]),
    )
