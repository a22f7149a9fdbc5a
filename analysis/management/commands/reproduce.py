"""The command `reproduce`: published tables from their public data."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.table import Table

from analysis.reproduction import (
    coverage_tables,
    edits,
    esa,
    gfm,
    gjg15,
    gmeg,
    machine_judges,
    maege,
    metrics,
    mterater,
    multigec,
    seeda,
)
from analysis.reproduction.cells import Cell, Figure, Verdict
from analysis.reproduction.paper import Paper
from annotate.design.sampling import SamplingError
from annotate.management.terminal import output, progress_bar
from core.parameters import ParameterError
from figures.drawing import Chart, render
from formats import FormatError
from ranking import ResamplingError, SnapshotError

Tables = Mapping[str, Mapping[str, Cell]]

PAPERS: Mapping[str, Paper[Any]] = {
    "gjg15": gjg15.PAPER,
    "coverage": coverage_tables.PAPER,
    "gmeg": gmeg.PAPER,
    "maege": maege.PAPER,
    "mterater": mterater.PAPER,
    "metrics": metrics.PAPER,
    "machine-judges": machine_judges.PAPER,
    "seeda": seeda.PAPER,
    "gfm": gfm.PAPER,
    "esa": esa.PAPER,
    "edits": edits.PAPER,
    "multigec": multigec.PAPER,
}
VERDICTS = {
    Verdict.AGREES: "[green]✓[/green]",
    Verdict.DIFFERS: "[red bold]✗ differs[/red bold]",
    Verdict.KNOWN: "[yellow]known[/yellow]",
    Verdict.CANNOT: "–",
}


class Command(BaseCommand):
    help = "Compute a paper's tables from its public data and print them next to the published figures."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paper", choices=PAPERS)
        parser.add_argument(
            "--data",
            type=Path,
            default=settings.REFERENCE_DATA,
            metavar="DIR",
            help="folder with the public data (REFERENCE_DATA)",
        )
        parser.add_argument(
            "--train", type=Path, metavar="DIR", help="gmeg: folder of the development split (DATA/gmeg/dev)"
        )
        parser.add_argument(
            "--test", type=Path, metavar="DIR", help="gmeg: folder of the test split, in the same form"
        )
        parser.add_argument("--figures", type=Path, metavar="DIR", help="folder for the paper's figures")
        parser.add_argument(
            "--tables",
            nargs="+",
            choices=list(dict.fromkeys(table for paper in PAPERS.values() for table in paper.tables)),
            metavar="TABLE",
            help="only these tables, of: %(choices)s",
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: object, **options: Any) -> None:
        paper = PAPERS[options["paper"]]
        splits = {name: options[name] for name in ("train", "test") if options[name] is not None}
        _refuse_what_is_not_there(paper, options)
        wanted = options["tables"] or list(paper.tables)
        steps = sum(steps for tables, steps in paper.steps.items() if set(tables).intersection(wanted))
        try:
            if options["figures"] is not None:
                options["figures"].mkdir(parents=True, exist_ok=True)
            with progress_bar(paper.progress, steps) as advance:
                data = paper.data(options["data"], advance, **splits)
                tables = paper.reproduce(data, wanted)
            if options["figures"] is not None and paper.draw is not None:
                _draw(paper.draw(data), options["figures"])
        except (FormatError, ParameterError, ResamplingError, SamplingError, SnapshotError, OSError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(_json(tables))
        else:
            _print(tables, paper.remarks)
        all_cells = [cell for cells in tables.values() for cell in cells.values()]
        verdicts = [cell.verdict for cell in all_cells]
        if not options["json"]:
            counts = {verdict: verdicts.count(verdict) for verdict in Verdict}
            self.stdout.write(
                f"{counts[Verdict.AGREES]} figures agree, {counts[Verdict.DIFFERS]} differ, "
                f"{counts[Verdict.KNOWN]} are known deviations, {counts[Verdict.CANNOT]} cannot be compared."
            )
            others = sum(cell.published is not None and not cell.printed for cell in all_cells)
            if others:
                self.stdout.write(
                    f"{others} of these figures, in brackets, the paper does not print: their notes say "
                    "where they come from."
                )
        if Verdict.DIFFERS in verdicts:
            sys.exit(1)


def _refuse_what_is_not_there(paper: Paper[Any], options: Mapping[str, Any]) -> None:
    """Raises `CommandError` for splits, tables and figures that the paper does not have."""
    name = options["paper"]
    for split in ("train", "test"):
        if options[split] is not None and split not in paper.splits:
            raise CommandError(f"{name} has no split for --{split}.")
    for table in options["tables"] or ():
        if table not in paper.tables:
            raise CommandError(f"{name} has no table '{table}'; its tables are {', '.join(paper.tables)}.")
    if options["figures"] is not None and paper.draw is None:
        raise CommandError(f"No figure of {name} is drawn: leave out --figures.")


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


def _draw(figures: Mapping[str, Chart], folder: Path) -> None:
    for name, figure in figures.items():
        (folder / f"{name}.svg").write_bytes(render(figure, theme="light", format="svg"))


def _print(tables: Tables, remarks: Mapping[str, str]) -> None:
    console = output()
    for title, cells in tables.items():
        has_notes = any(cell.remarks for cell in cells.values())
        headings = ("", "published", "ours", "", *["note"] * has_notes)
        table = Table(*headings, title=_titled(title), title_justify="left")
        for name, cell in cells.items():
            is_printed = cell.printed or cell.published is None
            published = _shown(cell.published) if is_printed else f"({_shown(cell.published)})"
            notes = [cell.remarks] * has_notes
            table.add_row(name, published, _shown(cell.ours), VERDICTS[cell.verdict], *notes)
        console.print(table)
        if title in remarks:
            console.print(remarks[title])


def _titled(table: str) -> str:
    return f"Table {table}" if table[0].isdigit() else f"{table[0].upper()}{table[1:]}"


def _shown(figure: Figure) -> str:
    match figure:
        case None:
            return "–"
        case float():
            return f"{figure:.6g}"
        case _:
            return str(figure)
