"""The command `gec_metrics`: which metrics of gec-metrics are offered."""

import json
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.scores.metric_setup import gec_metrics_setup
from metrics.gec_metrics.interpreter import GecMetricsError
from metrics.gec_metrics.listing import make_list


class Command(BaseCommand):
    help = "Ask the interpreter of GEC_METRICS_PYTHON for its metrics, and offer them from the next start."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("metric", nargs="*", help="ids of the metrics to offer, such as impara (all)")
        parser.add_argument(
            "--options",
            type=_options,
            default={},
            metavar="FILE",
            help="JSON: by id of a metric, fields of its configuration that differ from their defaults",
        )

    def handle(self, *args: object, **options: Any) -> None:
        setup = gec_metrics_setup()
        if setup is None:
            raise CommandError("Set GEC_METRICS_PYTHON to the interpreter that has gec-metrics.")
        try:
            made = make_list(setup, options["metric"], options["options"])
        except GecMetricsError as error:
            raise CommandError(str(error)) from error
        for each in made.metrics:
            needs = "references" if each.references else "no references"
            self.stdout.write(f"gec-{each.id.replace('_', '-')} ({each.label}; {needs})")
        self.stdout.write(
            f"{len(made.metrics)} metrics of gec-metrics {made.version} are listed in "
            f"{settings.VAR_DIR}. Restart Assay to offer them."
        )


def _options(argument: str) -> dict[str, dict[str, object]]:
    try:
        options = json.loads(Path(argument).read_text())
    except (OSError, ValueError) as error:
        raise ArgumentTypeError(f"{argument}: {error}") from error
    if not isinstance(options, dict) or not all(isinstance(each, dict) for each in options.values()):
        raise ArgumentTypeError(f'{argument}: write {{"METRIC": {{"FIELD": VALUE}}}}')
    return options
