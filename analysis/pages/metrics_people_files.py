"""The tables of metrics against people as files: systems, sentences, annotators, domains, tests."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics_people_result import MetricAgainstPeople, MetricsAgainstPeople
from core.formulas import guarded
from core.latex import escaped, number, p_value, tabular
from core.tables import csv_lines
from metrics.validation import Estimate, PairwiseTests, PartAgreement

SYSTEMS, SENTENCES, ANNOTATORS, DOMAINS = "systems", "sentences", "annotators", "domains"

ESTIMATES = ("pearson", "spearman", "kendall", "accuracy", "spa")
OF_SENTENCES = ("tau", "tau_b", "accuracy")
COLUMNS = (
    "metric",
    "cluster",
    *(f"{name}{end}" for name in ESTIMATES for end in ("", "_low", "_high")),
    *(f"sentence_{name}{end}" for name in OF_SENTENCES for end in ("", "_low", "_high")),
    "acc_eq",
    "acc_eq_cluster",
    "no_interval",
    "metric_signature",
    "signature",
)
COUNTS = ("concordant", "discordant", "metric_ties", "judge_ties", "both_tie")
SENTENCE_COLUMNS = (
    "metric",
    "cluster",
    "acc_eq",
    "epsilon",
    "acc_eq_sentences",
    "acc_eq_pairs",
    "acc_eq_human_ties",
    *(f"{name}{end}" for name in OF_SENTENCES for end in ("", "_low", "_high")),
    "tau_without_ties",
    *COUNTS,
    "not_scored",
    "reason",
    "signature",
)
PART_COLUMNS = (
    "metric",
    "part",
    "sentences",
    "tau",
    "tau_without_ties",
    "tau_b",
    "accuracy",
    *COUNTS,
    "reason",
    "signature",
)
TEST_COLUMNS = ("metric", "than", "p", "p_holm", "reason", "signature")

Parts = Mapping[str, Sequence[tuple[str, PartAgreement]]]
"""By name of the metric, agreement within parts of the judgments, each by what people call it."""


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of a result.

    Attributes:
        result: of which they are.
        annotators: agreement with each annotator.
        domains: agreement within each domain.
    """

    result: MetricsAgainstPeople
    annotators: Parts
    domains: Parts

    def lines(self, table: str, file: str) -> Iterator[str]:
        """A table as CSV, with all figures, or as LaTeX, with the main ones.

        Raises:
            KeyError: there is no such table.
        """
        as_csv, as_latex = self._writers(table)
        return as_csv() if file == "csv" else as_latex()

    def _writers(self, table: str) -> tuple[Callable[[], Iterator[str]], Callable[[], Iterator[str]]]:
        if table in self.result.tests:
            tests = self.result.tests[table]
            return lambda: self._tests_csv(tests), lambda: self._tests_latex(tests)
        parts = {ANNOTATORS: self.annotators, DOMAINS: self.domains}
        if table in parts:
            return lambda: self._parts_csv(parts[table]), lambda: self._parts_latex(parts[table])
        return {
            SYSTEMS: (self._systems_csv, self._systems_latex),
            SENTENCES: (self._sentences_csv, self._sentences_latex),
        }[table]

    def _systems_csv(self) -> Iterator[str]:
        return csv_lines(COLUMNS, self._rows(_system_cells))

    def _sentences_csv(self) -> Iterator[str]:
        return csv_lines(SENTENCE_COLUMNS, self._rows(_sentence_cells))

    def _parts_csv(self, parts: Parts) -> Iterator[str]:
        rows = (
            [guarded(metric), guarded(shown), *_part_cells(part), self.result.signature]
            for metric, of_metric in parts.items()
            for shown, part in of_metric
        )
        return csv_lines(PART_COLUMNS, rows)

    def _tests_csv(self, tests: PairwiseTests) -> Iterator[str]:
        """A row for each pair of metrics."""
        rows = (
            [
                guarded(metric),
                guarded(than),
                tests.p_values[row][column],
                tests.holm[row][column],
                tests.reasons.get(metric, {}).get(than, ""),
                self.result.signature,
            ]
            for row, metric in enumerate(tests.metrics)
            for column, than in enumerate(tests.metrics)
            if row != column
        )
        return csv_lines(TEST_COLUMNS, rows)

    def _rows(self, cells: Callable[[MetricAgainstPeople], list[object]]) -> Iterator[list[object]]:
        for name, metric in self.result.metrics.items():
            yield [guarded(name), *cells(metric), self.result.signature]

    def _systems_latex(self) -> Iterator[str]:
        columns = ["Metric", "SPA", "Pearson", "Spearman", "Kendall", "Accuracy", "Cluster"]
        shown = ("spa", "pearson", "spearman", "kendall", "accuracy")
        return self._tabular(
            columns,
            (
                [
                    escaped(title_of_metric(name)),
                    *(number(getattr(metric, each).value, 3) for each in shown),
                    number(metric.cluster, 0),
                ]
                for name, metric in self.result.metrics.items()
            ),
        )

    def _sentences_latex(self) -> Iterator[str]:
        return self._tabular(
            ["Metric", "acc*eq", "Tau", "Tau-b", "Accuracy", "Cluster"],
            (
                [
                    escaped(title_of_metric(name)),
                    number(metric.sentences.calibrated.accuracy if metric.sentences.calibrated else None, 3),
                    *(number(getattr(metric.sentences, each).value, 3) for each in OF_SENTENCES),
                    number(metric.sentence_cluster, 0),
                ]
                for name, metric in by_sentences(self.result)
            ),
        )

    def _parts_latex(self, parts: Parts) -> Iterator[str]:
        """Tau of each metric within each part."""
        columns = ["", *map(title_of_metric, parts)]
        return self._tabular(
            columns,
            (
                [escaped(shown), *(number(part.pairs.value, 3) for part in row)]
                for shown, row in part_rows(parts)
            ),
        )

    def _tests_latex(self, tests: PairwiseTests) -> Iterator[str]:
        """P-values by row and column, in the order of the result."""
        order = [name for name in self.result.metrics if name in tests.metrics]
        places = [tests.metrics.index(name) for name in order]
        return self._tabular(
            ["", *map(title_of_metric, order)],
            (
                [
                    escaped(title_of_metric(name)),
                    *(p_value(tests.p_values[row][column]) for column in places),
                ]
                for name, row in zip(order, places, strict=True)
            ),
        )

    def _tabular(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
        return tabular(columns, rows, comments=[self.result.signature])


def by_sentences(result: MetricsAgainstPeople) -> list[tuple[str, MetricAgainstPeople]]:
    """The metrics with agreement by sentences, the best first."""
    compared = [(name, metric) for name, metric in result.metrics.items() if metric.sentences.calibrated]
    return sorted(compared, key=lambda item: -_calibrated(item[1]))


def part_rows(parts: Parts) -> list[tuple[str, list[PartAgreement]]]:
    """Each part with its agreement by metric; all metrics have the same parts in the same order."""
    columns = list(parts.values())
    if not columns:
        return []
    return [(shown, [column[place][1] for column in columns]) for place, (shown, _) in enumerate(columns[0])]


def _calibrated(metric: MetricAgainstPeople) -> float:
    calibrated = metric.sentences.calibrated
    return (calibrated.accuracy if calibrated else None) or 0.0


def _cells(estimates: Iterable[Estimate]) -> list[object]:
    return [value for each in estimates for value in (each.value, each.low, each.high)]


def _system_cells(metric: MetricAgainstPeople) -> list[object]:
    sentences = metric.sentences
    return [
        metric.cluster,
        *_cells(getattr(metric, each) for each in ESTIMATES),
        *_cells(getattr(sentences, each) for each in OF_SENTENCES),
        sentences.calibrated.accuracy if sentences.calibrated else None,
        metric.sentence_cluster,
        metric.pearson.reason,
        metric.signature,
    ]


def _sentence_cells(metric: MetricAgainstPeople) -> list[object]:
    agreed, calibrated, pairs = metric.sentences, metric.sentences.calibrated, metric.sentences.pairs
    of_pairs = ("accuracy", "epsilon", "sentences", "pairs", "human_ties")
    return [
        metric.sentence_cluster,
        *(getattr(calibrated, each) if calibrated else None for each in of_pairs),
        *_cells(getattr(agreed, each) for each in OF_SENTENCES),
        *(getattr(pairs, each) if pairs else None for each in ("without_ties", *COUNTS)),
        agreed.not_scored,
        agreed.reason or (calibrated.reason if calibrated else None),
    ]


def _part_cells(part: PartAgreement) -> list[object]:
    shown = ("value", "without_ties", "tau_b", "accuracy", *COUNTS)
    return [part.sentences, *(getattr(part.pairs, each) for each in shown), part.reason]
