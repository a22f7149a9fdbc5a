"""Publishes rankings, retracts them, and makes what their pages show."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from analysis.analyses.base import Progress
from analysis.analyses.ranking import RANKING, RankingParameters
from analysis.models import Publication, PublicationPiece
from analysis.pages.ranking_headline import headline
from analysis.publishing.bundle import Results, Stated, charts_of, results_of, write_bundle
from analysis.publishing.campaigns import judgments_of_campaign
from analysis.publishing.judgments import judgments_csv, numbered_systems
from analysis.publishing.words import facts, methods_paragraph
from annotate.judgments.queries import roles_of
from annotate.models import AuditAction, Campaign, CampaignState, User
from annotate.storage.audit import record
from figures.colours import Theme
from figures.drawing import render
from figures.ranking import told_interval, told_ranks
from jobs.queue import queue
from jobs.refusals import RefusedError
from metrics.parameters import parameters_as_text, parameters_from_text
from ranking import Method, holds_scores
from ranking.snapshot import system_names

PUBLISH_RANKING = "publish-ranking"
"""The kind of jobs, as stored in the database."""

ENDED = (CampaignState.CLOSED, CampaignState.IMPORTED)
PIECE = 1_000_000
THEMES: tuple[Theme, ...] = ("light", "dark")

NOT_ENDED = "Close the campaign first: annotators must not learn results while they judge."
COMBINED = "A published ranking is of one campaign: publish the follow-up and the first campaign separately."
NOT_JUDGED = "Nothing has been judged in this campaign, so there is no ranking to publish."


def publish(
    campaign: Campaign, *, title: str, with_names: bool, parameters: RankingParameters, by: User
) -> Publication:
    """Publish the ranking of the present judgments; a job computes it.

    Raises:
        RefusedError: the campaign still runs, or nothing was judged.
    """
    if campaign.state not in ENDED:
        raise RefusedError(NOT_ENDED)
    if not campaign.judgments.exists():
        raise RefusedError(NOT_JUDGED)
    if parameters.combined:
        raise RefusedError(COMBINED)
    with transaction.atomic():
        publication = Publication.objects.create(
            campaign=campaign,
            title=title,
            with_names=with_names,
            parameters=parameters_as_text(parameters),
            published_by=by,
        )
        publication.job = queue(
            kind=PUBLISH_RANKING,
            title=f"Publish {title}",
            parameters={"publication": str(publication.uuid)},
            owner=by,
        )
        publication.save(update_fields=["job"])
        record(user=by, action=AuditAction.PUBLISH, subject=campaign, details={"title": title})
    return publication


def retract(publication: Publication, *, by: User) -> None:
    """Take the page away; its link says so."""
    with transaction.atomic():
        changed = Publication.objects.filter(pk=publication.pk, retracted_at=None)
        if changed.update(retracted_at=timezone.now()):
            details = {"title": publication.title}
            record(user=by, action=AuditAction.RETRACT, subject=publication.campaign, details=details)


def restore(publication: Publication, *, by: User) -> None:
    """Show a retracted page again, at the same link."""
    with transaction.atomic():
        changed = Publication.objects.filter(pk=publication.pk, retracted_at__isnull=False)
        if changed.update(retracted_at=None):
            details = {"title": publication.title}
            record(user=by, action=AuditAction.PUBLISH, subject=publication.campaign, details=details)


def make(publication: Publication, progress: Progress) -> None:
    """Compute the ranking, and store what the page shows and the zip.

    Raises:
        ParameterError, SnapshotError: the judgments do not allow the parameters.
    """
    parameters = parameters_from_text(RankingParameters, publication.parameters)
    progress.begin("Reading the judgments")
    frame, annotators, source = judgments_of_campaign(publication.campaign, parameters)
    renamed = {name: name for name in system_names(frame)}
    if not publication.with_names:
        renamed = numbered_systems(system_names(frame), parameters.seed)
    csv = judgments_csv(frame, title=publication.title, annotators=annotators, systems=renamed)
    stated = Stated(
        publication.title,
        RANKING.resolved(parameters, scored=holds_scores(frame)),
        renamed.get(source) if source else None,
    )
    results = results_of(csv, stated, progress)
    roles = {renamed[name]: role for name, role in roles_of(publication.campaign).items() if name in renamed}
    progress.begin("Drawing figures and writing the zip")
    content = _content(results, roles)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bundle.zip"
        write_bundle(path, results)
        content["bytes"] = path.stat().st_size
        with transaction.atomic():
            publication.pieces.all().delete()
            for number, piece in enumerate(_pieces(path)):
                PublicationPiece.objects.create(publication=publication, number=number, content=piece)
            Publication.objects.filter(pk=publication.pk).update(content=content)


def zip_of(publication: Publication) -> Iterator[bytes]:
    """The zip, in pieces."""
    numbers = publication.pieces.values_list("number", flat=True)
    for number in list(numbers):
        yield bytes(publication.pieces.get(number=number).content)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


def _content(results: Results, roles: dict[str, str]) -> dict[str, Any]:
    """What the page shows."""
    ranking, judging = results.shown.ranking, results.shown.judging
    standings, agreement = ranking.standings, judging.agreement
    digits = 2 if standings.method is Method.MEAN_SCORE else 3
    return {
        "headline": headline(standings, roles, {}),
        "score_name": results.parameters.score_name,
        "confidence": f"{100 * results.parameters.confidence:g}",
        "systems": [
            {
                "system": row.system,
                "ranks": told_ranks(row),
                "score": "–" if row.score is None else f"{row.score:.{digits}f}",
                "interval": told_interval(row, digits - 1),
                "cluster": row.cluster,
            }
            for row in standings.systems
        ],
        "kappas": [
            [name, f"{kappa.value:.2f}" if kappa.value is not None else "–", kappa.n]
            for name, kappa in (("between annotators", agreement.inter), ("with themselves", agreement.intra))
        ],
        "methods": methods_paragraph(results.parameters, ranking, judging),
        "facts": facts(ranking, judging, results.sentences),
        "signature": ranking.signature,
        "figures": {
            name: {theme: render(chart, theme=theme, format="svg").decode() for theme in THEMES}
            for name, (chart, _) in charts_of(results).items()
        },
    }
