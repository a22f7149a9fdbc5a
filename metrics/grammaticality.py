"""Grammaticality without references, by a grammar checker (Napoles et al. 2016, "There's No Comparison")."""

from collections.abc import Mapping

from core.arrays import FloatArray
from metrics.base.evaluation_sets import EvaluationSet, Need, required_checker
from metrics.base.metric import MeanMetric, NoParameters, Reduce, mean_row


class Grammaticality(MeanMetric[NoParameters]):
    """1 - errors / tokens; an empty output has no errors. More errors than tokens make it negative."""

    name = "grammaticality"
    label = "Grammaticality"
    summary = "1 minus the errors per token found by a grammar checker. Needs no reference."
    reads_source = False
    needs = frozenset({Need.CHECKER})

    def prepare(self, data: EvaluationSet) -> Reduce:
        """One row: `mean_row`. The checker keeps how often each rule is broken."""
        checker = required_checker(data)

        def reduce(sentence: int, output: str) -> FloatArray:
            [rules] = checker.check([output])
            return mean_row(1 - sum(rules.values()) / max(1, len(output.split())))

        return reduce

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """The checker, and that texts are detokenised for it."""
        return {"tok": "detokenised", "checker": required_checker(data).signature}
