"""The Django app of analyses."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.conf import settings

if TYPE_CHECKING:
    from annotate.models import Campaign, Corpus, User
    from annotate.web.registered_pages import Notice, Panel, PeoplesRanking


class AnalysisConfig(AppConfig):
    name = "analysis"

    def ready(self) -> None:
        from annotate.web.registered_pages import (
            CampaignPage,
            CorpusPage,
            SitePage,
            register_addresses_of_analyses,
            register_campaign_page,
            register_corpus_page,
            register_figure,
            register_findings,
            register_notices,
            register_panels,
            register_peoples_rankings,
            register_site_page,
        )
        from jobs.signals import daily, every_minute

        daily.connect(_sweep_working_folders)
        if settings.ANSWERS_BY_THEMSELVES:
            every_minute.connect(_renew_answers)
        for page in (
            CampaignPage(
                "Answers",
                "campaign-answers",
                place=5,
                parts=("compute-campaign-answers",),
                shows_result=True,
            ),
            CampaignPage("Ranking", "ranking", place=40, parts=("compute-ranking",), is_shown=_of_ratings),
            CampaignPage("Metrics", "metrics", place=45, is_shown=_of_ratings),
            CampaignPage(
                "Quality",
                "quality",
                place=50,
                is_shown=lambda user, campaign: user.is_admin,
            ),
            CampaignPage(
                "Published",
                "publications",
                place=60,
                is_shown=lambda user, campaign: user.is_admin,
            ),
            CampaignPage(
                "Data releases",
                "data-releases",
                place=65,
                parts=("data-release",),
                is_shown=lambda user, campaign: user.is_admin,
            ),
            CampaignPage(
                "Analyses",
                "analyses",
                place=55,
                parts=("analysis", "compute-analysis", "follow-up", "machine-follow-up"),
            ),
        ):
            register_campaign_page(page)
        register_corpus_page(
            CorpusPage(
                "Analyses", "corpus-analyses", place=55, parts=("corpus-analysis", "compute-corpus-analysis")
            )
        )
        register_site_page(SitePage("Compare metrics", "compare-metrics"))
        register_site_page(SitePage("Evaluate a metric", "evaluate-metric"))
        register_site_page(SitePage("Judgments needed", "judgments-needed"))
        register_addresses_of_analyses(_address_of_analysis)
        register_figure("progress", "progress-figure")
        register_figure("distinct outputs", "distinct-outputs")
        register_panels(_panels)
        register_notices(_flags)
        register_findings(_findings)
        register_peoples_rankings(_peoples_ranking)


def _of_ratings(user: "User", campaign: "Campaign") -> bool:
    """Systems are ranked, and metrics compared with people, by ratings only."""
    from annotate.design.protocols import kind_of_answers
    from formats.snapshot.vocabulary import AnswerKind

    return user.may_research and AnswerKind.RATINGS.includes(kind_of_answers(campaign.protocol))


def _address_of_analysis(subject: "Campaign | Corpus", name: str) -> str:
    from analysis.results.registered_pages import address_of, pages  # Loads all analyses.

    return address_of(subject, pages()[name])


def _sweep_working_folders(**about: object) -> None:
    from analysis.releases.stored.resuming import sweep_working_folders

    sweep_working_folders()


def _renew_answers(**about: object) -> None:
    from analysis.runs.answering import renew_answers

    renew_answers()


def _panels(campaign: "Campaign", user: "User") -> Sequence["Panel"]:
    from analysis.pages.panels import panels  # Loads pandas and SciPy, so with the first page that shows it.

    return panels(campaign, user)


def _flags(campaigns: Sequence["Campaign"]) -> Mapping[int, "Notice"]:
    from analysis.pages.panels import flags

    return flags(campaigns)


def _findings(campaigns: Sequence["Campaign"]) -> Mapping[int, str]:
    from analysis.pages.panels import findings

    return findings(campaigns)


def _peoples_ranking(corpus: "Corpus") -> "PeoplesRanking | None":
    from analysis.pages.panels import ranking_of_corpus

    return ranking_of_corpus(corpus)
