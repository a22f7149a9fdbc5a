"""Publishes and retracts results, and computes the content of their pages."""

import re
import tempfile
from collections.abc import Collection, Sequence
from itertools import product
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from analysis.analyses.base import AnyAnalysis, Table, includes_machines
from analysis.analyses.from_judgments import MAY_ADD_FOLLOWED, adds_followed
from analysis.analyses.systems.ranking import RANKING
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from analysis.models import Leaderboard, LeaderboardVersion, Publication
from analysis.publishing.bundle import write_bundle
from analysis.publishing.bundled_results import Results, results_of
from analysis.publishing.campaigns import given_of_campaign
from analysis.publishing.inputs.bundled_inputs import write_inputs
from analysis.publishing.leaderboards import NAMED, add_version, check_return
from analysis.publishing.previews import preview_of
from analysis.publishing.published_ranking import ranking_content
from analysis.publishing.stated import publishable_named
from analysis.publishing.storing import Drawn, DrawnMark, store
from analysis.runs.sources import source_of
from annotate.campaigns.follow_ups.one_sample import asks_about_newcomers
from annotate.database.audit_log import record
from annotate.models import AuditAction, Campaign, CampaignState, User
from core.parameters import parameters_as_text, parameters_from_text
from core.progress import Progress
from core.results import LAYOUTS
from figures.colours import Theme
from figures.drawing import render
from jobs import memory
from jobs.queue import queue
from jobs.refusals import RefusedError
from jobs.running import RunningJob

PUBLISH = "publish-ranking"
"""The kind of jobs, as stored in the database."""

ENDED = (CampaignState.CLOSED, CampaignState.IMPORTED)
THEMES: tuple[Theme, ...] = ("light", "dark")

MOST_ROWS = 50
"""Rows of a table on the page; files have all of them."""

NOT_ENDED = "Close the campaign first: annotators must not learn results while they judge."
COMBINED = "A published result is of one campaign: publish the follow-up and the first campaign separately."
TOGETHER = "This follow-up is only ranked together with the campaign that it follows (combined=yes)."
FOLLOWED = "Close the campaign that this one follows first: its annotators must not learn results."
NUMBERED = "Without names, systems have other numbers than in the ranking. Show names, or leave it apart."
ONLY_RANKINGS = "A leaderboard shows rankings only."
WITH_MACHINES = "Published results are about people. Publish this one without machines (machines=no)."
NOT_JUDGED = "Nothing has been judged in this campaign, so there is nothing to publish."


def publish(
    campaign: Campaign,
    analysis: AnyAnalysis,
    *,
    title: str,
    with_names: bool,
    parameters: object,
    by: User,
    authors: str = "",
    is_beside_rankings: bool = False,
    leaderboard: Leaderboard | None = None,
) -> Publication:
    """Publish the result of the present judgments; a job computes it.

    A ranking may become the next version of a leaderboard.

    Raises:
        RefusedError: the campaign still runs, there is nothing to publish, the title or the address names a
            system that should not be named, or the leaderboard does not take the result.
    """
    _check_campaign(campaign, analysis, parameters)
    if leaderboard is not None and analysis is not RANKING:
        raise RefusedError(ONLY_RANKINGS)
    if not with_names:
        if is_beside_rankings:
            raise RefusedError(NUMBERED)
        _check_that_nothing_names_a_system(campaign, title, leaderboard)
    with transaction.atomic():
        publication = Publication.objects.create(
            campaign=campaign,
            analysis=analysis.name,
            title=title,
            authors=authors,
            with_names=with_names,
            is_beside_rankings=is_beside_rankings,
            parameters=parameters_as_text(parameters),
            published_by=by,
        )
        version = add_version(leaderboard, publication) if leaderboard else None
        publication.job = queue(
            kind=PUBLISH,
            title=f"Publish {title}",
            parameters={"publication": str(publication.uuid)},
            owner=by,
        )
        publication.save(update_fields=["job"])
        details = {"title": title, "analysis": analysis.name, "version": str(version or "")}
        record(user=by, action=AuditAction.PUBLISH, subject=campaign, details=details)
    return publication


def _check_campaign(campaign: Campaign, analysis: AnyAnalysis, parameters: object) -> None:
    """Raise `RefusedError` if the campaign still runs, or has nothing to publish by this analysis."""
    if campaign.state not in ENDED:
        raise RefusedError(NOT_ENDED)
    if not campaign.judgments.exists():
        raise RefusedError(NOT_JUDGED)
    if includes_machines(parameters):
        raise RefusedError(WITH_MACHINES)
    about_newcomers = asks_about_newcomers(campaign)
    if adds_followed(parameters):
        if not about_newcomers:
            raise RefusedError(COMBINED)
        if any(each.state not in ENDED for each in campaign.followed):
            raise RefusedError(FOLLOWED)
    elif isinstance(parameters, MAY_ADD_FOLLOWED) and about_newcomers:
        raise RefusedError(TOGETHER)
    if reason := source_of(analysis).why_not(campaign, analysis):
        raise RefusedError(reason)


def _check_that_nothing_names_a_system(
    campaign: Campaign, title: str, leaderboard: Leaderboard | None
) -> None:
    """Raise `RefusedError` if the title or the address names a system."""
    if named := _named_in(title, campaign):
        raise RefusedError(f"The title names the system {named}. Choose another title, or show names.")
    if leaderboard and (named := _named_in_address(leaderboard.slug, campaign)):
        raise RefusedError(NAMED.format(system=named))


def _named_in(title: str, campaign: Campaign) -> str:
    """The first system that a title names; empty if it names none."""
    names = campaign.corpus.systems.values_list("name", "label")
    return next(
        (
            name
            for both in names
            for name in both
            if len(name) > 1 and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", title, re.IGNORECASE)
        ),
        "",
    )


