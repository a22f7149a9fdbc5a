"""The command `erase_annotator`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotate.models import User
from annotate.models.listed import campaigns
from core.wording import counted
from operation.erasure import (
    Erasure,
    ErasureRefusedError,
    annotator_named,
    erase_account,
    erase_annotator,
)

BACKUPS = "Backups made before still hold everything: delete them, or erase again after restoring one."


class Command(BaseCommand):
    help = (
        "Erase an annotator: name, id on a crowd platform, notes, drafts, links and sessions. The judgments "
        "stay under the same pseudonym unless --delete-judgments is given. This cannot be undone."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", nargs="?", help="name of the campaign")
        parser.add_argument(
            "annotator", nargs="?", help="name, number, pseudonym or id on the crowd platform"
        )
        parser.add_argument(
            "--account", metavar="NAME", help="erase this account and its work in all campaigns instead"
        )
        parser.add_argument("--delete-judgments", action="store_true", help="delete the judgments too")

    def handle(self, *args: object, **options: object) -> None:
        try:
            erasures = _erase(options)
        except ErasureRefusedError as error:
            raise CommandError(str(error)) from error
        stay = "deleted" if options["delete_judgments"] else "kept under the pseudonym"
        for erasure in erasures:
            self.stdout.write(
                f"Erased {erasure.annotator} of {erasure.campaign.name!r}; "
                f"{counted(erasure.judgments, 'judgment')} {stay}."
            )
        if options["account"]:
            self.stdout.write("Erased the account.")
        self.stdout.write(BACKUPS)


def _erase(options: dict[str, Any]) -> list[Erasure]:
    delete: bool = options["delete_judgments"]
    if name := options["account"]:
        user = User.objects.filter(username=name).first()
        if user is None:
            raise ErasureRefusedError(f"There is no account {name!r}.")
        return erase_account(user, delete_judgments=delete)
    if not options["annotator"]:
        raise ErasureRefusedError("Name a campaign and an annotator, or an account with --account.")
    campaign = campaigns().filter(name=options["campaign"]).first()
    if campaign is None:
        raise ErasureRefusedError(f"There is no campaign {options['campaign']!r}.")
    return [erase_annotator(annotator_named(campaign, options["annotator"]), delete_judgments=delete)]
