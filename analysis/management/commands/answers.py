"""The command `answers`: what the page *Answers* says, about a file of judgments or about a campaign."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from rich.markup import escape
from rich.table import Table

from analysis.answers.answer import Answer
from analysis.management.commands.analyse import subject_named
from analysis.management.terminal import shown_progress
from analysis.runs.answering import computed_answers
from analysis.runs.answers_of_files import add_options, answers_of_file
from analysis.runs.results import to_plain_json
from analysis.runs.sources.base import Options
from analysis.runs.sources.judgments import JUDGMENTS
from annotate.management.terminal import output
from annotate.models import Campaign
from core.parameters import ParameterError
from core.progress import Progress
from formats import FormatError
from formats.judgments import READ_FORMATS
from jobs.refusals import RefusedError
from ranking import SnapshotError


class Command(BaseCommand):
    help = (
        "Answer what researchers ask: who wins, which metric to report, whether there are enough judgments, "
        "and whether they can be trusted. Of a file of judgments, without a database, or of a campaign."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            nargs="?",
            metavar="FILE",
            help=f"the judgments: {READ_FORMATS}",
        )
        parser.add_argument(
            "--campaign",
            metavar="NAME",
            help="a campaign; stored results are used, and missing ones computed",
        )
        add_options(parser)
        parser.add_argument("--json", action="store_true", help="print JSON instead of sentences")

    def handle(self, *args: object, **options: object) -> None:
        try:
            with shown_progress() as progress:
                answers = _answers(options, progress)
        except (FormatError, ParameterError, SnapshotError, RefusedError) as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(f"Database error: {error}.") from error
        if options["json"]:
            plain = {key: to_plain_json(answer.plain()) for key, answer in answers.items()}
            self.stdout.write(json.dumps(plain, ensure_ascii=False, indent=1))
        else:
            _print(list(answers.values()))


def _answers(options: Options, progress: Progress) -> dict[str, Answer]:
    """The answers by the key of their question."""
    if (options["file"] is None) == (options["campaign"] is None):
        raise CommandError("Give either FILE or --campaign NAME.")
    if options["file"] is not None:
        return answers_of_file(options["file"], options, progress)
    if options["scores"] or options["metric"]:
        raise CommandError("--scores and --metric are for a FILE; a campaign has the scores of its corpus.")
    campaign = cast(Campaign, subject_named(JUDGMENTS, options["campaign"]))
    return computed_answers(campaign, progress)


def _print(answers: Sequence[Answer]) -> None:
    console = output()
    for answer in answers:
        console.print(f"[bold]{escape(answer.question)}[/bold]")
        for sentence in (answer.sentence, *answer.further):
            console.print(escape(sentence), highlight=False)
        if answer.rows:
            table = Table("", escape(answer.column), box=None)
            table.columns[1].justify = "right"
            for row in answer.rows:
                table.add_row(escape(row.label), escape(row.value))
            console.print(table)
        for signature in answer.signatures:
            console.print(f"Signature {signature}", highlight=False, soft_wrap=True, style="dim")
        console.print()
