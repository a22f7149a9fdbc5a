"""The command `release`: the data of campaigns as a folder and a zip to publish."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from analysis.management.terminal import shown_progress
from analysis.releases.about import About, read_about
from analysis.releases.checks import Checked, Confirmation, checked, released_together
from analysis.releases.options import REVEALED_BY_DRAWS, Layout, Options
from analysis.releases.releasing import write_release
from analysis.releases.version_changes import read_previous
from analysis.releases.wording import summary
from annotate.management.campaigns import campaign_named
from annotate.management.terminal import failures_in_words

HELP = {
    Confirmation.TEXTS_CHECKED: "confirm that people have looked for personal data in the texts",
    Confirmation.FEW_ANNOTATORS: "confirm that fewer than three annotators agree to the publication",
}


class Command(BaseCommand):
    help = (
        "Write the data of closed campaigns on one corpus as a folder and a zip to publish: judgments, texts "
        "and scores as Parquet and JSON Lines, with a data set card, Croissant, citation files and a "
        "datasheet."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "campaigns",
            nargs="+",
            metavar="campaign",
            help="name of a campaign; several judge the same corpus",
        )
        parser.add_argument("folder", type=Path, help="folder to make; the zip is written beside it")
        parser.add_argument(
            "--about",
            type=Path,
            required=True,
            metavar="FILE",
            help="what the authors state, as TOML: name, version, date, licences, authors, answers",
        )
        parser.add_argument(
            "--previous", type=Path, metavar="FOLDER", help="folder of the release before, to list changes"
        )
        parser.add_argument(
            "--layout",
            nargs="+",
            choices=[str(each) for each in Layout],
            default=[],
            help="also write the data as these programs read it",
        )
        parser.add_argument("--with-secret", action="store_true", help=f"release it: {REVEALED_BY_DRAWS}")
        for each in Confirmation:
            parser.add_argument(f"--{each}", action="store_true", help=HELP[each])
        parser.add_argument("--dry-run", action="store_true", help="only check, and list what was found")

    def handle(self, *args: object, **options: Any) -> None:
        with failures_in_words("release"):
            self._release(options)

    def _release(self, options: dict[str, Any]) -> None:
        campaigns = released_together([campaign_named(name) for name in options["campaigns"]])
        about: About = read_about(options["about"])
        confirmed = [each for each in Confirmation if options[each.replace("-", "_")]]
        previous = read_previous(options["previous"], about) if options["previous"] else None
        layouts = [each for each in Layout if each in options["layout"]]
        chosen = Options(with_secret=options["with_secret"], layouts=tuple(layouts))
        with shown_progress() as progress:
            check = checked(campaigns, about, confirmed, progress, chosen)
        self._list(check)
        check.require()
        if options["dry_run"]:
            self.stdout.write("Nothing stands in the way of the release. Nothing was written.")
            return
        with shown_progress() as progress:
            release = write_release(
                campaigns,
                options["folder"],
                about,
                check,
                previous=previous,
                options=chosen,
                by=None,
                progress=progress,
            )
        self.stdout.write(f"{release.folder} and {release.zip} are written. {summary(release.facts)}")

    def _list(self, check: Checked) -> None:
        for place in check.found:
            self.stderr.write(str(place), lambda text: text)
        if check.found_more:
            self.stderr.write("There are more; these are the first.", lambda text: text)
        for warning in check.warnings:
            self.stderr.write(f"Warning: {warning}", self.style.WARNING)
