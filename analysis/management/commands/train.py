"""The command `train`: a metric that learns from human judgments, saved in a file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.metrics.learned.learned_gmeg import LEARNED_GMEG
from analysis.analyses.metrics.learned.learned_mterater import LEARNED_MTERATER
from analysis.management.commands.analyse import add_analysis, analysed, print_result
from analysis.runs.results import to_plain_json
from annotate.scores import learned_metrics
from metrics.learned.saved import ModelError, write_model

LEARNED: Mapping[str, AnyAnalysis] = {"gmeg": LEARNED_GMEG, "mterater": LEARNED_MTERATER}


class Command(BaseCommand):
    help = (
        "Train a metric on the human judgments in a file or a campaign, test it on sentences that it has not "
        "seen, and save it. 'train NAME --help' lists its parameters."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        named = parser.add_subparsers(
            dest="kind", required=True, metavar="NAME", title="metrics", description="NAME is one of:"
        )
        for name, analysis in LEARNED.items():
            one = add_analysis(named, name, analysis)
            one.add_argument(
                "--save",
                type=Path,
                metavar="FILE",
                help="file for the model (score --metric learned:FILE)",
            )
            one.add_argument(
                "--offer",
                action="store_true",
                help="offer the metric in this installation, beside others",
            )

    def handle(self, *args: object, **options: Any) -> None:
        analysis = LEARNED[options["kind"]]
        target: Path | None = options["save"]
        if target is not None and not target.parent.is_dir():
            raise CommandError(f"There is no folder {target.parent} to save in.")
        computed = analysed(analysis, options)
        result = computed.result
        try:
            if target is not None:
                write_model(result.model, target)
            if options["offer"]:
                learned_metrics.offer(result.model, by=None)
        except (OSError, ModelError, DatabaseError) as error:
            raise CommandError(f"The model cannot be saved: {error}") from error
        if options["json"]:
            self.stdout.write(json.dumps(to_plain_json(result), ensure_ascii=False, indent=1))
            return
        print_result(analysis, computed)
        if target is not None:
            self.stdout.write(f"{result.model.label} is saved in {target}.")
        if options["offer"]:
            self.stdout.write(f"It is offered as {result.model.name}.")
