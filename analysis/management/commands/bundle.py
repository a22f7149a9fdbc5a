"""The command `bundle`: a zip of inputs and results, from which anyone can compute the results again."""

import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.analyses.base import AnyAnalysis
from analysis.management.terminal import shown_progress
from analysis.publishing.bundle import write_bundle
from analysis.publishing.bundled_results import results_of
from analysis.publishing.campaigns import given_of_campaign, given_of_file
from analysis.publishing.inputs.bundled_inputs import Given, write_inputs
from analysis.publishing.stated import BundleError, publishable
from analysis.runs.sources import source_of
from analysis.runs.sources.base import Options
from annotate.management.parameter_options import add_options, from_options
from annotate.models import Campaign
from annotate.models.listed import campaigns
from core.parameters import ParameterError
from core.progress import Progress
from formats import FormatError
from jobs.refusals import RefusedError
from ranking import SnapshotError


class Command(BaseCommand):
    help = (
        "Write a zip with the result of an analysis of a campaign or a judgments file: judgments with "
        "annotators as numbers, metric scores, tables, figures, a methods paragraph and a data sheet. "
        "'verify' recomputes all of it. 'bundle NAME --help' lists the parameters of an analysis."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        named = parser.add_subparsers(
            dest="analysis", required=True, metavar="NAME", title="analyses", description="NAME is one of:"
        )
        for name, analysis in sorted(publishable().items()):
            one = named.add_parser(name, help=analysis.help, description=analysis.help)
            one.add_argument("subject", metavar="FILE|CAMPAIGN", help="judgments, or the name of a campaign")
            one.add_argument("zip", type=Path, help="the file to write")
            one.add_argument("--title", help="title of the figures and the data sheet (default: the name)")
            one.add_argument(
                "--without-names", action="store_true", help="give systems numbers instead of their names"
            )
            add_options(one, analysis.parameters, spelled={"combined": None})
            source_of(analysis).add_file_options(one)

    def handle(self, *args: object, **options: Any) -> None:
        analysis = publishable()[options["analysis"]]
        try:
            with shown_progress() as progress, tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                stated = write_inputs(
                    folder,
                    _given(analysis, options, progress),
                    analysis=analysis,
                    title=options["title"] or Path(options["subject"]).stem,
                    with_names=not options["without_names"],
                    progress=progress,
                )
                results = results_of(folder, stated, progress)
                write_bundle(options["zip"], folder, results, progress)
        except (FormatError, ParameterError, SnapshotError, RefusedError, BundleError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{options['zip']} is written: {results.headline}")


def _given(analysis: AnyAnalysis, options: Options, progress: Progress) -> Given:
    path = Path(options["subject"])
    stated = from_options(analysis.parameters, options)
    if path.exists():
        return given_of_file(path, analysis, stated, options)
    return given_of_campaign(_campaign(options["subject"]), analysis, stated, progress)


def _campaign(name: str) -> Campaign:
    campaign: Campaign | None = campaigns().filter(name=name).first()
    if campaign is None:
        raise CommandError(f"there is neither a file nor a campaign {name}")
    return campaign
