"""The command `import_judgments`."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.corpora.queries import texts
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.management.corpora import corpus_named
from annotate.management.import_command import ImportCommand
from annotate.models import Corpus
from formats import FormatError, JudgmentRecord, read_judgments
from formats.resolution import fitting_first_sentence, resolve


class Command(ImportCommand):
    help = "Import judgments that were collected elsewhere: Appraise XML, WMT CSV, or an export from Assay."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "file", type=Path, help="file with the judgments; the format is recognised by the content"
        )
        parser.add_argument(
            "--corpus",
            metavar="NAME",
            help="the corpus that was judged; without it, outputs are identified by their systems only",
        )
        parser.add_argument(
            "--first-sentence",
            type=int,
            metavar="N",
            help="number of the first sentence in the file (default: 1 for WMT CSV, 0 for all others)",
        )
        parser.add_argument(
            "--synthetic",
            action="store_true",
            help="label the judgments as simulated wherever they are shown",
        )

    def import_files(self, **options: Any) -> None:
        if options["first_sentence"] is not None and options["corpus"] is None:
            raise CommandError("--first-sentence refers to a corpus: name it with --corpus.")
        corpus = None if options["corpus"] is None else corpus_named(options["corpus"])
        plan = plan_judgments(
            name=options["name"],
            corpus=corpus,
            judgments=self._judgments(options["file"], corpus, options["first_sentence"]),
            synthetic=options["synthetic"],
        )
        self.stdout.write(plan.description)
        self.carry_out(
            lambda advance: store_judgments(plan, progress=advance),
            total=len(plan.judgments),
            unchanged=plan.stored is not None,
            dry_run=options["dry_run"],
        )

    def _judgments(
        self, path: Path, corpus: Corpus | None, first_sentence: int | None
    ) -> tuple[JudgmentRecord, ...]:
        file = read_judgments(path)
        judged = None if corpus is None else texts(corpus)
        try:
            return resolve(file, path, texts=judged, first_sentence=first_sentence)
        except FormatError as error:
            if judged is None:
                raise
            other = fitting_first_sentence(file, path, texts=judged, first_sentence=first_sentence)
            if other is None:
                raise
            raise CommandError(f"{error}\nIt fits with --first-sentence {other}.") from error
