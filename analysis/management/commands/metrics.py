from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from metrics import METRICS, ParameterField, parameter_fields


class Command(BaseCommand):
    help = "List the automatic metrics, what each needs, and its parameters."

    def handle(self, *args: Any, **options: Any) -> None:
        table = Table("Metric", "Needs", "Parameters", show_lines=True)
        for name, metric in sorted(METRICS.items()):
            needs = ", ".join(sorted(metric.needs)) or "the source alone"
            parameters = "\n".join(_parameter(each) for each in parameter_fields(metric.Parameters))
            described = f"[bold]{name}[/bold]\n{escape(metric.summary)}"
            table.add_row(described, needs, escape(parameters) or "–")
        console = Console()
        console.print(table)
        console.print(
            "On the command line: score --metric NAME[:PARAMETER=VALUE]..., such as m2:beta=1.", markup=False
        )


def _parameter(each: ParameterField) -> str:
    shown = "no" if each.default is False else "yes" if each.default is True else f"{each.default}"
    choices = f" ({', '.join(each.choices)})" if each.choices else ""
    return f"{each.name}={shown}{choices}: {each.help}"
