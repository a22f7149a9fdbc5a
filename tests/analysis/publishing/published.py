"""A published result."""

import zipfile
from io import BytesIO
from typing import Any

import pytest

from analysis.analyses.base import analyses
from analysis.models import Leaderboard, Publication
from analysis.publishing import bundle, previews, publications, verification
from analysis.publishing.publications import publish
from analysis.publishing.storing import zip_of
from annotate.models import Campaign, CampaignState, User
from core.parameters import parameters_from_text
from figures.drawing import render
from jobs.worker import run_queued_jobs

FEW = {"replicates": "20", "permutations": "100"}
"""Parameters that make tests fast, for analyses that have them."""


def published_result(
    campaign: Campaign,
    analysis: str = "ranking",
    *,
    title: str = "Results",
    with_names: bool = True,
    leaderboard: Leaderboard | None = None,
    **stated: str,
) -> Publication:
    """The result of a campaign that is over, as its job computes it."""
    if campaign.state != CampaignState.IMPORTED:
        Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.CLOSED)
        campaign.refresh_from_db()
    admin, _ = User.objects.get_or_create(username="a-publisher", role="admin")
    kind = analyses()[analysis]
    known = {name: text for name, text in FEW.items() if hasattr(kind.parameters(), name)}
    publication = publish(
        campaign,
        kind,
        title=title,
        with_names=with_names,
        parameters=parameters_from_text(kind.parameters, known | stated),
        by=admin,
        leaderboard=leaderboard,
    )
    run_queued_jobs()
    publication.refresh_from_db()
    assert publication.content is not None, publication.job and publication.job.error
    return publication


def files_of(publication: Publication) -> dict[str, bytes]:
    """The files of its zip."""
    with zipfile.ZipFile(BytesIO(b"".join(zip_of(publication)))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def draw_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty pictures in place of figures, which take most of the time."""
    _draw_by(monkeypatch, lambda chart, **look: b"<svg/>")


def draw_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each figure as a single picture for every theme, format and purpose."""
    drawn: dict[str, bytes] = {}

    def picture(chart: Any, **look: Any) -> bytes:
        key = chart.to_json(validate=False)
        if key not in drawn:
            drawn[key] = render(chart, theme="light", format="svg")
        return drawn[key]

    _draw_by(monkeypatch, picture)


def _draw_by(monkeypatch: pytest.MonkeyPatch, draw: Any) -> None:
    for module in (bundle, previews, publications, verification):
        monkeypatch.setattr(module, "render", draw)
