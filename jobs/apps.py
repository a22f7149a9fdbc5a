from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class JobsConfig(AppConfig):
    name = "jobs"

    def ready(self) -> None:
        """Learn the kinds of jobs, which the apps above register in their modules `tasks`."""
        autodiscover_modules("tasks")
