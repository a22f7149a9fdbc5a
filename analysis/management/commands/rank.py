"""The command `rank`: systems of a judgments file by rank."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.table import Table

from analysis.analyses.judging import Scoring, scoring_of
from analysis.analyses.ranking import Choice, Ranking, choose, rank, replicates_of
from analysis.analyses.ranking_words import METHODS, UNIT_MEANINGS
from analysis.management.numbers import decimals
from analysis.management.options import add_judgments_file, add_tie_width, natural_number
from analysis.management.reliability import reliability_lines
from analysis.runs.as_json import to_json
from annotate.management.terminal import progress_bar
from formats import FormatError
from formats.snapshots import frame_of_file
from ranking import (
    JudgeCounts,
    Method,
    ResamplingError,
    SnapshotError,
    Standing,
    Unit,
    holds_scores,
    judge_counts,
    without_systems,
)


class Command(BaseCommand):
    help = "Rank the systems of a judgments file, with rank ranges and clusters. Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        add_judgments_file(parser)
        parser.add_argument(
            "--method", choices=[*map(str, METHODS)], help="unless given, mean for scores and ew for rankings"
        )
        parser.add_argument(
            "--bootstrap",
            type=natural_number,
            default=1000,
            metavar="N",
            help="replicates; 0 for scores alone",
        )
        parser.add_argument(
            "--unit",
            choices=[*map(str, Unit)],
            help="what is resampled; all but pair respect that pairs of one judgment belong together; unless "
            "given, sentence for scores and pair for rankings",
        )
        add_tie_width(parser)
        parser.add_argument(
            "--z-scores", action="store_true", help="mean scores of z-scores within each judge"
        )
        parser.add_argument(
            "--source", metavar="SYSTEM", help="the system that leaves sentences as they are, for scores"
        )
        parser.add_argument(
            "--confidence", type=float, default=0.95, metavar="SHARE", help="of the rank ranges (0.95)"
        )
        parser.add_argument("--exclude-systems", nargs="+", default=[], metavar="SYSTEM")
        parser.add_argument("--seed", type=natural_number, default=0, help="of the resampling (0)")
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            snapshot = without_systems(frame_of_file(options["file"]), options["exclude_systems"])
            choice = _choice(options, scored=holds_scores(snapshot))
            with progress_bar("Resampling", replicates_of(choice)) as advance:
                ranking = rank(snapshot, choice, progress=advance)
            judged = judge_counts(snapshot, choice.by)
            scoring = scoring_of(snapshot, options["source"]) if choice.tie_width is not None else None
        except (FormatError, SnapshotError, ResamplingError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(_json(ranking, judged, choice, scoring))
        else:
            _print(ranking, judged, choice, scoring)


def _choice(options: dict[str, Any], *, scored: bool) -> Choice:
    return choose(
        scored=scored,
        method=options["method"] and Method(options["method"]),
        unit=options["unit"] and Unit(options["unit"]),
        tie_width=options["tie_width"],
        z_scores=options["z_scores"],
        replicates=options["bootstrap"],
        confidence=options["confidence"],
        seed=options["seed"],
    )


def _json(ranking: Ranking, judged: JudgeCounts, choice: Choice, scoring: Scoring | None) -> str:
    total = judged.total
    return json.dumps(
        {
            "systems": [
                {
                    "name": standing.system,
                    "score": standing.score,
                    "score_low": standing.score_low,
                    "score_high": standing.score_high,
                    "spread": standing.spread,
                    "rank_low": standing.rank_low,
                    "rank_high": standing.rank_high,
                    "cluster": standing.cluster,
                    "reason": standing.reason,
                }
                for standing in ranking.standings.systems
            ],
            "borders": [
                {"below_cluster": border.below, "stability": border.stability}
                for border in ranking.standings.borders
            ],
            "method": choice.method,
            "unit": choice.unit,
            "replicates": choice.replicates,
            "confidence": choice.confidence,
            "seed": choice.seed,
            "judges": len(judged.judges),
            "judgments": total.rankings,
            "pairs": {
                "expanded": total.expanded,
                "ties": total.expanded_ties,
                "unexpanded": total.unexpanded,
                "unexpanded_ties": total.unexpanded_ties,
            },
            "reason": ranking.standings.reason,
            "warning": ranking.warning,
            "signature": ranking.signature,
            "scoring": scoring and to_json(scoring),
        },
        ensure_ascii=False,
        indent=1,
    )


def _print(ranking: Ranking, judged: JudgeCounts, choice: Choice, scoring: Scoring | None) -> None:
    standings, total = ranking.standings, judged.total
    console = Console()
    console.print(
        f"{choice.score_name} over {total.rankings:,} judgments"
        if standings.method is Method.MEAN_SCORE
        else f"{choice.score_name} over {total.expanded:,} expanded pairs, "
        f"{total.expanded_ties:,} of them ties"
    )
    interval = ["Interval"] if scoring else []
    table = Table("Cluster", "Ranks", "Score", *interval, "±", "System", "")
    for above, standing in zip((None, *standings.systems), standings.systems, strict=False):
        begins = above is None or above.cluster != standing.cluster
        if begins:
            table.add_section()
        table.add_row(
            str(standing.cluster or "") if begins else "",
            _ranks(standing),
            decimals(standing.score, 3),
            *([_interval(standing)] if scoring else []),
            decimals(standing.spread, 3),
            standing.system,
            standing.reason,
        )
    console.print(table)
    if standings.reason:
        console.print(f"No rank ranges: {standings.reason}.")
    else:
        console.print(
            f"Rank ranges at {standings.confidence:.0%} from {standings.replicates:,} replicates, "
            f"resampled by {standings.unit}; ± is the standard deviation of a score over them."
        )
        console.print(UNIT_MEANINGS[standings.unit])
    for border in standings.borders:
        console.print(f"The border below cluster {border.below} is clean in {border.stability:.1%} of them.")
    if ranking.warning:
        console.print(f"[yellow]{ranking.warning}[/yellow]")
    if scoring:
        _print_scoring(console, scoring)
    console.print(f"Signature {ranking.signature}", highlight=False, soft_wrap=True)


def _ranks(standing: Standing) -> str:
    if standing.rank_low == standing.rank_high:
        return str(standing.rank_low or "")
    return f"{standing.rank_low}-{standing.rank_high}"


def _interval(standing: Standing) -> str:
    if standing.score_low is None:
        return "–"
    return f"{decimals(standing.score_low, 3)} to {decimals(standing.score_high, 3)}"


def _print_scoring(console: Console, scoring: Scoring) -> None:
    for line in reliability_lines(scoring.split_half, scoring.intraclass):
        console.print(line)
    table = Table("System", "Sentences", "Unchanged", "Meaning changed", "by most", "")
    for change in scoring.changes:
        figures = (change.unchanged, change.flagged, change.flagged_by_most)
        shares = [decimals(figure, 3) for figure in figures]
        table.add_row(change.system, str(change.sentences), *shares, change.reason)
    console.print(table)
