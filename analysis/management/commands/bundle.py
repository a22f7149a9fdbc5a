"""The command `bundle`: a zip of judgments and results, from which anyone can compute them again."""

from pathlib import Path
from typing import Any

import pandas as pd
from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.analyses.ranking import RANKING, RankingParameters
from analysis.management.terminal import told
from analysis.publishing.bundle import Stated, results_of, write_bundle
from analysis.publishing.campaigns import judgments_of_campaign
from analysis.publishing.judgments import judgments_csv, numbered_systems
from annotate.management.parameter_options import add_options, from_options
from annotate.models import Campaign
from annotate.models.listed import campaigns
from formats import FormatError
from formats.snapshots import frame_of_file
from metrics.parameters import ParameterError
from ranking import SnapshotError, holds_scores
from ranking.snapshot import system_names


class Command(BaseCommand):
    help = (
        "Write a zip with the ranking of a campaign or a judgments file: judgments with annotators as "
        "numbers, tables, figures, a methods paragraph and a data sheet. 'verify' recomputes all of it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("subject", metavar="FILE|CAMPAIGN", help="judgments, or the name of a campaign")
        parser.add_argument("zip", type=Path, help="the file to write")
        parser.add_argument("--title", help="title of the figures and the data sheet (default: the name)")
        parser.add_argument(
            "--without-names", action="store_true", help="give systems numbers instead of their names"
        )
        add_options(parser, RankingParameters, spelled={"combined": None})

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["subject"])
        try:
            stated = from_options(RankingParameters, options)
            if path.exists():
                frame, annotators, source = _of_file(path)
            else:
                frame, annotators, source = judgments_of_campaign(_campaign(options["subject"]), stated)
            names = system_names(frame)
            renamed = {name: name for name in names}
            if options["without_names"]:
                renamed = numbered_systems(names, stated.seed)
            title = options["title"] or path.stem
            csv = judgments_csv(frame, title=title, annotators=annotators, systems=renamed)
            resolved = RANKING.resolved(stated, scored=holds_scores(frame))
            with told() as progress:
                asked = Stated(title, resolved, renamed.get(source) if source else None)
                results = results_of(csv, asked, progress)
                write_bundle(options["zip"], results)
        except (FormatError, ParameterError, SnapshotError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{options['zip']} holds {results.shown.judging.judges.total.rankings:,} judgments."
        )


def _of_file(path: Path) -> tuple[pd.DataFrame, dict[str, int], str | None]:
    frame = frame_of_file(path)
    annotators = sorted(str(name) for name in frame["annotator"].unique())
    return frame, {name: number for number, name in enumerate(annotators, start=1)}, None


def _campaign(name: str) -> Campaign:
    campaign: Campaign | None = campaigns().filter(name=name).first()
    if campaign is None:
        raise CommandError(f"there is neither a file nor a campaign {name}")
    return campaign
