"""The command `add_to_corpus`."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotate.corpora.addition_files import WHOLE_FILES, read_addition
from annotate.corpora.additions import plan_addition, store_addition
from annotate.management.corpora import corpus_named
from annotate.management.corpus_files import (
    add_parallel_files,
    add_whole_files,
    distinct,
    named_systems,
    refuse_parallel_files,
)
from annotate.management.import_command import ImportCommand
from annotate.models import SystemRole
from formats.naming import SystemNames


class Command(ImportCommand):
    help = "Add systems and references to a corpus. Campaigns do not change."
    name_help = "name of the corpus"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_parallel_files(parser.add_argument_group("files with a line for each sentence of the corpus"))
        add_whole_files(parser)

    def import_files(self, **options: Any) -> None:
        corpus = corpus_named(options["name"])
        named, labels, roles, families = named_systems(options)
        whole = {kind: options[kind] for kind in WHOLE_FILES if options[kind]}
        if len(whole) > 1:
            raise CommandError("Give one of --jsonl and --answers.")
        for kind in whole:
            refuse_parallel_files(options, beside=kind)
        record = read_addition(
            corpus,
            systems=named,
            references=distinct(options["reference"]),
            m2=options["m2"],
            whole=whole,
            absent=options["absent"] or "auto",
            lenient=options["lenient"],
        )
        for given, what in ((roles, "role"), (families, "family")):
            if unknown := [name for name in given if name not in record.systems]:
                raise CommandError(f"There is no system {unknown[0]!r} in the files for the {what}.")
        names = {
            name: SystemNames(
                name, labels.get(name, ""), roles.get(name, SystemRole.SYSTEM), families.get(name, "")
            )
            for name in record.systems
        }
        plan = plan_addition(corpus=corpus, record=record, names=names)
        for warning in plan.warnings:
            self.stderr.write(self.style.WARNING(f"warning: {warning}"))
        self.stdout.write(plan.description)
        for name, label in labels.items():
            self.stdout.write(f"System {label!r} has the identifier {name}.")
        self.carry_out(
            lambda advance: store_addition(plan, by=None, progress=advance),
            total=len(plan.record.sentences),
            unchanged=plan.is_stored,
            dry_run=options["dry_run"],
        )
