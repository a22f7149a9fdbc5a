"""The command `import_corpus`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.corpora.addition_files import WHOLE_FILES
from annotate.corpora.importing import CorpusPlan, plan_corpus, store_corpus
from annotate.imports.system_rows import system_rows
from annotate.management.corpus_files import (
    add_parallel_files,
    add_whole_files,
    distinct,
    named_systems,
    refuse_parallel_files,
)
from annotate.management.import_command import ImportCommand
from annotate.models import SystemRole
from annotate.models.corpora import Tokenisation
from formats import CorpusRecord, read_parallel
from formats.multigec import essay_files, language_of, read_multigec

TOKENISATIONS = {"auto": None, "unstated": Tokenisation.NOT_STATED}
"""Values of the option that are none of `Tokenisation`."""


class Command(ImportCommand):
    help = "Import a corpus: source sentences, system outputs and references."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--language",
            default="",
            help="BCP 47 language tag or English name of the language, such as en (default: that of the "
            "names of essay files, otherwise und, not stated)",
        )
        parser.add_argument(
            "--tokenisation",
            choices=("auto", *filter(None, Tokenisation.values), "unstated"),
            default="auto",
            help="whether the texts are tokens, shown to people as natural text, or running text "
            "(auto: as the sentences tell)",
        )
        text = parser.add_argument_group("parallel text, one sentence per line")
        text.add_argument("--source", type=Path, metavar="FILE", help="source sentences")
        add_parallel_files(text)
        text.add_argument("--documents", type=Path, metavar="FILE", help="document of each sentence")
        text.add_argument("--domains", type=Path, metavar="FILE", help="domain of each sentence")
        add_whole_files(parser)
        parser.add_argument(
            "--essays",
            type=Path,
            nargs="+",
            metavar="PATH",
            help="MultiGEC's Markdown: a folder, or the files of originals, references and systems; --system "
            "names further files of outputs",
        )

    def import_files(self, **options: Any) -> None:
        named, labels, roles, families = named_systems(options)
        plan = plan_corpus(
            name=options["name"],
            language=_language(options),
            record=self._read(**{**options, "system": named}),
            roles=roles,
            labels=labels,
            families=families,
            tokenisation=TOKENISATIONS.get(options["tokenisation"], options["tokenisation"]),
        )
        for warning in plan.warnings:
            self.stderr.write(self.style.WARNING(f"warning: {warning}"))
        self.stdout.write(plan.description)
        for name, label in labels.items():
            self.stdout.write(f"System {label!r} has the identifier {name}.")
        self._offer_roles(plan)
        self.carry_out(
            lambda advance: store_corpus(plan, progress=advance),
            total=len(plan.record.sentences),
            unchanged=plan.stored is not None,
            dry_run=options["dry_run"],
        )

    def _offer_roles(self, plan: CorpusPlan) -> None:
        """Report systems that equal the source, if no system has that role."""
        if SystemRole.SOURCE in plan.roles.values():
            return
        for row in system_rows(plan.record, {}):
            if row.is_copy:
                self.stdout.write(
                    f"{row.key} is identical to the source: --role {row.key}=source gives it that role."
                )

    def _read(self, **options: Any) -> CorpusRecord:
        given = [option for option in ("source", "essays", *WHOLE_FILES) if options[option]]
        if len(given) != 1:
            raise CommandError("Give one of --source, for parallel text, --jsonl, --answers and --essays.")
        if options["essays"]:
            systems = options["system"]
            refuse_parallel_files({**options, "system": {}}, beside="essays")
            return read_multigec(essay_files(options["essays"]), systems)
        if read := WHOLE_FILES.get(given[0]):
            refuse_parallel_files(options, beside=given[0])
            return read(options[given[0]])
        return read_parallel(
            options["source"],
            options["system"],
            references=distinct(options["reference"]),
            m2=options["m2"],
            documents=options["documents"],
            domains=options["domains"],
            absent=options["absent"] or "auto",
            lenient=options["lenient"],
        )


def _language(options: Mapping[str, Any]) -> str:
    """The language that was given, else that in the names of files of essays; *und* without either."""
    if options["language"]:
        return str(options["language"])
    return language_of(essay_files(options["essays"])) if options["essays"] else "und"
