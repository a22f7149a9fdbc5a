"""The command `rank`: `analyse ranking` of a file of judgments, with its own options and JSON."""

import json

from django.core.management.base import BaseCommand, CommandParser

from analysis.analyses.annotators.agreement_result import Judging
from analysis.analyses.systems.ranking import RANKING, Ranking
from analysis.management.commands.analyse import analysed, print_result
from analysis.management.options import add_judgments_file
from analysis.runs.results import to_plain_json
from annotate.management.parameter_options import add_options
from annotate.models import SystemRole
from core.results import Computed

FIGURES = (
    *("score", "score_low", "score_high", "spread"),
    *("rank_low", "rank_high", "cluster", "reason"),
)
"""The attributes of a standing in JSON."""


class Command(BaseCommand):
    help = "Rank the systems of a judgments file, with rank ranges and clusters. Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        add_judgments_file(parser)
        parser.add_argument(
            "--bootstrap",
            dest="replicates",
            default="1000",
            metavar="N",
            help="number of replicates; 0 for scores only (1000)",
        )
        add_options(
            parser,
            RANKING.parameters,
            spelled=dict.fromkeys(("replicates", "controls", "excluded", "combined", "domain")),
        )
        parser.add_argument(
            "--source", metavar="SYSTEM", help="the system that leaves sentences unchanged, for scores"
        )
        parser.add_argument(
            "--exclude-systems", nargs="+", default=[], metavar="SYSTEM", help="leave these systems out"
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def handle(self, *args: object, **options: object) -> None:
        source = options["source"]
        roles = [(source, SystemRole.SOURCE)] if source else []
        computed = analysed(RANKING, {**options, "subject": None, "role": roles})
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(computed), ensure_ascii=False, indent=1))
        else:
            print_result(RANKING, computed)


def _as_json(computed: Computed) -> dict[str, object]:
    ranking: Ranking = computed.result
    judging: Judging = computed.beside
    total = judging.judges.total
    scoring = {name: getattr(judging, name) for name in ("split_half", "intraclass", "changes")}
    return {
        "systems": [
            {"name": standing.system, **{field: getattr(standing, field) for field in FIGURES}}
            for standing in ranking.standings.systems
        ],
        "borders": [
            {"below_cluster": border.below, "stability": border.stability}
            for border in ranking.standings.borders
        ],
        **{
            name: getattr(computed.parameters, name)
            for name in ("method", "unit", "replicates", "confidence", "seed")
        },
        "judges": len(judging.judges.judges),
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
        "scoring": {name: to_plain_json(part) for name, part in scoring.items()}
        if judging.is_scored
        else None,
    }
