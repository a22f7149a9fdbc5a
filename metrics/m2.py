"""M2, the MaxMatch score: F of the edits of an output that best match gold edits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.parameters import parameter
from metrics.base.evaluation_sets import Annotation, EvaluationSet, GoldEdit, Need, required_annotations
from metrics.base.metric import Metric, NotScored, Reduce, Rows

MOST_CELLS = 4_000_000
"""Bound on source tokens times output tokens: two tables of 4 bytes per cell."""

MOST_VERTICES = 2_500
"""Bound on the lattice; adding transitive arcs takes cubic time, under a second at this bound."""


@dataclass(frozen=True, slots=True)
class M2Parameters:
    """Options of the official scorer."""

    beta: float = parameter(
        0.5,
        label="Beta",
        help="Weight of recall against precision in F.",
        minimum=0,
        maximum=100,
        changes_statistics=False,
    )
    max_unchanged: int = parameter(
        2,
        label="Most unchanged words",
        help="Maximum number of unchanged words inside a joined edit.",
        minimum=0,
        maximum=20,
    )
    ignore_whitespace_casing: bool = parameter(
        False,
        label="Ignore white space and case",
        help="Leave out proposed edits that change nothing but white space and case.",
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Gold:
    """The edits of one annotator at one sentence, as arrays (`metrics.kernels.m2_kernel`)."""

    annotator: int
    spans: IntArray
    firsts: IntArray
    bounds: IntArray
    corrections: IntArray

    @property
    def arrays(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        return self.spans, self.firsts, self.bounds, self.corrections


class M2(Metric[M2Parameters]):
    """MaxMatch (Dahlmeier and Ng 2012), equal to the official scorer, version 3.2.

    A row per annotator holds correct, proposed and gold edits and the annotator's number among all annotators
    of the evaluation set, sorted by name. The corpus score chooses an annotator for each sentence in order,
    by the highest F of all sentences so far, so it is not additive. A sentence without annotators counts as
    left unchanged by one annotator.
    """

    name = "m2"
    label = "M2 (MaxMatch)"
    summary = "F of phrase edits that best match the gold edits of one annotator per sentence."
    needs = frozenset({Need.GOLD_EDITS})
    perfect = 1.0
    Parameters = M2Parameters

    def prepare(self, data: EvaluationSet) -> Reduce:
        """Rows of shape (annotators, 4). Outputs beyond `MOST_CELLS` or `MOST_VERTICES` are not scored."""
        annotations = required_annotations(data)
        names = {each.annotator for sentence in annotations for each in sentence}
        order = {name: number for number, name in enumerate(sorted(names, key=lambda x: (len(x), x)))}
        numbers: dict[str, int] = {}

        def encoded(tokens: Sequence[str]) -> IntArray:
            return np.array([numbers.setdefault(token, len(numbers)) for token in tokens], dtype=np.int64)

        matcher = _Matcher(self.parameters, encoded)
        prepared: dict[int, tuple[list[str], IntArray, list[_Gold]]] = {}

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if sentence not in prepared:
                tokens = data.sources[sentence].split()
                present = annotations[sentence] or (Annotation("", ()),)
                golds = [_gold(each.edits, order.get(each.annotator, 0), encoded) for each in present]
                prepared[sentence] = tokens, encoded(tokens), golds
            return matcher.rows(*prepared[sentence], output.split())

        return reduce

    def sentence_scores(self, rows: Rows) -> FloatArray:
        """F against the annotator that gives the highest F."""
        return self.corpus_scores(rows, np.arange(len(rows.sizes))[:, None])

    def corpus_scores(self, rows: Rows, picks: IntArray) -> FloatArray:
        """F with annotators chosen in order."""
        return _f(self.totals(rows, picks), self.parameters.beta)

    def totals(self, rows: Rows, picks: IntArray) -> FloatArray:
        """Correct, proposed and gold edits of B corpora, shape (B, 3), with annotators chosen in order."""
        totals, _ = self._choose(rows, picks)
        return totals

    def details(self, rows: Rows, picks: IntArray) -> Mapping[str, float]:
        """Precision, recall, counts, and how often each annotator was chosen."""
        totals, chosen = self._choose(rows, picks[None])
        correct, proposed, gold = totals[0].tolist()
        figures = {
            "precision": correct / proposed if proposed else 1.0,
            "recall": correct / gold if gold else 1.0,
            "correct": correct,
            "proposed": proposed,
            "gold": gold,
        }
        for annotator, times in enumerate(chosen[0].tolist()):
            figures[f"sentences by annotator {annotator}"] = times
        return figures

    def _choose(self, rows: Rows, picks: IntArray) -> tuple[FloatArray, IntArray]:
        from metrics.kernels.m2_kernel.annotator_choice import choose_annotators

        annotators = int(rows.values[:, :, 3].max()) + 1
        in_order = np.ascontiguousarray(picks)  # The step is compiled for one layout.
        return choose_annotators(rows.values, rows.sizes, in_order, float(self.parameters.beta), annotators)


class _Matcher:
    """Counts correct, proposed and gold edits of an output."""

    def __init__(self, parameters: M2Parameters, encoded: Callable[[Sequence[str]], IntArray]) -> None:
        from metrics.kernels.m2_kernel.lattice import lattice
        from metrics.kernels.m2_kernel.matching import best_edits, matched

        self._parameters = parameters
        self._encoded = encoded
        self._lattice, self._best_edits, self._matched = lattice, best_edits, matched

    def rows(
        self, tokens: Sequence[str], source: IntArray, golds: Sequence[_Gold], words: Sequence[str]
    ) -> FloatArray | NotScored:
        """Shape (annotators, 4)."""
        rows = np.array([[0.0, 0.0, len(gold.spans), gold.annotator] for gold in golds])
        if tokens == words:
            return rows
        if (len(tokens) + 1) * (len(words) + 1) > MOST_CELLS:
            return NotScored(
                f"source and output of {len(tokens)} and {len(words)} tokens are too long for M2"
            )
        output = self._encoded(words)
        lattice = self._lattice(source, output, self._parameters.max_unchanged, MOST_VERTICES)
        if not len(lattice[1]):
            return NotScored(f"source and output align in too many ways for M2 (over {MOST_VERTICES} places)")
        for row, gold in zip(rows, golds, strict=True):
            edits = self._best_edits(source, output, *lattice, *gold.arrays)
            if self._parameters.ignore_whitespace_casing:
                edits = edits[[_changes_more(tokens, words, edit) for edit in edits.tolist()]]
            row[0] = self._matched(source, output, edits, *gold.arrays)
            row[1] = len(edits)
        return rows


def _f(totals: FloatArray, beta: float) -> FloatArray:
    """F of correct, proposed and gold edits, shape (B, 3); 1 where none are proposed and none are gold."""
    square = beta * beta
    load = totals[:, 1] + square * totals[:, 2]
    return np.where(load > 0, (1 + square) * totals[:, 0] / np.where(load > 0, load, 1), 1.0)


def _changes_more(tokens: Sequence[str], words: Sequence[str], edit: Sequence[int]) -> bool:
    """Whether an edit changes more than white space and case."""
    _, _, first, first_word, last, last_word = edit
    return "".join(tokens[first:last]).lower() != "".join(words[first_word:last_word]).lower()


def _gold(edits: Sequence[GoldEdit], annotator: int, encoded: Callable[[Sequence[str]], IntArray]) -> _Gold:
    alternatives = [[correction.split() for correction in edit.corrections] for edit in edits]
    flat = [correction for each in alternatives for correction in each]
    return _Gold(
        annotator,
        np.array([(edit.start, edit.end) for edit in edits], dtype=np.int64).reshape(-1, 2),
        np.cumsum([0, *(len(each) for each in alternatives)]),
        np.cumsum([0, *(len(each) for each in flat)]),
        encoded([token for each in flat for token in each]),
    )
