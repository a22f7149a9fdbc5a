"""The command `corpus_statistics`: the analysis of this name, of parallel files."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.analyses.corpus_inputs import corpus_texts
from analysis.analyses.references.corpus_statistics import CORPUS_STATISTICS, StatisticsParameters
from analysis.management.commands.analyse import print_result
from analysis.management.options import add_corpus_files
from analysis.management.terminal import shown_progress
from analysis.runs.computing import computed
from annotate.management.english import add_pipeline_option
from annotate.management.named_arguments import by_name
from annotate.scores.metric_setup import english_pipeline
from core.parameters import ParameterError
from formats import FormatError, read_parallel


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

    def handle(self, *args: object, **options: Any) -> None:
        if bool(options["reference"]) == bool(options["m2"]):
            raise CommandError("Give either --reference FILE or --m2 FILE.")
        m2, parameters = [options["m2"]] if options["m2"] else [], StatisticsParameters()
        try:
            named = by_name("--reference", options["reference"])
            read = read_parallel(options["source"], {}, references=named, m2=m2, lenient=options["lenient"])
            for warning in read.warnings:
                self.stderr.write(self.style.WARNING(f"warning: {warning}"))
            texts = corpus_texts(read.sentences, parser=english_pipeline(options["pipeline"]))
            with shown_progress() as progress:
                result = computed(CORPUS_STATISTICS, texts, parameters, progress)
        except (FormatError, ParameterError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(asdict(result.statistics), ensure_ascii=False, indent=1))
        else:
            print_result(CORPUS_STATISTICS, CORPUS_STATISTICS.shown(parameters, result))
