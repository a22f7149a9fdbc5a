"""The Django app of corpora, campaigns and judgments."""

from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"

    def ready(self) -> None:
        from annotate.web.form_wording import use_own_words

        use_own_words()
