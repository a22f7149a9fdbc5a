"""TER, the translation edit rate, as a similarity, by sacreBLEU."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.parameters import parameter
from metrics.base.evaluation_sets import EvaluationSet, required_references
from metrics.base.metric import AdditiveMetric, NotScored, Reduce

WORK = 4_000
"""Maximum of the tokens of an output times those that differ from a reference, summed over references: the
search for shifts, in plain Python, takes about 0.3 ms for each where few different words are repeated."""


@dataclass(frozen=True, slots=True)
class TerParameters:
    """Options of sacreBLEU's TER that concern texts in tokens."""

    case: bool = parameter(
        False, label="Case counts", help="Whether a change of case alone is an edit; no, as in sacreBLEU."
    )


class Ter(AdditiveMetric[TerParameters]):
    """1 - edits / reference tokens (Snover et al. 2006).

    Edits insert, delete and substitute a token, or shift several. Those to the closest reference count, over
    the mean length of the references. The score is negative if more edits are needed than there are tokens.
    """

    name = "ter"
    label = "TER"
    summary = "1 - edits to the closest reference for each of its tokens; moving several tokens is one edit."
    reads_source = False
    perfect = 1.0
    Parameters = TerParameters

    def prepare(self, data: EvaluationSet) -> Reduce:
        """Rows of shape (2,): edits, and the mean length of the references."""
        from rapidfuzz.distance import Levenshtein
        from sacrebleu.metrics.ter import TER

        ter: Any = TER(case_sensitive=self.parameters.case)
        references = required_references(data)

        @cache
        def reference_info(sentence: int) -> Mapping[str, Any]:
            info: Mapping[str, Any] = ter._extract_reference_info(references[sentence])
            return info

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if not references[sentence]:
                return NotScored("the sentence has no reference")
            # sacreBLEU has no public function for the statistics of a segment; its version is pinned.
            text = ter._preprocess_segment(" ".join(output.split()))
            info, tokens = reference_info(sentence), text.split()
            work = len(tokens) * sum(Levenshtein.distance(tokens, words) for words in info["ref_words"])
            if work > WORK:
                return NotScored(f"tokens times differing tokens are {work:,}, more than {WORK:,}")
            return np.array(ter._compute_segment_statistics(text, info), np.float64)

        return reduce

    def score_sums(self, sums: FloatArray) -> FloatArray:
        """Against empty references, 1 for an empty output and else 0."""
        edits, length = sums[..., 0], sums[..., 1]
        rate = np.where(length > 0, edits / np.where(length > 0, length, 1.0), edits > 0)
        return np.asarray(1.0 - rate)

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """The version of sacreBLEU."""
        return {"sacrebleu": version("sacrebleu")}
