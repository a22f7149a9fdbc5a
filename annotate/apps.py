"""The Django app of corpora, campaigns and judgments."""

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext

SCORE_PAGES = ("score-set", "compute-scores", "upload-scores", "delete-scores")


class AnnotateConfig(AppConfig):
    name = "annotate"

    def ready(self) -> None:
        from annotate.models import CampaignState
        from annotate.scores.metric_setup import gec_metrics_setup
        from annotate.web.form_wording import use_own_words
        from annotate.web.registered_pages import (
            CampaignPage,
            CorpusPage,
            register_campaign_page,
            register_corpus_page,
        )
        from core.translations import install
        from jobs.signals import every_minute
        from metrics.gec_metrics.metric import set_up
        from metrics.learned import shelf

        every_minute.connect(_queue_due_looks)
        use_own_words()
        install(gettext)
        set_up(gec_metrics_setup())
        shelf.set_up(settings.VAR_DIR / "learned")
        for page in (
            CampaignPage(
                "Overview",
                "manage-campaign",
                place=10,
                is_shown=lambda user, campaign: user.is_admin and campaign.state != CampaignState.IMPORTED,
            ),
            CampaignPage("Judgments", "campaign", place=20, count="judgment_count"),
            CampaignPage("Reports and skips", "reports-and-skips", place=30),
            CampaignPage("Export", "export", place=60),
        ):
            register_campaign_page(page)
        register_corpus_page(CorpusPage("Sentences", "corpus", place=10, count="sentence_count"))
        register_corpus_page(
            CorpusPage("References", "references", place=30, parts=("draft-validity", "remove-references"))
        )
        register_corpus_page(CorpusPage("Scores", "corpus-scores", place=40, parts=SCORE_PAGES))


def _queue_due_looks(**about: object) -> None:
    from annotate.campaigns.watching import queue_due_looks

    queue_due_looks()
