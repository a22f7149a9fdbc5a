"""Campaigns of the small corpus that are run here."""

from typing import Any

from annotate.campaigns.lifecycle import create_campaign, launch
from annotate.models import Campaign, Corpus, Design
from tests.annotate import protocols
from tests.annotate.samples import no_progress


def draft_campaign(corpus: Corpus, name: str = "drafted", **design: Any) -> Campaign:
    """A draft over all systems: the four sentences once each, with three outputs a screen."""
    options = {"items": 4, "outputs_per_screen": 3, "sampling": "uniform", "shared_percent": 50, **design}
    return create_campaign(
        name=name,
        corpus=corpus,
        protocol=protocols.current,
        systems=list(corpus.systems.all()),
        design=Design(**protocols.fitting(options)),
    )


def running_campaign(
    corpus: Corpus, name: str = "running", *, secret: str | None = None, **design: Any
) -> Campaign:
    """A launched campaign of the corpus; all draws follow from the secret."""
    campaign = draft_campaign(corpus, name, **design)
    launch(campaign, progress=no_progress, secret=secret)
    return campaign
