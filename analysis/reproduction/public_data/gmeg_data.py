"""The public data of GMEG: mean human scores and texts, scored by the metrics of its Table 8."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from analysis.analyses.metrics.metric_scores import Evaluation, read_evaluation
from analysis.reproduction.cells import Published, printed
from analysis.reproduction.paper import PaperData
from annotate.scores.metric_setup import english_pipeline
from core.later import pd
from core.progress import Advance
from formats import FormatError, read_parallel
from formats.text.lines import read_lines
from metrics import EvaluationSet, Scored, metric_from_text, score
from metrics.edits.edit_extraction import extracted_annotations
from metrics.meta_evaluation import (
    HumanScore,
    MetricsAndPeople,
    MetricScores,
    MixedScores,
    People,
    mixed_scores,
    people,
    scores_of_metric,
    scores_of_sentences,
)
from ranking import without_systems
from ranking.judgments.snapshot import system_names

DOMAINS = ("fce", "wiki", "yahoo")
REFERENCES = ("ref0", "ref1", "ref2", "ref3")

SYSTEMS = ("amu", "lstm", "lstm-r", "marian", "nus", "transformer")
"""The systems in alphabetical order; source, source+error and references are in no correlation."""

SCORED = ("chrf", "errant:average=categories", "gleu", "chargleu", "imeasure", "m2")
"""Other betas follow from the statistics of these."""

OUTPUTS = len(SCORED) * len(SYSTEMS) * (968 + 992)
"""Outputs of the development sentences, as progress counts them."""

NO_TEXTS = "the texts of this domain are not public"

SentenceScores = list[dict[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """The sentences of one domain in one split.

    Attributes:
        snapshot: the mean of the eight human scores as one judgment per sentence; texts without one, such as
            those of source+error and the references, have a missing score.
        published: the released score of each system.
        has_texts: whether the texts are public, so that identical outputs can be identified.
    """

    snapshot: pd.DataFrame
    published: Mapping[str, float]
    has_texts: bool


@dataclass(frozen=True, eq=False)
class ScoredDomain:
    """The judgments of a domain, and its outputs under the metrics of `SCORED`.

    Attributes:
        people: the judgments of `SYSTEMS`.
        scored: by name in `SCORED`.
    """

    people: People
    scored: Mapping[str, Scored]

    @cached_property
    def metrics_and_people(self) -> MetricsAndPeople:
        """The judgments with the metrics of Table 8 by the names that it has for them."""
        errant, m2 = "errant:average=categories", "m2"
        chrf = np.stack([self.scored["chrf"].sentences(system) for system in SYSTEMS], axis=1)
        signature = f"{self.scored['chrf'].signature}|mean-of:sentences"
        metrics = (
            scores_of_sentences("chrF++", chrf, signature=signature),
            self._with_beta("ERRANT F0.2", errant, 0.2),
            self._with_beta("ERRANT F0.5", errant, 0.5),
            scores_of_metric("GLEU", self.scored["gleu"], SYSTEMS),
            scores_of_metric("charGLEU", self.scored["chargleu"], SYSTEMS),
            scores_of_metric("I-measure", self.scored["imeasure"], SYSTEMS),
            self._with_beta("M2 F0.2", m2, 0.2),
            self._with_beta("M2 F0.5", m2, 0.5),
        )
        return MetricsAndPeople(self.people, metrics)

    @cached_property
    def mixed(self) -> MixedScores:
        """The scores of systems and synthetic systems."""
        return mixed_scores(self.metrics_and_people, HumanScore.MEAN, replicates=0)

    def _with_beta(self, name: str, metric: str, beta: float) -> MetricScores:
        """The scores with another beta, from the same statistics."""
        scored = self.scored[metric]
        other = type(scored.metric)(replace(scored.metric.parameters, beta=beta))
        return scores_of_metric(name, replace(scored, metric=other), SYSTEMS)


@dataclass(eq=False)
class Split:
    """The development or the test sentences. Properties raise `FormatError` for missing or malformed files.

    Attributes:
        folder: of the split.
        progress: called with the number of outputs scored.
    """

    folder: Path
    progress: Advance

    @cached_property
    def domains(self) -> Mapping[str, Domain]:
        """The domains by name."""
        return {name: read_domain(self.folder, name) for name in DOMAINS}

    @cached_property
    def texts(self) -> Mapping[str, EvaluationSet | None]:
        """Sources and references with the edits that ERRANT extracts; None for a domain without texts."""
        return {
            name: self._texts(name) if domain.has_texts else None for name, domain in self.domains.items()
        }

    @cached_property
    def scored(self) -> Mapping[str, ScoredDomain | None]:
        """The domains with their texts scored; None for one without texts."""
        return {name: self._scored(texts, name) if texts else None for name, texts in self.texts.items()}

    def judged(self, name: str) -> pd.DataFrame:
        """The scored outputs of `SYSTEMS` in a domain, as a snapshot."""
        snapshot = self.domains[name].snapshot
        others = set(system_names(snapshot)).difference(SYSTEMS)
        return without_systems(snapshot, others).dropna(subset=["score"])

    def evaluation(self, name: str) -> Evaluation:
        """Sources, references and outputs of `SYSTEMS` in a domain whose texts are public."""
        folder = self.folder / name
        return read_evaluation(
            folder / "source",
            {system: folder / system for system in SYSTEMS},
            references={reference: folder / reference for reference in REFERENCES},
            m2=[],
            lenient=False,
            checker=None,
        )

    def _texts(self, name: str) -> EvaluationSet:
        parser = english_pipeline()
        data = self.evaluation(name).data
        return replace(data, annotations=extracted_annotations(data, parser), parser=parser)

    def _scored(self, data: EvaluationSet, name: str) -> ScoredDomain:
        """The judgments and texts of a domain.

        ERRANT is the mean of F over error categories, M2 takes the edits that ERRANT extracts as gold, and a
        system's chrF++ is the mean of its sentences.
        """
        outputs = self.evaluation(name).outputs
        scored = {
            metric: score(metric_from_text(metric), data, outputs, progress=self.progress)
            for metric in SCORED
        }
        return ScoredDomain(people(self.judged(name), len(data.sources)), scored)


@dataclass(eq=False)
class Gmeg(PaperData):
    """The splits.

    Attributes:
        train: folder of the development split, if it is not `gmeg/dev/`.
        test: folder of the test split, in the same form; None without it.
    """

    train: Path | None = None
    test: Path | None = None

    @cached_property
    def development(self) -> Split:
        """The development split."""
        return Split(self.train or self.folder / "gmeg" / "dev", self.progress)

    @cached_property
    def tested(self) -> Split | None:
        """The test split; None without it."""
        return None if self.test is None else Split(self.test, self.progress)

    @property
    def compared(self) -> Mapping[str, ScoredDomain | None]:
        """The domains of the test split, to which published correlations belong, else of development."""
        return (self.tested or self.development).scored


def printed_of(domains: Collection[str], *tables: str) -> dict[str, Published]:
    """The figures of tables whose names begin with one of these domains."""
    return {name: each for name, each in printed("gmeg", *tables).items() if name.split()[0] in domains}


def read_domain(folder: Path, name: str) -> Domain:
    """One domain of the release.

    Raises:
        FormatError: a file is missing or malformed.
    """
    path = folder / f"{name}-segment-scores.csv"
    scores = read_segment_scores(path)
    texts = _texts(folder / name) if (folder / name).is_dir() else None
    if texts is not None and len(texts) != len(scores):
        raise FormatError(path, None, f"{len(scores)} rows, but {len(texts)} sentences in {folder / name}")
    rows = [
        (str(number), "mean of eight", number, text, systems, score)
        for number, of_systems in enumerate(scores)
        for text, systems, score in _outputs(of_systems, texts[number] if texts else {}, path)
    ]
    columns = ["judgment", "annotator", "sentence", "output", "systems", "score"]
    return Domain(
        snapshot=pd.DataFrame(rows, columns=columns).assign(meaning_changed=None),
        published=_corpus_scores(folder / f"{name}-corpus-scores.csv"),
        has_texts=texts is not None,
    )


def read_segment_scores(path: Path) -> SentenceScores:
    """The mean score of each system by sentence; None for a sentence whose row is empty.

    Raises:
        FormatError: the file is missing, or a row is neither empty nor one number for each system.
    """
    (_, header), *lines = read_lines(path)
    systems = header.split(",")
    scores = []
    for place, line in lines:
        cells = line.split(",")
        if len(cells) != len(systems):
            raise place.fault(f"{len(cells)} cells, but {len(systems)} systems in the header")
        try:
            values = [float(cell) for cell in cells] if any(cells) else []
        except ValueError as error:
            raise place.fault(f"a score is not a number: {error}") from error
        if not all(map(math.isfinite, values)):
            raise place.fault("a score is not finite")
        scores.append(dict(zip(systems, values, strict=False)))
    return scores


def _corpus_scores(path: Path) -> dict[str, float]:
    scores = {}
    for place, line in read_lines(path)[1:]:
        system, _, score = line.partition(",")
        try:
            scores[system] = float(score)
        except ValueError as error:
            raise place.fault(f"not a system and its score: {line!r}") from error
    return scores


def _texts(folder: Path) -> list[dict[str, str]]:
    """The text of each system by sentence; which reference was scored as "ref" is not known."""
    names = (*SYSTEMS, "source+error", *REFERENCES)
    record = read_parallel(folder / "source", {name: folder / name for name in names})
    return [{"source": sentence.source, **sentence.outputs} for sentence in record.sentences]


def _outputs(
    scores: Mapping[str, float], texts: Mapping[str, str], path: Path
) -> Iterator[tuple[str, tuple[str, ...], float | None]]:
    """The distinct outputs of a sentence, with systems and score; a system without text is separate."""
    systems_of: defaultdict[str, list[str]] = defaultdict(list)
    for system in sorted({*scores, *texts}):
        systems_of[texts.get(system, f"text of {system}")].append(system)
    for text, systems in systems_of.items():
        given = {scores[system] for system in systems if system in scores}
        if len(given) > 1:
            raise FormatError(path, None, f"{' '.join(systems)} have the same text but different scores")
        yield text, tuple(systems), next(iter(given), None)