def _named_in_address(slug: str, campaign: Campaign) -> str:
    """The first system that the name of a leaderboard names, with hyphens for whatever it cannot have."""
    return next(
        (
            name
            for both in campaign.corpus.systems.values_list("name", "label")
            for name in both
            if len(name) > 1 and f"-{'-'.join(re.findall('[a-z0-9]+', name.lower()))}-" in f"-{slug}-"
        ),
        "",
    )


def retract(publication: Publication, *, by: User) -> None:
    """Take the page away; its link says so."""
    with transaction.atomic():
        changed = Publication.objects.filter(pk=publication.pk, retracted_at=None)
        if changed.update(retracted_at=timezone.now()):
            details = {"title": publication.title}
            record(user=by, action=AuditAction.RETRACT, subject=publication.campaign, details=details)


def restore(publication: Publication, *, by: User) -> None:
    """Show a retracted page again, at the same link.

    Raises:
        RefusedError: its title or its leaderboard names a system that it has as a number, or other versions
            show systems the other way.
    """
    version = LeaderboardVersion.objects.filter(publication=publication).select_related("leaderboard").first()
    with transaction.atomic():
        if version:
            check_return(version)
        if not publication.with_names:
            leaderboard = version.leaderboard if version else None
            _check_that_nothing_names_a_system(publication.campaign, publication.title, leaderboard)
        changed = Publication.objects.filter(pk=publication.pk, retracted_at__isnull=False)
        if changed.update(retracted_at=None):
            details = {"title": publication.title}
            record(user=by, action=AuditAction.PUBLISH, subject=publication.campaign, details=details)


def make(publication: Publication, job: RunningJob) -> None:
    """Compute the result, and store the content of the page and the zip.

    Raises:
        ParameterError, SnapshotError: the judgments do not allow the parameters.
        RefusedError: the inputs cannot be read, or the publication was deleted.
    """
    analysis = publishable_named(publication.analysis)
    parameters = parameters_from_text(analysis.parameters, publication.parameters)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stated = write_inputs(
            folder,
            given_of_campaign(publication.campaign, analysis, parameters, job),
            analysis=analysis,
            title=publication.title,
            with_names=publication.with_names,
            progress=job,
        )
        memory.give_back()
        results = results_of(folder, stated, job)
        drawn = _drawn(results, job)
        path = folder / "bundle.zip"
        write_bundle(path, folder, results, job)
        content = _content(results)
        store(publication, path, drawn, content, preview_of(publication, content), job)


def _drawn(results: Results, progress: Progress) -> Drawn:
    """Each figure in each theme and layout."""
    figures = results.figures
    progress.begin("Drawing the figures", total=len(figures))
    drawn: Drawn = {}
    for name, figure in figures.items():
        for theme, layout in product(THEMES, LAYOUTS):
            svg = render(
                figure.in_layout(layout),
                theme=theme,
                format="svg",
                signature=figure.signature,
                caption=figure.description,
                layout=layout,
                is_bare=True,
            )
            drawn[name, theme, layout] = svg.decode()
        progress.advance(1)
    return drawn


def _content(results: Results) -> dict[str, object]:
    """The content of the page."""
    hollow = {name for name, role in results.naming.roles.items() if role in NO_SYSTEMS}
    is_drawn = any(table.drawn is not None for table in results.tables)
    return {
        "analysis": results.analysis.title,
        "headline": results.headline,
        "figures": [
            {"name": name, "caption": figure.caption, "is_in_table": is_drawn and bool(figure.of_table)}
            for name, figure in results.figures.items()
        ],
        "tables": [_shown(table, hollow) for table in results.tables if table.rows],
        "methods": results.methods,
        "facts": results.facts,
        "signatures": list(results.signatures.items()),
        "metrics": [[metric.name, metric.signature] for metric in results.stated.metrics],
        **({"ranking": ranking_content(results)} if results.analysis is RANKING else {}),
    }


def _shown(table: Table, hollow: Collection[str]) -> dict[str, object]:
    """A table as texts, without columns that are empty throughout; `hollow` names what does not compete."""
    columns = list(zip(*table.rows, strict=True))
    filled = [place for place, cells in enumerate(columns) if any(cell not in (None, "") for cell in cells)]
    is_text = [
        any(isinstance(cell, str) for cell in columns[place]) and place not in _numeric(table)
        for place in filled
    ]
    return {
        "title": table.title,
        "columns": [
            {"name": table.columns[place], "is_number": not text}
            for place, text in zip(filled, is_text, strict=True)
        ],
        "heading": is_text.index(True) if True in is_text else 0,
        "rows": [[row[place] for place in filled] for row in table.texts[:MOST_ROWS]],
        **_drawn_column(table, filled, hollow),
        "further": max(0, len(table.rows) - MOST_ROWS),
    }


def _drawn_column(table: Table, filled: Sequence[int], hollow: Collection[str]) -> dict[str, object]:
    """The column that the page draws, if there is one."""
    if table.drawn is None:
        return {}
    marks = [
        mark
        and DrawnMark(
            mark.value, mark.low, mark.high, mark.is_hollow or row[0] in hollow, mark.is_bar, mark.beside
        )
        for row, mark in zip(table.rows, table.marks[:MOST_ROWS], strict=False)
    ]
    scale = next((mark.scale for mark in table.marks if mark), None)
    return {
        "drawn": filled.index(table.drawn),
        "drawn_as": table.drawn_as,
        "is_percent": scale is not None and scale.is_percent,
        "even": scale and scale.even,
        "marks": marks,
    }


def _numeric(table: Table) -> set[int]:
    """The columns whose texts are numbers."""
    return {place for place, is_number in enumerate(table.are_numbers) if is_number}
