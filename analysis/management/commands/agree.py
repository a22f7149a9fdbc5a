"""The command `agree`: agreement of the annotators in a file of judgments."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.markup import escape
from rich.table import Table

from analysis.analyses.agreement import AGREEMENT, AgreementParameters, Judging, judge_agreement
from analysis.analyses.inputs import judgments
from analysis.management.numbers import decimals
from analysis.management.options import add_judgments_file
from analysis.management.reliability import reliability_lines
from analysis.runs.results import to_plain_json
from annotate.management.parameter_options import add_options, from_options
from annotate.management.terminal import output
from core.parameters import ParameterError
from formats import FormatError
from formats.snapshots import frame_of_file
from ranking import Alpha, Kappa, SnapshotError, holds_scores


class Command(BaseCommand):
    help = "Compute the agreement of the annotators in a judgments file. Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        add_judgments_file(parser)
        add_options(parser, AgreementParameters, spelled=dict.fromkeys(("controls", "excluded", "combined")))
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            stated = from_options(AgreementParameters, options)
            snapshot = frame_of_file(options["file"])
            parameters = AGREEMENT.resolved(stated, scored=holds_scores(snapshot))
            judging = judge_agreement(judgments(snapshot, AGREEMENT.columns), parameters)
        except (FormatError, ParameterError, SnapshotError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(_json(judging))
        else:
            _print(judging)


def _alphas(judging: Judging) -> dict[str, Alpha]:
    return {
        "pairs": judging.alpha_of_pairs,
        "ranks": judging.alpha_of_ranks,
        "scores": judging.alpha_of_scores,
    }


def _json(judging: Judging) -> str:
    judges = judging.agreement
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
                for name, alpha in _alphas(judging).items()
            },
            "icc": to_plain_json(judging.intraclass),
            "split_half": to_plain_json(judging.split_half),
            "signature": judging.signature,
        },
        ensure_ascii=False,
        indent=1,
    )


def _kappa(kappa: Kappa) -> dict[str, float | str | None]:
    return {"kappa": kappa.value, "n": kappa.n, "reason": kappa.reason}


def _print(judging: Judging) -> None:
    console = output()
    judges = judging.agreement
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
        alpha = _alphas(judging)[name]
        table.add_row(f"{level}, over {name}", decimals(alpha.value, 4), f"{alpha.units:,}", alpha.reason)
    console.print(table)
    console.print(
        f"The first two are means over at least {judges.min_comparisons} comparisons, weighted by them."
    )
    if judging.alpha_of_scores.units:
        for line in reliability_lines(judging.split_half, judging.intraclass):
            console.print(line)
    console.print(f"Signature {judging.signature}", highlight=False, soft_wrap=True)
