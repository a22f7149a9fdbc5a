"""The command `agree`: `analyse agreement` of a file of judgments, with its own JSON."""

import json

from django.core.management.base import BaseCommand, CommandParser

from analysis.analyses.annotators.agreement import AGREEMENT
from analysis.analyses.annotators.agreement_result import Judging
from analysis.management.commands.analyse import analysed, print_result
from analysis.management.options import add_judgments_file
from analysis.runs.results import to_plain_json
from annotate.management.parameter_options import add_options
from ranking import Kappa


class Command(BaseCommand):
    help = "Compute the agreement of the annotators in a judgments file. Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        add_judgments_file(parser)
        add_options(
            parser,
            AGREEMENT.parameters,
            spelled=dict.fromkeys(("controls", "excluded", "combined", "domain")),
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: object, **options: object) -> None:
        computed = analysed(AGREEMENT, {**options, "subject": None, "role": []})
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(computed.result), ensure_ascii=False, indent=1))
        else:
            print_result(AGREEMENT, computed)


def _as_json(judging: Judging) -> dict[str, object]:
    judges = judging.agreement
    alphas = {
        "pairs": judging.alpha_of_pairs,
        "ranks": judging.alpha_of_ranks,
        "scores": judging.alpha_of_scores,
    }
    return {
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
        "icc": to_plain_json(judging.intraclass),
        "split_half": to_plain_json(judging.split_half),
        "signature": judging.signature,
    }


def _kappa(kappa: Kappa) -> dict[str, object]:
    return {"kappa": kappa.value, "n": kappa.n, "reason": kappa.reason}
