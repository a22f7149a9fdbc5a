"""The command `export_essays`."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.corpora.essays import essay_sets
from annotate.management.corpora import corpus_named
from core.wording import counted
from formats import FormatError
from formats.multigec import ORIGINAL, UnwritableEssayError, essay_file, essays_text


class Command(BaseCommand):
    help = "Write a corpus of essays as MultiGEC's Markdown: originals, references and systems."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("corpus", help="name of the corpus, whose documents are ids of essays")
        parser.add_argument("folder", type=Path, help="folder of the files, which is created if necessary")
        parser.add_argument(
            "--essays",
            required=True,
            metavar="LANGCODE-SUBCORPUS-SPLIT",
            help="what all names of files say, such as cs-natwebinf-dev",
        )

    def handle(self, *args: object, **options: Any) -> None:
        folder: Path = options["folder"]
        stem, _, split = options["essays"].rpartition("-")
        try:
            sets = essay_sets(corpus_named(options["corpus"]))
            paths = {name: folder / f"{stem}-{name}-{split}.md" for name in sets.essays}
            essay_file(paths[ORIGINAL])
            files = {
                paths[name]: "".join(essays_text(essays.items())) for name, essays in sets.essays.items()
            }
        except (UnwritableEssayError, FormatError) as error:
            raise CommandError(f"{error}") from error
        if there := [path for path in files if path.exists()]:
            raise CommandError(f"{there[0]} exists. Name another folder.")
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            path.write_text(text, encoding="utf-8", newline="\n")
        for name, given in sets.renamed.items():
            self.stdout.write(f"{paths[name].name} has the texts of {given}.")
        written = counted(len(sets.essays[ORIGINAL]), "essay")
        self.stdout.write(f"{written} in {counted(len(files), 'file')}.")
