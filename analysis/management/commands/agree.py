import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from analysis.rankings import choose
from annotate.formats import FormatError
from annotate.snapshots import content_hash, frame_of_file
from ranking import (
    Agreement,
    Alpha,
    Kappa,
    ResamplingError,
    SnapshotError,
    agreement,
    alpha_over_pairs,
    alpha_over_ranks,
    holds_scores,
)


class Command(BaseCommand):
    help = "Say how far the judges of a judgments file agree. Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the judgments, in any format that can be imported")
        parser.add_argument(
            "--tie-width",
            type=float,
            metavar="WIDTH",
            help="how far two scores may lie apart and tie as a pair (0)",
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            snapshot = frame_of_file(options["file"])
            choice = choose(scored=holds_scores(snapshot), tie_width=options["tie_width"])
            judges = agreement(snapshot, by=choice.by)
            alphas = {
                "pairs": alpha_over_pairs(snapshot, choice.by),
                "ranks": alpha_over_ranks(snapshot, choice.by),
            }
        except (FormatError, ResamplingError, SnapshotError) as error:
            raise CommandError(str(error)) from error
        by_scores = "" if choice.tie_width is None else f"|by:scores|tie-width:{choice.tie_width:g}"
        signature = (
            f"agreement|pairs:unexpanded{by_scores}|min-comparisons:{judges.min_comparisons}"
            f"|snapshot:{content_hash(snapshot)[:16]}"
        )
        if options["json"]:
            self.stdout.write(_json(judges, alphas, signature))
        else:
            _print(judges, alphas, signature)


def _json(judges: Agreement, alphas: dict[str, Alpha], signature: str) -> str:
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
                for name, alpha in alphas.items()
            },
            "signature": signature,
        },
        ensure_ascii=False,
        indent=1,
    )


def _kappa(kappa: Kappa) -> dict[str, float | str | None]:
    return {"kappa": kappa.value, "n": kappa.n, "reason": kappa.reason}


def _print(judges: Agreement, alphas: dict[str, Alpha], signature: str) -> None:
    console = Console()
    table = Table("", "κ", "comparisons", "", title="Agreement over pairs of outputs", title_justify="left")
    for name, kappa in (
        ("between judges", judges.inter),
        ("of judges with themselves", judges.intra),
        ("between judges, pooled", judges.inter_pooled),
        ("of judges with themselves, pooled", judges.intra_pooled),
    ):
        table.add_row(name, _shown(kappa.value), f"{kappa.n:,}", escape(kappa.reason or ""))
    table.add_section()
    for pair in judges.pairs:
        name = pair.first if pair.first == pair.second else f"{pair.first} – {pair.second}"
        kappa = pair.kappa
        table.add_row(escape(name), _shown(kappa.value), f"{kappa.n:,}", escape(kappa.reason or ""))
    console.print(table)
    table = Table("", "α", "units", "", title="Krippendorff's alpha", title_justify="left")
    for name, alpha in (("nominal, over pairs", alphas["pairs"]), ("ordinal, over ranks", alphas["ranks"])):
        table.add_row(name, _shown(alpha.value), f"{alpha.units:,}", alpha.reason)
    console.print(table)
    console.print(
        f"The first two are means over at least {judges.min_comparisons} comparisons, weighted by them."
    )
    console.print(f"Signature {signature}", highlight=False, soft_wrap=True)


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
