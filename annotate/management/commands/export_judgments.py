"""The command `export_judgments`."""

import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.judgments.exporting import export_judgments
from annotate.judgments.pseudonyms import annotator_known_as
from annotate.judgments.stream import Selection, selected_judgments
from annotate.management.campaigns import campaign_named
from annotate.management.terminal import failures_in_words, progress_bar
from annotate.models import Annotator, Campaign, JudgmentState
from core.wording import counted
from formats.machines import AnnotatorKind
from formats.writers import FORMATS


class Command(BaseCommand):
    help = "Export the judgments of a campaign or an imported set to a file or to standard output."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="name of the campaign")
        parser.add_argument(
            "--format", required=True, choices=FORMATS, dest="file_format", help="format of the file"
        )
        parser.add_argument(
            "--output", type=Path, metavar="FILE", help="file to write (default: standard output)"
        )
        parser.add_argument(
            "--state",
            nargs="+",
            choices=JudgmentState.values,
            default=[],
            help="only judgments in these states",
        )
        parser.add_argument(
            "--from",
            type=_day,
            metavar="DAY",
            dest="submitted_from",
            help="only judgments answered on this day (2026-05-04) or later",
        )
        parser.add_argument(
            "--to",
            type=_day,
            metavar="DAY",
            dest="submitted_to",
            help="only judgments answered on this day or earlier",
        )
        parser.add_argument(
            "--annotator", metavar="NAME", help="only this annotator's judgments; name, number or pseudonym"
        )
        parser.add_argument(
            "--excluded", action="store_true", help="include judgments of excluded annotators"
        )
        parser.add_argument("--machines", action="store_true", help="include judgments of machines")
        parser.add_argument("--history", action="store_true", help="all revisions, not only current answers")
        parser.add_argument("--names", action="store_true", help="annotators by name instead of by pseudonym")

    def handle(self, *args: object, **options: object) -> None:
        with failures_in_words("export"):
            self._export(**options)

    def _export(self, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        selection = Selection(
            states=options["state"],
            submitted_from=options["submitted_from"],
            submitted_to=options["submitted_to"],
            annotator=_annotator(campaign, options["annotator"]),
            history=options["history"],
            excluded=options["excluded"],
            kinds=list(AnnotatorKind) if options["machines"] else [AnnotatorKind.PERSON],
        )
        if options["output"] is not None:
            _check_place(options["output"])
        written: list[int] = []
        with progress_bar("Exporting", selected_judgments(campaign, selection).count()) as advance:

            def step(number: int) -> None:
                written.append(number)
                advance(number)

            pieces = export_judgments(
                campaign=campaign,
                file_format=FORMATS[options["file_format"]],
                selection=selection,
                names=options["names"],
                by=None,
                progress=step,
            )
            with _opened(options["output"]) as file:
                file.writelines(pieces)
        self.stderr.write(f"Exported {counted(sum(written), 'judgment')}.", lambda text: text)


def _day(argument: str) -> date:
    try:
        return date.fromisoformat(argument)
    except ValueError as error:
        raise ArgumentTypeError(f"{argument!r} is not a day like 2026-05-04") from error


def _annotator(campaign: Campaign, name: str | None) -> Annotator | None:
    if name is None:
        return None
    named = Annotator.every.filter(campaign=campaign, name=name).first()
    annotator = named or annotator_known_as(campaign, name)
    if annotator is None:
        raise CommandError(f"There is no annotator {name!r} in campaign {campaign.name!r}.")
    return annotator


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise CommandError(f"{path} is a folder: name a file in it.")
    if not path.parent.is_dir():
        raise CommandError(f"There is no folder {path.parent}.")


@contextmanager
def _opened(path: Path | None) -> Iterator[IO[bytes]]:
    """Standard output, or a file that replaces an existing one only when it is complete."""
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
