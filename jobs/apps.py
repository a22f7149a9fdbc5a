"""The Django app of background work."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "jobs"
