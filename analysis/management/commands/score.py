"""The command `score`: outputs by automatic metrics."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.markup import escape
from rich.table import Table

from analysis.analyses.metrics.metric_scores import (
    Evaluation,
    MetricScores,
    SystemMetricScore,
    metric_scores,
    read_evaluation,
    steps,
    unparsed,
    with_parser,
)
from analysis.management.options import add_corpus_files, natural_number
from annotate.management.checkers import add_checker_option, add_language_option
from annotate.management.english import add_pipeline_option
from annotate.management.named_arguments import add_files, by_name, named_path
from annotate.management.terminal import output, progress_bar, quiet_when_the_pipe_closes
from annotate.scores.metric_setup import english_pipeline
from core.wording import p_value
from formats import FormatError
from metrics import (
    AnyMetric,
    InputError,
    MetricError,
    Need,
    ParameterError,
    UnknownMetricError,
    metric_from_text,
)
from metrics.english.grammar_checkers import CheckerError, checker_named
from metrics.english.spacy_pipelines import PipelineError

COMPARISONS = 1000
"""Default number of replicates of a comparison; --bootstrap changes it."""

SHOWN_DETAILS = 2
"""Number of further figures that a table has room for; JSON has all."""

INTERVAL_WIDTH = len("-0.0000 to -0.0000")

OPTIONS = {Need.REFERENCES: "--reference FILE or --m2 FILE", Need.GOLD_EDITS: "--m2 FILE"}


class Command(BaseCommand):
    help = "Score system outputs with automatic metrics (`metrics` lists them). Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        add_corpus_files(parser)
        parser.add_argument(
            "--output",
            type=named_path,
            nargs="+",
            action="extend",
            required=True,
            metavar="[NAME=]FILE",
            help="outputs of a system, or its edits in a file that ends in .m2; named after the file without "
            "its extension unless NAME is given",
        )
        add_files(
            parser,
            "--m2",
            "gold edits; also the references of metrics that compare texts, unless --reference is given",
            is_named=False,
        )
        parser.add_argument(
            "--metric",
            nargs="+",
            action="extend",
            required=True,
            metavar="NAME[:PARAMETER=VALUE]...",
            help="such as gleu or m2:beta=1",
        )
        parser.add_argument("--sentences", action="store_true", help="also the score of each sentence")
        parser.add_argument(
            "--bootstrap",
            type=natural_number,
            default=0,
            metavar="N",
            help="replicates over sentences, for 95%% intervals (0: none)",
        )
        parser.add_argument(
            "--compare",
            action="store_true",
            help="test each system against the best one with the paired bootstrap "
            f"({COMPARISONS} replicates unless --bootstrap says how many)",
        )
        parser.add_argument("--seed", type=natural_number, default=0, help="seed of the bootstrap (0)")
        add_checker_option(parser)
        add_language_option(parser)
        add_pipeline_option(parser)
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            metrics = _metrics(options["metric"])
            needs = {need for metric in metrics.values() for need in metric.required}
            checks = Need.CHECKER in needs
            evaluation = read_evaluation(
                options["source"],
                by_name("--output", options["output"]),
                references=by_name("--reference", options["reference"]),
                m2=options["m2"],
                lenient=options["lenient"],
                checker=checker_named(options["checker"], options["language"]) if checks else None,
            )
            for warning in evaluation.warnings:
                self.stderr.write(self.style.WARNING(f"warning: {warning}"))
            _check_needs(metrics, evaluation)
            results = _results(metrics, evaluation, **options)
        except (
            FormatError,
            InputError,
            MetricError,
            ParameterError,
            UnknownMetricError,
            CheckerError,
            PipelineError,
        ) as error:
            raise CommandError(str(error)) from error
        with quiet_when_the_pipe_closes():
            if options["json"]:
                self.stdout.write(_json(results, sentences=options["sentences"]))
            else:
                for name, result in results.items():
                    _print(name, result, compared=options["compare"], seed=options["seed"])
                    if options["sentences"]:
                        self.stdout.writelines(_sentence_lines(result))


def _metrics(texts: Sequence[str]) -> dict[str, AnyMetric]:
    metrics = {text: metric_from_text(text) for text in texts}
    if len(metrics) < len(texts):
        raise CommandError("A metric is given twice.")
    return metrics


def _check_needs(metrics: Mapping[str, AnyMetric], evaluation: Evaluation) -> None:
    parts = evaluation.data.parts
    for name, metric in metrics.items():
        for need in Need:
            if need in metric.required and not parts[need]:
                raise CommandError(f"{name} needs {need}: give {OPTIONS[need]}.")


def _results(
    metrics: Mapping[str, AnyMetric], evaluation: Evaluation, **options: Any
) -> dict[str, MetricScores]:
    intervals = options["bootstrap"]
    comparisons = (intervals or COMPARISONS) if options["compare"] else 0
    pipeline = english_pipeline(options["pipeline"])
    texts = unparsed(metrics.values(), evaluation)
    with progress_bar("Parsing", len(texts)) as advance:
        pipeline.parse_ahead(texts, progress=advance)
    total = len(metrics) * steps(evaluation, intervals, comparisons)
    with progress_bar("Scoring", total) as advance:
        return {
            name: metric_scores(
                metric,
                with_parser(metric, evaluation, pipeline),
                intervals=intervals,
                comparisons=comparisons,
                seed=options["seed"],
                progress=advance,
            )
            for name, metric in metrics.items()
        }


def _json(results: Mapping[str, MetricScores], *, sentences: bool) -> str:
    return json.dumps(
        {
            name: {
                "signature": result.signature,
                "systems": {system: _system_json(each, sentences) for system, each in result.systems.items()},
            }
            for name, result in results.items()
        },
        ensure_ascii=False,
        indent=1,
    )


def _system_json(each: SystemMetricScore, sentences: bool) -> dict[str, object]:
    return {
        "score": each.score,
        "low": each.low,
        "high": each.high,
        "p_value": each.p_value,
        "reason": each.reason,
        "details": dict(each.details),
        "not_scored": {str(number): reason for number, reason in each.not_scored.items()},
    } | ({"sentences": each.sentences} if sentences else {})


def _print(name: str, result: MetricScores, *, compared: bool, seed: int) -> None:
    console = output()
    systems = result.systems
    intervals = any(each.low is not None for each in systems.values())
    details = list(next(iter(systems.values())).details)[:SHOWN_DETAILS]
    table = Table("System", title=name, title_justify="left")
    headings = [
        "Score",
        *(["95% interval"] if intervals else []),
        *(["p"] if compared else []),
        *(f"{detail[0].upper()}{detail[1:].replace('_', ' ')}" for detail in details),
    ]
    for heading in headings:
        table.add_column(
            heading, justify="right", min_width=INTERVAL_WIDTH if "interval" in heading else None
        )
    for system, each in systems.items():
        table.add_row(
            system,
            _decimals(each.score, 4),
            *([_interval(each)] if intervals else []),
            *(["–" if each.p_value is None else p_value(each.p_value)] if compared else []),
            *(_figure(each.details.get(detail)) for detail in details),
        )
    console.print(table)
    if compared:
        best = next(iter(systems))
        console.print(f"p: paired bootstrap against {best}, two-sided, seed {seed}; not corrected.")
    for warning in _warnings(systems):
        console.print(f"[yellow]{escape(warning)}[/yellow]")
    console.print(f"Signature {result.signature}", highlight=False, soft_wrap=True)


def _warnings(systems: Mapping[str, SystemMetricScore]) -> list[str]:
    """Reasons for missing scores, each listed once with all systems that it concerns."""
    affected: dict[str, list[str]] = {}
    for system, each in systems.items():
        if each.reason:
            affected.setdefault(f"no score; {each.reason}.", []).append(system)
        elif each.not_scored:
            number, reason = next(iter(each.not_scored.items()))
            share = f"{len(each.not_scored):,} of {len(each.sentences):,} sentences"
            warning = f"{share} are not scored and add nothing to the score. Sentence {number}: {reason}."
            affected.setdefault(warning, []).append(system)
    return [f"{', '.join(names)}: {warning}" for warning, names in affected.items()]


def _sentence_lines(result: MetricScores) -> list[str]:
    """Tab-separated: a heading, then a line for each sentence."""
    columns = [each.sentences for each in result.systems.values()]
    lines = ["\t".join(["sentence", *result.systems])]
    for number, row in enumerate(zip(*columns, strict=True), start=1):
        lines.append("\t".join([str(number), *(_decimals(value, 4) for value in row)]))
    return [f"{line}\n" for line in lines]


def _interval(each: SystemMetricScore) -> str:
    return "–" if each.low is None else f"{_decimals(each.low, 4)} to {_decimals(each.high, 4)}"


def _figure(value: float | None) -> str:
    if value is not None and value > 1 and math.isclose(value, round(value)):
        return f"{round(value):,}"
    return _decimals(value, 4)


def _decimals(value: float | None, places: int) -> str:
    """The number with this many decimal places; a dash for None."""
    return "–" if value is None else f"{value:.{places}f}"
