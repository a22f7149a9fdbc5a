import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.table import Table

from analysis.reproduction.cells import Cell, Figure
from analysis.reproduction.gjg15_data import reproduce_from
from annotate.formats import FormatError
from annotate.sampling import SamplingError
from ranking import SnapshotError

Tables = Mapping[str, Mapping[str, Cell]]

PAPERS: Mapping[str, Callable[[Path], Tables]] = {"gjg15": reproduce_from}
VERDICTS = {True: "[green]✓[/green]", False: "[red bold]✗[/red bold]", None: "[yellow]known[/yellow]"}


class Command(BaseCommand):
    help = "Compute a paper's tables from its public data and print them beside the published figures."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paper", choices=PAPERS)
        parser.add_argument(
            "--data",
            type=Path,
            default=settings.REFERENCE_DATA,
            metavar="DIR",
            help="folder of the public data (REFERENCE_DATA)",
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tables = PAPERS[options["paper"]](options["data"])
        except (FormatError, SamplingError, SnapshotError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(_json(tables))
        else:
            _print(tables)
        verdicts = [cell.ok for cells in tables.values() for cell in cells.values()]
        if not options["json"]:
            self.stdout.write(
                f"{verdicts.count(True)} figures agree, {verdicts.count(False)} do not, "
                f"{verdicts.count(None)} known deviations."
            )
        if False in verdicts:
            sys.exit(1)


def _json(tables: Tables) -> str:
    return json.dumps(
        {
            "tables": {
                table: {name: cell.as_json() for name, cell in cells.items()}
                for table, cells in tables.items()
            }
        },
        ensure_ascii=False,
        indent=1,
    )


def _print(tables: Tables) -> None:
    console = Console()
    for title, cells in tables.items():
        table = Table("", "published", "ours", "", "note", title=f"Table {title}", title_justify="left")
        for name, cell in cells.items():
            table.add_row(name, _shown(cell.published), _shown(cell.ours), VERDICTS[cell.ok], cell.note)
        console.print(table)


def _shown(figure: Figure) -> str:
    match figure:
        case None:
            return "–"
        case float():
            return f"{figure:.6g}"
        case _:
            return str(figure)
