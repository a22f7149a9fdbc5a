"""The command `make_controls`: sources with inserted errors as a system."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from annotate.corpora.adding_controls import (
    ADDITIONS,
    NAMES,
    ControlsRefusedError,
    make_controls,
    recognise_source,
)
from annotate.management.corpora import corpus_named
from annotate.management.terminal import INTERRUPTED, progress_bar, terminated_as_interrupted


class Command(BaseCommand):
    help = "Add controls to a corpus: each source with one or two errors inserted, as a new system."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("corpus", help="name of the corpus")
        parser.add_argument(
            "--seed",
            type=int,
            help="the same seed gives the same controls (default: one that follows from SECRET_KEY)",
        )
        parser.add_argument(
            "--with",
            nargs="+",
            choices=[str(role) for role in ADDITIONS],
            default=[],
            dest="additions",
            help="also add the unchanged source, or one reference per sentence drawn at random, as systems",
        )

    def handle(self, *args: object, **options: Any) -> None:
        corpus = corpus_named(options["corpus"])
        if options["seed"] is not None and options["seed"] < 0:
            raise CommandError("The seed must be 0 or more.")
        if source := recognise_source(corpus):
            self.stdout.write(f"{source} is identical to the source, and now has that role.")
        try:
            with (
                terminated_as_interrupted(),
                progress_bar("Storing", corpus.sentences.count()) as advance,
            ):
                added = make_controls(
                    corpus=corpus, seed=options["seed"], additions=options["additions"], progress=advance
                )
        except ControlsRefusedError as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(f"Nothing was added because of a database error: {error}.") from error
        except KeyboardInterrupt as error:
            raise CommandError("Interrupted: nothing was added.", returncode=INTERRUPTED) from error
        names = ", ".join(NAMES[role] for role in added)
        self.stdout.write(f"Added: {names}." if added else "Everything was already there; nothing changed.")
