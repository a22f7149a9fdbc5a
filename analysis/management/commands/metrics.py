"""The command `metrics`: the automatic metrics and their parameters."""

from collections.abc import Iterator
from textwrap import wrap

from django.core.management.base import BaseCommand

from metrics import METRICS, AnyMetric, ParameterField, faults_of_packages, parameter_fields

WIDTH = 80
INDENT = " " * 4


class Command(BaseCommand):
    help = "List the automatic metrics with their inputs, parameters and defaults."

    def handle(self, *args: object, **options: object) -> None:
        for _, metric in sorted(METRICS.items()):
            self.stdout.write("\n".join(_lines(metric)) + "\n")
        for fault in faults_of_packages():
            self.stderr.write(self.style.WARNING(f"warning: {fault}"))
        self.stdout.write("Use one with score --metric NAME[:PARAMETER=VALUE]..., such as m2:beta=1.")


def _lines(metric: type[AnyMetric]) -> Iterator[str]:
    yield f"{metric.name} ({metric.label})"
    yield from wrap(metric.summary, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
    yield f"{INDENT}Needs: {', '.join(sorted(metric.needs)) or 'the source alone'}"
    if metric.package:
        yield f"{INDENT}From: {metric.package}"
    for each in parameter_fields(metric.Parameters):
        yield from wrap(
            f"{each.name}={_default(each)}{_choices(each)}: {each.help}",
            WIDTH,
            initial_indent=INDENT,
            subsequent_indent=INDENT * 2,
        )


def _default(each: ParameterField) -> str:
    if each.type is bool:
        return "yes" if each.default else "no"
    return f"{each.default:g}" if each.type is float else str(each.default)


def _choices(each: ParameterField) -> str:
    return f" ({', '.join(each.choices)})" if each.choices else ""
