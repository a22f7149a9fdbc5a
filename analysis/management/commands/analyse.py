"""The command `analyse`: any registered analysis of a judgments file or a campaign."""

import json
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from analysis.analyses.base import Analysis, Progress, Table, analyses, judgments
from analysis.management.terminal import told
from analysis.parameters.options import add_options, from_options
from analysis.runs.computing import computed
from analysis.runs.queries import in_this_process
from analysis.runs.requests import request_of
from analysis.runs.results import to_plain_json
from annotate.judgments.kept_snapshots import SnapshotTooLargeError
from annotate.models import Campaign, SystemRole
from annotate.models.listed import campaigns
from formats import FormatError
from formats.snapshots import frame_of_file
from metrics.parameters import ParameterError
from ranking import SnapshotError, holds_scores

Role = tuple[str, str]


class Command(BaseCommand):
    help = "Run an analysis over a judgments file, which needs no database, or over a campaign."

    def add_arguments(self, parser: CommandParser) -> None:
        named = parser.add_subparsers(dest="analysis", required=True, metavar="NAME")
        for analysis in analyses().values():
            one = named.add_parser(analysis.name, help=analysis.help, description=analysis.help)
            one.add_argument(
                "judgments",
                metavar="FILE|CAMPAIGN",
                help="judgments in any format that can be imported, or the name of a campaign",
            )
            add_options(one, analysis.parameters)
            one.add_argument(
                "--role",
                nargs="+",
                type=_role,
                default=[],
                metavar="SYSTEM=ROLE",
                help="roles of systems of a file: source, reference or control",
            )
            one.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: Any, **options: Any) -> None:
        analysis = analyses()[options["analysis"]]
        try:
            stated = from_options(analysis.parameters, options)
            with told() as progress:
                result = _result(analysis, stated, options["judgments"], options["role"], progress)
        except (FormatError, ParameterError, SnapshotError, SnapshotTooLargeError) as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(f"The database refuses: {error}.") from error
        if options["json"]:
            self.stdout.write(json.dumps(to_plain_json(result), ensure_ascii=False, indent=1))
        else:
            _print(analysis.tables(result), result.signature)


def _role(argument: str) -> Role:
    system, equals, role = argument.rpartition("=")
    if not equals or role not in SystemRole.values:
        raise ArgumentTypeError(f"write SYSTEM=ROLE, of {', '.join(SystemRole.values)}, not {argument!r}")
    return system, role


def _result(
    analysis: Analysis[Any, Any], stated: Any, subject: str, roles: list[Role], progress: Progress
) -> Any:
    path = Path(subject)
    if not path.is_file():
        return in_this_process(request_of(analysis, _campaign(subject), stated), progress)
    snapshot = frame_of_file(path)
    parameters = analysis.resolved(stated, scored=holds_scores(snapshot))
    role_of = dict(roles)
    source = next((system for system, role in roles if role == SystemRole.SOURCE), None)
    inputs = judgments(snapshot, analysis.columns, roles=role_of, source=source)
    return computed(analysis, inputs, parameters, progress, {})


def _campaign(name: str) -> Campaign:
    try:
        return campaigns().get(name=name)
    except Campaign.DoesNotExist as error:
        there_are = ", ".join(campaigns().values_list("name", flat=True)) or "none yet"
        raise CommandError(
            f"There is neither a file nor a campaign {name!r}. Campaigns are: {there_are}."
        ) from error


def _print(tables: Any, signature: str) -> None:
    console = Console()
    for table in tables:
        console.print(_rich(table))
    console.print(f"Signature {signature}", highlight=False, soft_wrap=True)


def _rich(table: Table) -> RichTable:
    shown = RichTable(*table.columns, title=table.title or None, title_justify="left")
    for row in table.rows:
        shown.add_row(*map(_cell, row))
    return shown


def _cell(value: str | float | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, str):
        return escape(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
