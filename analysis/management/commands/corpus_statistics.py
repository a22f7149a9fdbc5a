"""The command `corpus_statistics`: how much the references of a corpus change, by type."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.markup import escape
from rich.table import Table

from analysis.analyses.metric_scores import read_evaluation
from analysis.management.numbers import decimals
from analysis.management.options import add_corpus_files
from annotate.management.english import add_pipeline_option
from annotate.management.terminal import output, progress_bar
from annotate.storage.english import english_pipeline
from formats import FormatError, read_m2
from metrics import InputError
from metrics.corpus_statistics import Agreement, CorpusStatistics, corpus_statistics
from metrics.edit_sources import texts_to_parse
from metrics.english_pipeline import PipelineError

SHOWN_CATEGORIES = 10
"""Number of categories in Figure 1 of GMEG; JSON has all."""

LEFT_OUT = "OTHER"
"""The category that Figure 1 leaves out: edits that match no rule."""


class Command(BaseCommand):
    help = "Describe a corpus and its references: sizes, edits and their types, agreement. Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        add_corpus_files(parser)
        parser.add_argument(
            "--m2",
            type=Path,
            metavar="FILE",
            help="the references' edits instead; edits without ERRANT's types are extracted again",
        )
        add_pipeline_option(parser)
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: Any, **options: Any) -> None:
        if bool(options["reference"]) == bool(options["m2"]):
            raise CommandError("Give either --reference FILE or --m2 FILE.")
        try:
            statistics = self._statistics(**options)
        except (FormatError, InputError, PipelineError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(asdict(statistics), ensure_ascii=False, indent=1))
        else:
            _print(statistics)

    def _statistics(self, **options: Any) -> CorpusStatistics:
        named = dict(options["reference"])
        if len(named) < len(options["reference"]):
            raise CommandError("--reference: two files have the same name; write one as NAME=FILE.")
        m2 = [options["m2"]] if options["m2"] else []
        evaluation = read_evaluation(
            options["source"], {}, references=named, m2=m2, lenient=options["lenient"], checker=None
        )
        for warning in evaluation.warnings:
            self.stderr.write(self.style.WARNING(f"warning: {warning}"))
        names = list(named) or list(read_m2(options["m2"], lenient=options["lenient"]).annotators)
        data = evaluation.data
        if texts := list(texts_to_parse(data, (), "auto")):
            pipeline = english_pipeline(options["pipeline"])
            with progress_bar("Parsing", len(texts)) as advance:
                pipeline.parse(texts, progress=advance)
            data = replace(data, parser=pipeline)
        with progress_bar("Counting", len(data.sources)) as advance:
            return corpus_statistics(data, names, progress=advance)


def _print(statistics: CorpusStatistics) -> None:
    console = output()
    console.print(_sizes(statistics))
    if statistics.categories:
        console.print(_categories(statistics))
    if statistics.agreement:
        console.print(_agreement(statistics.agreement))


def _sizes(statistics: CorpusStatistics) -> Table:
    table = Table("Corpus", "", title_justify="left")
    table.columns[1].justify = "right"
    for name, value in (
        ("Sentences", f"{statistics.sentences:,}"),
        ("Tokens per sentence", f"{statistics.tokens:.1f} ± {statistics.tokens_deviation:.1f}"),
        ("References", f"{statistics.references:,}"),
        ("Unchanged", f"{statistics.unchanged:.1%}"),
        ("Edits per changed sentence", decimals(statistics.edits, 2)),
        ("Tokens per edit", decimals(statistics.tokens_an_edit, 2)),
        ("... of the source", decimals(statistics.source_tokens_an_edit, 2)),
        ("... of the correction", decimals(statistics.corrected_tokens_an_edit, 2)),
        ("Type-token ratio", f"{statistics.type_token_ratio:.3f}"),
    ):
        table.add_row(name, value)
    return table


def _categories(statistics: CorpusStatistics) -> Table:
    total = sum(statistics.categories.values())
    table = Table("Category", "Edits", "Share", title="Most frequent edits", title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    shown = [name for name in statistics.categories if name != LEFT_OUT][:SHOWN_CATEGORIES]
    for name in [*shown, *([LEFT_OUT] if LEFT_OUT in statistics.categories else [])]:
        table.add_row(name, f"{statistics.categories[name]:,}", f"{statistics.categories[name] / total:.1%}")
    return table


def _agreement(agreement: Mapping[str, Agreement]) -> Table:
    table = Table(
        "Reference", "P", "R", "F0.5", title="M2 against the other references", title_justify="left"
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for name, each in agreement.items():
        cells = (each.precision, each.recall, each.f)
        table.add_row(escape(name), *(f"{100 * cell:.1f}" for cell in cells))
    return table
