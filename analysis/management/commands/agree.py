"""The command `agree`: agreement of the annotators of a judgments file."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from analysis.analyses.ranking import choose, split_half_of
from analysis.management.reliability import reliability_lines
from analysis.runs.as_json import to_json
from formats import FormatError
from formats.snapshots import content_hash, frame_of_file
from ranking import (
    Agreement,
    Alpha,
    Basis,
    IntraclassCorrelation,
    Kappa,
    ResamplingError,
    Scores,
    SnapshotError,
    SplitHalf,
    agreement,
    alpha_over_pairs,
    alpha_over_ranks,
    alpha_over_scores,
    holds_scores,
    intraclass_correlation,
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
            by = choose(scored=holds_scores(snapshot), tie_width=options["tie_width"]).by
            result = _computed(snapshot, by)
        except (FormatError, ResamplingError, SnapshotError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(_json(result))
        else:
            _print(result)


@dataclass(frozen=True, slots=True)
class JudgesOfFile:
    """How far the judges of a file agree.

    Attributes:
        judges: kappa over pairs of outputs.
        alphas: Krippendorff's alpha over pairs, ranks and scores; with a reason where these are none.
        intraclass: how much of the variance of scores the outputs explain; with a reason for rankings.
        split_half: how the scores of two groups of judges correlate; with reasons for rankings.
        signature: what was computed and on which snapshot.
    """

    judges: Agreement
    alphas: dict[str, Alpha]
    intraclass: IntraclassCorrelation
    split_half: SplitHalf
    signature: str


def _computed(snapshot: pd.DataFrame, by: Basis) -> JudgesOfFile:
    judges = agreement(snapshot, by=by)
    scored = isinstance(by, Scores)
    over_scores = f"|by:scores|tie-width:{by.tie_width:g}" if scored else ""
    return JudgesOfFile(
        judges,
        alphas={
            "pairs": alpha_over_pairs(snapshot, by),
            "ranks": alpha_over_ranks(snapshot, by),
            "scores": alpha_over_scores(snapshot) if scored else Alpha(None, 0, 0, "ranks are no scores"),
        },
        intraclass=intraclass_correlation(snapshot),
        split_half=split_half_of(snapshot),
        signature=(
            f"agreement|pairs:unexpanded{over_scores}|min-comparisons:{judges.min_comparisons}"
            f"|snapshot:{content_hash(snapshot)[:16]}"
        ),
    )


def _json(result: JudgesOfFile) -> str:
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


def _print(result: JudgesOfFile) -> None:
    console = Console()
    judges = result.judges
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
    for name, level in (("pairs", "nominal"), ("ranks", "ordinal"), ("scores", "interval")):
        alpha = result.alphas[name]
        table.add_row(f"{level}, over {name}", _shown(alpha.value), f"{alpha.units:,}", alpha.reason)
    console.print(table)
    console.print(
        f"The first two are means over at least {judges.min_comparisons} comparisons, weighted by them."
    )
    if result.alphas["scores"].units:
        for line in reliability_lines(result.split_half, result.intraclass):
            console.print(line)
    console.print(f"Signature {result.signature}", highlight=False, soft_wrap=True)


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
