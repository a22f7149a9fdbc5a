"""The command `m2`: apply, count or retype the edits of an M2 file, or make one from texts."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.markup import escape
from rich.table import Table

from annotate.management.edited_texts import m2_of_texts, retyped_m2
from annotate.management.english import add_pipeline_option
from annotate.management.terminal import output, quiet_when_the_pipe_closes
from annotate.scores.metric_setup import english_pipeline
from formats import AnnotatorCounts, FormatError, M2Counts, M2File, M2Sentence, count_edits, m2_text, read_m2
from metrics.english.spacy_pipelines import PipelineError

MOST_COLUMNS = 5
"""Most annotators in one table of error types."""


class Command(BaseCommand):
    help = "Apply, count or retype the edits of an M2 file, or make one from texts. Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        apply = actions.add_parser("apply", help="print the corrected sentences, one per line")
        apply.add_argument(
            "--annotator",
            metavar="NAME",
            help="whose edits to apply; required if the file has several annotators",
        )
        counts = actions.add_parser("counts", help="print sentences, edits and error types by annotator")
        counts.add_argument("--json", action="store_true", help="print JSON instead of tables")
        make = actions.add_parser("make", help="extract edits from corrected texts with ERRANT")
        make.add_argument(
            "--source",
            type=Path,
            required=True,
            metavar="FILE",
            help="tokenised source sentences, one per line",
        )
        make.add_argument(
            "--corrected",
            type=Path,
            nargs="+",
            action="extend",
            required=True,
            metavar="FILE",
            help="corrected sentences of an annotator; the first file is annotator 0",
        )
        retype = actions.add_parser("retype", help="assign ERRANT's types to edits")
        retype.add_argument(
            "--extract",
            action="store_true",
            help="extract the edits again from the corrected texts instead of keeping their spans",
        )
        for action in (make, retype):
            action.add_argument(
                "--out", type=Path, metavar="FILE", help="file to write (default: standard output)"
            )
            add_pipeline_option(action)
        for action in (apply, counts, retype):
            action.add_argument("file", type=Path, help="the M2 file")
            action.add_argument(
                "--lenient",
                action="store_true",
                help="clip spans that end past their sentence and drop overlapping edits, with a warning",
            )

    def handle(self, *args: object, **options: Any) -> None:
        try:
            if options["action"] == "make":
                pipeline = english_pipeline(options["pipeline"])
                self._write_m2(m2_of_texts(options["source"], options["corrected"], pipeline), options["out"])
            else:
                self._handle_file(**options)
        except (FormatError, PipelineError) as error:
            raise CommandError(str(error)) from error

    def _handle_file(self, **options: Any) -> None:
        file = read_m2(options["file"], lenient=options["lenient"])
        for warning in file.warnings:
            self.stderr.write(self.style.WARNING(f"warning: {warning}"))
        if options["action"] == "apply":
            self._write(f"{text}\n" for text in _corrected(file, options["annotator"]))
        elif options["action"] == "retype":
            pipeline = english_pipeline(options["pipeline"])
            self._write_m2(retyped_m2(file, pipeline, extract=options["extract"]), options["out"])
        elif options["json"]:
            self.stdout.write(json.dumps(asdict(count_edits(file)), ensure_ascii=False, indent=1))
        else:
            _print(count_edits(file))

    def _write_m2(self, sentences: Sequence[M2Sentence], out: Path | None) -> None:
        try:
            blocks = list(m2_text(sentences))
        except ValueError as error:
            raise CommandError(f"M2 cannot represent this: {error}") from error
        if out is None:
            self._write(blocks)
            return
        try:
            out.write_text("".join(blocks), encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{out}: cannot be written: {error}") from error

    def _write(self, lines: Iterable[str]) -> None:
        with quiet_when_the_pipe_closes():
            self.stdout.writelines(lines)
            self.stdout.flush()


def _corrected(file: M2File, annotator: str | None) -> list[str]:
    if annotator is None:
        if len(file.annotators) != 1:
            raise CommandError(f"Choose an annotator with --annotator: {', '.join(file.annotators)}.")
        annotator = file.annotators[0]
    return file.corrected_by(annotator)


def _print(counts: M2Counts) -> None:
    console = output()
    console.print(f"{counts.sentences:,} sentences, {counts.tokens:,} tokens, {_annotators(counts)}")
    numbers = ("Sentences", "Changed", "Edits", "Inserted", "Deleted", "Replaced")
    table = Table("Annotator")
    for heading in numbers:
        table.add_column(heading, justify="right")
    for row in counts.annotators:
        cells = (row.sentences, row.changed, row.edits, row.insertions, row.deletions, row.replacements)
        table.add_row(escape(row.annotator), *(f"{cell:,}" for cell in cells))
    console.print(table)
    if len(counts.annotators) > 1:
        console.print(
            "Choosing one annotator for each sentence gives between "
            f"{counts.fewest:,} and {counts.most:,} edits."
        )
    if any(row.kinds for row in counts.annotators):
        console.print(_kinds(counts.annotators))


def _annotators(counts: M2Counts) -> str:
    number = len(counts.annotators)
    return "1 annotator" if number == 1 else f"{number} annotators"


def _kinds(annotators: tuple[AnnotatorCounts, ...]) -> Table:
    """Edits by type, for each annotator if they fit on a terminal, otherwise for the extremes."""
    kinds = {kind for row in annotators for kind in row.kinds}
    columns = {kind: [row.kinds.get(kind, 0) for row in annotators] for kind in kinds}
    each = len(annotators) <= MOST_COLUMNS
    table = Table("Error type")
    for heading in [row.annotator for row in annotators] if each else ["Fewest", "Most"]:
        table.add_column(escape(heading), justify="right")
    if len(annotators) > 1:
        table.add_column("All", justify="right")
    for kind, edits in sorted(columns.items(), key=lambda item: (-sum(item[1]), item[0])):
        cells = edits if each else [min(edits), max(edits)]
        total = [sum(edits)] if len(annotators) > 1 else []
        table.add_row(escape(kind), *(f"{cell:,}" for cell in cells + total))
    return table
