"""Scoring pairs of source and output by a metric; each distinct pair once, however often it is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import AnyArray, FloatArray, IntArray
from core.progress import Advance
from metrics.base.evaluation_sets import Annotation, Checker, EvaluationSet, InputError, Need, Parser
from metrics.base.metric import AnyMetric, NotScored, Rows, reduce_many
from metrics.base.scoring import stacked
from metrics.edits.edit_extraction import Extraction
from metrics.edits.edit_metric import EditMetric
from metrics.edits.edit_sources import texts_to_parse
from metrics.edits.errant_edits import errant_signature
from metrics.meta_evaluation.maege.drawing import Texts
from metrics.meta_evaluation.maege.lattices import LatticeCorpus
from metrics.meta_evaluation.maege.options import CorpusScore

PAIRS_AT_ONCE = 100
"""Pairs that are reduced between two reports of progress: a second at most."""


class Work:
    """Progress of a part of the work whose number of steps is known only when it begins.

    Args:
        units: number of units that the part reports in all.
        report: called with the units just done; also with 0, so that it can stop the work.
    """

    def __init__(self, units: int = 0, report: Advance = lambda units: None) -> None:
        self._units, self._report = units, report
        self._total = self._done = self._sent = 0

    def begin(self, steps: int) -> None:
        """Announce the number of steps."""
        self._total = max(steps, 1)

    def advance(self, steps: int) -> None:
        """Report steps as done."""
        self._done += steps
        reached = min(self._units * self._done // max(self._total, 1), self._units)
        self._report(max(reached - self._sent, 0))
        self._sent = max(reached, self._sent)

    def end(self) -> None:
        """Report the rest as done."""
        self._report(self._units - self._sent)
        self._sent = self._units


@dataclass(frozen=True, slots=True)
class _Block:
    """Statistics of pairs that were scored together.

    Attributes:
        first: the number of the first pair.
        values: shape (D, R, K), in the smallest type that holds them exactly.
        sizes: shape (D,), rows of each pair.
    """

    first: int
    values: AnyArray
    sizes: IntArray


def has_texts_parsed(metric: AnyMetric) -> bool:
    """Whether texts are parsed for the metric, for its edits or for the gold edits that it compares with."""
    return Need.GOLD_EDITS in metric.required or isinstance(metric, EditMetric)


class PairScorer:
    """The scores of pairs by one metric.

    If the metric does not read the source, each output is scored once for all sources.

    Args:
        metric: the metric, with its parameters.
        corpus: the corpus whose corrections are scored.
        texts: numbers of the corrections.
        checker: a grammar checker, for metrics that need one.
        parser: an English pipeline, for metrics that need one and for M2, for which ERRANT extracts the gold
            edits between the source and each reference (section 2 of the paper).

    Raises:
        InputError: the metric needs a checker or a parser, and there is none.
    """

    def __init__(
        self,
        metric: AnyMetric,
        corpus: LatticeCorpus,
        texts: Texts,
        *,
        checker: Checker | None = None,
        parser: Parser | None = None,
    ) -> None:
        self.metric = metric
        self._corpus, self._texts = corpus, texts
        self._extracts = Need.GOLD_EDITS in metric.required
        self._parses = has_texts_parsed(metric)
        if self._parses and parser is None:
            raise InputError(f"{metric.name} needs an English pipeline, and the texts are not English")
        if Need.CHECKER in metric.required and checker is None:
            raise InputError(f"{metric.name} needs a grammar checker, and there is none for these texts")
        self._checker = checker if Need.CHECKER in metric.required else None
        self._parser = parser if self._parses else None
        self._numbers: dict[tuple[int, int], int] = {}
        self._blocks: list[_Block] = []
        self._scores = np.zeros(0)
        self._sentences = np.zeros(0, dtype=np.int64)
        self.scored = 0

    def numbers(self, sources: IntArray, outputs: IntArray) -> IntArray:
        """The numbers of pairs that were scored, in the shape of `outputs`."""
        keys = self._keys(sources, outputs)
        return np.array([self._numbers[key] for key in keys], dtype=np.int64).reshape(outputs.shape)

    def add(self, sources: IntArray, outputs: IntArray, work: Work) -> None:
        """Score those of the pairs that were not scored before.

        Args:
            sources: numbers of texts, of a shape that `outputs` can be brought to.
            outputs: numbers of texts.
            work: advanced by the texts parsed and the pairs scored.
        """
        new = [key for key in dict.fromkeys(self._keys(sources, outputs)) if key not in self._numbers]
        if not new:
            return
        places = {source: place for place, source in enumerate(dict.fromkeys(source for source, _ in new))}
        data, reasons = self._data(list(places), [output for _, output in new], len(new), work)
        self.metric.check_needs(data)
        reduced: list[FloatArray | NotScored] = []
        scores: list[FloatArray] = []
        sentences = np.array([self._texts.sentences[output] for _, output in new], dtype=np.int64)
        with self.metric.prepared(data) as reduce:
            for first in range(0, len(new), PAIRS_AT_ONCE):
                part = new[first : first + PAIRS_AT_ONCE]
                scorable = [
                    (places[source], self._texts.texts[output])
                    for source, output in part
                    if source not in reasons
                ]
                rows = iter(reduce_many(reduce, scorable, work.advance))
                of_part = [reasons.get(source) or next(rows) for source, _ in part]
                scores.append(self._sentence_scores(stacked(of_part, sentences[first : first + len(part)])))
                reduced += of_part
        block = stacked(reduced, sentences)
        self._blocks.append(_Block(len(self._scores), _compact(block.values), block.sizes))
        self._numbers |= {key: len(self._scores) + number for number, key in enumerate(new)}
        self._scores = np.concatenate([self._scores, *scores])
        self._sentences = np.concatenate([self._sentences, sentences])
        self.scored += len(new)

    def sentence_scores(self, sources: IntArray, outputs: IntArray) -> FloatArray:
        """The scores of pairs that were added, in the shape of `outputs`; NaN where one is not scored."""
        scores: FloatArray = self._scores[self.numbers(sources, outputs)]
        return scores

    def corpus_scores(self, sources: IntArray, corpora: IntArray, by: CorpusScore) -> FloatArray:
        """The score of each corpus, shape (B,); NaN where no sentence is scored.

        Args:
            sources: shape (S,).
            corpora: shape (B, S).
            by: the metric's own corpus score, or the mean of sentence scores.
        """
        numbers = self.numbers(sources, corpora)
        if by is CorpusScore.MEAN:
            scores = self._scores[numbers]
            there = np.isfinite(scores)
            sums = np.where(there, scores, 0.0).sum(axis=1)
            return np.where(there.any(axis=1), sums / np.maximum(there.sum(axis=1), 1), np.nan)
        distinct, first, picks = np.unique(numbers, return_index=True, return_inverse=True)
        # By their place in the corpora, not by what was scored before: the last digit depends on the order.
        order = np.argsort(first)
        rows = self._statistics_of_pairs(distinct)
        rows = Rows(rows.values[order], rows.sizes[order], rows.sentences[order])
        picks = np.argsort(order)[picks].reshape(corpora.shape).astype(np.int64)
        if not rows.sizes.any():
            return np.full(len(corpora), np.nan)
        scores = self.metric.corpus_scores(rows, picks)
        return np.where(rows.sizes[picks].any(axis=1), scores, np.nan)

    @property
    def signature(self) -> str:
        """States how the scores were computed, except for the drawn sources."""
        data = EvaluationSet(self._corpus.sources, self._corpus.references, None, self._checker, self._parser)
        if not self._extracts:
            return self.metric.signature(data)
        none = tuple(() for _ in self._corpus.sources)
        signature = self.metric.signature(replace(data, annotations=none))
        pipeline = "" if self._parser is None else self._parser.signature
        return f"{signature}|gold:extracted|edits:{errant_signature()}|pipeline:{pipeline}"

    def _keys(self, sources: IntArray, outputs: IntArray) -> list[tuple[int, int]]:
        """Pairs as they are scored: with the original as the source if the metric does not read it."""
        flat = outputs.ravel().tolist()
        if not self.metric.reads_source:
            return [(self._texts.original(self._texts.sentences[output]), output) for output in flat]
        return list(zip(np.broadcast_to(sources, outputs.shape).ravel().tolist(), flat, strict=True))

    def _data(
        self, sources: Sequence[int], outputs: Sequence[int], pairs: int, work: Work
    ) -> tuple[EvaluationSet, dict[int, NotScored]]:
        """The evaluation set of these sources, and the reasons why some are not scored."""
        sentences = [self._texts.sentences[source] for source in sources]
        data = EvaluationSet(
            sources=tuple(self._texts.texts[source] for source in sources),
            references=tuple(self._corpus.references[sentence] for sentence in sentences),
            checker=self._checker,
            parser=self._parser,
        )
        if self._parser is None:
            work.begin(pairs)
            return data, {}
        unparsed = texts_to_parse(data, (), "extracted")
        if not self._extracts:
            unparsed |= dict.fromkeys(self._texts.texts[output] for output in outputs)
        work.begin(len(unparsed) + (len(sources) if self._extracts else 0) + pairs)
        self._parser.parse_ahead(list(unparsed), progress=work.advance)
        return self._with_gold_edits(data, sources, work) if self._extracts else (data, {})

    def _with_gold_edits(
        self, data: EvaluationSet, sources: Sequence[int], work: Work
    ) -> tuple[EvaluationSet, dict[int, NotScored]]:
        """The data with the edits of each reference, and the reasons why some sources have none."""
        if self._parser is None or data.references is None:
            raise InputError(f"{self.metric.name} needs references and an English pipeline")
        extraction = Extraction(self._parser)
        reasons: dict[int, NotScored] = {}
        annotations: list[tuple[Annotation, ...]] = []
        for number, source, references in zip(sources, data.sources, data.references, strict=True):
            edits = [extraction.edits(source, reference) for reference in references]
            reason = next((each for each in edits if isinstance(each, NotScored)), None)
            if reason is not None or not references:
                reasons[number] = reason or NotScored("the sentence has no reference")
            annotations.append(
                tuple(
                    Annotation(str(place), each)
                    for place, each in enumerate(edits)
                    if not isinstance(each, NotScored)
                )
            )
            work.advance(1)
        return replace(data, annotations=tuple(annotations)), reasons

    def _sentence_scores(self, rows: Rows) -> FloatArray:
        if not rows.sizes.any():
            return np.full(len(rows.sizes), np.nan)
        return np.where(rows.sizes > 0, self.metric.sentence_scores(rows), np.nan)

    def _statistics_of_pairs(self, numbers: IntArray) -> Rows:
        """The statistics of pairs, given by their numbers in ascending order."""
        chosen = []
        for block in self._blocks:
            begin, end = np.searchsorted(numbers, [block.first, block.first + len(block.sizes)])
            if end > begin:
                chosen.append((slice(begin, end), block, numbers[begin:end] - block.first))
        shape = (
            max(block.values.shape[1] for _, block, _ in chosen),
            max(block.values.shape[2] for _, block, _ in chosen),
        )
        values = np.zeros((len(numbers), *shape))
        sizes = np.zeros(len(numbers), dtype=np.int64)
        for part, block, places in chosen:
            _, rows, columns = block.values.shape
            values[part, :rows, :columns] = block.values[places]
            sizes[part] = block.sizes[places]
        return Rows(values, sizes, self._sentences[numbers])


def _compact(values: FloatArray) -> AnyArray:
    """The numbers in the smallest type that holds them exactly."""
    kinds: tuple[type[np.integer], ...] = (np.uint8, np.int16, np.int32)
    for kind in kinds:
        if values.min(initial=0) >= np.iinfo(kind).min and values.max(initial=0) <= np.iinfo(kind).max:
            smaller = values.astype(kind)
            if np.array_equal(smaller, values):
                return smaller
    return values
