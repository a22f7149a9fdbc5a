"""The command `evaluate_metric`: how a new metric agrees with people on the judgment sets that are there."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from rich.markup import escape

from analysis.analyses.base import printed_table
from analysis.judgment_sets.campaign_sets import campaign_set
from analysis.judgment_sets.judgment_set import JudgmentSet
from analysis.judgment_sets.metric_table import (
    METRIC_TABLE,
    MetricTable,
    MetricTableParameters,
    NewMetrics,
    on_set,
    sentences,
    tables_by_set,
)
from analysis.judgment_sets.public_sets import public_sets
from analysis.management.commands.analyse import print_tables, subject_named
from analysis.management.terminal import shown_progress
from analysis.runs.results import to_plain_json
from analysis.runs.sources.scored_judgments import SCORED_JUDGMENTS
from annotate.management.parameter_options import add_options, from_options
from annotate.management.terminal import output
from annotate.models import Campaign
from core.names import Naming
from core.parameters import ParameterError
from core.progress import Progress
from core.results import Computed
from formats import FormatError
from formats.metric_scores import GivenScores, read_metric_scores
from jobs.refusals import RefusedError
from metrics import UnknownMetricError
from ranking import SnapshotError

NAMING = Naming("", {}, {}, {}, by_key=True)


class Command(BaseCommand):
    help = (
        "Compare a new metric with people, and with the best known metric, on every judgment set that is "
        "there: public ones in a folder, which need no database, and campaigns."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--metric",
            nargs="+",
            action="extend",
            default=[],
            metavar="NAME[:PARAMETER=VALUE]...",
            help="new metrics to compute, such as gleu, learned:model.json, or one of an installed package",
        )
        parser.add_argument(
            "--scores",
            nargs="+",
            action="extend",
            default=[],
            metavar="[SET=]CSV",
            help=(
                "scores of new metrics computed elsewhere: metric,system[,sentence],score; sentences count "
                "from 0 over those of the set. Without SET, it is of all sets whose systems it scores"
            ),
        )
        parser.add_argument(
            "--data",
            type=Path,
            default=settings.REFERENCE_DATA,
            metavar="DIR",
            help="folder with public judgments (REFERENCE_DATA)",
        )
        parser.add_argument(
            "--campaign",
            nargs="+",
            action="extend",
            default=[],
            metavar="NAME",
            help="campaigns that are judgment sets too; the scores of their corpus are the known metrics",
        )
        parser.add_argument(
            "--set",
            dest="sets",
            nargs="+",
            action="extend",
            default=[],
            metavar="NAME",
            help="only these sets (--list names them), or those of a group, such as seeda",
        )
        parser.add_argument(
            "--against",
            nargs="+",
            action="extend",
            default=[],
            metavar="NAME",
            help="metrics to compute and compare with, instead of a few for each set",
        )
        add_options(parser, MetricTableParameters)
        parser.add_argument("--list", action="store_true", help="name the judgment sets, and end")
        parser.add_argument("--latex", type=Path, metavar="FILE", help="write the table as LaTeX")
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: object, **options: Any) -> None:
        if (latex := options["latex"]) and not latex.absolute().parent.is_dir():
            raise CommandError(f"There is no folder {latex.absolute().parent}.")
        try:
            parameters = from_options(MetricTableParameters, options)
            with shown_progress() as progress:
                sets = _sets(options, progress)
                table = None if options["list"] else _table(sets, options, parameters, progress)
        except (FormatError, ParameterError, SnapshotError, RefusedError, UnknownMetricError) as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(f"Database error: {error}.") from error
        if table is None:
            for each in sets:
                output().print(f"{each.name}: {each.about}", highlight=False)
            return
        filled = METRIC_TABLE.of(Computed(parameters, table), NAMING)
        if latex:
            latex.write_text("".join(filled.latex()), encoding="utf-8")
        if options["json"]:
            plain = {"signature": table.signature, "metrics": to_plain_json([*filled.records()])}
            self.stdout.write(json.dumps(plain, ensure_ascii=False, indent=1))
        else:
            _print(table, parameters)


def _sets(options: dict[str, Any], progress: Progress) -> list[JudgmentSet]:
    """The judgment sets that are asked for.

    Raises:
        CommandError: there are none, or there is none of a name.
    """
    there = public_sets(options["data"]) if options["data"] else []
    campaigns = [
        campaign_set(cast(Campaign, subject_named(SCORED_JUDGMENTS, name)), progress)
        for name in options["campaign"]
    ]
    if not there and not campaigns:
        raise CommandError(
            "There are no judgment sets: name a folder with public ones (--data), or a campaign (--campaign)."
        )
    if not options["sets"]:
        return [*there, *campaigns]
    chosen: dict[str, JudgmentSet] = {each.name: each for each in campaigns}
    for name in options["sets"]:
        found = [each for each in there if name in (each.name, each.name.partition("/")[0])]
        if not found:
            names = ", ".join(each.name for each in there) or "none"
            raise CommandError(f"There is no judgment set {name!r} in {options['data']}. There are: {names}.")
        chosen |= {each.name: each for each in found}
    return [*chosen.values()]


def _table(
    sets: list[JudgmentSet], options: dict[str, Any], parameters: MetricTableParameters, progress: Progress
) -> MetricTable:
    if not options["metric"] and not options["scores"]:
        raise CommandError("Name the new metric: --metric NAME, or its scores: --scores FILE.")
    given = _given(options["scores"], sets)
    results = []
    for each in sets:
        new = NewMetrics(options["metric"], given.get(each.name, {}))
        if new.computed or new.given:
            results.append(on_set(each, new, parameters, progress, against=options["against"]))
    return MetricTable(tuple(results))


def _given(
    arguments: Sequence[str], sets: Sequence[JudgmentSet]
) -> dict[str, dict[Path, dict[str, GivenScores]]]:
    """The scores that were computed elsewhere, by the name of their set and file.

    Raises:
        CommandError: a set is unknown, or which set a file is of is not.
    """
    names = [each.name for each in sets]
    given: dict[str, dict[Path, dict[str, GivenScores]]] = {}
    for argument in arguments:
        of, path = _set_and_file(argument, names)
        scores = dict(read_metric_scores(path))
        chosen = [of] if of else [each.name for each in sets if each.is_covered_by(scores)]
        if not chosen:
            raise CommandError(
                f"{path} scores the systems of no judgment set. Write which one it is of, such as "
                f"{names[0]}={path}; missing systems are then left out. There are: {', '.join(names)}."
            )
        if len({each.text_set for each in sets if each.name in chosen}) > 1:
            raise CommandError(
                f"{path} scores the systems of {', '.join(chosen)}. Write which one it is of, such as "
                f"{chosen[0]}={path}."
            )
        for name in chosen:
            given.setdefault(name, {})[path] = scores
    return given


def _set_and_file(argument: str, names: Sequence[str]) -> tuple[str, Path]:
    """The set that scores are said to be of, empty if none is, and their file; both may hold an `=`.

    Raises:
        CommandError: there is neither such a set nor such a file.
    """
    if named := [name for name in names if argument.startswith(f"{name}=")]:
        of = max(named, key=len)
        return of, Path(argument[len(of) + 1 :])
    unknown, _, file = argument.rpartition("=")
    if unknown and not Path(argument).exists() and Path(file).exists():
        raise CommandError(f"There is no judgment set {unknown!r}. There are: {', '.join(names)}.")
    return "", Path(argument)


def _print(table: MetricTable, parameters: MetricTableParameters) -> None:
    console = output()
    for each in tables_by_set(table):
        page = METRIC_TABLE.of(Computed(parameters, each), NAMING).printed()
        print_tables([printed_table(page, page.caption)], each.signature)
        for sentence in sentences(each.sets[0]):
            console.print(escape(sentence), highlight=False)
