"""The command `alt_test`: the alternative annotator test of files of labels."""

import json
from argparse import ArgumentTypeError
from collections.abc import Mapping
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.table import Table

from analysis.runs.results import to_plain_json
from annotate.management.terminal import output
from formats import FormatError
from formats.labels import read_labels
from ranking.machines import (
    AlternativeAnnotatorTest,
    LabelAgreement,
    alternative_annotator_test,
    label_contests,
    winning_rates,
)

CURVE = tuple(step / 20 for step in range(7))
"""Values of epsilon for which winning rates are given."""

Tests = Mapping[str, tuple[AlternativeAnnotatorTest, tuple[float | None, ...]]]
"""The test of each machine, and its winning rate over `CURVE`."""


class Command(BaseCommand):
    help = "Test whether a machine may stand in for one more annotator. Needs no database."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("people", type=Path, metavar="HUMANS.json", help="{annotator: {item: label}}")
        parser.add_argument(
            "machines", type=Path, metavar="MACHINE.json", help="{item: label}, or {machine: {item: label}}"
        )
        parser.add_argument(
            "--epsilon",
            type=_share,
            default=0.15,
            help="discount: .2 for experts, .15 for trained annotators (default), .1 for a crowd",
        )
        parser.add_argument(
            "--agreement",
            choices=[str(each) for each in LabelAgreement],
            default=str(LabelAgreement.ACCURACY),
            help="equal labels (accuracy, the default) or differences of scores (rmse)",
        )
        parser.add_argument(
            "--allow-missing",
            action="store_true",
            help="test a machine that answered less than 95 %% of the items",
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *args: object, **options: object) -> None:
        tests = _tests(options)
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(tests), ensure_ascii=False, indent=1))
            return
        for machine, (test, curve) in tests.items():
            _print(machine, test, curve)


def _tests(options: Mapping[str, object]) -> Tests:
    agreement = LabelAgreement(str(options["agreement"]))
    epsilon, allow_missing = float(str(options["epsilon"])), bool(options["allow_missing"])
    tests = {}
    try:
        people = read_labels(Path(str(options["people"])))
        for machine, labels in read_labels(Path(str(options["machines"]))).items():
            contests = label_contests(people, labels, agreement)
            test = alternative_annotator_test(contests, epsilon, allow_missing=allow_missing)
            tests[machine] = test, winning_rates(contests, CURVE, allow_missing=allow_missing)
    except (FormatError, ValueError) as error:
        raise CommandError(str(error)) from error
    return tests


def _share(argument: str) -> float:
    try:
        share = float(argument)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ArgumentTypeError(f"{argument!r} is not a number from 0 to 1")
    return share


def _as_json(tests: Tests) -> dict[str, object]:
    return {
        machine: to_plain_json(test)
        | {
            "may_stand_in": test.may_stand_in,
            "winning_rates": {f"{epsilon:.2f}": rate for epsilon, rate in zip(CURVE, curve, strict=True)},
        }
        for machine, (test, curve) in tests.items()
    }


def _print(machine: str, test: AlternativeAnnotatorTest, curve: tuple[float | None, ...]) -> None:
    console = output()
    console.print(verdict(machine, test), highlight=False)
    table = Table("annotator", "items", "machine wins", "person wins", "t", "p", "adjusted p", "beaten")
    for each in test.people:
        figures = (each.machine_advantage, each.person_advantage, each.statistic)
        p_values = (each.p_value, each.adjusted_p_value)
        beaten = each.reason if each.is_beaten is None else ("yes" if each.is_beaten else "no")
        table.add_row(
            each.person,
            str(each.instances),
            *("–" if figure is None else f"{figure:.4f}" for figure in figures),
            *("–" if p_value is None else f"{p_value:.6f}" for p_value in p_values),
            beaten,
        )
    if test.reason is None:
        console.print(table)
        rates = (
            f"{epsilon:g}: {rate:.2f}" for epsilon, rate in zip(CURVE, curve, strict=True) if rate is not None
        )
        console.print(f"Winning rate by epsilon: {', '.join(rates)}", highlight=False)


def verdict(machine: str, test: AlternativeAnnotatorTest) -> str:
    """Whether a machine may stand in for an annotator, in a sentence."""
    if test.winning_rate is None:
        return f"{machine}: not tested, because {test.reason}."
    may = "may" if test.may_stand_in else "may not"
    return (
        f"{machine} {may} stand in for one more annotator: it beats {test.beaten} of {test.tested} people "
        f"(winning rate {test.winning_rate:.2f}, epsilon {test.epsilon:g}); "
        f"advantage probability {test.advantage_probability:.2f}."
    )
