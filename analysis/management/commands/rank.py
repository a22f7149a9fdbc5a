"""The command `rank`: ranking of the systems in a file of judgments."""

import json
from dataclasses import dataclass
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.table import Table

from analysis.analyses.agreement import AGREEMENT, split_half_of
from analysis.analyses.inputs import Judgments, judgments
from analysis.analyses.ranking import RANKING, Ranking, RankingParameters
from analysis.analyses.ranking_words import UNIT_MEANINGS
from analysis.management.numbers import decimals
from analysis.management.options import add_judgments_file
from analysis.management.reliability import reliability_lines
from analysis.management.terminal import shown_progress
from analysis.runs.computing import computed
from analysis.runs.results import to_plain_json
from annotate.management.parameter_options import add_options, from_options
from annotate.management.terminal import output
from core.parameters import ParameterError
from formats import FormatError
from formats.snapshots import frame_of_file
from ranking import (
    IntraclassCorrelation,
    JudgeCounts,
    Method,
    SnapshotError,
    SplitHalf,
    Standing,
    SystemChanges,
    holds_scores,
    intraclass_correlation,
    judge_counts,
    system_changes,
    without_systems,
)


class Command(BaseCommand):
    help = "Rank the systems of a judgments file, with rank ranges and clusters. Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        add_judgments_file(parser)
        parser.add_argument(
            "--bootstrap", default="1000", metavar="N", help="number of replicates; 0 for scores only (1000)"
        )
        add_options(
            parser,
            RankingParameters,
            spelled=dict.fromkeys(("replicates", "controls", "excluded", "combined")),
        )
        parser.add_argument(
            "--source", metavar="SYSTEM", help="the system that leaves sentences unchanged, for scores"
        )
        parser.add_argument(
            "--exclude-systems", nargs="+", default=[], metavar="SYSTEM", help="leave these systems out"
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            stated = from_options(RankingParameters, {**options, "replicates": options["bootstrap"]})
            snapshot = without_systems(frame_of_file(options["file"]), options["exclude_systems"])
            parameters = RANKING.resolved(stated, scored=holds_scores(snapshot))
            inputs = judgments(snapshot, AGREEMENT.columns, source=options["source"])
            with shown_progress("Resampling") as progress:
                ranking: Ranking = computed(RANKING, inputs, parameters, progress, {})
            judged = judge_counts(snapshot, parameters.by)
            scoring = _scoring(inputs) if parameters.tie_width is not None else None
        except (FormatError, SnapshotError, ParameterError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(_json(ranking, judged, parameters, scoring))
        else:
            _print(ranking, judged, parameters, scoring)


@dataclass(frozen=True, slots=True)
class Scoring:
    """Reliability of scalar judgments.

    Attributes:
        split_half: correlation between scores of two groups of judges.
        intraclass: share of the variance of scores that outputs explain.
        changes: by system, the shares of sentences unchanged and with changed meaning.
    """

    split_half: SplitHalf
    intraclass: IntraclassCorrelation
    changes: tuple[SystemChanges, ...]


def _scoring(inputs: Judgments) -> Scoring:
    return Scoring(
        split_half=split_half_of(inputs.snapshot),
        intraclass=intraclass_correlation(inputs.snapshot),
        changes=system_changes(inputs.snapshot, inputs.source),
    )


def _json(
    ranking: Ranking, judged: JudgeCounts, parameters: RankingParameters, scoring: Scoring | None
) -> str:
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
            "method": parameters.method,
            "unit": parameters.unit,
            "replicates": parameters.replicates,
            "confidence": parameters.confidence,
            "seed": parameters.seed,
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
            "remark": ranking.remark,
            "signature": ranking.signature,
            "scoring": scoring and to_plain_json(scoring),
        },
        ensure_ascii=False,
        indent=1,
    )


def _print(
    ranking: Ranking, judged: JudgeCounts, parameters: RankingParameters, scoring: Scoring | None
) -> None:
    standings, total = ranking.standings, judged.total
    console = output()
    console.print(
        f"{parameters.score_name} over {total.rankings:,} judgments"
        if standings.method is Method.MEAN_SCORE
        else f"{parameters.score_name} over {total.expanded:,} expanded pairs, "
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
    for caution in filter(None, (ranking.warning, ranking.remark)):
        console.print(f"[yellow]{caution}[/yellow]")
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
