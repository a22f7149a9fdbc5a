"""Make a machine that judges a campaign, and print its token for the API."""

from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import BaseCommand, CommandError

from annotate.machines.making import make_machine, mint_token
from annotate.management.campaigns import launched_campaign_named
from annotate.models import Machine


class Command(BaseCommand):
    help = "Make a machine that judges a campaign, and print its token for the API."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="name of the campaign")
        parser.add_argument("name", help="name of the machine in the campaign")
        parser.add_argument("--model", required=True, help="model, such as gpt-4o")
        parser.add_argument("--model-version", default="", help="exact version, date or digest of the model")
        parser.add_argument("--family", default="", help="family of the model, as systems state it: GPT")
        parser.add_argument("--prompt", type=Path, metavar="FILE", help="template of the prompt")
        parser.add_argument("--temperature", default="", help="such as 0")
        parser.add_argument("--seed", type=int, help="of the model's draws")
        parser.add_argument(
            "--date", type=date.fromisoformat, metavar="DAY", help="day of the run (2026-05-04)"
        )
        parser.add_argument("--run-by", default="", help="who runs it")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            prompt = options["prompt"].read_text(encoding="utf-8") if options["prompt"] else ""
            machine = Machine(
                model=options["model"],
                version=options["model_version"],
                family=options["family"],
                prompt=prompt,
                temperature=options["temperature"],
                seed=options["seed"],
                date=options["date"],
                run_by=options["run_by"],
            )
            annotator = make_machine(
                launched_campaign_named(options["campaign"]), name=options["name"], machine=machine, by=None
            )
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"The prompt cannot be read: {error}") from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stderr.write(f"{annotator.in_full}: its token is shown only now.", lambda text: text)
        self.stdout.write(mint_token(annotator, by=None))
