"""The command `agree`: agreement of the annotators of a judgments file."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from analysis.analyses.agreement import JudgeAgreement, judge_agreement
from analysis.analyses.ranking import choose
from analysis.management.numbers import decimals
from analysis.management.options import add_judgments_file, add_tie_width
from analysis.management.reliability import reliability_lines
from analysis.runs.as_json import to_json
from formats import FormatError
from formats.snapshots import frame_of_file
from ranking import (
    Kappa,
    ResamplingError,
    SnapshotError,
    holds_scores,
)


class Command(BaseCommand):
    help = "Say how far the judges of a judgments file agree. Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        add_judgments_file(parser)
        add_tie_width(parser)
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            snapshot = frame_of_file(options["file"])
            by = choose(scored=holds_scores(snapshot), tie_width=options["tie_width"]).by
            result = judge_agreement(snapshot, by)
        except (FormatError, ResamplingError, SnapshotError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(_json(result))
        else:
            _print(result)


def _json(result: JudgeAgreement) -> str:
    judges = result.judges
    return json.dumps(
        {
            "inter": _kappa(judges.inter),
            "intra": _kappa(judges.intra),
            "inter_pooled": _kappa(judges.inter_pooled),
            "intra_pooled": _kappa(judges.intra_pooled),
            "pairs": [
                {"first": pair.first, "second": pair.second, **_kappa(pair.kappa)} for pair in judges.pairs
            ],
            "alpha": {
                name: {"alpha": alpha.value, "n": alpha.n, "units": alpha.units, "reason": alpha.reason}
                for name, alpha in result.alphas.items()
            },
            "icc": to_json(result.intraclass),
            "split_half": to_json(result.split_half),
            "signature": result.signature,
        },
        ensure_ascii=False,
        indent=1,
    )


def _kappa(kappa: Kappa) -> dict[str, float | str | None]:
    return {"kappa": kappa.value, "n": kappa.n, "reason": kappa.reason}


def _print(result: JudgeAgreement) -> None:
    console = Console()
    judges = result.judges
    table = Table("", "κ", "comparisons", "", title="Agreement over pairs of outputs", title_justify="left")
    for name, kappa in (
        ("between judges", judges.inter),
        ("of judges with themselves", judges.intra),
        ("between judges, pooled", judges.inter_pooled),
        ("of judges with themselves, pooled", judges.intra_pooled),
    ):
        table.add_row(name, decimals(kappa.value, 4), f"{kappa.n:,}", escape(kappa.reason or ""))
    table.add_section()
    for pair in judges.pairs:
        name = pair.first if pair.first == pair.second else f"{pair.first} – {pair.second}"
        kappa = pair.kappa
        table.add_row(escape(name), decimals(kappa.value, 4), f"{kappa.n:,}", escape(kappa.reason or ""))
    console.print(table)
    table = Table("", "α", "units", "", title="Krippendorff's alpha", title_justify="left")
    for name, level in (("pairs", "nominal"), ("ranks", "ordinal"), ("scores", "interval")):
        alpha = result.alphas[name]
        table.add_row(f"{level}, over {name}", decimals(alpha.value, 4), f"{alpha.units:,}", alpha.reason)
    console.print(table)
    console.print(
        f"The first two are means over at least {judges.min_comparisons} comparisons, weighted by them."
    )
    if result.alphas["scores"].units:
        for line in reliability_lines(result.split_half, result.intraclass):
            console.print(line)
    console.print(f"Signature {result.signature}", highlight=False, soft_wrap=True)
