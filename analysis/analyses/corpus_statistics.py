"""Statistics of a corpus and its references (Napoles et al. 2019, Tables 3 and 4 and Figure 1)."""

from dataclasses import dataclass, replace

from analysis.analyses.base import Analysis, Table, register
from analysis.analyses.inputs import CorpusTexts
from analysis.analyses.rules import stated_rule
from core.parameters import ParameterError
from core.progress import Progress
from metrics import EvaluationSet, InputError
from metrics.corpus_statistics import CorpusStatistics, corpus_statistics
from metrics.edit_sources import gold_parameter, signature_parts, texts_to_parse
from metrics.english_pipeline import PipelineError

NO_REFERENCES = "the corpus has no references: import it with corrected texts or M2 files"
NOT_ENGLISH = (
    "the references have to be parsed to find their edits, and Assay parses English only: "
    "import them as M2 with their edits, and choose the gold edits that are given"
)


@dataclass(frozen=True, slots=True)
class StatisticsParameters:
    """Options of the statistics. Attributes: see each parameter's help."""

    gold: str = gold_parameter()


@dataclass(frozen=True, slots=True)
class DescribedCorpus:
    """Statistics of a corpus.

    Attributes:
        signature: computation and texts; equal signatures mean equal numbers.
        statistics: the numbers.
    """

    signature: str
    statistics: CorpusStatistics


def describe_corpus(
    texts: CorpusTexts, parameters: StatisticsParameters, progress: Progress
) -> DescribedCorpus:
    """Compute statistics of the references' edits (`metrics.corpus_statistics`).

    Raises:
        ParameterError: there are no references, or their edits are missing and cannot be extracted.
    """
    data, gold = texts.evaluation, parameters.gold
    if data.references is None:
        raise ParameterError(NO_REFERENCES)
    try:
        data = _parsed(texts, data, gold, progress)
        compared = len(texts.annotators) if len(texts.annotators) > 1 else 0
        progress.begin("Counting", total=(1 + compared) * len(data.sources))
        statistics = corpus_statistics(data, texts.annotators, gold=gold, progress=progress.advance)
        parts = signature_parts(data, gold)
    except (InputError, PipelineError) as error:
        raise ParameterError(str(error)) from error
    name = "corpus-statistics"
    what = "|".join([f"{name}{stated_rule(name)}", *(f"{key}:{value}" for key, value in parts.items())])
    return DescribedCorpus(texts.signature(what), statistics)


def _parsed(texts: CorpusTexts, data: EvaluationSet, gold: str, progress: Progress) -> EvaluationSet:
    """The same with a pipeline that has parsed all texts that must be parsed, if any."""
    unparsed = list(texts_to_parse(data, (), gold))
    if not unparsed:
        return data
    if texts.parser is None:
        raise ParameterError(faults={"gold": NOT_ENGLISH})
    progress.begin("Parsing", total=len(unparsed))
    texts.parser.parse(unparsed, progress=progress.advance)
    return replace(data, parser=texts.parser)


def _tables(result: DescribedCorpus) -> tuple[Table, ...]:
    statistics = result.statistics
    return (
        Table(
            "Corpus",
            ("", ""),
            (
                ("Sentences", statistics.sentences),
                ("Tokens per sentence", statistics.tokens),
                ("Standard deviation", statistics.tokens_deviation),
                ("References", statistics.references),
                ("Share unchanged", statistics.unchanged),
                ("Edits per changed sentence", statistics.edits),
                ("Tokens per edit", statistics.tokens_an_edit),
                ("Type-token ratio", statistics.type_token_ratio),
            ),
        ),
        Table("Edits by category", ("Category", "Edits"), tuple(statistics.categories.items())),
        Table(
            "M2 of each reference against the others",
            ("Reference", "P", "R", "F0.5"),
            tuple((name, each.precision, each.recall, each.f) for name, each in statistics.agreement.items()),
        ),
    )


CORPUS_STATISTICS = register(
    Analysis(
        name="corpus-statistics",
        title="Corpus statistics",
        help="Sizes of a corpus, how much its references change, by which edits, and how far they agree.",
        parameters=StatisticsParameters,
        result=DescribedCorpus,
        inputs=CorpusTexts,
        compute=describe_corpus,
        tables=_tables,
        at_once=False,
    )
)
