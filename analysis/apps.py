"""The Django app of analyses."""

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "analysis"

    def ready(self) -> None:
        from annotate.web.registered_pages import CampaignPage, register_campaign_page, register_figure

        register_campaign_page(CampaignPage("Ranking", "ranking", place=40, shows_result=True))
        register_campaign_page(
            CampaignPage("Quality", "quality", place=50, is_shown=lambda user, campaign: user.is_admin)
        )
        register_campaign_page(CampaignPage("Analyses", "analyses", place=55))
        register_figure("progress", "progress-figure")
        register_figure("distinct outputs", "distinct-outputs")
