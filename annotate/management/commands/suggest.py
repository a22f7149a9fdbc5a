"""Store what a program suggests about the outputs of a draft."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from annotate.campaigns.drafts import change_suggestions
from annotate.campaigns.prepared.suggestions import read_suggestions
from annotate.design.protocols import PROTOCOLS
from annotate.management.campaigns import launched_campaign_named
from core.wording import counted
from formats import FormatError
from formats.text.lines import read_text
from jobs.refusals import RefusedError


class Command(BaseCommand):
    help = "Store what a program suggests about the outputs of a draft, in place of earlier suggestions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="name of the draft")
        parser.add_argument("file", type=Path, help="suggestions, as docs/formats.md describes them")

    def handle(self, *args: object, **options: Any) -> None:
        campaign, path = launched_campaign_named(options["campaign"]), options["file"]
        protocol = PROTOCOLS[campaign.protocol]
        if not protocol.suggests:
            raise CommandError(f"Nothing can be suggested for “{protocol.title}”.")
        try:
            suggestions = read_suggestions(campaign.corpus, protocol, campaign.options, read_text(path), path)
            change_suggestions(campaign, suggestions)
        except (FormatError, RefusedError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Suggestions for {counted(len(suggestions), 'output')} are stored.")
