"""The command `import_corpus`."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.corpora.importing import CorpusPlan, plan_corpus, store_corpus
from annotate.imports.system_rows import system_rows
from annotate.management.import_command import ImportCommand
from annotate.management.named_arguments import add_files, name_and_role
from annotate.models import SystemRole
from formats import CorpusRecord, read_jsonl, read_parallel
from formats.collected_answers import read_answers_as_corpus
from formats.naming import SameIdentifierError, identifiers_of

PARALLEL_OPTIONS = ("system", "reference", "m2", "documents", "domains", "absent", "lenient")
WHOLE_CORPORA = {"jsonl": read_jsonl, "answers": read_answers_as_corpus}


class Command(ImportCommand):
    help = "Import a corpus: source sentences, system outputs and references."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--language", default="und", help="BCP 47 language tag, such as en (und: undetermined)"
        )
        text = parser.add_argument_group("parallel text, one sentence per line")
        text.add_argument("--source", type=Path, metavar="FILE", help="source sentences")
        add_files(
            text,
            "--system",
            "outputs of a system, named after the file without its extension (such as .txt) unless a "
            "name is given. A name that is not a valid identifier becomes the label and gives the identifier",
        )
        add_files(text, "--reference", "corrected text of a human annotator")
        add_files(text, "--m2", "references as M2", is_named=False)
        text.add_argument("--documents", type=Path, metavar="FILE", help="document of each sentence")
        text.add_argument("--domains", type=Path, metavar="FILE", help="domain of each sentence")
        text.add_argument(
            "--absent",
            choices=["auto", "absent", "unchanged"],
            help="what it means if an M2 annotator has no line for a sentence: not seen, or left "
            "unchanged; auto: not seen in files of several annotators, unchanged in files of one",
        )
        text.add_argument(
            "--lenient",
            action="store_true",
            help="clip M2 spans that end past their sentence, with a warning",
        )
        parser.add_argument(
            "--jsonl", type=Path, metavar="FILE", help="JSON Lines, instead of the options above"
        )
        parser.add_argument(
            "--answers",
            type=Path,
            metavar="FILE",
            help="table of several people's answers (columns sentence and correction), which become "
            "references, instead of the options above",
        )
        parser.add_argument(
            "--role",
            type=name_and_role,
            nargs="+",
            action="extend",
            default=[],
            metavar="NAME=ROLE",
            help="role of a system: source (unchanged input), reference or control",
        )

    def import_files(self, **options: Any) -> None:
        systems = _distinct(options["system"])
        try:
            identifiers = identifiers_of(systems)
        except SameIdentifierError as error:
            raise CommandError(f"{error} Rename one with NAME=FILE.") from error
        labels = {name: label for label, name in identifiers.items() if name != label}
        named = {identifiers[label]: path for label, path in systems.items()}
        roles = _distinct(options["role"])
        plan = plan_corpus(
            name=options["name"],
            language=options["language"],
            record=self._read(**{**options, "system": named}),
            roles={identifiers.get(name, name): role for name, role in roles.items()},
            labels=labels,
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
        given = [option for option in ("source", *WHOLE_CORPORA) if options[option]]
        if len(given) != 1:
            raise CommandError("Give one of --source, for parallel text, --jsonl and --answers.")
        if read := WHOLE_CORPORA.get(given[0]):
            if needless := [option for option in PARALLEL_OPTIONS if options[option]]:
                raise CommandError(f"--{needless[0]} is for parallel text; --{given[0]} contains everything.")
            return read(options[given[0]])
        return read_parallel(
            options["source"],
            options["system"],
            references=_distinct(options["reference"]),
            m2=options["m2"],
            documents=options["documents"],
            domains=options["domains"],
            absent=options["absent"] or "auto",
            lenient=options["lenient"],
        )


def _distinct(named: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(named)
    for name, value in named:
        if values[name] != value:
            raise CommandError(f"{name!r} is given twice: {value} and {values[name]}.")
    return values
