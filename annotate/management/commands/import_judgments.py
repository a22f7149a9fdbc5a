"""The command `import_judgments`."""

from argparse import ArgumentTypeError
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.corpora.importing import CorpusPlan, plan_corpus, store_corpus
from annotate.corpora.queries import sentences_with_references, texts
from annotate.imports.collected_spans import holds_collected_spans, plan_spans
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.management.corpora import corpus_named
from annotate.management.import_command import ImportCommand
from annotate.models import Corpus, SystemRole
from core.progress import Advance
from formats import FormatError, JudgmentRecord, read_judgments
from formats.crowd_answers import (
    COLUMNS,
    CrowdAnswers,
    CrowdTable,
    in_corpus,
    is_crowd_table,
    read_crowd_answers,
)
from formats.snapshot.resolution import fitting_first_sentence, resolve
from formats.text.lines import first_line

WARNINGS_SHOWN = 20


class Command(ImportCommand):
    help = (
        "Import judgments that were collected elsewhere: Appraise XML, WMT CSV, MultiGEC's ratings of "
        "essays, error spans of Appraise or pearmut, an export from Assay, or a crowd's corrections and "
        "judgments of validity."
    )

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

        parser.add_argument(
            "--batches",
            type=Path,
            metavar="FILE",
            help="Appraise's batches (JSON), which have the texts of its error spans",
        )

        crowd = parser.add_argument_group("corrections of a crowd, and judgments of their validity")
        crowd.add_argument(
            "--column",
            type=_pair,
            nargs="+",
            action="extend",
            default=[],
            metavar="WHAT=COLUMN",
            help=f"column of the file that holds the {', '.join(COLUMNS)}; usual names, such as those of "
            "Mechanical Turk, are recognised",
        )
        crowd.add_argument(
            "--only",
            type=_pair,
            nargs="+",
            action="extend",
            default=[],
            metavar="COLUMN=VALUE",
            help="read only rows with this value, such as batch=2634540",
        )
        crowd.add_argument(
            "--language",
            default="und",
            help="BCP 47 language tag of the sentences, which become a corpus without --corpus",
        )

    def import_files(self, **options: Any) -> None:
        if options["first_sentence"] is not None and options["corpus"] is None:
            raise CommandError("--first-sentence refers to a corpus: name it with --corpus.")
        corpus = None if options["corpus"] is None else corpus_named(options["corpus"])
        if holds_collected_spans(options["file"]):
            self._import_spans(corpus, options)
            return
        table = CrowdTable(dict(options["column"]), dict(options["only"]))
        if is_crowd_table(first_line(options["file"]), table) or options["column"] or options["only"]:
            self._import_crowd_answers(corpus, table, options)
            return
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

    def _import_spans(self, corpus: Corpus | None, options: Mapping[str, Any]) -> None:
        """Import error spans; without a corpus, their texts become one of the same name."""
        plan = plan_spans(
            options["file"],
            batches=options["batches"],
            name=options["name"],
            corpus=corpus,
            language=options["language"],
            first_sentence=options["first_sentence"],
            synthetic=options["synthetic"],
        )
        self.stdout.write(plan.description)
        self.carry_out(
            plan.store,
            total=len(plan.judgments.judgments),
            unchanged=plan.judgments.stored is not None,
            dry_run=options["dry_run"],
        )

    def _import_crowd_answers(
        self, corpus: Corpus | None, table: CrowdTable, options: Mapping[str, Any]
    ) -> None:
        """Import answers of a crowd; without a corpus, their sentences become one of the same name."""
        path = options["file"]
        answers = read_crowd_answers(path, table)
        for each in answers.repeated[:WARNINGS_SHOWN]:
            self.stderr.write(self.style.WARNING(f"warning: {path}: {each}"))
        if (more := len(answers.repeated) - WARNINGS_SHOWN) > 0:
            self.stderr.write(self.style.WARNING(f"warning: and {more:,} more answers given twice"))
        new = None if corpus else self._plan_sentences(answers, options)
        if new is not None:
            self.stdout.write(new.description)
            judged, judgments = new.stored or new.corpus, answers.judgments
        elif corpus is not None:
            judged, sources = corpus, [each.source for each in sentences_with_references(corpus)]
            judgments = in_corpus(answers, sources, texts(corpus), path)
        plan = plan_judgments(
            name=options["name"], corpus=judged, judgments=judgments, synthetic=options["synthetic"]
        )
        self.stdout.write(plan.description)

        def store(advance: Advance) -> None:
            if new is not None:
                store_corpus(new, progress=lambda sentences: None)
            store_judgments(plan, progress=advance)

        self.carry_out(
            store, total=len(judgments), unchanged=plan.stored is not None, dry_run=options["dry_run"]
        )

    def _plan_sentences(self, answers: CrowdAnswers, options: Mapping[str, Any]) -> CorpusPlan:
        return plan_corpus(
            name=options["name"],
            language=options["language"],
            record=answers.corpus,
            roles=dict.fromkeys(answers.corpus.systems, SystemRole.REFERENCE.value),
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


def _pair(argument: str) -> tuple[str, str]:
    """`NAME=VALUE`."""
    name, equals, value = argument.partition("=")
    if not (name and equals and value):
        raise ArgumentTypeError(f"{argument!r} is not of the form NAME=VALUE")
    return name, value
