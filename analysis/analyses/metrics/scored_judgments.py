"""Judgments with metric scores of the same outputs, and reading them from files."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path

import numpy as np

from analysis.analyses.analysis_inputs import DIGITS_OF_DIGEST
from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.metrics.metric_scores import Evaluation
from assay import __version__
from core.arrays import FloatArray, IntArray
from core.later import pd
from core.progress import Advance
from formats import FormatError, read_judgments
from formats.digests import content_digest
from formats.metric_scores import GivenScores
from formats.snapshot.resolution import resolve
from formats.snapshot.snapshots import frame_of_judgments
from formats.text.natural import TextRules
from metrics import AnyMetric, EvaluationSet, InputError, Scored, score
from metrics.meta_evaluation import (
    MetricsAndPeople,
    MetricScores,
    people,
    scores_of_metric,
    scores_of_part,
    scores_of_sentences,
    scores_of_systems,
    together,
)
from metrics.meta_evaluation.output_statistics import NOT_SCORED
from metrics.meta_evaluation.stress import StressCard
from ranking import without_systems
from ranking.judgments.snapshot import of_sentences, system_names
from ranking.machines import output_edits
from ranking.machines.baselines import MOST_EDITS

OTHER_COUNT = "does the file count its sentences from another number (--first-sentence)?"


NO_JUDGED_DOMAIN = "No judged sentence has a domain. Import the corpus with domains."


@dataclass(frozen=True, slots=True, eq=False)
class JudgedTexts:
    """The texts that were judged.

    Attributes:
        data: sources with references and gold edits, as far as there are any, and a grammar checker if the
            texts are English.
        outputs: by system, one text for each sentence; "" for a sentence without one.
        rules: how people write these texts; None if they are not tokenised.
    """

    data: EvaluationSet
    outputs: Mapping[str, Sequence[str]]
    rules: TextRules | None = None

    @property
    def digest(self) -> str:
        """SHA-256 of sources, references and outputs, in hexadecimal."""
        references = [list(each) for each in self.data.references or ()]
        outputs = {system: list(map(str, texts)) for system, texts in self.outputs.items()}
        return content_digest([list(self.data.sources), references, outputs])

    def of(self, sentences: IntArray) -> JudgedTexts:
        """These sentences alone."""
        outputs = {
            system: [texts[sentence] for sentence in sentences] for system, texts in self.outputs.items()
        }
        return replace(self, data=self.data.of(sentences.tolist()), outputs=outputs)


@dataclass(frozen=True, slots=True, eq=False)
class ReadInTurn:
    """Metrics that are read whenever somebody iterates over them, so that memory holds one after the other.

    Attributes:
        readers: reads each metric.
    """

    readers: Sequence[Callable[[], MetricScores]]

    def __iter__(self) -> Iterator[MetricScores]:
        """The metrics in order."""
        return (read() for read in self.readers)


@dataclass(frozen=True, slots=True, eq=False)
class PartOfEach:
    """Metrics on some sentences, which are read whenever somebody iterates over them.

    Attributes:
        metrics: on all sentences.
        sentences: the numbers of those that count, ascending.
    """

    metrics: Iterable[MetricScores]
    sentences: IntArray

    def __iter__(self) -> Iterator[MetricScores]:
        """The metrics in order."""
        return (scores_of_part(metric, self.sentences) for metric in self.metrics)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredJudgments:
    """The inputs of an analysis of metrics against people.

    Attributes:
        judgments: snapshot whose `sentence` counts from 0.
        sentences: number of sentences, judged or not.
        systems: systems with metric scores, in the order of the metrics' columns.
        metrics: scores by metric; each iteration may read them anew (`ReadInTurn`).
        domains: the domain of each sentence; empty if domains are not known.
        positions: number of each sentence in its corpus; None if sentences count from 0.
        texts: reads the texts of the systems; None without texts.
        step: called between parts of the work; an exception that it raises ends the work.
    """

    judgments: Judgments
    sentences: int
    systems: tuple[str, ...]
    metrics: Iterable[MetricScores]
    domains: tuple[str, ...] = ()
    positions: IntArray | None = None
    texts: Callable[[], JudgedTexts] | None = None
    step: Callable[[], None] = lambda: None
    _digests: list[str] = field(default_factory=list, repr=False)

    @property
    def digest(self) -> str:
        """SHA-256 of judgments, scores and domains, in hexadecimal."""
        return self.digest_of_scores

    @property
    def digest_of_scores(self) -> str:
        """SHA-256 of judgments, scores and domains as first read; subclasses add more to `digest` only."""
        if not self._digests:
            deque(self._read(), maxlen=0)
        return self._digests[0]

    def _read(self) -> Iterator[MetricScores]:
        """The metrics in order. More may be stored until they are read again."""
        digest = hashlib.sha256(self.judgments.digest.encode())
        digest.update(json.dumps([self.sentences, self.domains]).encode())
        everything = np.arange(self.sentences)
        for metric in self.metrics:
            digest.update(f"{metric.name}|{metric.signature}|{'+'.join(self.systems)}".encode())
            for scores in (metric.sentences, metric.of_systems(everything)):
                digest.update(b"" if scores is None else np.ascontiguousarray(scores).tobytes())
            yield metric
        self._digests.append(digest.hexdigest())

    def signature(self, what: str) -> str:
        """Signature of a computation on these judgments and scores by a version."""
        left_out = self.judgments.left_out
        return f"{what}{left_out}|judgments-and-scores:{self.digest[:DIGITS_OF_DIGEST]}|assay:{__version__}"

    def in_domain(self, domain: str) -> ScoredJudgments:
        """Judgments and scores of a corpus that has just the sentences of this domain."""
        chosen = np.flatnonzero(np.array(self.domains) == domain)
        judged, texts = of_sentences(self.judgments.snapshot, chosen), self.texts
        places = np.searchsorted(chosen, judged["sentence"].to_numpy())
        return replace(
            self,
            judgments=replace(self.judgments, snapshot=judged.assign(sentence=places)),
            sentences=len(chosen),
            metrics=PartOfEach(self.metrics, chosen),
            domains=(),
            positions=chosen if self.positions is None else self.positions[chosen],
            texts=None if texts is None else lambda: texts().of(chosen),
            _digests=[],
        )

    def held(self) -> ScoredJudgments:
        """The same, with all metrics in memory."""
        return replace(self, metrics=tuple(self._read()))

    @property
    def unmatched(self) -> tuple[str, ...]:
        """Systems that were only judged or only scored, and are left out."""
        judged = set(system_names(self.judgments.snapshot))
        unmatched = judged.symmetric_difference(self.systems)
        return tuple(sorted(unmatched.difference(self.judgments.left_out.systems)))

    def compared(self, *, tie_width: float = 0.0, only_judged: bool = False) -> MetricsAndPeople:
        """Metrics and human scores of the systems that were both judged and scored.

        Args:
            tie_width: largest difference of two scores that tie.
            only_judged: whether to leave out the sentences without a judgment, and count the others from 0.

        Raises:
            InputError: there are no such systems.
            SnapshotError: as `metrics.meta_evaluation.human_judgments`.
        """
        snapshot = self.judged_and_scored
        only = self.judged_sentences if only_judged else None
        judged_people = people(snapshot, self.sentences, tie_width=tie_width, only=only, step=self.step)
        places = [self.systems.index(system) for system in judged_people.systems]
        if only is None:
            metrics = tuple(metric.in_order(places) for metric in self._read())
            return MetricsAndPeople(judged_people, metrics, self.domains)
        metrics = tuple(metric.in_order(places).on(only) for metric in self._read())
        domains = tuple(self.domains[sentence] for sentence in only) if self.domains else ()
        return MetricsAndPeople(judged_people, metrics, domains)

    @property
    def judged_sentences(self) -> IntArray:
        """The sentences with judgments of systems that were both judged and scored, ascending.

        Raises:
            InputError: there are no two such systems.
        """
        return np.unique(self.judged_and_scored["sentence"].to_numpy())

    @property
    def judged_and_scored(self) -> pd.DataFrame:
        """The judgments of the systems that were both judged and scored.

        Raises:
            InputError: there are no two such systems.
        """
        snapshot = self.judgments.snapshot
        judged = system_names(snapshot)
        if not judged:
            raise InputError("nothing has been judged yet")
        both = set(judged).intersection(self.systems)
        if not both:
            raise InputError(
                f"no system was both judged and scored (judged: {_listed(judged)}; "
                f"scored: {_listed(self.systems)})"
            )
        if len(both) == 1:
            raise InputError(f"only {_listed(list(both))} was both judged and scored; two systems are needed")
        unscored = set(judged) - both
        return without_systems(snapshot, unscored) if unscored else snapshot


@dataclass(frozen=True, slots=True, eq=False)
class WithOneMore:
    """Metrics, and one more after them.

    Attributes:
        metrics: read whenever somebody iterates over them.
        more: the last one.
    """

    metrics: Iterable[MetricScores]
    more: MetricScores

    def __iter__(self) -> Iterator[MetricScores]:
        """The metrics in order."""
        yield from self.metrics
        yield self.more


@dataclass(frozen=True, slots=True, eq=False)
class ScoresBesideEdits(ScoredJudgments):
    """Judgments with metric scores, among which is the judge that prefers more edits if texts are known."""


def beside_edits(inputs: ScoredJudgments) -> ScoresBesideEdits:
    """The inputs with the judge that prefers more edits after their metrics, if their texts are known."""
    metrics = inputs.metrics
    if inputs.texts is not None:
        texts = inputs.texts()
        outputs = {system: texts.outputs[system] for system in inputs.systems if system in texts.outputs}
        edits = scores_of_sentences(MOST_EDITS, output_edits(texts.data.sources, outputs, step=inputs.step))
        metrics = WithOneMore(metrics, on_systems(edits, [*outputs], inputs.systems))
    held = {each.name: getattr(inputs, each.name) for each in fields(inputs)}
    return ScoresBesideEdits(**{**held, "metrics": metrics, "_digests": []})


@dataclass(frozen=True, slots=True, eq=False)
class StressedMetrics(ScoredJudgments):
    """Judgments with metric scores, and what came of the metrics under stress.

    Attributes:
        stress: by metric, what came of it, or why it was not tried, in a sentence.
    """

    stress: Mapping[str, StressCard | str] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """SHA-256 of judgments, scores, domains and scores under stress, in hexadecimal."""
        cards = {name: card for name, card in self.stress.items() if isinstance(card, StressCard)}
        return content_digest(
            [self.digest_of_scores, {name: dict(card.scores) for name, card in cards.items()}]
        )


def under_stress(inputs: ScoredJudgments, stress: Mapping[str, StressCard | str]) -> StressedMetrics:
    """The inputs with what came of their metrics under stress."""
    return StressedMetrics(
        **{each.name: getattr(inputs, each.name) for each in fields(inputs)}, stress=stress
    )


def read_snapshot(
    paths: Sequence[Path],
    texts: Mapping[str, Sequence[str]],
    sentences: int | None,
    *,
    first_sentence: int | None = None,
    machines: bool = False,
) -> pd.DataFrame:
    """The judgments of one or several files of the same sentences, counted from 0.

    Args:
        paths: judgments in formats that `read_judgments` reads.
        texts: outputs by system; systems that were judged as one output must have the same text.
        sentences: number of sentences; None if not known.
        first_sentence: number of the first sentence in the files; None for their format's default.
        machines: whether to include judgments of machines.

    Raises:
        FormatError: a file cannot be read, or judges other sentences or outputs than these.
    """
    frames = {}
    for path in paths:
        file = read_judgments(path)
        frame = frame_of_judgments(resolve(file, path), campaign=path.stem, machines=machines)
        first = file.first_sentence if first_sentence is None else first_sentence
        frame = frame.assign(sentence=frame["sentence"] - first)
        _check(frame, path, texts, sentences, first)
        frames[str(path) if path.stem in frames else path.stem] = frame
    return together(frames)


def computed_scores(
    metrics: Mapping[str, AnyMetric],
    evaluations: Mapping[str, Evaluation],
    systems: Sequence[str],
    progress: Advance,
) -> list[MetricScores]:
    """The scores of metrics by name, each on its evaluation set; `progress` gets the number of scored
    outputs.

    Raises:
        InputError: a metric lacks what it needs.
    """
    made = []
    for name, metric in metrics.items():
        data, outputs = evaluations[name].data, evaluations[name].outputs
        scored = score(metric, data, outputs, progress=progress)
        made.append(scores_of_metric(name, scored, systems, score_anew=partial(_scored, data, outputs)))
    return made


def _scored(data: EvaluationSet, outputs: Mapping[str, Sequence[str]], metric: AnyMetric) -> Scored:
    return score(metric, data, outputs)


def given_scores(
    given: Mapping[str, GivenScores], systems: Sequence[str], sentences: int, path: Path
) -> list[MetricScores]:
    """The scores of a file by metric; systems that it does not score have no scores.

    A system's score is the one in the file or, if there is none, the mean of its sentence scores.

    Raises:
        FormatError: a sentence is beyond the last one.
    """
    made = []
    for name, scores in given.items():
        of_systems = np.array([scores.systems.get(system, np.nan) for system in systems])
        if not scores.sentences:
            made.append(scores_of_systems(name, of_systems))
            continue
        of_sentences = np.full((sentences, len(systems)), np.nan)
        for place, system in enumerate(systems):
            for sentence, value in scores.sentences.get(system, {}).items():
                if sentence >= sentences:
                    fault = f"{name} scores sentence {sentence} of {system}; there are {sentences}, from 0"
                    raise FormatError(path, None, fault)
                of_sentences[sentence, place] = np.nan if value is None else value
        made.append(given_metric(name, of_sentences, of_systems if scores.systems else None))
    return made


def given_metric(name: str, sentences: FloatArray, systems: FloatArray | None) -> MetricScores:
    """A metric computed elsewhere: scores of sentences, shape (n, S), and of systems, shape (S,), if any.

    A given system score cannot be resampled; without one, a system scores the mean of its sentences.
    """
    if systems is None:
        return scores_of_sentences(name, sentences)
    return replace(scores_of_systems(name, systems), sentences=sentences)


def on_systems(metric: MetricScores, scored: Sequence[str], systems: Sequence[str]) -> MetricScores:
    """Scores rearranged for these systems; systems without scores get none."""
    places = [systems.index(system) for system in scored]
    back = [scored.index(system) if system in scored else NOT_SCORED for system in systems]

    def spread(scores: FloatArray) -> FloatArray:
        wide = np.full((len(scores), len(systems)), np.nan)
        wide[:, places] = scores
        return wide

    return replace(
        metric,
        sentences=None if metric.sentences is None else spread(metric.sentences),
        of_draws=lambda draws: spread(metric.of_draws(draws)),
        statistics=None if metric.statistics is None else metric.statistics.of_systems(back),
    )


def _check(
    frame: pd.DataFrame,
    path: Path,
    texts: Mapping[str, Sequence[str]],
    sentences: int | None,
    first: int,
) -> None:
    """Raise `FormatError` if the judgments do not match these sentences and texts."""
    judged = frame[["sentence", "systems"]].drop_duplicates()
    for sentence, systems in judged.itertuples(index=False):
        number = sentence + first
        if sentence < 0 or (sentences is not None and sentence >= sentences):
            fault = f"sentence {number} was judged, but there are {sentences}; {OTHER_COUNT}"
            raise FormatError(path, None, fault)
        different = {texts[system][sentence] for system in systems if system in texts}
        if len(different) > 1:
            names = " ".join(systems)
            fault = f"{names} were judged as one output of sentence {number}, but their texts differ; "
            raise FormatError(path, None, fault + OTHER_COUNT)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
