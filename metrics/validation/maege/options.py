"""What MAEGE is asked: metrics, seeds, and the options in which paper and released code differ."""

from dataclasses import dataclass
from enum import StrEnum

from metrics.parameters import parameter

MOST_SEEDS = 1000
LARGEST_SEED = 2**31 - 1

METRICS = "bleu, ibleu, gleu, minld, max-sari, sari, ld-source"
"""Those of Table 2 of the paper that need neither a pipeline nor a grammar checker."""


class Source(StrEnum):
    """Which correction of a sentence takes the place of the source.

    Attributes:
        UNIFORM: drawn from the lattice of one annotation, for sentences from their chain (paper).
        CORPORA: that of one of the eleven corpora, drawn for each sentence (released code).
        ORIGINAL: the sentence as it was written: outputs that make no wrong correction (paper, section 8).
    """

    UNIFORM = "uniform"
    CORPORA = "corpora"
    ORIGINAL = "original"


class Quality(StrEnum):
    """How good an original is before any correction.

    Attributes:
        TOKENS: 1 - edits / tokens (paper).
        CHARACTERS: 1 - (edits + 1) / characters (released code).
    """

    TOKENS = "tokens"
    CHARACTERS = "characters"


class Ties(StrEnum):
    """How pairs count in tau that the metric gives the same score."""

    CONCORDANT = "concordant"
    DISCORDANT = "discordant"


class CorpusScore(StrEnum):
    """What scores a corpus.

    Attributes:
        METRIC: the metric's own corpus score (paper).
        MEAN: the mean of sentence scores (released code).
    """

    METRIC = "metric"
    MEAN = "mean"


class Types(StrEnum):
    """By which types the sensitivity is broken down.

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
    """What is computed. Attributes: see the help of each."""

    metric: str = parameter(
        METRICS,
        label="Metrics",
        help="Metrics, separated by commas; with parameters, as in ibleu:sign=plus.",
    )
    seeds: int = parameter(
        10, label="Seeds", help="How many times chains and corpora are drawn.", minimum=1, maximum=MOST_SEEDS
    )
    seed: int = parameter(0, label="First seed", help="Of the draws.", minimum=0, maximum=LARGEST_SEED)
    source: Source = parameter(
        Source.UNIFORM,
        label="Source",
        help="What outputs are compared with as their source.",
        labels={
            Source.UNIFORM: "a partial correction, drawn uniformly",
            Source.CORPORA: "the sentence of one of the corpora (released code)",
            Source.ORIGINAL: "the original sentence",
        },
    )
    quality: Quality = parameter(
        Quality.TOKENS,
        label="Quality of an original",
        help="What Pearson’s r correlates scores with.",
        labels={
            Quality.TOKENS: "1 - edits / tokens",
            Quality.CHARACTERS: "1 - (edits + 1) / characters (released code)",
        },
    )
    ties: Ties = parameter(
        Ties.CONCORDANT,
        label="Ties in τ",
        help="How pairs count to which the metric gives one score; tau-b stands beside it.",
        labels={
            Ties.CONCORDANT: "count as agreement (paper)",
            Ties.DISCORDANT: "count as disagreement",
        },
    )
    corpus_score: CorpusScore = parameter(
        CorpusScore.METRIC,
        label="Score of a corpus",
        help="What orders the corpora.",
        labels={
            CorpusScore.METRIC: "the metric’s own",
            CorpusScore.MEAN: "mean of sentence scores (released code)",
        },
    )
    types: Types = parameter(
        Types.GIVEN,
        label="Types of edits",
        help="By which the sensitivity is broken down.",
        labels={
            Types.GIVEN: "as annotated",
            Types.CATEGORY: "ERRANT’s categories",
            Types.TYPE: "ERRANT’s types",
        },
    )
    annotators: int | None = parameter(
        None,
        label="Least annotators",
        help="A sentence needs so many annotators, all of whom correct something.",
        minimum=1,
        maximum=100,
        placeholder="2, or 1 where no sentence has more",
    )

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics as written, each once."""
        return tuple(dict.fromkeys(name for each in self.metric.split(",") if (name := each.strip())))
