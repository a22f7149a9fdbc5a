"""The command `m2`: apply the edits of an M2 file, or count them."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from annotate.management.terminal import quiet_when_the_pipe_closes
from formats import AnnotatorCounts, FormatError, M2Counts, M2File, count_edits, read_m2

MOST_COLUMNS = 5
"""Annotators that stand side by side in a table of error types."""


class Command(BaseCommand):
    help = "Apply the edits of an M2 file, or count them. Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        apply = actions.add_parser("apply", help="print the corrected sentences, one a line")
        apply.add_argument(
            "--annotator", metavar="NAME", help="whose edits; needed where the file has several annotators"
        )
        counts = actions.add_parser("counts", help="print sentences, edits and error types by annotator")
        counts.add_argument("--json", action="store_true", help="print JSON instead of tables")
        for action in (apply, counts):
            action.add_argument("file", type=Path, help="the M2 file")
            action.add_argument(
                "--lenient",
                action="store_true",
                help="clip spans that end past their sentence and drop edits that overlap, with a warning",
            )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            file = read_m2(options["file"], lenient=options["lenient"])
            for warning in file.warnings:
                self.stderr.write(self.style.WARNING(f"warning: {warning}"))
            if options["action"] == "apply":
                self._write(_corrected(file, options["annotator"]))
            elif options["json"]:
                self.stdout.write(json.dumps(asdict(count_edits(file)), ensure_ascii=False, indent=1))
            else:
                _print(count_edits(file))
        except FormatError as error:
            raise CommandError(str(error)) from error

    def _write(self, texts: list[str]) -> None:
        with quiet_when_the_pipe_closes():
            self.stdout.writelines(f"{text}\n" for text in texts)
            self.stdout.flush()


def _corrected(file: M2File, annotator: str | None) -> list[str]:
    if annotator is None:
        if len(file.annotators) != 1:
            raise CommandError(f"Choose an annotator by --annotator: {', '.join(file.annotators)}.")
        annotator = file.annotators[0]
    return file.corrected_by(annotator)


def _print(counts: M2Counts) -> None:
    console = Console()
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
    """Edits by type, of each annotator where they fit on a terminal, otherwise of the extremes."""
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
