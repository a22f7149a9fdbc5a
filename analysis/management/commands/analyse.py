"""The command `analyse`: any registered analysis of a file, a campaign or a corpus."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table as RichTable

from analysis.analyses.base import AnyAnalysis, Table, analyses
from analysis.management.terminal import shown_progress
from analysis.runs.computing import computed_with_beside
from analysis.runs.queries import in_this_process
from analysis.runs.requests import request_beside, request_of
from analysis.runs.results import to_plain_json
from analysis.runs.sources import Source, Subject, source_of
from analysis.runs.sources.base import Options
from annotate.management.parameter_options import add_options, from_options
from annotate.management.terminal import output
from core.names import Naming
from core.parameters import ParameterError
from core.progress import Progress
from core.results import Computed, named
from formats import FormatError
from jobs.refusals import RefusedError
from ranking import SnapshotError


class Command(BaseCommand):
    help = (
        "Run an analysis on a file, without a database, or on a named campaign or corpus. "
        "'analyse NAME --help' lists the parameters of one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        named = parser.add_subparsers(
            dest="analysis", required=True, metavar="NAME", title="analyses", description="NAME is one of:"
        )
        for analysis in sorted(analyses().values(), key=lambda analysis: analysis.name):
            add_analysis(named, analysis.name, analysis)

    def handle(self, *args: object, **options: Any) -> None:
        analysis = analyses()[options["analysis"]]
        computed = analysed(analysis, options, with_beside=not options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(to_plain_json(computed.result), ensure_ascii=False, indent=1))
        else:
            print_result(analysis, computed)


def add_analysis(named: Any, name: str, analysis: AnyAnalysis) -> Any:
    """Add the parser of an analysis, by this name, to subparsers."""
    source = source_of(analysis)
    kind = _kind(source)
    one = named.add_parser(
        name,
        help=f"of a {kind}: {analysis.help[:1].lower()}{analysis.help[1:]}",
        description=analysis.help,
    )
    one.add_argument(
        "subject",
        nargs="?" if source.file_option else None,
        metavar=f"FILE|{kind.upper()}",
        help=f"{source.file_help}, or the name of a {kind}",
    )
    if source.file_option:
        one.add_argument(f"--{source.file_option}", dest="file", metavar="FILE", help=f"{source.file_help}")
    add_options(one, analysis.parameters)
    source.add_file_options(one)
    one.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return one


def analysed(analysis: AnyAnalysis, options: Options, *, with_beside: bool = True) -> Computed:
    """The result of what the options of `add_analysis` ask for, perhaps with that of the analysis beside.

    Raises:
        CommandError: it cannot be computed; the message says why.
    """
    try:
        stated = from_options(analysis.parameters, options)
        with shown_progress() as progress:
            return _result(
                replace(analysis, beside="") if not with_beside else analysis, stated, options, progress
            )
    except (FormatError, ParameterError, SnapshotError, RefusedError) as error:
        raise CommandError(str(error)) from error
    except DatabaseError as error:
        raise CommandError(f"Database error: {error}.") from error


def _result(analysis: AnyAnalysis, stated: object, options: Options, progress: Progress) -> Computed:
    source, named, file = source_of(analysis), options["subject"], options.get("file")
    if bool(named) == bool(file):
        raise CommandError(
            f"Give either the argument FILE|{_kind(source).upper()} or --{source.file_option}."
        )
    path = Path(file or named)
    if not file and not path.is_file():
        subject = subject_named(source, named, there_is="neither a file nor a")
        request = request_of(analysis, subject, stated)
        result = in_this_process(request, progress)
        beside = in_this_process(request_beside(request), progress) if analysis.beside else None
        return analysis.shown(request.parameters, result, beside=beside)
    asked = source.of_file(path, analysis, stated, options)
    return computed_with_beside(analysis, asked.inputs, asked.parameters, progress)


def subject_named(source: Source[Any], name: str, *, there_is: str = "no") -> Subject:
    """The campaign or corpus of this name.

    Raises:
        CommandError: there is none; the message begins with what `there_is`.
    """
    subject: Subject | None = source.subjects().filter(name=name).first()
    if subject is None:
        kind = _kind(source)
        there_are = ", ".join(source.subjects().values_list("name", flat=True)) or "none yet"
        raise CommandError(f"There is {there_is} {kind} {name!r}. {source.plural} are: {there_are}.")
    return subject


def _kind(source: Source[Any]) -> str:
    return str(source.subject._meta.verbose_name)


def print_result(analysis: AnyAnalysis, computed: Computed) -> None:
    """Print the finding, the tables of a result with their notes, and its signature."""
    naming = Naming("", {}, {}, {}, by_key=True)
    if analysis.headline is not None:
        said = Markdown(
            "\n\n".join([analysis.finding(computed, naming), named(analysis.lead, computed, naming)])
        )
        output().print(said)
    notes = (
        named(table.table.note, shown, naming)
        for each, shown in analysis.with_beside(computed)
        for table in each.filled_tables(shown, naming).values()
    )
    print_tables(
        analysis.printed_tables(computed, naming), computed.result.signature, notes=filter(None, notes)
    )


def print_tables(tables: Any, signature: str, *, notes: Iterable[str] = ()) -> None:
    """Print the tables of a result, notes in Markdown, and its signature."""
    console = output()
    for table in tables:
        console.print(_rich(table))
    for note in notes:
        console.print(Markdown(note))
    console.print(f"Signature {signature}", highlight=False, soft_wrap=True)


def _rich(table: Table) -> RichTable:
    shown = RichTable(*table.columns, title=table.title or None, title_justify="left")
    for column, is_number in zip(shown.columns, table.are_numbers, strict=False):
        column.justify = "right" if is_number else "left"
    for row in table.texts:
        shown.add_row(*map(escape, row))
    return shown
