"""Parameters of MAEGE: metrics, seeds, and the options in which the paper and its released code differ."""

from dataclasses import dataclass
from enum import StrEnum

from core.parameters import parameter

MOST_SEEDS = 1000
LARGEST_SEED = 2**31 - 1

METRICS = "bleu, ibleu, gleu, minld, max-sari, sari, ld-source"
"""The metrics in Table 2 of the paper that need neither a pipeline nor a grammar checker."""


class Source(StrEnum):
    """Which correction of a sentence serves as the source.

    Attributes:
        UNIFORM: drawn from the lattice of one annotation, for scores of sentences from their chain (paper).
        CORPORA: from one of the eleven corpora, drawn for each sentence (released code).
        ORIGINAL: the sentence as written, so that outputs contain no wrong correction (paper, section 8).
    """

    UNIFORM = "uniform"
    CORPORA = "corpora"
    ORIGINAL = "original"


class Quality(StrEnum):
    """Quality of an original.

    Attributes:
        TOKENS: 1 - edits / tokens (paper).
        CHARACTERS: 1 - (edits + 1) / characters (released code).
    """

    TOKENS = "tokens"
    CHARACTERS = "characters"


class Ties(StrEnum):
    """How pairs that the metric ties count in tau."""

    CONCORDANT = "concordant"
    DISCORDANT = "discordant"


class CorpusScore(StrEnum):
    """The score of a corpus.

    Attributes:
        METRIC: the metric's own corpus score (paper).
        MEAN: the mean of sentence scores (released code).
    """

    METRIC = "metric"
    MEAN = "mean"


class Types(StrEnum):
    """Types of edits by which the sensitivity is broken down.

    Attributes:
        GIVEN: those of the M2 file.
        CATEGORY: the 24 categories of ERRANT.
        TYPE: the 55 types of ERRANT.
    """

    GIVEN = "given"
    CATEGORY = "category"
    TYPE = "type"


@dataclass(frozen=True, slots=True)
class MaegeParameters:
    """Parameters of MAEGE. The help of each describes it."""

    metric: str = parameter(
        f"m2, errant, {METRICS}",
        label="Metrics",
        help="Names separated by commas, with parameters where needed: ibleu:sign=plus.",
    )
    seeds: int = parameter(
        10, label="Seeds", help="How many times chains and corpora are drawn.", minimum=1, maximum=MOST_SEEDS
    )
    seed: int = parameter(
        0,
        label="First seed",
        help="The other draws have the seeds that follow.",
        minimum=0,
        maximum=LARGEST_SEED,
    )
    source: Source = parameter(
        Source.UNIFORM,
        label="Source",
        help="The text that metrics get as the source of an output.",
        labels={
            Source.UNIFORM: "a partial correction, drawn uniformly",
            Source.CORPORA: "the sentence of one of the corpora (released code)",
            Source.ORIGINAL: "the original sentence",
        },
    )
    quality: Quality = parameter(
        Quality.TOKENS,
        label="Quality of an original",
        help="What Pearson’s r correlates scores with; it rises to 1 with the last edit.",
        labels={
            Quality.TOKENS: "1 - edits / tokens",
            Quality.CHARACTERS: "1 - (edits + 1) / characters (released code)",
        },
    )
    ties: Ties = parameter(
        Ties.CONCORDANT,
        label="Ties in τ",
        help="How pairs with equal scores count. Tau-b is shown as well.",
        labels={
            Ties.CONCORDANT: "count as agreement (paper)",
            Ties.DISCORDANT: "count as disagreement",
        },
    )
    corpus_score: CorpusScore = parameter(
        CorpusScore.METRIC,
        label="Score of a corpus",
        help="The score by which corpora are ordered.",
        labels={
            CorpusScore.METRIC: "the metric’s own",
            CorpusScore.MEAN: "mean of sentence scores (released code)",
        },
    )
    types: Types = parameter(
        Types.GIVEN,
        label="Types of edits",
        help="Types by which the sensitivity is broken down.",
        labels={
            Types.GIVEN: "as annotated",
            Types.CATEGORY: "ERRANT’s categories",
            Types.TYPE: "ERRANT’s types",
        },
    )
    annotators: int | None = parameter(
        None,
        label="Fewest annotators",
        help="Sentences with fewer annotators, or with one who corrects nothing, are left out.",
        minimum=1,
        maximum=100,
        placeholder="2, or 1 where no sentence has more",
    )

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics as written, each once."""
        return tuple(dict.fromkeys(name for each in self.metric.split(",") if (name := each.strip())))
