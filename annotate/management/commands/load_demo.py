"""The command `load_demo`: a corpus with judgments and a running campaign to explore."""

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction
from django.urls import reverse

from annotate.campaigns.lifecycle import create_campaign, launch
from annotate.corpora.labelling_jobs import queue_labelling
from annotate.design.protocols import (
    PROTOCOLS,
    Correction,
    Edits,
    ErrorSpans,
    Pairs,
    RelativeRanking,
    Scales,
    Validity,
)
from annotate.judging.entering import mint_shared_link
from annotate.models import Campaign, Corpus, Design, Role, Sampling, User
from annotate.scores.queries import score_sets
from annotate.scores.queueing import queue_scoring

DEMO = Path(settings.BASE_DIR) / "fixtures" / "demo"
NAME = "demo"
SYSTEMS = sorted((DEMO / "systems").iterdir())
METRICS = ("bleu", "chrf", "errant", "gleu", "green", "imeasure", "m2", "sari")

CAMPAIGNS: Sequence[tuple[str, str, str, Mapping[str, Any]]] = (
    (
        "Judge corrections",
        "demo-ranking",
        RelativeRanking.name,
        {
            "items": 60,
            "annotators_per_item": 2,
            "shared_percent": 50,
            "repeat_percent": 10,
            "batch_size": 20,
            "guidelines": RelativeRanking.guidelines,
        },
    ),
    (
        "Choose the better of two corrections",
        "demo-pairs",
        Pairs.name,
        {
            "items": 100,
            "outputs_per_screen": 2,
            "with_replacement": True,
            "annotators_per_item": 2,
            "shared_percent": 20,
            "repeat_percent": 5,
            "batch_size": 50,
            "guidelines": Pairs.guidelines,
        },
    ),
    (
        "Rate corrections on scales",
        "demo-scales",
        Scales.name,
        {
            "items": 20,
            "outputs_per_screen": 3,
            "sampling": Sampling.UNIFORM,
            "annotators_per_item": 3,
            "shared_percent": 100,
            "repeat_percent": 0,
            "batch_size": 10,
            "marks_edits": False,
            "guidelines": Scales.guidelines,
        },
    ),
    (
        "Judge edits one by one",
        "demo-edits",
        Edits.name,
        {
            "outputs_per_screen": 1,
            "covers_outputs": True,
            "items": 10,
            "sampling": Sampling.UNIFORM,
            "annotators_per_item": 2,
            "shared_percent": 100,
            "repeat_percent": 0,
            "marks_edits": False,
            "guidelines": Edits.guidelines,
        },
    ),
    (
        "Mark errors and score",
        "demo-error-spans",
        ErrorSpans.name,
        {
            "items": 20,
            "outputs_per_screen": 1,
            "sampling": Sampling.UNIFORM,
            "annotators_per_item": 2,
            "shared_percent": 50,
            "repeat_percent": 0,
            "batch_size": 10,
            "marks_edits": False,
            "guidelines": ErrorSpans.guidelines,
        },
    ),
    (
        "Write corrections",
        "demo-correction",
        Correction.name,
        {
            "outputs_per_screen": 0,
            "items": 20,
            "sampling": Sampling.UNIFORM,
            "annotators_per_item": 3,
            "shared_percent": 100,
            "repeat_percent": 0,
            "batch_size": 10,
            "marks_edits": False,
            "guidelines": Correction.guidelines,
            "protocol_options": {"instruction": "minimal", "versions": "2"},
        },
    ),
    (
        "Judge whether corrections are valid",
        "demo-validity",
        Validity.name,
        {
            "outputs_per_screen": 1,
            "items": 40,
            "sampling": Sampling.UNIFORM,
            "annotators_per_item": 3,
            "shared_percent": 100,
            "repeat_percent": 0,
            "guidelines": Validity.guidelines,
        },
    ),
)
"""The campaigns that are open: what one does there, name, protocol and design."""


class Command(BaseCommand):
    help = (
        "Load the demo corpus with its simulated judgments, ratings on scales, verdicts on edits, error "
        "spans, a pilot of simulated corrections, and one account for each role."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--address", default="http://127.0.0.1:8000/", help="address to print")

    def handle(self, *args: object, **options: Any) -> None:
        call_command(
            "import_corpus",
            NAME,
            language="en",
            source=DEMO / "source.txt",
            system=[(path.name, path) for path in SYSTEMS],
            role=[("INPUT", "source")],
            m2=[DEMO / "references.m2"],
            documents=DEMO / "documents.txt",
            domains=DEMO / "domains.txt",
        )
        call_command("import_corpus", f"{NAME}-pilot", language="en", answers=DEMO / "pilot.tsv")
        call_command(
            "import_judgments", "demo-judgments", DEMO / "judgments.xml", corpus=NAME, synthetic=True
        )
        call_command(
            "import_judgments", "demo-scales-judgments", DEMO / "scales.csv", corpus=NAME, synthetic=True
        )
        call_command(
            "import_judgments", "demo-edits-judgments", DEMO / "edits.csv", corpus=NAME, synthetic=True
        )
        call_command(
            "import_judgments",
            "demo-error-spans-judgments",
            DEMO / "error-spans.csv",
            corpus=NAME,
            synthetic=True,
        )
        corpus = Corpus.objects.get(name=NAME)
        self.stdout.write(f"\nAssay is at {options['address']}")
        for what, name, protocol, design in CAMPAIGNS:
            campaign = _launch_campaign(corpus, name, protocol, Design(**design))
            link_path = reverse("link", args=[mint_shared_link(campaign)])
            self.stdout.write(f"{what} at {options['address'].rstrip('/')}{link_path}")
        self.stdout.write("Logins (the passwords change with each start):")
        for role in Role:
            self.stdout.write("  {:<16} {}".format(*_renew_account(role)))
        self.stdout.write("")
        _have_analysed(corpus)


def _launch_campaign(corpus: Corpus, name: str, protocol: str, design: Design) -> Campaign:
    """The campaign of this name, launched at the first start."""
    campaign = Campaign.objects.filter(name=name).first()
    if campaign is None:
        shows_outputs = PROTOCOLS[protocol].most_outputs
        campaign = create_campaign(
            name=name,
            corpus=corpus,
            protocol=protocol,
            systems=list(corpus.systems.all()) if shows_outputs else [],
            design=design,
        )
        launch(campaign, progress=lambda stored: None)
    return campaign


def _have_analysed(corpus: Corpus) -> None:
    """Have the worker score the systems and label their edits, at the first start."""
    if not score_sets(corpus).exists():
        admin = User.objects.get(username=f"demo-{Role.ADMIN.value}")
        queue_scoring(corpus, METRICS, by=admin)
        queue_labelling(corpus, by=admin)


@transaction.atomic
def _renew_account(role: Role) -> tuple[str, str]:
    """Name and password of the role's demo account; the password is new, as a fixed one would be public."""
    password = secrets.token_urlsafe(9)
    user, _ = User.objects.get_or_create(username=f"demo-{role.value}")
    user.role = role
    user.set_password(password)
    user.save()
    return user.username, password
