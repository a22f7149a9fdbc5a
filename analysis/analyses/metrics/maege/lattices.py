"""The lattices of a corpus, and the scores of metrics on what seeds draw from them."""

from analysis.analyses.corpus_inputs import LatticeTexts
from core.parameters import ParameterError
from metrics import AnyMetric, InputError, UnknownMetricError, metric_from_text
from metrics.base.evaluation_sets import Checker
from metrics.english.grammar_checkers import HarperChecker
from metrics.meta_evaluation.maege import (
    Draw,
    LatticeCorpus,
    MaegeParameters,
    PairScorer,
    SeedScores,
    Texts,
    Work,
    draw,
    has_texts_parsed,
    seed_scores,
)
from metrics.meta_evaluation.maege.lattices import lattice_corpus

USUAL = MaegeParameters().metric
"""The metrics that are scored unless others are named."""

MOST_SENTENCES = 5_000
"""Sentences whose lattices are scored: each metric scores some tens of texts for each sentence."""

MOST_TEXTS = 50_000
"""Texts whose scores are kept from seed to seed, as many lattices are drawn alike again."""

NO_REFERENCES = "the corpus has no references with edits: import it with M2 files to validate metrics on it"
NO_METRIC = "name at least one metric"


def metrics_of(parameters: MaegeParameters) -> dict[str, AnyMetric]:
    """The metrics by name as written.

    Raises:
        ParameterError: there is none, or one is unknown or has impossible parameters.
    """
    try:
        metrics = {name: metric_from_text(name) for name in parameters.metrics}
    except (UnknownMetricError, ParameterError) as error:
        raise ParameterError(faults={"metric": str(error)}) from error
    if not metrics:
        raise ParameterError(faults={"metric": NO_METRIC})
    return metrics


def lattices_of(
    texts: LatticeTexts, annotators: int | None, *, most: int | None = None, seed: int = 0
) -> LatticeCorpus:
    """The lattices of a corpus, from those references that have edits; the others are compared with.

    If there are more sentences than `most`, that many are drawn at random.

    Raises:
        ParameterError: no sentence has enough of them.
    """
    annotations, references = texts.lattice_parts
    if not any(annotations):
        raise ParameterError(NO_REFERENCES)
    try:
        return lattice_corpus(
            [sentence.source for sentence in texts.sentences],
            annotations,
            references,
            annotators=annotators,
            most=most,
            seed=seed,
        )
    except InputError as error:
        raise ParameterError(faults={"annotators": str(error)}) from error


def checker_of(texts: LatticeTexts) -> Checker | None:
    """The grammar checker that was handed in, or Harper for English texts."""
    return texts.checker or (None if texts.parser is None else HarperChecker())


class Prepared:
    """A corpus with what seeds have drawn from it and what metrics have scored so far."""

    def __init__(self, texts: LatticeTexts, parameters: MaegeParameters) -> None:
        """Raises `ParameterError` if metrics need what the texts lack."""
        self.corpus = lattices_of(texts, parameters.annotators, most=MOST_SENTENCES, seed=parameters.seed)
        self.parser = texts.parser
        self._checker = checker_of(texts)
        self._parameters = parameters
        self._begin()

    def _begin(self) -> None:
        """Begin with nothing drawn and nothing scored."""
        self._drawn: tuple[int, Draw] | None = None
        self._texts = Texts(self.corpus)
        is_usual = self._parameters.metric == USUAL
        try:
            self._scorers = {
                name: PairScorer(metric, self.corpus, self._texts, checker=self._checker, parser=self.parser)
                for name, metric in metrics_of(self._parameters).items()
                if self.parser is not None or not is_usual or not has_texts_parsed(metric)
            }
        except InputError as error:
            raise ParameterError(faults={"metric": str(error)}) from error

    def is_scored(self, metric: str) -> bool:
        """Whether the metric takes part: a usual one that only English texts have does not with others."""
        return metric in self._scorers

    def scores(self, metric: str, seed: int, work: Work) -> SeedScores:
        """A metric on the draw of a seed."""
        if self._drawn is None or self._drawn[0] != seed:
            if len(self._texts.texts) > MOST_TEXTS:
                self._begin()
            self._drawn = seed, draw(self.corpus, self._texts, seed, self._parameters.source)
        return seed_scores(self._scorers[metric], self.corpus, self._drawn[1], self._parameters, work)
